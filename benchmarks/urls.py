"""Addresses for benchmarks: those of the service, an empty view to compare with, and one that clears the cache."""

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from league.urls import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


def bare(_request: HttpRequest) -> HttpResponse:
    """Return a constant response: the least a view can do."""
    return HttpResponse(b"ok")


def forget(_request: HttpRequest) -> HttpResponse:
    """Clear the cache."""
    cache.clear()
    return HttpResponse(b"forgotten")


urlpatterns = [path("bare/", bare), path("forget/", forget), path("", include("league.urls"))]
