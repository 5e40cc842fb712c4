"""Players' pages in one competition, and the search."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.models import Competition, Entrant
from league.platform.rendering import render
from league.platform.throttling import rate_limited
from league.selectors.access.etags import etag_of_all
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import entrants_listed, shown_tables, stamp_of
from league.selectors.competitions.seating.pairing import pairings_in
from league.selectors.people.player_card import PlayerCard, running_state
from league.selectors.people.player_records import (
    entrant_of,
    entrant_page,
    results_by_block,
)
from league.selectors.people.rates import rates_of_entrant
from league.selectors.people.search import LONGEST, find_players, known_readers
from league.selectors.rulebooks.rules_in_force import format_of
from league.selectors.seasons.members import MemberRow, member_table
from league.selectors.standings.ladder import ladder_of, shortened
from league.selectors.standings.ladder_paths import paths_of
from league.selectors.standings.odds import odds_mark, odds_state
from league.selectors.standings.progress import running_totals
from league.selectors.standings.published import outcome_of
from league.views.base import (
    REPRESENTATION,
    PageData,
    competition_page_with,
    conditional,
    list_page,
    show,
)
from league.views.people.card import shown_card
from league.views.people.carries import carries_of
from league.views.people.rates import ShownRates
from league.views.people.trend import BlockLines, trends_of
from league.web.long_lists import Wanted
from league.web.standings.ladder_svg import MINI, draw
from league.web.standings.large_fields import is_large
from league.wording.names import short_names

TABLES_SHOWN = 10


@list_page()
def entrants(request: HttpRequest, reader: Reader, *, wanted: Wanted) -> HttpResponse:
    """List all entrants of the competition."""
    if reader.guards_guests:
        raise Http404(_("The guests of this table are not public."))
    shown = PageData(reader)
    listed = entrants_listed(reader)
    return show(
        request,
        "people/entrants.html",
        shown,
        tab="players",
        wanted=wanted,
        has_long_list=is_large(len(listed)),
        all=len(listed),
        entrants=list(filter(wanted.finds, listed)),
        members=members_by_team(reader) if shown.has_teams else {},
        stamp=stamp_of(reader),
    )


def members_by_team(reader: Reader) -> dict[int, list[MemberRow]]:
    """Return the lines of the members by the team's entrant id, in the order of the team."""
    found: dict[int, list[MemberRow]] = {}
    for row in member_table(reader):
        found.setdefault(row.team.pk, []).append(row)
    return {team: sorted(rows, key=MemberRow.place_in_team) for team, rows in found.items()}


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
        "pairings": [row for row in pairings_in(reader) if any(entrant.pk in level for level in row.order)],
        "blocks": results_by_block(page),
        "carries": carries_of(page.totals, format_of(shown.rules), scale),
        "own_members": [row for row in member_table(reader) if row.team.pk == entrant.pk] if shown.has_teams else (),
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


def company_of(card: PlayerCard) -> dict[int, BlockLines]:
    """Return the lines of all who play in the player's blocks, by block id."""
    totals = running_totals(card.reader, [table for table, _index in card.own])
    return {
        table.block.pk: BlockLines(
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
@rate_limited("search")
def search(request: HttpRequest) -> HttpResponseBase:
    """Search players by part of a name or of its reading, in keyset pages."""
    readers = known_readers(request.user)
    text, after = request.GET.get("q", "").strip()[:LONGEST], request.GET.get("after", "")

    def make() -> HttpResponse:
        return render(request, "people/search.html", {"q": text, "found": find_players(readers, text, after)})

    return conditional(request, etag_of_all(readers, REPRESENTATION, "players", text, after), make)
