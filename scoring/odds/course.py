"""Course of a season: everything still open, laid out once before it is simulated many times.

The one idea: facts that are settled stay as they are. Open decisions are numbered: every hanchan still to be
played, every shuffle of a table, every draw of a stage, and a coin (a random order) for every tie that no
result may break. A coin stands in for the organizer's ruling here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, permutations
from math import factorial

from scoring.lines import KnownOrder, Lines
from scoring.odds.chance import Columns, Shuffle
from scoring.odds.rounds import DrawPlan, Group, Meeting, remaining
from scoring.odds.season import ScheduledHanchan, Season, UnforeseeableError, Unforeseen, refuse_twice
from scoring.plan import Plan, plan
from scoring.resolution import BlockStandings, Certainty, Reason, Resolution, SlotState
from scoring.sources import BestOf, RankOf, parse_source
from scoring.stages import is_complete, resolve
from scoring.standings import rank
from scoring.tiebreak import Entrant, Row


@dataclass(frozen=True, slots=True)
class BlockCourse:
    """A block: its rows so far, and the hanchan still to be played."""

    key: str
    size: int
    """Number of rows: the slots, then entrants with a result but without a slot."""
    rows: tuple[Row, ...]
    """The rows at present; empty while the players are not all certain."""
    groups: tuple[Group, ...]

    def next_number(self, row: int) -> int | None:
        """Return the next hanchan of a row; for a shuffled row the first that any of the group may play."""
        lacking: set[int] = set()
        for group in self.groups:
            own = group.numbers()
            if row in group.rows:
                lacking |= frozenset().union(*own) if group.shuffle else own[group.rows.index(row)]
        return min(lacking, default=None)


@dataclass(frozen=True, slots=True)
class Coin:
    """A random order for ties that no result breaks: of a block's rows, or of a comparison's blocks.

    `groups` are the ties of a line that is already complete, and there are no others; None while the line is not
    complete.
    """

    shuffle: Shuffle
    groups: tuple[tuple[Entrant, ...], ...] | None


@dataclass(frozen=True)
class Course:
    """A season laid out for simulation."""

    season: Season
    plan: Plan
    resolution: Resolution
    """The ladder at present."""
    lines: Lines
    standings: Mapping[str, BlockStandings]
    blocks: Mapping[str, BlockCourse]
    coins: Mapping[str, Coin]
    drawn: Mapping[str, Shuffle]
    """Shuffles of the stages that are still to be drawn."""
    bounds: tuple[int, ...]
    """The draws of one season: each an integer from 0 to below its bound."""

    @cached_property
    def arrangements(self) -> tuple[tuple[int, ...], ...]:
        """Return every way in which the players of a table may take the seats of a result."""
        return tuple(permutations(range(self.season.players)))

    @cached_property
    def may_meet_themselves(self) -> bool:
        """Return whether an entrant may come into a stage twice.

        Possible if the organizer named one, or if one has results but no slot any more.
        """
        is_named = any(seat.entrant is not None for seat in self.plan.all_seats())
        return is_named or any(len(block.rows) > len(self.plan.seats[key]) for key, block in self.blocks.items())

    @cached_property
    def entrants(self) -> tuple[Entrant, ...]:
        """Return every entrant who plays or may play, without duplicates."""
        named = (seat.entrant for seat in self.plan.all_seats() if seat.entrant is not None)
        rows = (row.entrant for block in self.blocks.values() for row in block.rows)
        return tuple(dict.fromkeys(chain(self.season.seeds.values(), named, rows)))

    @cached_property
    def members(self) -> Mapping[str, frozenset[Entrant]]:
        """Map each block to its possible players, as far as complete blocks and decisions determine them."""
        found: dict[str, frozenset[Entrant]] = {}
        for stage in self.season.format.stages:
            pool = [self._may_take(slot, found) for slot in self.resolution.pools.get(stage.key, ())]
            for block in stage.blocks:
                own = [self._may_take(slot, found) for slot in self.resolution.slots[block.key]]
                is_drawn = stage.key in self.drawn
                found[block.key] = frozenset(chain.from_iterable(pool if is_drawn else own))
        return found

    def _may_take(self, slot: SlotState, members: Mapping[str, frozenset[Entrant]]) -> frozenset[Entrant]:
        """Return the possible entrants of a slot: of a complete line those tied, of an open one all in it."""
        if slot.state is Certainty.CERTAIN:
            return frozenset({slot.entrant})
        if slot.state is Certainty.RULING:
            return frozenset(slot.candidates)
        match parse_source(slot.source):
            case RankOf(block):
                return members[block] - self.plan.passed[block]
            case BestOf(stage):
                blocks = self.season.format.blocks_of[stage]
                return frozenset().union(*(members[block] - self.plan.passed[block] for block in blocks))
            case _:
                return frozenset()

    def may_reach(self, stage: str) -> frozenset[Entrant]:
        """Return the entrants who play or may come to play in a stage."""
        return frozenset().union(*(self.members[block] for block in self.season.format.blocks_of[stage]))

    def is_in(self, stage: str) -> frozenset[Entrant]:
        """Return the entrants who are certain to play in a stage."""
        slots = chain(
            self.resolution.pools.get(stage, ()),
            *(self.resolution.slots[block] for block in self.season.format.blocks_of[stage]),
        )
        return frozenset(slot.entrant for slot in slots if slot.state is Certainty.CERTAIN)


def lay_out(season: Season) -> Course:
    """Lay a season out; raise UnforeseeableError if it cannot be simulated."""
    _refuse_endless(season)
    planned = plan(season.format, season.draws, season.overrides)
    standings, resolution = current_standings(season)
    _refuse_unsettled(season, planned, standings, resolution)
    lines = Lines(season.format, planned, standings, season.rulings)
    columns = Columns()
    # One draw picks both a result of the pool and one of the n! ways to seat the players in it.
    table = DrawPlan(columns, len(season.pool) * factorial(season.players), season.players)
    blocks = {key: _block(season, key, resolution.slots[key], table) for key in season.format.blocks}
    if not resolution.awaiting and not any(block.groups for block in blocks.values()):
        raise UnforeseeableError(Unforeseen.OVER)
    if not season.pool:
        raise UnforeseeableError(Unforeseen.NO_RESULTS)
    ties = {scope: _contested(lines, standings, scope) for scope in lines.lines}
    coins = {
        scope: Coin(columns.shuffle(_coin_size(season, blocks, scope)), groups)
        for scope, groups in ties.items()
        if groups is None or groups
    }
    drawn = {stage: columns.shuffle(len(seats)) for stage, seats in planned.pools.items() if stage not in season.draws}
    return Course(season, planned, resolution, lines, standings, blocks, coins, drawn, tuple(columns.bounds))


def current_standings(season: Season) -> tuple[Mapping[str, BlockStandings], Resolution]:
    """Rank the blocks stage by stage from the results so far; return the standings and the ladder."""
    known: dict[str, BlockStandings] = {}
    resolution = ladder(season, known)
    for stage in season.format.stages:
        rows = {block.key: _rows(season, block.key, resolution.slots[block.key]) for block in stage.blocks}
        refuse_twice(stage.key, [row.entrant for own in rows.values() for row in own])
        for key, own in rows.items():
            leaving = season.leaving.get(key, {})
            standings = rank(
                own, season.format.tiebreak.by_hanchan, season.rulings.get(key, ()), season.players, leaving=leaving
            )
            full = key in season.closed or all(slot.state is Certainty.CERTAIN for slot in resolution.slots[key])
            is_over = full and is_complete(season.format, key, standings, season.closed, leaving)
            known[key] = BlockStandings(standings, is_over)
        resolution = ladder(season, known)
    return known, resolution


def ladder(season: Season, known: Mapping[str, BlockStandings]) -> Resolution:
    """Resolve the ladder from the blocks ranked so far."""
    return resolve(season.format, known, season.seeds, season.draws, season.overrides, season.rulings, season.scale)


def _rows(season: Season, block: str, slots: Sequence[SlotState]) -> tuple[Row, ...]:
    """Return the certain players of a block in slot order, then other entrants with a result in it."""
    played, not_played = season.played.get(block, {}), season.credits.get(block, {})
    starts = {slot.entrant: slot.carried or 0 for slot in slots if slot.state is Certainty.CERTAIN}
    return tuple(
        Row(
            entrant,
            played.get(entrant, ()),
            starts.get(entrant, 0),
            season.adjustments.get((block, entrant), 0),
            not_played.get(entrant, ()),
        )
        for entrant in {**starts, **dict.fromkeys(played, 0)}
    )


def _refuse_endless(season: Season) -> None:
    """Raise UnforeseeableError if a stage has no end or a seed has no entrant."""
    for stage in season.format.stages:
        endless = [block for block in stage.blocks if stage.hanchan is None or block.is_open]
        if any(block.key not in season.closed for block in endless):
            raise UnforeseeableError(Unforeseen.ENDLESS, stage.key)
    if set(season.seeds) != set(range(1, season.format.seeds + 1)):
        raise UnforeseeableError(Unforeseen.UNSEEDED)


def _refuse_unsettled(
    season: Season, planned: Plan, standings: Mapping[str, BlockStandings], resolution: Resolution
) -> None:
    """Raise UnforeseeableError unless blocks under way have certain players and all places can be filled.

    Only places that other slots depend on are checked.
    """
    for block, slots in resolution.slots.items():
        if any(slot.reason is Reason.TWICE for slot in slots):
            raise UnforeseeableError(Unforeseen.TWICE, season.format.stage_of[block].key)
        if any(slot.state is not Certainty.CERTAIN for slot in slots) and any(season.played.get(block, {}).values()):
            raise UnforeseeableError(Unforeseen.BEGUN, block)
    for block, needed in _deepest(season, planned).items():
        size = max(len(planned.seats[block]), len(standings[block].standings.ranked))
        if needed > size - len(planned.passed[block]):
            raise UnforeseeableError(Unforeseen.VACANT, block)


def _deepest(season: Season, planned: Plan) -> Mapping[str, int]:
    """Return the last rank of each block on which a slot depends."""
    ranks: defaultdict[str, list[int]] = defaultdict(list)
    for seat in planned.all_seats():
        match seat.source:
            case RankOf(block, position):
                ranks[block].append(position)
            case BestOf(stage, position):
                for block in season.format.blocks_of[stage]:
                    ranks[block].append(position)
    return {block: max(own) for block, own in ranks.items()}


def _block(season: Season, key: str, slots: Sequence[SlotState], table: DrawPlan) -> BlockCourse:
    """Return a block's rows and the hanchan they still have to play."""
    stage = season.format.stage_of[key]
    is_over = key in season.closed
    planned: frozenset[int] = frozenset() if is_over else frozenset(range(1, (stage.hanchan or 0) + 1))
    is_settled = all(slot.state is Certainty.CERTAIN for slot in slots)
    rows = _rows(season, key, slots) if is_settled else ()
    # Rows beyond the slots belong to entrants that a correction left without a slot: they play no more.
    missing = [_lacking(season, key, row, planned) for row in rows[: len(slots)]] or [planned] * len(slots)
    missing += [frozenset()] * (len(rows) - len(missing))
    groups = remaining(missing, tuple(_meetings(season, key, rows)), stage, table)
    return BlockCourse(key, max(len(rows), len(slots)), rows, groups)


