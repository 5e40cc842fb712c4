"""The start page: what is played now and next, and all competitions."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.platform.rendering import render
from league.selectors.access.etags import etag_of_all
from league.selectors.access.readers import Reader
from league.selectors.competitions.now import now_and_next
from league.selectors.competitions.overview import competition_cards, competitions_for
from league.views.base import REPRESENTATION, answer
from league.web.middleware.spoiler_guard import apply_guard
from league.web.response_cache import Render


@require_safe
def start(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the competition that is the service's first page; without one that the visitor may see, list all."""
    readers = competitions_for(request.user)
    first = next((reader.competition.slug for reader in readers if reader.competition.is_first_page), None)
    if first is None:
        return listed(request, readers)
    found = HttpResponseRedirect(reverse("pages:home", args=[first]))
    # The first page can be changed at any time, and some visitors may not see it.
    found["Cache-Control"] = "private, no-cache"
    return found


@require_safe
def competitions(request: HttpRequest) -> HttpResponseBase:
    """List all competitions that the visitor may see, those in progress first."""
    return listed(request, competitions_for(request.user))


def listed(request: HttpRequest, found: Sequence[Reader]) -> HttpResponseBase:
    """Return the list of these competitions, read again when the response is checked after rendering."""
    unread = [found]

    def read() -> tuple[str, Render]:
        now = unread.pop() if unread else competitions_for(request.user)
        readers = [apply_guard(request, reader) for reader in now]
        has_series, has_rankings = (
            any(getattr(reader.competition, name, False) for reader in now)
            for name in ("shows_series", "shows_rankings")
        )

        def make() -> HttpResponse:
            context = {
                "cards": competition_cards(readers),
                "now": now_and_next(readers),
                "has_series": has_series,
                "has_rankings": has_rankings,
            }
            return render(request, "competitions/start.html", context)

        return etag_of_all(readers, REPRESENTATION, "start", has_series, has_rankings), make

    return answer(request, read)
