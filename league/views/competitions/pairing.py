"""Page of a round paired by the standing or by lot: its tables, and why these four sit together."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Block, Credit, Pairing
from league.platform.throttling import rate_limited
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import stamp_of
from league.selectors.competitions.seating.pairing import pairing_of, pairings_of, round_plan
from league.selectors.competitions.seating.pairing_reasons import explained_tables, tables_otherwise
from league.selectors.rulebooks.rules_in_force import format_of
from league.views.base import PageData, competition_page, list_page, show
from league.web.long_lists import Wanted
from league.web.standings.large_fields import is_large
from league.wording.competitions.pairings import BOUNDS, not_avoided, proof_of
from scoring.format.rounds import SeatedBy


@list_page()
def pairing(request: HttpRequest, reader: Reader, key: str, number: int, *, wanted: Wanted) -> HttpResponse:
    """Show the tables of a round with the terms of their cost, its bound, and how to repeat it."""
    shown = PageData(reader)
    block = shown.block(key)
    row = visible_pairing(reader, block, number)
    plan = round_plan(format_of(shown.rules), block.stage.key, number)
    tables = explained_tables(row)
    found = wanted.only(tables, lambda table: table.entrants)
    byes = reader.decisions(Credit, block=block, number=number, kind=Credit.Kind.BYE)
    return show(
        request,
        "competitions/schedule/pairing.html",
        shown,
        tab="sessions",
        wanted=wanted,
        this_block=block,
        pairing=row,
        standing_version=reader.number_shown(row.standing_version),
        is_drawn=plan is not None and plan.by is SeatedBy.DRAW,
        tables=found,
        all=len(tables),
        found=len(found),
        has_long_list=is_large(len(tables)),
        bound=BOUNDS[row.bound_by],
        proof=proof_of(row.cost, row.bound, is_optimal=row.is_optimal),
        not_avoided=not_avoided(row.broken),
        sitting_out=[bye.entrant for bye in byes.select_related("entrant__player").order_by("entrant__number")],
        siblings=pairings_of(reader, block),
        stamp=stamp_of(reader, block),
    )


@rate_limited("search")
@competition_page
def today(request: HttpRequest, reader: Reader, key: str, number: int) -> HttpResponse:
    """Show which tables today's standing would seat otherwise, after corrections; it takes a search."""
    shown = PageData(reader)
    block = shown.block(key)
    row = visible_pairing(reader, block, number)
    # The spoiler guard hides results that the comparison would tell of.
    is_told = reader.until is None
    others = tables_otherwise(reader, row) if is_told else None
    return show(
        request,
        "competitions/schedule/pairing_today.html",
        shown,
        tab="sessions",
        this_block=block,
        pairing=row,
        is_told=is_told,
        others=[row.tables[place - 1]["table"] for place in others or ()],
        is_paired=others is not None,
        stamp=stamp_of(reader, block),
    )


def visible_pairing(reader: Reader, block: Block, number: int) -> Pairing:
    """Return the pairing of a round; raise Http404 for one that the reader may not know."""
    row = pairing_of(reader, block, number)
    if row is None:
        raise Http404(_("This round is not paired."))
    return row
