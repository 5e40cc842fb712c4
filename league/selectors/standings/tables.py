"""Tables of published standings with gaps to the neighbours and borders between destinations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import F

from league.models import Block, Competition, Session, SlotState, Stage, Standing
from league.selectors.access.readers import Reader
from league.selectors.standings.credits import CountedCredit, annulled_in, credits_of
from league.selectors.standings.prepared import SeatCell, cells_of, season_of
from league.selectors.standings.published import slot_states_of, standings_of
from league.selectors.standings.rounds import closed_in, rounds_in
from league.selectors.standings.tallies import top_of
from scoring.lines import WITHDRAWN
from scoring.pyramid.conditions import is_decided


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
    beyond: Standing | None = None
    """The next line whose place no decision has settled: the first below a border; None at the end."""


@dataclass(frozen=True, slots=True)
class Border:
    """The border between two neighbours who lead to different places."""

    inside: Standing
    outside: Standing

    @property
    def gap(self) -> int:
        """Return the points between the last inside and the first outside."""
        return self.inside.total - self.outside.total

    @property
    def is_level(self) -> bool:
        """Return True if both share the rank: in the end a ruling decides who goes on."""
        return self.inside.is_tied and self.inside.rank == self.outside.rank


def border_below(line: StandingLine, below: StandingLine | None) -> Border | None:
    """Return the border between a line and the next; None if there is none, or one of them has no rank."""
    if below is None or not line.is_last_before_border:
        return None
    inside, outside = line.standing, line.beyond or below.standing
    has_border = inside.is_ranked and outside.is_ranked and not is_passed_over(outside)
    return Border(inside, outside) if has_border else None


@dataclass(frozen=True, slots=True)
class BlockTable:
    """A block's table: lines best first, number of hanchan played and planned, and its slots."""

    block: Block
    lines: tuple[StandingLine, ...]
    played: int
    """The least number of hanchan that count for an entrant who is still in, those not played included."""
    planned: int | None
    """Number of hanchan that each entrant plays; None in an open table."""
    slots: tuple[SlotState, ...]
    is_empty: bool
    """True before the first result."""
    is_closed: bool
    """True if the organizer has closed the block before all hanchan were played."""
    credits: Mapping[int, tuple[CountedCredit, ...]] = field(default_factory=dict)
    """By entrant id the hanchan that count without having been played."""

    def counted(self, row: Standing) -> int:
        """Return the number of hanchan that count for the entrant of a row, those not played included."""
        return row.played + len(self.credits.get(row.entrant_id, ()))

    @property
    def border(self) -> Border | None:
        """Return the first border; None before the first result, and where every rank leads to the same."""
        staying = [line for line in self.lines if not is_passed_over(line.standing)]
        borders = map(border_below, staying, staying[1:])
        return None if self.is_empty else next((border for border in borders if border), None)

    @property
    def is_uneven(self) -> bool:
        """Return True if some entrants have played fewer hanchan than others, as in a block with rests."""
        return len({line.standing.played for line in self.lines}) > 1

    @property
    def played_in_all(self) -> int:
        """Return the sum of the entrants' hanchan, those not played included where they count."""
        return sum(self.counted(line.standing) for line in self.lines)

    @property
    def planned_in_all(self) -> int:
        """Return the sum of the hanchan that the entrants are to play; those who left play no more."""
        planned = self.planned or 0
        return sum(self.counted(each.standing) if each.standing.status else planned for each in self.lines)

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
    if "blocks" not in reader.known:
        rows = Block.objects.filter(competition=reader.competition).select_related("stage")
        reader.known["blocks"] = rows.order_by("stage__order", "order")
    return list(reader.known["blocks"])


def block_tables(reader: Reader, stage: Stage | None = None, *, with_slots: bool = True) -> tuple[BlockTable, ...]:
    """Return the tables of all blocks, or of one stage, in the format's order.

    `with_slots=False` saves reading slots.
    """
    blocks = [block for block in blocks_of(reader) if stage is None or block.stage_id == stage.pk]
    return _tables_of(reader, blocks, with_slots=with_slots)


def block_table(reader: Reader, block: Block, *, with_slots: bool = True) -> BlockTable:
    """Return the table of one block, as `block_tables` does."""
    (table,) = _tables_of(reader, [block], with_slots=with_slots)
    return table


def _tables_of(reader: Reader, blocks: Sequence[Block], *, with_slots: bool) -> tuple[BlockTable, ...]:
    # An open table has neither slots nor an end, and nothing counts there without a game.
    if reader.competition.kind == Competition.Kind.OPEN:
        return tuple(_block_table(block, top_of(reader, block), (), {}, is_closed=False) for block in blocks)
    standings: defaultdict[int, list[Standing]] = defaultdict(list)
    for row in standings_of(reader, blocks=blocks):
        standings[row.block_id].append(row)
    slots: defaultdict[int, list[SlotState]] = defaultdict(list)
    for state in slot_states_of(reader, blocks) if with_slots else ():
        slots[state.slot.block_id].append(state)
    closed, counted = closed_in(reader), credits_of(reader)
    return tuple(
        _block_table(
            block, standings[block.pk], slots[block.pk], counted.get(block.key, {}), is_closed=block.key in closed
        )
        for block in blocks
    )


