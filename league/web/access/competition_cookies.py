"""Choices that a visitor without an account keeps on the device: one cookie for each competition.

A cookie that selects a response of a shared address belongs in `deploy/nginx.conf`. `ME` selects none: only the
addresses below `me/` read it, and the proxy keeps none of those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls.converters import SlugConverter

DAY = 24 * 60 * 60
MOST_KEPT = 20
"""Maximum number of competitions with a cookie of one kind.

Without it, links could fill a browser's cookies beyond servers' limits.
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind of choice: the beginning of the cookie's name, its valid values, and how many seconds it is kept."""

    name: str
    values: re.Pattern[str]
    seconds: int

    def cookie(self, slug: str) -> str:
        """Return the name of the cookie for a competition."""
        return f"{self.name}{slug}"

    def of(self, request: HttpRequest, slug: str) -> str:
        """Return what the visitor has chosen for a competition; empty without a valid choice."""
        value = request.COOKIES.get(self.cookie(slug), "")
        return value if self.values.fullmatch(value) else ""

    def keep(self, request: HttpRequest, response: HttpResponse, slug: str, value: str) -> None:
        """Keep a choice for a competition."""
        for name in self._too_many(request, slug):
            response.delete_cookie(name, samesite="Lax")
        response.set_cookie(
            self.cookie(slug), value, max_age=self.seconds, samesite="Lax", httponly=True,
            secure=settings.LANGUAGE_COOKIE_SECURE,
        )  # fmt: skip

    def forget(self, response: HttpResponse, slug: str) -> None:
        """Delete the choice for a competition."""
        response.delete_cookie(self.cookie(slug), samesite="Lax")

    def _too_many(self, request: HttpRequest, slug: str) -> Iterator[str]:
        """Yield the names of cookies to delete, so that one more fits."""
        others = [name for name in request.COOKIES if name.startswith(self.name) and name != self.cookie(slug)]
        yield from others[: max(0, len(others) - MOST_KEPT + 1)]

    def take_along(self, request: HttpRequest, response: HttpResponse, before: str, slug: str) -> None:
        """Keep the choice made at a competition's former address at its present one, unless there is one."""
        value = self.of(request, before)
        if value and self.cookie(slug) not in request.COOKIES:
            self.keep(request, response, slug, value)


UNTIL = Choice("until-", re.compile(r"[0-9]{1,4}"), 90 * DAY)
"""The number of the session up to which results are shown (spoiler guard)."""
ME = Choice("me-", re.compile(SlugConverter.regex), 365 * DAY)
"""The key of the player who the visitor is."""
