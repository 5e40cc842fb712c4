"""An address that fails with somebody's name in its hands."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from league.views import errors


@csrf_exempt
def broken(request: HttpRequest, key: str) -> HttpResponse:
    name = request.POST["name"]
    raise ValueError(f"no such player: {name!r}")


handler500 = errors.server_error
urlpatterns = [path("invitation/<str:key>/", broken)]
