"""The language switch: any page's address with `?lang=en` or `?lang=ja` chooses the language from then on."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.utils.http import escape_leading_slashes

PARAMETER = "lang"
UNSWITCHED = ("/api/", "/embed/")
"""Here nobody keeps a cookie: the address itself answers in the language it names."""
FILES = (".ics", ".csv", ".xlsx", ".json")


class LanguageSwitch:
    """Keep the language chosen in the address in a cookie, and go on to the same page without it.

    Pages need no form and no session for it, so that they stay the same for every visitor and can be cached.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a chosen language with the way to the page itself, everything else as ever."""
        chosen = request.GET.get(PARAMETER)
        if chosen not in dict(settings.LANGUAGES) or request.method != "GET" or answers_by_address(request.path):
            return self.get_response(request)
        query = request.GET.copy()
        del query[PARAMETER]
        # An address that begins with two slashes would lead to another site.
        here = escape_leading_slashes(request.path)
        answer = HttpResponseRedirect(f"{here}?{query.urlencode()}" if query else here)
        answer.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            samesite="Lax",
            secure=settings.LANGUAGE_COOKIE_SECURE,
        )
        answer["Cache-Control"] = "no-store"
        return answer


def answers_by_address(path: str) -> bool:
    """Whether `?lang=` belongs to this address instead of choosing a language for all pages."""
    return path.startswith(UNSWITCHED) or path.endswith(FILES)


def language_asked(request: HttpRequest) -> str | None:
    """The language that the address names, if it is one of ours."""
    chosen = request.GET.get(PARAMETER)
    return chosen if chosen in dict(settings.LANGUAGES) else None
