"""The spoiler guard (ネタバレ防止): hide all results after a session that the visitor chooses.

`?until=3` on any page of a competition chooses session 3, `?until=` ends it. The choice is kept in a cookie for that
competition and enters the page's ETag through the reader, so visitors with the same choice share cached pages.
`Reader.until` says what it hides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls.converters import SlugConverter

from league.models import Competition
from league.selectors.access.readers import Reader, reader_of

PARAMETER = "until"
PAGES = re.compile(rf"/c/(?P<slug>{SlugConverter.regex})/")
NUMBER = re.compile(r"[0-9]{1,4}")
KEPT_SECONDS = 90 * 24 * 60 * 60
NAME = "until-"
MOST_KEPT = 20
"""Maximum number of competitions with a cookie.

Without it, links could fill a browser's cookies beyond servers' limits.
"""


def reader_for(request: HttpRequest, competition: Competition) -> Reader:
    """Return the competition as this visitor may read it, with the spoiler guard applied."""
    return apply_guard(request, reader_of(competition, request.user))


def apply_guard(request: HttpRequest, reader: Reader) -> Reader:
    """Return the reader limited to the session that the visitor chose; an open table has no sessions to hide."""
    chosen = request.COOKIES.get(cookie_of(reader.competition.slug), "")
    if reader.competition.kind != Competition.Kind.LEAGUE or not NUMBER.fullmatch(chosen):
        return reader
    return replace(reader, until=int(chosen))


def cookie_of(slug: str) -> str:
    """Return the name of the cookie that holds the choice for a competition."""
    return f"{NAME}{slug}"


def too_many(request: HttpRequest, slug: str) -> Iterator[str]:
    """Yield the names of cookies to delete, so that one more fits."""
    others = [name for name in request.COOKIES if name.startswith(NAME) and name != cookie_of(slug)]
    yield from others[: max(0, len(others) - MOST_KEPT + 1)]


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
        if NUMBER.fullmatch(chosen):
            for name in too_many(request, page["slug"]):
                answer.delete_cookie(name, samesite="Lax")
            answer.set_cookie(
                cookie_of(page["slug"]), chosen, max_age=KEPT_SECONDS, samesite="Lax", httponly=True,
                secure=settings.LANGUAGE_COOKIE_SECURE,
            )  # fmt: skip
        else:
            answer.delete_cookie(cookie_of(page["slug"]), samesite="Lax")
        answer["Cache-Control"] = "no-store"
        return answer