def _lacking(season: Season, key: str, row: Row, planned: frozenset[int]) -> frozenset[int]:
    """Return the hanchan that a row still has to play; for those who left the scheduled ones: a substitute sits."""
    lacking = sorted(planned - row.numbers() - {credit.number for credit in row.credits})
    if row.entrant in season.leaving.get(key, {}):
        fixtures = [each for each in season.fixtures.get(key, ()) if row.entrant in each.entrants]
        return frozenset(lacking) & {_own_number(each, row.entrant) for each in fixtures}
    # In a block with rests a credit may bear a number that is not the entrant's own: the count is right.
    return frozenset(lacking[: max(len(planned) - row.counted, 0)])


def _own_number(fixture: ScheduledHanchan, entrant: Entrant) -> int:
    return fixture.own_numbers[fixture.entrants.index(entrant)] if fixture.own_numbers else fixture.number


def _meetings(season: Season, key: str, rows: Sequence[Row]) -> Iterator[Meeting]:
    """Yield the scheduled hanchan of which all players are known."""
    places = {row.entrant: number for number, row in enumerate(rows)}
    for fixture in season.fixtures.get(key, ()):
        numbers = fixture.own_numbers or (fixture.number,) * len(fixture.entrants)
        seats = zip(fixture.entrants, numbers, strict=True)
        meeting = tuple((places[entrant], number) for entrant, number in seats if entrant in places)
        if len(meeting) == season.players:
            yield meeting


def _coin_size(season: Season, blocks: Mapping[str, BlockCourse], scope: str) -> int:
    """Return the number of items a coin orders: a block's rows, or the blocks of a comparison."""
    if scope in blocks:
        return blocks[scope].size
    return len(season.format.blocks_of[scope.removeprefix("best:").partition("#")[0]])


def _contested(
    lines: Lines, standings: Mapping[str, BlockStandings], scope: str
) -> tuple[tuple[Entrant, ...], ...] | None:
    """Return the ties of a complete line that a slot depends on; None while the line is not complete."""
    line = lines.lines[scope]
    if not line.is_complete:
        return None
    tied = [set(line.entrants(tie)) for tie in line.ties() if lines.is_contested(scope, tie)]
    return tuple(group for group in _unbroken(line, standings.get(scope)) if any(each <= set(group) for each in tied))


def _unbroken(line: KnownOrder, standings: BlockStandings | None) -> tuple[tuple[Entrant, ...], ...]:
    """Return the groups that share a rank, in a block including entrants who were passed over."""
    if standings is not None:
        return standings.standings.unbroken
    return tuple(line.entrants(tie) for tie in line.ties())
