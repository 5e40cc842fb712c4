"""The one place where what cannot be kept is stopped at the door: NUL in an address, a form or a cookie.

Django's form fields refuse it each for themselves; what a view reads past a form does not. Documents in JSON are
looked through where they are parsed (`unstorable_errors` in `league/web/problems.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from league.platform.storable import is_storable
from league.web.error_pages import FORMS, bad_request

DESCRIBED = "/api/"
"""Here every parameter is described, and read by a serializer that names what is wrong with it."""


class StorableTexts:
    """Refuse with 400 what holds a NUL or half of a character; a cookie like that is none."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Drop cookies that no browser has from us, before anybody looks into them."""
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if is_storable(name + value)}
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, _args: Any, _named: Any) -> HttpResponseBase | None:
        """Look at what was asked, now that the reader's language is known."""
        if request.path.startswith(DESCRIBED) or all(map(is_storable, texts_of(request))):
            return None
        return bad_request(request, ValueError("a NUL, or half of a character"))


def texts_of(request: HttpRequest) -> Iterator[str]:
    """Every text of the address, and of the form that was sent."""
    yield request.path
    for name, values in request.GET.lists():
        yield from (name, *values)
    if request.method == "POST" and request.content_type in FORMS:
        for name, values in request.POST.lists():
            yield from (name, *map(str, values))
