"""Middleware that refuses requests with texts no database can store: NUL or lone surrogates in URL, form or cookies.

Django's form fields refuse them one by one, but values that a view reads without a form are not checked. JSON
documents are checked where they are parsed (`unstorable_errors` in `league/web/problems.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponseBase

from league.platform.storable import is_storable
from league.web.error_pages import FORMS, bad_request

DESCRIBED = "/api/"
"""URLs of the REST API, whose parameters are validated by serializers that name the faulty one."""


class StorableTexts:
    """Middleware that answers 400 to unstorable texts and ignores cookies that contain them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Drop cookies with unstorable texts, which are not ours, before any other code reads them."""
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if is_storable(name + value)}
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, _args: object, _named: object
    ) -> HttpResponseBase | None:
        """Check URL and form.

        Run here, not in `__call__`, so that the visitor's language is already active for the error page.
        """
        if request.path.startswith(DESCRIBED) or all(map(is_storable, texts_of(request))):
            return None
        return bad_request(request, ValueError("a NUL, or half of a character"))


def texts_of(request: HttpRequest) -> Iterator[str]:
    """Yield every text of the URL and of the submitted form."""
    yield request.path
    for name, values in request.GET.lists():
        yield from (name, *values)
    if request.method == "POST" and request.content_type in FORMS:
        for name, values in request.POST.lists():
            yield from (name, *map(str, values))
