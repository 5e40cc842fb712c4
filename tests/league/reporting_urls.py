"""The addresses there are, of which one fails with somebody's name in its hands."""

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
