"""Tables of published standings with gaps to the neighbours and borders between destinations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F

from league.models import Block, Competition, Session, SlotState, Stage, Standing
from league.selectors.access.readers import Reader
from league.selectors.standings.prepared import SeatCell, cells_of, season_of
from league.selectors.standings.published import slot_states_of, standings_of
from league.selectors.standings.rounds import closed_in, rounds_in
from league.selectors.standings.tallies import top_of


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One line of a block's table.

    Amounts are at the ranking ledger's scale, gaps are None without a line to compare.
    """

    standing: Standing
    gap_to_above: int | None
    gap_to_border: int | None
    """Points missing to the last place of the next better destination; None within the best one."""
    is_last_before_border: bool
    """True if the next line has another destination: a border is drawn below this one."""


@dataclass(frozen=True, slots=True)
class BlockTable:
    """A block's table: lines best first, number of hanchan played and planned, and its slots."""

    block: Block
    lines: tuple[StandingLine, ...]
    played: int
    planned: int | None
    """Number of hanchan that each entrant plays; None in an open table."""
    slots: tuple[SlotState, ...]
    is_empty: bool
    """True before the first result."""
    is_closed: bool
    """True if the organizer has closed the block before all hanchan were played."""

    @property
    def is_uneven(self) -> bool:
        """Return True if some entrants have played fewer hanchan than others, as in a block with rests."""
        return any(line.standing.played != self.played for line in self.lines)

    @property
    def played_in_all(self) -> int:
        """Return the sum of the entrants' hanchan."""
        return sum(line.standing.played for line in self.lines)

    @property
    def planned_in_all(self) -> int:
        """Return the sum of the hanchan that the entrants are to play."""
        return (self.planned or 0) * len(self.lines)

    @property
    def is_complete(self) -> bool:
        """Return True if all entrants have played all hanchan, or the block is closed."""
        return self.is_closed or (self.planned is not None and bool(self.lines) and self.played == self.planned)


@dataclass(frozen=True, slots=True)
class ResultCell:
    """One entrant's hanchan in the grid of results, with the running total."""

    hanchan: int
    """Primary key of the hanchan."""
    number: int
    """Number of the hanchan in the schedule; in a block with rests not the entrant's own n-th."""
    session: Session
    player: int
    """Primary key of the player that actually sat, entrant or substitute."""
    place: int
    points: int
    final_score: int
    chonbo: int
    running_total: int
    """Sum of the hanchan's points, without carried points and adjustments."""


def blocks_of(reader: Reader) -> list[Block]:
    """Return the competition's blocks with their stages, in the format's order."""
    if (season := season_of(reader)) is not None:
        return list(season.blocks)
    rows = Block.objects.filter(competition=reader.competition).select_related("stage")
    return list(rows.order_by("stage__order", "order"))


def block_tables(reader: Reader, stage: Stage | None = None, *, with_slots: bool = True) -> tuple[BlockTable, ...]:
    """Return the tables of all blocks, or of one stage, in the format's order.

    `with_slots=False` saves reading slots.
    """
    blocks = [block for block in blocks_of(reader) if stage is None or block.stage_id == stage.pk]
    standings: defaultdict[int, list[Standing]] = defaultdict(list)
    for row in standings_of(reader, blocks=blocks):
        standings[row.block_id].append(row)
    if reader.competition.kind == Competition.Kind.OPEN:
        standings |= {block.pk: list(top_of(reader, block)) for block in blocks}
    slots: defaultdict[int, list[SlotState]] = defaultdict(list)
    for state in slot_states_of(reader, blocks) if with_slots else ():
        slots[state.slot.block_id].append(state)
    closed = closed_in(reader)
    return tuple(
        _block_table(block, standings[block.pk], slots[block.pk], is_closed=block.key in closed) for block in blocks
    )


def _block_table(block: Block, rows: Sequence[Standing], slots: Sequence[SlotState], *, is_closed: bool) -> BlockTable:
    return BlockTable(
        block=block,
        lines=tuple(_lines(rows)),
        played=min((row.played for row in rows), default=0),
        planned=block.stage.hanchan_count,
        slots=tuple(slots),
        is_empty=not any(row.played for row in rows),
        is_closed=is_closed,
    )


