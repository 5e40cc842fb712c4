"""The start page: what is played now and next, and all competitions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.selectors.access.etags import etag_of_all
from league.selectors.competitions.now import now_and_next
from league.selectors.competitions.overview import competition_cards, competitions_for
from league.views.base import REPRESENTATION, answer
from league.web.middleware.spoiler_guard import apply_guard
from league.web.response_cache import Render


@require_safe
def start(request: HttpRequest) -> HttpResponseBase:
    """List all competitions that the visitor may see, those in progress first."""

    def read() -> tuple[str, Render]:
        readers = [apply_guard(request, reader) for reader in competitions_for(request.user)]

        def make() -> HttpResponse:
            context = {"cards": competition_cards(readers), "now": now_and_next(readers)}
            return render(request, "competitions/start.html", context)

        return etag_of_all(readers, REPRESENTATION, "start"), make

    return answer(request, read)
