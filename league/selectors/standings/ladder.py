"""Layout of a ladder: the rows of every block, and lines from ranks to the slots they fill.

A block shows its slots until its first result, and its ranks from then on. A line runs from the rank that fills
a slot to the row in which that entrant, or the empty slot, is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from league.models import Block, Entrant, Outcome, SlotState, Stage, Standing
from league.selectors.standings.tables import BlockTable
from scoring.sources import BestOf, RankOf, parse_source

ROWS_SHOWN = 12
"""Rows of an open table shown in the ladder; the table's own page shows all."""
STAGE_ROWS = 32
"""Rows of a stage that a drawing shows in full."""
LARGE_ROWS = 8
"""Rows of a larger block that are drawn at least, and `MOST_ROWS` at most."""
MOST_ROWS = 32
MANY_ROWS = 32
"""Rows of a stage with many blocks beyond which only those with a line are drawn."""
CERTAIN: str = SlotState.State.CERTAIN.value
FEW = 2
"""So few further rows are drawn too; a line that counts them would take the same place."""


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One row of a block: a rank with its entrant, or a slot with or without an entrant."""

    standing: Standing | None
    slot: SlotState | None
    entrant: Entrant | None
    state: str
    """The state of the slot; certain for a rank, since an entrant with a result certainly plays in the block."""


@dataclass(frozen=True, slots=True)
class LadderBlock:
    """A block of the ladder with its rows."""

    table: BlockTable
    rows: tuple[LadderRow, ...]
    hidden: int = 0
    """Number of rows left out."""

    @property
    def block(self) -> Block:
        """Return the model instance of the block."""
        return self.table.block

    @property
    def has_ranks(self) -> bool:
        """Return True if the rows are ranks; before the first result they are slots."""
        return not self.table.is_empty


@dataclass(frozen=True, slots=True)
class LadderStage:
    """A stage with its blocks; `pool` holds the entrants to be drawn until the draw."""

    stage: Stage
    blocks: tuple[LadderBlock, ...]
    pool: tuple[str, ...] = ()
    """Sources of the entrants of a drawn stage."""

    @property
    def is_one_block(self) -> bool:
        """Return True if the stage has one block with the same name."""
        return [block.block.name for block in self.blocks] == [self.stage.name]


class LadderLink(NamedTuple):
    """A line from a rank to a slot, each as block key and row index; a `to_row` of None is the stage's draw."""

    from_block: str
    from_row: int
    to_block: str
    to_row: int | None
    state: str


@dataclass(frozen=True, slots=True)
class Ladder:
    """The whole ladder with its stages in playing order."""

    stages: tuple[LadderStage, ...]
    links: tuple[LadderLink, ...]


def ladder_of(tables: Sequence[BlockTable], outcome: Outcome | None) -> Ladder:
    """Build the ladder from the tables of the blocks and the outcome."""
    blocks = {table.block.key: _ladder_block(table) for table in tables}
    pools = outcome.pools if outcome else {}
    stages: dict[int, list[LadderBlock]] = {}
    for block in blocks.values():
        stages.setdefault(block.block.stage_id, []).append(block)
    rows = tuple(
        LadderStage(own[0].block.stage, tuple(own), _undrawn(own, pools.get(own[0].block.stage.key, ())))
        for own in stages.values()
    )
    return Ladder(rows, tuple(_links(rows, blocks, pools)))


def _ladder_block(table: BlockTable) -> LadderBlock:
    """Return a block's rows: its slots before the first result, later ranks and the slots without a ranked entrant."""
    if table.is_empty and table.slots:
        return LadderBlock(table, tuple(LadderRow(None, slot, slot.entrant, slot.state) for slot in table.slots))
    rows = [LadderRow(line.standing, None, line.standing.entrant, CERTAIN) for line in table.lines]
    placed = {line.standing.entrant_id for line in table.lines}
    rows += [LadderRow(None, slot, slot.entrant, slot.state) for slot in table.slots if slot.entrant_id not in placed]
    shown = rows if table.slots else rows[:ROWS_SHOWN]
    return LadderBlock(table, tuple(shown), len(rows) - len(shown))


