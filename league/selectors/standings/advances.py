"""The places that ranks of blocks lead to by the format, so that a drawing can connect them before a game is played.

Overrides and draws are not looked at: they change who fills a slot, not the rank that the format names for it. In a
tier of a series the ranks that lead to no other stage lead to the next term, by the rules of the series alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from league.selectors.standings.tables import BlockTable
from scoring.format import Assignment, Format
from scoring.pyramid.conditions import SeriesDestination
from scoring.sources import BestOf, RankOf, Source, parse_source

NO_MOVES: Mapping[int, SeriesDestination] = {}


@dataclass(frozen=True, slots=True)
class Advance:
    """A place to which a rank of a block leads; `how` is `rank`, `best`, `title` or `move`.

    `best` means a comparison of the same rank across the stage's blocks, `move` the next term of a series. `block` and
    `slot` are None where a draw decides them, `stage` too for the title and a move. All are primary keys.
    """

    how: str
    stage: int | None = None
    block: int | None = None
    slot: int | None = None
    move: SeriesDestination | None = None
    """The destination of a move, by the rules of the series."""


Advances = Mapping[str, Mapping[int, tuple[Advance, ...]]]
"""By block key and rank, from the first stage to the last; ranks that lead nowhere are left out."""


def advances_of(
    league_format: Format, tables: Sequence[BlockTable], moves: Mapping[int, SeriesDestination] = NO_MOVES
) -> Advances:
    """Return the places that each rank leads to; `moves` are those of a tier by the place in its final table."""
    found = _by_format(league_format, tables)
    for key, rank, move in _moves(league_format, tables, moves):
        if all(lead.how == "title" for lead in found[key][rank]):
            found[key][rank].append(Advance("move", move=move))
    return {key: {rank: tuple(leads) for rank, leads in sorted(own.items()) if leads} for key, own in found.items()}


def _by_format(league_format: Format, tables: Sequence[BlockTable]) -> dict[str, defaultdict[int, list[Advance]]]:
    """Return the places within the competition by block key and rank."""
    found: dict[str, defaultdict[int, list[Advance]]] = {
        table.block.key: defaultdict(list) for table in tables if table.slots
    }
    for source, stage, block, slot in _targets(league_format, tables):
        if isinstance(source, RankOf) and source.block in found:
            found[source.block][source.rank].append(Advance("rank", stage, block, slot))
        if isinstance(source, BestOf):
            for key in league_format.blocks_of[source.stage]:
                if key in found:
                    found[key][source.rank].append(Advance("best", stage, block, slot))
    champion = league_format.champion
    if champion is not None and champion.block in found:
        found[champion.block][1].append(Advance("title"))
    return found


def _moves(
    league_format: Format, tables: Sequence[BlockTable], moves: Mapping[int, SeriesDestination]
) -> Iterator[tuple[str, int, SeriesDestination]]:
    """Yield block, rank and move where the rank is the final place: in stages of one block."""
    for table in tables:
        if len(league_format.blocks_of[table.block.stage.key]) == 1:
            for rank in range(1, len(table.slots) + 1):
                if rank in moves:
                    yield table.block.key, rank, moves[rank]


def _targets(
    league_format: Format, tables: Sequence[BlockTable]
) -> Iterator[tuple[Source, int, int | None, int | None]]:
    """Yield the source of each slot with the keys of stage, block and slot; of a drawn stage only its entrants'."""
    stages = {table.block.stage.key: table.block.stage_id for table in tables}
    for stage in league_format.stages:
        if stage.assignment is Assignment.DRAWN and stage.key in stages:
            for source in league_format.pool(stage.key):
                yield source, stages[stage.key], None, None
    for table in tables:
        for state in table.slots:
            yield parse_source(state.slot.source), table.block.stage_id, table.block.pk, state.slot_id
