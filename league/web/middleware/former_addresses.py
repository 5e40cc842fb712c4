"""Redirect from a competition's former address to its present one, for every page, calendar, file and widget.

The pages and calendars of an entry that was merged redirect to those of the player kept.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse

from league.selectors.competitions.addresses import moved_competition
from league.selectors.people.visibility import kept_player
from league.web.access.competition_cookies import ME, UNTIL
from league.web.response_cache import PRIVATE

NAMESPACES = frozenset({"pages", "feeds"})
"""The routes of people. REST finds a competition by a former slug without a redirect (`CompetitionView.find`)."""
PEOPLE = frozenset({
    "feeds:player-calendar", "pages:entrant", "pages:entrant-card", "pages:member", "pages:player",
    "pages:ranking-person", "pages:series-way",
})  # fmt: skip
"""The routes whose key is a player's."""


class FormerAddresses:
    """Middleware that looks up a former slug or key only after a 404, so that no other request costs a query more."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Redirect if the visitor may see what has moved; else the 404 stays, as for an address that never was."""
        response = self.get_response(request)
        match = request.resolver_match
        if response.status_code != HTTPStatus.NOT_FOUND or match is None or match.namespace not in NAMESPACES:
            return response
        slug = str(match.kwargs.get("slug", ""))
        if slug and (competition := moved_competition(slug, request.user)):
            path = reverse(match.view_name, kwargs={**match.kwargs, "slug": competition.slug})
            return redirect_to(request, path, slug, competition.slug)
        if match.view_name in PEOPLE and (kept := kept_player(str(match.kwargs["key"]), request.user)):
            path = reverse(match.view_name, kwargs={**match.kwargs, "key": kept.key})
            return redirect_to(request, path, slug, slug)
        return response


def redirect_to(request: HttpRequest, path: str, before: str, slug: str) -> HttpResponse:
    """Return the permanent redirect; forms are sent again (308), and the visitor's choices go along."""
    is_read = request.method in {"GET", "HEAD"}
    query = request.META.get("QUERY_STRING", "")
    response = HttpResponse(
        status=HTTPStatus.MOVED_PERMANENTLY if is_read else HTTPStatus.PERMANENT_REDIRECT,
        headers={"Location": f"{path}?{query}" if query else path},
    )
    # Browsers keep a permanent redirect for ever, unless told: a competition may take its former address back.
    response["Cache-Control"] = PRIVATE
    response.xframe_options_exempt = True
    for choice in (UNTIL, ME):
        choice.take_along(request, response, before, slug)
    return response
