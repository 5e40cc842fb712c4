"""The hall screen: large type, one picture after another, with the clock and announcements above.

All pictures are in the page; a script shows one at a time, and `live.js` keeps the page up to date with the published
version. The script reads its options (`?every=8`, seconds) from the URL, so that the page is the same, and cached
once, for every screen.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Competition
from league.platform.site_url import site_url
from league.selectors.access.readers import Reader
from league.selectors.competitions.clock import clock_now
from league.selectors.competitions.overview import running_games, running_mark
from league.selectors.competitions.projector import hall_of
from league.selectors.standings.tables import result_grids, substituted_in
from league.views.base import PageData, competition_page_with, show
from league.views.competitions.hall_tables import hall_table


@competition_page_with(lambda reader: [running_mark(reader)])
def projector(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show the pictures of the current session."""
    if reader.competition.kind != Competition.Kind.LEAGUE:
        raise Http404(_("There is nothing to project here."))
    shown, hall = PageData(reader), hall_of(reader)
    blocks = list({part.table.block.pk: part.table.block for part in hall.parts}.values())
    grids = result_grids(reader, blocks)
    begun = running_games(reader) if reader.until is None else frozenset()
    games = [game.hanchan for found in hall.upcoming for table in found.tables for game in table.awaited]
    # A block on one screen has its running game in it: `follow.screen` replaces the table hand by hand.
    running = {game.block_id: game for game in games if game.pk in begun}
    parts = [
        (
            hall_table(
                part.table, part.lines, grids[part.table.block.pk], shown.names, shown.ruleset.ranking_ledger.scale
            ),
            running.get(part.table.block.pk) if len(part.lines) == len(part.table.lines) else None,
        )
        for part in hall.parts
    ]
    return show(
        request,
        "competitions/hall/projector.html",
        shown,
        hall=hall,
        clock=clock_now(reader, timezone.now()),
        parts=parts,
        running_mark=running_mark(reader),
        substituted=substituted_in(reader, blocks),
        home=f"{site_url(request)}{reverse('pages:home', args=[reader.competition.slug])}",
    )
