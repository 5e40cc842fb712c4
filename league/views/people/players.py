"""Players' pages: in one competition, across all competitions, and the search."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.models import Competition, Entrant, Player
from league.platform.throttling import rate_limited
from league.selectors.access.etags import etag_of_all
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import entrants_listed, is_closed_to, shown_tables, stamp_of
from league.selectors.people.player_card import PlayerCard, running_state
from league.selectors.people.player_records import (
    combined_records,
    entrant_of,
    entrant_page,
    player_readers,
    results_by_block,
    seasons_of,
)
from league.selectors.people.rates import rates_of_entrant
from league.selectors.people.search import LONGEST, find_players, known_readers
from league.selectors.standings.ladder import ladder_of, shortened
from league.selectors.standings.ladder_paths import paths_of
from league.selectors.standings.odds import odds_mark, odds_state
from league.selectors.standings.progress import running_totals
from league.selectors.standings.published import outcome_of
from league.views.base import (
    REPRESENTATION,
    PageData,
    answer,
    competition_page,
    competition_page_with,
    conditional,
    show,
)
from league.views.people.card import shown_card
from league.views.people.rates import ShownRates
from league.views.people.trend import Company, trends_of
from league.web.ladder_svg import MINI, draw
from league.web.middleware.spoiler_guard import apply_guard
from league.web.response_cache import Render
from league.wording.names import short_names

TABLES_SHOWN = 10


@competition_page
def entrants(request: HttpRequest, reader: Reader) -> HttpResponse:
    """List all entrants of the competition."""
    if is_closed_to(reader):
        raise Http404(_("The guests of this table are not public."))
    shown = PageData(reader)
    return show(
        request, "people/entrants.html", shown, tab="players", entrants=entrants_listed(reader), stamp=stamp_of(reader)
    )


@competition_page_with(odds_state, running_state)
def entrant(request: HttpRequest, reader: Reader, key: str) -> HttpResponse:
    """Show one player in this competition."""
    row = entrant_of(reader, key)
    if row is None:
        raise Http404(_("There is no such player here."))
    shown = PageData(reader)
    return show(request, "people/entrant.html", shown, **entrant_context(shown, row), tab="players")


def entrant_context(shown: PageData, entrant: Entrant) -> dict[str, object]:
    """Return what the page of a player in a competition shows."""
    reader, scale = shown.reader, shown.ruleset.ranking_ledger.scale
    page = entrant_page(reader, entrant, shown.ruleset.players)
    is_league = reader.competition.kind == Competition.Kind.LEAGUE
    card = shown_card(reader, entrant, shown) if is_league else None
    return {
        "page": page,
        "player": entrant.player,
        "card": card,
        "next_tables": card.card.next_tables[:TABLES_SHOWN] if card else (),
        "blocks": results_by_block(page),
        "trends": trends_of(page.totals, scale, company_of(card.card) if card else None)[::-1],
        "rates": ShownRates.of(rates_of_entrant(reader, entrant)),
        "odds_mark": odds_mark(reader),
        "stamp": stamp_of(reader),
        **(mini_ladder(reader, entrant) if is_league else {}),
    }


def mini_ladder(reader: Reader, entrant: Entrant) -> dict[str, object]:
    """Return the context of the small ladder with the player's path lit; of one stage there is none."""
    ladder = ladder_of(shown_tables(reader), outcome_of(reader))
    if len(ladder.stages) == 1:
        return {}
    return {"mini": draw(shortened(ladder), MINI), "paths": paths_of(ladder), "lit": entrant.player.key}


def company_of(card: PlayerCard) -> dict[int, Company]:
    """Return the lines of all who play in the player's blocks, by block id."""
    totals = running_totals(card.reader, [table for table, _index in card.own])
    return {
        table.block.pk: Company(
            own,
            list(
                short_names({line.standing.entrant_id: line.standing.entrant.player for line in table.lines}).values()
            ),
            totals[table.block.pk],
        )
        for table, own in card.own
        if table.block.pk in totals
    }


@require_safe
def player(request: HttpRequest, key: str) -> HttpResponseBase:
    """Show one player in all competitions that the visitor may see; raise Http404 without any."""

    def read() -> tuple[str, Render]:
        row = get_object_or_404(Player, key=key)
        readers = [(apply_guard(request, reader), entrant) for reader, entrant in player_readers(row, request.user)]
        if not readers:
            raise Http404(_("There is no such player here."))
        state = (row.pk, row.name, row.name_kana, row.name_romaji, row.affiliation)
        shown = (row.mark_glyph, row.mark_colour, row.picture)
        etag = etag_of_all([reader for reader, _entrant in readers], REPRESENTATION, *state, *shown)
        return etag, lambda: render(request, "people/player.html", player_context(row, readers))

    return answer(request, read)


def player_context(row: Player, readers: Sequence[tuple[Reader, Entrant]]) -> dict[str, object]:
    """Return every season of the player with its figures, and the sums over all of them."""
    seasons = seasons_of(readers)
    shown = [
        (
            season,
            trends_of(season.totals, season.scale),
            ShownRates.of(rates_of_entrant(season.reader, season.entrant)),
        )
        for season in seasons
    ]
    return {"player": row, "seasons": shown, "overall": combined_records(seasons) if len(seasons) > 1 else ()}


@require_safe
@rate_limited("search")
def search(request: HttpRequest) -> HttpResponseBase:
    """Search players by part of a name or of its reading, in keyset pages."""
    readers = known_readers(request.user)
    text, after = request.GET.get("q", "").strip()[:LONGEST], request.GET.get("after", "")

    def make() -> HttpResponse:
        return render(request, "people/search.html", {"q": text, "found": find_players(readers, text, after)})

    return conditional(request, etag_of_all(readers, REPRESENTATION, "players", text, after), make)
