"""Add a view that fails with a player's name in its exception to the project's URLs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from league import urls


@csrf_exempt
def broken(request: HttpRequest, key: str) -> HttpResponse:
    name = request.POST["name"]
    raise ValueError(f"no such player: {name!r}")


handler500 = urls.handler500
urlpatterns = [path("invitation/<str:key>/", broken), *urls.urlpatterns]