def _block_table(
    block: Block,
    rows: Sequence[Standing],
    slots: Sequence[SlotState],
    counted: Mapping[int, tuple[CountedCredit, ...]],
    *,
    is_closed: bool,
) -> BlockTable:
    staying = [row for row in rows if not row.status] or rows
    return BlockTable(
        block=block,
        lines=tuple(_lines(rows)),
        played=min((row.played + len(counted.get(row.entrant_id, ())) for row in staying), default=0),
        planned=block.stage.hanchan_count,
        slots=tuple(slots),
        is_empty=not any(row.played for row in rows),
        is_closed=is_closed,
        credits=counted,
    )


def _lines(rows: Sequence[Standing]) -> Iterable[StandingLine]:
    """Yield each row with its gap to the neighbour above and to the last place of the better destination."""
    border: int | None = None
    inside: Standing | None = None
    above: Standing | None = None
    goals = [_leads_to(row.destination) for row in rows]
    borders = are_last_before_border([row.destination for row in rows])
    for row, goal, is_border, beyond in zip(rows, goals, borders, _beyond(rows), strict=True):
        # No decision and no withdrawal takes the entrant of a row out that counts for borders.
        if goal != WITHDRAWN and not is_decided(goal):
            if inside is not None and _leads_to(inside.destination) != goal:
                border = inside.total
            inside = row
        yield StandingLine(
            standing=row,
            # One who left may stand below a smaller total: then no points are missing.
            gap_to_above=above.total - row.total if above and row.is_ranked and above.total >= row.total else None,
            gap_to_border=border - row.total if border is not None and row.is_ranked and goal != WITHDRAWN else None,
            is_last_before_border=is_border,
            beyond=beyond,
        )
        above = row


def _beyond(rows: Sequence[Standing]) -> list[Standing | None]:
    """Return for each row the next one whose place no decision has settled."""
    found: list[Standing | None] = []
    following: Standing | None = None
    for row in reversed(rows):
        found.append(following)
        following = following if is_decided(row.destination) else row
    return found[::-1]


def are_last_before_border(destinations: Sequence[str]) -> list[bool]:
    """Return for each line whether the next one leads somewhere else; one who was passed over lies in no border.

    Below the last line that is still in, those who were passed over are another group. Those whose place a decision has
    settled lie in no border at all.
    """
    found: list[bool] = []
    staying: str | None = None
    left: str | None = None
    for destination in reversed(destinations):
        goal = _leads_to(destination)
        below = staying if staying is not None else left
        is_open = not is_decided(goal)
        found.append(is_open and below is not None and goal not in (WITHDRAWN, below))
        if goal == WITHDRAWN:
            left = goal
        elif is_open:
            staying = goal
    return found[::-1]


def ranks_in(tables: Iterable[BlockTable]) -> dict[str, dict[int, int | None]]:
    """Return the rank of each entrant by block key and entrant id; None for one without a rank."""
    return {
        table.block.key: {
            line.standing.entrant_id: line.standing.rank if line.standing.is_ranked else None for line in table.lines
        }
        for table in tables
    }


def is_passed_over(row: Standing) -> bool:
    """Return True if the entrant of a row takes no place after the block, whatever the rank."""
    return row.destination == WITHDRAWN


def _leads_to(destination: str) -> str:
    """Return the destination for drawing borders; final places behind the champion count as none."""
    return "" if destination[:1].isdigit() else destination


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
    results, sessions = block_results(reader, blocks)
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
    """Return each entrant's own n-th by entrant and hanchan, for results in blocks with rests.

    An annulled hanchan keeps its number, although it is not among the results.
    """
    rounds = {block.pk: rounds_in(reader)[block.key] for block in blocks if block.key in rounds_in(reader)}
    played: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for block, seat in results if rounds else ():
        if block in rounds:
            played[block, seat.entrant].append(seat.hanchan)
    for entrant, hanchan in annulled_in(reader) if rounds else ():
        for block, order in rounds.items():
            if hanchan in order.place:
                played[block, entrant].append(hanchan)
    return {
        (entrant, hanchan): number
        for (block, entrant), own in played.items()
        for hanchan, number in rounds[block].own_numbers(entrant, own).items()
    }


def block_results(
    reader: Reader, blocks: Sequence[Block]
) -> tuple[Sequence[tuple[int, SeatCell]], Mapping[int, Session]]:
    """Return each result with its block id, in the order of each entrant's numbers, and the sessions by id.

    Results that count nothing since an opponent left are not among them.
    """
    season, cells = season_of(reader), cells_of(reader)
    annulled = annulled_in(reader)
    if cells is not None:
        found = [(key, cell) for key in [block.pk for block in blocks] for cell in cells.get(key, ())]
        sessions = reader.known["sessions"] if season is None else season.sessions
        return [each for each in found if (each[1].entrant, each[1].hanchan) not in annulled], sessions
    rows = reader.ranked_results(block__in=blocks).order_by("entrant_id", "sheet__hanchan__number", "sheet__hanchan")
    cells_read = ((block, SeatCell(*cell)) for block, *cell in rows.values_list("block", *CELL))
    results = [each for each in cells_read if (each[1].entrant, each[1].hanchan) not in annulled]
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
    rows = reader.ranked_results(block__in=wanted, entrant__player__is_team=False).order_by()
    rows = rows.exclude(player=F("entrant__player"))
    return frozenset(rows.values_list("block", "entrant"))
