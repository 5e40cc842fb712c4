"""Rendering of pages from templates."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.template import Engine, RequestContext


def render(
    request: HttpRequest,
    template: str,
    values: Mapping[str, object] | None = None,
    *,
    status: int = 200,
    content_type: str | None = None,
) -> HttpResponse:
    """Return a page rendered from a template with these values.

    `django.shortcuts.render` leaves the values in a reference cycle, so that only the garbage collector frees them,
    which takes a tenth of the time of a league's home page. Values pushed for the time of rendering are freed at once.
    """
    page, context = Engine.get_default().get_template(template), RequestContext(request)
    with context.push(values or {}):
        return HttpResponse(page.render(context), content_type, status)
