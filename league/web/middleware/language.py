"""The language switch: `?lang=en` or `?lang=ja` on any page chooses the language from then on."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.utils.http import escape_leading_slashes

PARAMETER = "lang"
UNSWITCHED = ("/api/", "/embed/")
"""URLs whose clients keep no cookies; here `?lang=` selects the language of the response only."""
PROGRAMS = "/api/"
"""URLs read by programs: without a language of ours in Accept-Language they answer in English."""
FILES = (".ics", ".csv", ".xlsx", ".json")


class LanguageSwitch:
    """Middleware that moves a chosen language from the URL into a cookie and redirects to the page without it.

    Pages need no form and no session for it, so they stay the same for every visitor and can be cached. Clients that
    send no Accept-Language (search engines) are answered in the chosen language at once; all browsers send one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Redirect a request that chooses a language; pass every other request on."""
        if request.path.startswith(PROGRAMS):
            request.META["HTTP_ACCEPT_LANGUAGE"] = with_english(request.META.get("HTTP_ACCEPT_LANGUAGE", ""))
        chosen = request.GET.get(PARAMETER)
        if chosen not in dict(settings.LANGUAGES) or request.method != "GET" or answers_by_address(request.path):
            return self.get_response(request)
        if "Accept-Language" not in request.headers:
            # Search engines and link previews keep no cookies: they get the language without a redirect.
            request.COOKIES[settings.LANGUAGE_COOKIE_NAME] = chosen
            return self.get_response(request)
        query = request.GET.copy()
        del query[PARAMETER]
        # Browsers take a path that begins with two slashes for another host: an open redirect.
        here = escape_leading_slashes(request.path)
        answer = HttpResponseRedirect(f"{here}?{query.urlencode()}" if query else here)
        answer.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            samesite="Lax",
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            secure=settings.LANGUAGE_COOKIE_SECURE,
        )
        answer["Cache-Control"] = "no-store"
        return answer


def with_english(accepted: str) -> str:
    """Return an Accept-Language header in which English comes last, and stands for any language (`*`)."""
    return ",".join(filter(None, (accepted.replace("*", "en"), "en;q=0.001")))


def answers_by_address(path: str) -> bool:
    """Return True if `?lang=` selects the language of this URL only, instead of the visitor's for all pages."""
    return path.startswith(UNSWITCHED) or path.endswith(FILES)


def language_asked(request: HttpRequest) -> str | None:
    """Return the language named in the URL, or None if it is not one of ours."""
    chosen = request.GET.get(PARAMETER)
    return chosen if chosen in dict(settings.LANGUAGES) else None
