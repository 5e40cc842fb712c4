"""The flips of a tulip: a state and a tile give the next state and a step; a log of tiles folds into the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.hand import Tile
from scoring.hand.tiles import NAME, NO_KIND, Kind
from scoring.ruleset import Ruleset
from scoring.tulip.beginning import open_tulip
from scoring.tulip.problems import InvalidTulipError, TulipProblem, check_flip, check_wall
from scoring.tulip.records import (
    ChipPayers,
    Flip,
    FlipEnd,
    FlipMode,
    PayoutLine,
    Remark,
    StackLevel,
    Start,
    TulipState,
    Wall,
    WallPlace,
    Won,
)
from scoring.tulip.view import BINGO_TILES, WinView, table_of


@dataclass(frozen=True, slots=True)
class Flipped:
    """One flip: the state after it, and the step."""

    state: TulipState
    step: Flip


@dataclass(frozen=True, slots=True)
class LoggedTile:
    """One tile of a log, and its effect."""

    tile: Tile
    before: TulipState
    after: TulipState
    """Equal to `before` if the tile was refused."""
    step: Flip | None = None
    problems: tuple[TulipProblem, ...] = ()
    """The reasons why the tile was refused."""


@dataclass(frozen=True, slots=True)
class Tulip:
    """A win, the flips after it, and the chips so far."""

    opening: TulipState
    turns: tuple[LoggedTile, ...]
    lines: tuple[PayoutLine, ...]
    """The lines that one payer pays after the flips so far."""

    @property
    def start(self) -> Start:
        """The facts before the first flip."""
        return self.opening.start

    @property
    def state(self) -> TulipState:
        """The state after the last flip."""
        return self.turns[-1].after if self.turns else self.opening

    @property
    def steps(self) -> tuple[Flip, ...]:
        """The steps of all accepted flips."""
        return tuple(turn.step for turn in self.turns if turn.step is not None)

    @property
    def problems(self) -> tuple[TulipProblem, ...]:
        """The reasons why tiles of the log were refused."""
        return tuple(problem for turn in self.turns for problem in turn.problems)

    @property
    def total(self) -> int:
        """The chips that one payer pays, with the multiplier applied."""
        return sum(line.chips for line in self.lines)

    @property
    def payers(self) -> ChipPayers:
        """The players who pay."""
        return self.start.payers

    @property
    def times(self) -> int:
        """The multiplier of all chips."""
        return next((line.count for line in self.lines if line.name == TIMES), 1)


MATCHES, COMPLETION, TIMES = "matches", "completion", "times"
"""Names of lines that are not events of the win."""


def flip(state: TulipState, tile: Tile, rules: Ruleset) -> Flipped:
    """Flip a tile: count the matches, raise the mode, let the tile join, and test whether the tulip ends.

    Raise InvalidTulipError if the tile cannot be flipped now.
    """
    # Raises before anything changes, so a refused tile leaves the log as it was.
    check_flip(state, tile, rules)
    table = table_of(rules)
    matched = tuple(_matched(state, tile, table))
    mode, promotion = _promoted(state, len(matched), table)
    joins, joining = _joins(state, tile, matched, table)
    counted = replace(
        state,
        mode=mode,
        matching=(*state.matching, tile) if joins else state.matching,
        # A promotion by the upper tile does not flip the lower tile of the same stack: the old mode is kept.
        begun_in=state.mode if state.level is StackLevel.UPPER else state.begun_in,
        has_matched=state.has_matched or bool(matched),
        hits=state.hits + len(matched),
        flipped=(*state.flipped, tile),
        taken=(*state.taken, tile) if joins else state.taken,
    )
    after, ending = _advance(counted, table)
    step = Flip(
        number=len(after.flipped),
        place=WallPlace(state.stack, state.level),
        tile=tile,
        matched=matched,
        chips=len(matched) * table.tulip.match.chips,
        mode=mode,
        is_promoted=mode is not state.mode,
        joins=joins,
        guarantees=after.guarantees,
        uses_guarantee=after.guarantees < state.guarantees,
        ends=after.end,
        remarks=(_counted(len(matched), table), *promotion, *joining, *ending),
    )
    return Flipped(after, step)


def replay(won: Won, tiles: Sequence[Tile], rules: Ruleset) -> Tulip:
    """Fold a log of flipped tiles. An impossible tile is kept with its reasons and changes nothing.

    Raise NoTulipError if the ruleset has no tulip, InvalidTulipError if the win is impossible.
    """
    first = state = open_tulip(won, rules)
    turns: list[LoggedTile] = []
    for tile in tiles:
        turn = _try_flip(state, tile, rules)
        turns.append(turn)
        state = turn.after
    return Tulip(first, tuple(turns), tuple(_lines(state, table_of(rules))))


def over_wall(won: Won, wall: Wall, rules: Ruleset) -> Tulip:
    """Return the whole tulip over the stacks that are left; stacks without their upper tile do not count.

    Raise NoTulipError, or InvalidTulipError if the win or the wall is impossible.
    """
    stacks = tuple((upper, lower) for upper, lower in wall)
    check_wall(stacks)
    whole = [(upper, lower) for upper, lower in stacks if upper is not None and lower is not None]
    won = replace(won, stacks=len(whole))
    state = open_tulip(won, rules)
    tiles: list[Tile] = []
    while state.awaits is not None:
        upper, lower = whole[state.awaits.stack - 1]
        tiles.append(upper if state.awaits.level is StackLevel.UPPER else lower)
        state = flip(state, tiles[-1], rules).state
    return replay(won, tiles, rules)


def matches(state: TulipState, tile: Tile, rules: Ruleset) -> tuple[Tile, ...]:
    """Return the tiles that a tile would match if it were flipped next."""
    return tuple(_matched(state, tile, table_of(rules)))


def _try_flip(state: TulipState, tile: Tile, rules: Ruleset) -> LoggedTile:
    """Return one tile of a log with its flip, or with the reasons for its refusal."""
    try:
        flipped = flip(state, tile, rules)
    except InvalidTulipError as error:
        return LoggedTile(tile, state, state, problems=error.problems)
    return LoggedTile(tile, state, flipped.state, flipped.step)


def _matched(state: TulipState, tile: Tile, table: WinView) -> Iterator[Tile]:
    """Yield the tiles equal or next to the flipped one; numbers, winds and dragons are each cyclic."""
    kind = table.stands_for(tile)
    if kind == NO_KIND:
        return
    near = _near(kind, table)
    yield from (each for each in state.matching if table.stands_for(each) in near)


def _near(kind: Kind, table: WinView) -> set[Kind]:
    """Return a kind and its neighbours."""
    # Neighbours follow the order of dora, within the kinds of this wall.
    following = table.book.dora.successor
    return {kind, following[kind], *(before for before, after in following.items() if after == kind)}


def _counted(hits: int, table: WinView) -> Remark:
    clauses = table.tulip.match.clauses
    return Remark("matches", clauses, {"count": hits}) if hits else Remark("no_match", clauses)


def _promoted(state: TulipState, hits: int, table: WinView) -> tuple[FlipMode, tuple[Remark, ...]]:
    """Return the mode after a flip: enough matches raise it by one step, up to the highest."""
    mode, rules, top = state.mode or FlipMode.NORMAL, table.tulip.promotion, table.tulip.top
    if hits < rules.matches:
        return mode, ()
    if mode is FlipMode.NORMAL:
        return FlipMode.KAKUHEN, (Remark("promoted_to_kakuhen", rules.clauses, {"count": hits}),)
    if mode is FlipMode.KAKUHEN:
        params = {"count": hits, "times": top.times}
        return FlipMode.TOP, (Remark("promoted_to_top", (*rules.clauses, *top.clauses), params),)
    return mode, (Remark("top_already", rules.clauses, {"count": hits}),)


def _joins(state: TulipState, tile: Tile, matched: tuple[Tile, ...], table: WinView) -> tuple[bool, tuple[Remark, ...]]:
    """Return whether a tile joins the hand after counting: a bonus tile that matched, or in a rush its equivalent."""
    joining, params = table.tulip.joining, {"tile": NAME[tile]}
    if BINGO_TILES.get(tile) in joining.stands_for:
        stands_for = {**params, "stands_for": NAME[table.stands_for(tile)]}
        if matched:
            return True, (Remark("bonus_joins", joining.flipped.clauses, stands_for),)
        return False, (Remark("bonus_stays_out", joining.flipped.clauses, stands_for),)
    kind = table.stands_for(tile)
    if any(each in BINGO_TILES and table.stands_for(each) == kind for each in state.matching):
        return True, (Remark("rush_joins", joining.rush.clauses, params),)
    return False, ()


def _advance(state: TulipState, table: WinView) -> tuple[TulipState, tuple[Remark, ...]]:
    """Return the state with the next tile: the lower one if both are flipped, else the next stack or the end."""
    if state.level is StackLevel.UPPER and state.begun_in is not FlipMode.NORMAL:
        return replace(state, level=StackLevel.LOWER), ()
    tulip = table.tulip
    if state.stack == state.start.won.stacks:
        params = {"chips": tulip.completion.chips}
        return replace(state, end=FlipEnd.COMPLETED), (Remark("completed", tulip.completion.clauses, params),)
    failed: tuple[Remark, ...] = ()
    if not state.has_matched:
        if not state.guarantees:
            return replace(state, end=FlipEnd.MISSED), (Remark("missed", _until(state, table)),)
        state = replace(state, guarantees=state.guarantees - 1)
        failed = (Remark("guarantee_used", _guaranteed(table), {"left": state.guarantees}),)
    return replace(state, stack=state.stack + 1, level=StackLevel.UPPER, begun_in=None, has_matched=False), failed


def _until(state: TulipState, table: WinView) -> tuple[str, ...]:
    """Return the clauses that say when a stack has failed."""
    return (table.tulip.match if state.begun_in is FlipMode.NORMAL else table.tulip.kakuhen).clauses


def _guaranteed(table: WinView) -> tuple[str, ...]:
    """Return the clauses of all guarantees, each once."""
    given = table.tulip.guarantees
    found = [each.clauses for each in (given.ippatsu, given.limit, given.pocchi) if each is not None]
    return tuple(dict.fromkeys(clause for clauses in found for clause in clauses))


def _lines(state: TulipState, table: WinView) -> Iterator[PayoutLine]:
    """Yield the lines that one payer pays: the win, the matches, the completion, and the effect of the multiplier."""
    start, tulip = state.start, table.tulip
    if start.fixed is not None:
        yield start.fixed
        return
    lines = [PayoutLine(each.event.value, each.count, each.chips, each.clauses) for each in start.base]
    if state.hits:
        lines.append(PayoutLine(MATCHES, state.hits, state.hits * tulip.match.chips, tulip.match.clauses))
    if state.is_completed:
        lines.append(PayoutLine(COMPLETION, 1, tulip.completion.chips, tulip.completion.clauses))
    yield from lines
    if state.mode is FlipMode.TOP:
        # The lines are shown unmultiplied; this one adds the difference.
        added = sum(line.chips for line in lines) * (tulip.top.times - 1)
        yield PayoutLine(TIMES, tulip.top.times, added, tulip.top.clauses)
