"""The places that ranks of blocks lead to by the format, so that a drawing can connect them before a game is played.

Overrides and draws are not looked at: they change who fills a slot, not the rank that the format names for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from league.selectors.standings.tables import BlockTable
from scoring.format import Assignment, Format
from scoring.sources import BestOf, RankOf, Source, parse_source


@dataclass(frozen=True, slots=True)
class Advance:
    """A place to which a rank of a block leads; `how` is `rank`, `best` or `title`.

    `best` means a comparison of the same rank across the stage's blocks. `block` and `slot` are None where a draw
    decides them, `stage` too for the title. All are primary keys.
    """

    how: str
    stage: int | None = None
    block: int | None = None
    slot: int | None = None


Advances = Mapping[str, Mapping[int, tuple[Advance, ...]]]
"""By block key and rank, from the first stage to the last; ranks that lead nowhere are left out."""


def advances_of(league_format: Format, tables: Sequence[BlockTable]) -> Advances:
    """Return the places that each rank leads to."""
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
    return {key: {rank: tuple(leads) for rank, leads in sorted(own.items())} for key, own in found.items()}


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