def shortened(ladder: Ladder, most: int = STAGE_ROWS) -> Ladder:
    """Leave out, for a drawing, the rows below the last one with a line, in stages of more than `most` rows.

    A line to or from a row beyond `MOST_ROWS` is left out with it.
    """
    last: dict[str, int] = {}
    for link in ladder.links:
        last[link.from_block] = max(last.get(link.from_block, 0), link.from_row + 1)
        last[link.to_block] = max(last.get(link.to_block, 0), (link.to_row or 0) + 1)
    stages = tuple(_shortened_stage(stage, last, most) for stage in ladder.stages)
    rows = {block.block.key: len(block.rows) for stage in stages for block in stage.blocks}
    links = (
        link
        for link in ladder.links
        if link.from_row < rows[link.from_block] and (link.to_row or 0) < max(1, rows[link.to_block])
    )
    return Ladder(stages, tuple(links))


def _shortened_stage(stage: LadderStage, last: Mapping[str, int], most: int) -> LadderStage:
    if sum(len(block.rows) for block in stage.blocks) <= most:
        return stage
    least = max(1, min(LARGE_ROWS, MANY_ROWS // len(stage.blocks)))
    kept = ((block, min(MOST_ROWS, max(last.get(block.block.key, 0), least))) for block in stage.blocks)
    return replace(
        stage,
        blocks=tuple(
            block
            if len(block.rows) <= rows + FEW
            else replace(block, rows=block.rows[:rows], hidden=block.hidden + len(block.rows) - rows)
            for block, rows in kept
        ),
    )


def _undrawn(blocks: Sequence[LadderBlock], pool: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    """Return the sources of the pool if a slot of the stage still awaits the draw."""
    waits = any(slot.source.startswith("draw:") for block in blocks for slot in block.table.slots)
    return tuple(str(entry["source"]) for entry in pool) if waits else ()


def _links(
    stages: Sequence[LadderStage],
    blocks: Mapping[str, LadderBlock],
    pools: Mapping[str, Sequence[Mapping[str, object]]],
) -> Iterator[LadderLink]:
    rows = {key: _rows_by_entrant(block) for key, block in blocks.items()}
    for stage in stages:
        if stage.pool:
            for entry in pools[stage.stage.key]:
                for block, row in _origins(str(entry["source"]), _id(entry["entrant"]), blocks, rows):
                    yield LadderLink(block, row, stage.blocks[0].block.key, None, str(entry["state"]))
            continue
        for target in stage.blocks:
            key = target.block.key
            for slot in target.table.slots:
                for block, row in _origins(slot.source, slot.entrant_id, blocks, rows):
                    yield LadderLink(block, row, key, _row_of(target, slot, rows[key]), slot.state)


def _id(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _rows_by_entrant(block: LadderBlock) -> Mapping[int | None, int]:
    """Return the index of the first row of each entrant by the entrant's id."""
    places = range(len(block.rows) - 1, -1, -1)
    return {entrant.pk: place for place in places if (entrant := block.rows[place].entrant)}


def _origins(
    source: str, entrant: int | None, blocks: Mapping[str, LadderBlock], rows: Mapping[str, Mapping[int | None, int]]
) -> Iterator[tuple[str, int]]:
    """Yield the rows a source refers to: one rank, or the same rank of every block until the best of them is known."""
    match parse_source(source):
        case RankOf(key, rank) if key in blocks:
            candidates = [key]
        case BestOf(stage, rank):
            candidates = [key for key, block in blocks.items() if block.block.stage.key == stage]
        case _:
            return
    known = [(key, rows[key][entrant]) for key in candidates if entrant in rows[key]]
    ranks = [(key, row) for key in candidates if (row := _row_of_rank(blocks[key], rank)) is not None]
    yield from known[:1] or ranks


def _row_of_rank(block: LadderBlock, rank: int) -> int | None:
    """Return the index of the row that counts as this rank; entrants that withdrew do not count."""
    going = [
        index for index, row in enumerate(block.rows) if row.standing is None or row.standing.destination != "withdrawn"
    ]
    return going[rank - 1] if rank <= len(going) else None


def _row_of(block: LadderBlock, slot: SlotState, rows: Mapping[int | None, int]) -> int | None:
    """Return the index of the row that shows the slot's entrant, or else the slot itself."""
    for index, row in enumerate(block.rows):
        if row.slot is slot:
            return index
    return rows.get(slot.entrant_id)
