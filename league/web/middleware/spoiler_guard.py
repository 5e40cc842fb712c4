"""The spoiler guard (ネタバレ防止): a reader who asks for it sees no result after a session of their choice.

`?until=3` on any page of a competition chooses session 3, `?until=` ends it. The choice is kept in a cookie of that
competition alone and goes into the page's tag by the reader, so pages stay the same for everybody who chose alike.
What it hides: `Reader.until`.
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
"""So many competitions a browser keeps a choice for: whoever sends somebody through a thousand addresses must not fill
their cookies until no server takes them any more."""


def reader_for(request: HttpRequest, competition: Competition) -> Reader:
    """The competition as this visitor may read it, and wants to."""
    return guarded(request, reader_of(competition, request.user))


def guarded(request: HttpRequest, reader: Reader) -> Reader:
    """The reader, up to the session the visitor chose. An open table has no sessions to wait for."""
    chosen = request.COOKIES.get(cookie_of(reader.competition.slug), "")
    if reader.competition.kind != Competition.Kind.LEAGUE or not NUMBER.fullmatch(chosen):
        return reader
    return replace(reader, until=int(chosen))


def cookie_of(slug: str) -> str:
    """The name of the cookie that keeps the choice."""
    return f"{NAME}{slug}"


def too_many(request: HttpRequest, slug: str) -> Iterator[str]:
    """The choices that make room for one more."""
    others = [name for name in request.COOKIES if name.startswith(NAME) and name != cookie_of(slug)]
    yield from others[: max(0, len(others) - MOST_KEPT + 1)]


class SpoilerGuard:
    """Keep what the address chooses in a cookie, and go on to the same page without it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a choice with the way to the page itself, everything else as ever."""
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
