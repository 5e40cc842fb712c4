"""The spoiler guard (ネタバレ防止): hide all results after a session that the visitor chooses.

`?until=3` on any page of a competition chooses session 3, `?until=` ends it. The choice is kept in a cookie for that
competition and enters the page's ETag through the reader, so visitors with the same choice share cached pages.
`Reader.until` says what it hides.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls.converters import SlugConverter

from league.models import Competition
from league.selectors.access.readers import Reader
from league.web.access.competition_cookies import UNTIL

PARAMETER = "until"
PAGES = re.compile(rf"/c/(?P<slug>{SlugConverter.regex})/")


def apply_guard(request: HttpRequest, reader: Reader) -> Reader:
    """Return the reader limited to the session that the visitor chose; an open table has no sessions to hide."""
    chosen = UNTIL.of(request, reader.competition.slug)
    if reader.competition.kind != Competition.Kind.LEAGUE or not chosen:
        return reader
    return replace(reader, until=int(chosen))


class SpoilerGuard:
    """Middleware that moves the choice from the URL into a cookie and redirects to the page without it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Redirect a request with a choice; pass every other request on."""
        page = PAGES.match(request.path)
        chosen = request.GET.get(PARAMETER)
        if page is None or chosen is None or request.method != "GET":
            return self.get_response(request)
        query = request.GET.copy()
        del query[PARAMETER]
        answer = HttpResponseRedirect(f"{request.path}?{query.urlencode()}" if query else request.path)
        if UNTIL.values.fullmatch(chosen):
            UNTIL.keep(request, answer, page["slug"], chosen)
        else:
            UNTIL.forget(answer, page["slug"])
        answer["Cache-Control"] = "no-store"
        return answer
