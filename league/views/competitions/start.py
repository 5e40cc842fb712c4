"""The start page: what is played now and next, and all competitions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.selectors.access.etags import etag_of_all
from league.selectors.access.readers import visible_competitions
from league.selectors.competitions.now import now_and_next
from league.selectors.competitions.overview import competition_cards, competitions_for
from league.views.base import REPRESENTATION, answer
from league.web.middleware.spoiler_guard import apply_guard
from league.web.response_cache import Render


@require_safe
def start(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the competition that is the service's first page; without one that the visitor may see, list all."""
    first = visible_competitions(request.user).filter(is_first_page=True).values_list("slug", flat=True).first()
    if first is None:
        return competitions(request)
    found = HttpResponseRedirect(reverse("pages:home", args=[first]))
    # The first page can be changed at any time, and some visitors may not see it.
    found["Cache-Control"] = "private, no-cache"
    return found


@require_safe
def competitions(request: HttpRequest) -> HttpResponseBase:
    """List all competitions that the visitor may see, those in progress first."""

    def read() -> tuple[str, Render]:
        readers = [apply_guard(request, reader) for reader in competitions_for(request.user)]

        def make() -> HttpResponse:
            context = {"cards": competition_cards(readers), "now": now_and_next(readers)}
            return render(request, "competitions/start.html", context)

        return etag_of_all(readers, REPRESENTATION, "start"), make

    return answer(request, read)
