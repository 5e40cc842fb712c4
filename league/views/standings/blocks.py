"""The page of a block: its table with borders and explanations, and the results of all hanchan."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from league.models import Competition, Standing
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import adjustments_of, rulings_of, shown_table, stamp_of
from league.selectors.competitions.overview import result_count as count_of
from league.selectors.competitions.seating.pairing import pairings_in
from league.selectors.rulebooks.rules_in_force import format_of
from league.selectors.standings.conditions import conditions_of
from league.selectors.standings.credits import CountedCredit
from league.selectors.standings.explanations import Explanation, explanations, ranks_by_total_alone
from league.selectors.standings.odds import block_advance, odds_mark, odds_state
from league.selectors.standings.prepared import BLOCK, season_with
from league.selectors.standings.progress import MOST_RESULTS, newest_movement
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import BlockTable, ResultCell, StandingLine, result_grid, substituted_in
from league.templatetags.grids import GridRow
from league.views.base import PageData, list_page, show
from league.views.standings.conditions import shown_block, shown_pairs
from league.web.long_lists import Wanted
from league.web.standings.large_fields import is_large


@list_page(odds_state)
def block(request: HttpRequest, reader: Reader, key: str, *, wanted: Wanted) -> HttpResponse:
    """Show the page of one block."""
    season_with(reader, BLOCK)
    shown = PageData(reader)
    row = shown.block(key)
    table = shown_table(reader, row)
    # A block with more results gets no grid, so that the page's size stays bounded.
    has_grid = not reader.guards_guests and 0 < count_of(reader, row) <= MOST_RESULTS
    results = result_grid(reader, row) if has_grid else {}
    columns, grid = grid_of(table, results) if has_grid else ((), ())
    outcome = outcome_of(reader)
    awaiting = outcome.awaiting if outcome else ()
    ties = tuple(ties_of(table.lines, [tie for tie in awaiting if tie["scope"] == row.key]))
    has_large_field = is_large(len(table.lines))
    pairs = wanted.only(pairs_of(shown, table, results), lambda pair: (pair.above.entrant, pair.below.entrant))
    return show(
        request,
        "standings/blocks/block.html",
        shown,
        tab="home",
        wanted=wanted,
        this_block=row,
        table=table,
        siblings=[each for each in shown.blocks if each.stage_id == row.stage_id],
        advance=block_advance(reader, table),
        odds_mark=odds_mark(reader),
        has_large_field=has_large_field,
        has_carried=any(line.standing.carried for line in table.lines),
        pairs=list(shown_pairs(pairs, shown.ruleset.ranking_ledger.scale)),
        substituted=substituted_in(reader, [row]),
        movement=newest_movement(reader, table, results, format_of(shown.rules), shown.ruleset.players),
        needs=[shown_block(each, shown.names) for each in conditions_of(reader, block=row, is_asked=wanted.finds)],
        ties=[tie for tie in ties if tie.awaits_ruling or not has_large_field],
        more_ties=[tie for tie in ties if has_large_field and not tie.awaits_ruling],
        is_over=table.is_complete or reader.competition.status == Competition.Status.CLOSED,
        by_total_alone=ranks_by_total_alone(format_of(shown.rules).tiebreak),
        adjustments=adjustments_of(reader, row),
        not_played=not_played_in(table),
        rulings=rulings_of(reader, row),
        pairings=[each for each in pairings_in(reader) if each.block_id == row.pk],
        columns=columns,
        grid=wanted.only(grid, lambda each: (each.line.standing.entrant,)),
        has_outside=any(row.outside for row in grid),
        places=range(1, shown.ruleset.players + 1),
        stamp=stamp_of(reader, row),
    )


def not_played_in(table: BlockTable) -> list[tuple[Standing, Sequence[CountedCredit]]]:
    """Return the rows of a table with what counts for them without a result, where anything does."""
    rows = (line.standing for line in table.lines)
    return [(row, table.credits[row.entrant_id]) for row in rows if row.entrant_id in table.credits]


def grid_of(
    table: BlockTable, cells: Mapping[int, Mapping[int, ResultCell]]
) -> tuple[tuple[int, ...], tuple[GridRow, ...]]:
    """Return the columns, one for each hanchan planned or played, and the rows in the table's order."""
    played = max((max(own) for own in cells.values()), default=0)
    columns = tuple(range(1, max(played, table.planned or 0) + 1))
    return columns, tuple(_grid_row(line, cells.get(line.standing.entrant_id, {}), columns) for line in table.lines)


def _grid_row(line: StandingLine, own: Mapping[int, ResultCell], columns: Sequence[int]) -> GridRow:
    outside = line.standing.total - sum([cell.points for cell in own.values()])
    return GridRow(line, tuple(map(own.get, columns)), outside)


def pairs_of(
    shown: PageData, table: BlockTable, results: Mapping[int, Mapping[int, ResultCell]]
) -> tuple[Explanation, ...]:
    """Return explanations for all pairs of neighbours; without results only for pairs that a tie-break parted."""
    pairs = explanations(table, results, format_of(shown.rules).tiebreak)
    return pairs if results else tuple(pair for pair in pairs if pair.decision)


@dataclass(frozen=True, slots=True)
class Tie:
    """Entrants who share a rank; `awaits_ruling` if their places depend on the organizers."""

    lines: tuple[StandingLine, ...]
    awaits_ruling: bool


def ties_of(lines: Sequence[StandingLine], awaiting: Sequence[Mapping[str, Collection[int]]]) -> Iterator[Tie]:
    """Yield groups of entrants who have played and share a rank."""
    awaited = {entrant for tie in awaiting for entrant in tie["entrants"]}
    shared: dict[int, list[StandingLine]] = {}
    for line in lines:
        if line.standing.is_tied and line.standing.played:
            shared.setdefault(line.standing.rank, []).append(line)
    for group in shared.values():
        yield Tie(tuple(group), any(line.standing.entrant_id in awaited for line in group))
