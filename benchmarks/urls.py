"""Every address of the service, the empty view that its pages are measured against, and one that empties the cache."""

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from league.urls import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


def bare(_request: HttpRequest) -> HttpResponse:
    """The least a view can do."""
    return HttpResponse(b"ok")


def forget(_request: HttpRequest) -> HttpResponse:
    """Nothing is kept any more."""
    cache.clear()
    return HttpResponse(b"forgotten")


urlpatterns = [path("bare/", bare), path("forget/", forget), path("", include("league.urls"))]
