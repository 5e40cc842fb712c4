"""Page that explains to players how even a block's schedule is."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Competition
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import stamp_of
from league.selectors.competitions.seating.evenness import visible_evenness
from league.views.base import PageData, competition_page, show


@competition_page
def seating(request: HttpRequest, reader: Reader, key: str) -> HttpResponse:
    """Show how often players meet, which tables they visit and where they start, beside the best possible."""
    if reader.competition.kind != Competition.Kind.LEAGUE:
        raise Http404(_("No seats are planned here."))
    shown = PageData(reader)
    block = shown.block(key)
    return show(
        request,
        "competitions/schedule/seating.html",
        shown,
        tab="sessions",
        this_block=block,
        even=visible_evenness(reader, block),
        stamp=stamp_of(reader, block),
    )
