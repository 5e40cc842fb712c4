"""The start page: what is being played here."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.response_cache import Render
from league.selectors.etags import etag_of_all
from league.selectors.pages import competition_cards, competitions_for
from league.views.base import REPRESENTATION, answer
from league.views.guard import guarded


@require_safe
def start(request: HttpRequest) -> HttpResponseBase:
    """All competitions the visitor may know of, those under way first."""

    def read() -> tuple[str, Render]:
        readers = [guarded(request, reader) for reader in competitions_for(request.user)]

        def make() -> HttpResponse:
            return render(request, "start/start.html", {"cards": competition_cards(readers)})

        return etag_of_all(readers, REPRESENTATION, "start"), make

    return answer(request, read)