def _lines(rows: Sequence[Standing]) -> Iterable[StandingLine]:
    """Yield each row with its gap to the neighbour above and to the last place of the better destination."""
    border: int | None = None
    for index, row in enumerate(rows):
        above = rows[index - 1] if index else None
        below = rows[index + 1] if index + 1 < len(rows) else None
        if above is not None and _leads_to(above) != _leads_to(row):
            border = above.total
        yield StandingLine(
            standing=row,
            gap_to_above=above.total - row.total if above and row.is_ranked else None,
            gap_to_border=border - row.total if border is not None and row.is_ranked else None,
            is_last_before_border=below is not None and _leads_to(below) != _leads_to(row),
        )


def _leads_to(row: Standing) -> str:
    """Return the destination for drawing borders; final places behind the champion count as none."""
    return "" if row.destination[:1].isdigit() else row.destination


CELL = (
    "entrant",
    "sheet__hanchan",
    "sheet__hanchan__number",
    "sheet__hanchan__table_session__session",
    "player",
    "place",
    "points",
    "final_score",
    "chonbo",
)
"""The columns with the values of a `SeatCell`."""


def result_grid(reader: Reader, block: Block) -> Mapping[int, Mapping[int, ResultCell]]:
    """Return the block's results by entrant id and hanchan number, with running totals (半荘別成績表).

    In a block with rests the number is the entrant's own. In an open table, where hanchan numbers have no meaning,
    an entrant's games are counted in playing order.
    """
    return result_grids(reader, [block])[block.pk]


def result_grids(reader: Reader, blocks: Sequence[Block]) -> Mapping[int, Mapping[int, Mapping[int, ResultCell]]]:
    """Return the grids of several blocks by block id, in as many queries as for one."""
    results, sessions = _results(reader, blocks)
    numbered = {block.pk for block in blocks if block.stage.hanchan_count is not None}
    grids: dict[int, defaultdict[int, dict[int, ResultCell]]] = {block.pk: defaultdict(dict) for block in blocks}
    totals: defaultdict[tuple[int, int], int] = defaultdict(int)
    own_numbers = _own_numbers(reader, blocks, results)
    for block, seat in results:
        row = grids[block][seat.entrant]
        totals[block, seat.entrant] += seat.points
        number = seat.number if block in numbered else len(row) + 1
        row[own_numbers.get((seat.entrant, seat.hanchan), number)] = ResultCell(
            hanchan=seat.hanchan,
            number=seat.number,
            session=sessions[seat.session],
            player=seat.player,
            place=seat.place,
            points=seat.points,
            final_score=seat.final_score,
            chonbo=seat.chonbo,
            running_total=totals[block, seat.entrant],
        )
    return grids


def _own_numbers(
    reader: Reader, blocks: Sequence[Block], results: Iterable[tuple[int, SeatCell]]
) -> Mapping[tuple[int, Hashable], int]:
    """Return each entrant's own n-th by entrant and hanchan, for results in blocks with rests."""
    rounds = {block.pk: rounds_in(reader)[block.key] for block in blocks if block.key in rounds_in(reader)}
    played: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for block, seat in results if rounds else ():
        if block in rounds:
            played[block, seat.entrant].append(seat.hanchan)
    return {
        (entrant, hanchan): number
        for (block, entrant), own in played.items()
        for hanchan, number in rounds[block].own_numbers(entrant, own).items()
    }


def _results(reader: Reader, blocks: Sequence[Block]) -> tuple[Sequence[tuple[int, SeatCell]], Mapping[int, Session]]:
    """Return each result with its block id, in the order of each entrant's numbers, and the sessions by id."""
    season, cells = season_of(reader), cells_of(reader)
    if season is not None and cells is not None:
        return [(block.pk, cell) for block in blocks for cell in cells.get(block.pk, ())], season.sessions
    rows = reader.seat_results(block__in=blocks).order_by("entrant_id", "sheet__hanchan__number", "sheet__hanchan")
    results = [(block, SeatCell(*cell)) for block, *cell in rows.values_list("block", *CELL)]
    return results, Session.objects.in_bulk({cell.session for _block, cell in results})


def substituted_in(reader: Reader, blocks: Iterable[Block]) -> frozenset[tuple[int, int]]:
    """Return block and entrant id wherever a substitute played for the entrant in a result that counts.

    Empty for open tables, where substitutions are frequent and shown with the games only.
    """
    if reader.competition.kind == Competition.Kind.OPEN:
        return frozenset()
    wanted = {block.pk for block in blocks}
    if (season := season_of(reader)) is not None:
        return frozenset((block, entrant) for block, entrant in season.substituted if block in wanted)
    rows = reader.seat_results(block__in=wanted).exclude(player=F("entrant__player")).order_by()
    return frozenset(rows.values_list("block", "entrant"))
