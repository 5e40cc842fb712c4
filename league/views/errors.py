"""What a visitor sees when there is nothing to see: with the way back, in their language."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template import loader


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The address asks for something that makes no sense."""
    return render(request, "errors/400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The visitor may not do this."""
    return render(request, "errors/403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is no such page, or none this visitor may know of."""
    return render(request, "errors/404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Something is broken: the page needs no database, no language and no context."""
    return HttpResponseServerError(loader.render_to_string("errors/500.html"))
