"""Build a whole schedule: the best known start, a search where that is not perfect, and starting winds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scoring.seating import designs
from scoring.seating.balance import Pair, Round, Schedule, balance_of, least_squares, meetings_of, pairs_again
from scoring.seating.draws import rotate_seats, stream
from scoring.seating.search import SearchState, Tables, improve
from scoring.seating.winds import with_winds

MOVES = 300_000
"""Default number of exchanges that the search tries in one run."""
GOES = 3
"""Number of runs of the search while it has not reached the bound that counting gives."""


class SeatingError(ValueError):
    """A schedule that is impossible; `code` gives the reason, `params` the numbers for its message."""

    def __init__(self, code: str, params: Mapping[str, int]) -> None:
        super().__init__(MESSAGES[code].format(**params))
        self.code = code
        self.params = params


MESSAGES = {
    "too_few_players": "{players} players do not fill a table of {size}.",
    "tables_not_full": "In round {round} there are {present} players, which tables of {size} do not take evenly. "
    "Let {missing} more play, or {over} fewer.",
    "no_such_player": "There is no player {player}.",
    "no_rounds": "A schedule has at least one round, not {rounds}.",
    "hanchan_fill_no_tables": "{players} players x {hanchan} hanchan do not fill tables of {size}: "
    "take {lower} or {upper} hanchan.",
    "too_few_hanchan": "{players} players x {hanchan} hanchan do not fill tables of {size}: take {upper} hanchan.",
    "too_many_absences": "With these absences {left} players have hanchan left in the end, too few for a table of "
    "{size}.",
}


@dataclass(frozen=True, slots=True)
class Constraints:
    """Requirements on a schedule besides evenness."""

    apart: frozenset[Pair] = frozenset()
    """Pairs to be kept apart as far as possible, such as those of one club."""
    absent: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Players absent in a round, by its number from 0: late arrivals, early leavers."""
    played: Schedule = ()
    """Rounds that have already been played and count for meetings and winds."""


NOTHING = Constraints()


def seating(
    players: int, rounds: int, *, size: int = 4, constraints: Constraints = NOTHING, moves: int = MOVES, seed: int = 0
) -> Schedule:
    """Return a schedule of `rounds` rounds in which every player present plays every round.

    Raise SeatingError if the tables cannot be filled. Equal arguments give equal schedules.
    """
    _refuse_impossible(players, rounds, size, constraints)
    present = [
        [one for one in range(players) if one not in constraints.absent.get(number, ())] for number in range(rounds)
    ]
    start = _start(players, rounds, size, present)
    before = meetings_of(constraints.played, players)
    numbers = iter(range(sum(len(each) for each in start)))
    domains = [[next(numbers) for _ in each] for each in start]
    state = SearchState.of([table for each in start for table in each], players, constraints.apart, before)
    tables = iter(best_of(state, domains, _least(state, players, (*constraints.played, *start)), moves, seed))
    schedule = tuple(tuple(tuple(next(tables)) for _ in each) for each in start)
    return with_winds(schedule, size, constraints.played)


def staying(
    players: int,
    turns: Sequence[int],
    *,
    size: int = 4,
    constraints: Constraints = NOTHING,
    moves: int = MOVES // 10,
    seed: int = 0,
) -> Schedule:
    """Return a schedule for sessions: in each turn every player plays, and a table's players stay for all its hanchan.

    `turns` gives the number of hanchan of each turn. The result has a round for each hanchan; within a turn
    tables keep their place. Every player starts equally often from each wind, give or take one.
    """
    company = seating(players, len(turns), size=size, constraints=constraints, moves=moves, seed=seed)
    # A multiple of `size` hanchan gives each wind equally often by rotation; otherwise winds need the colouring.
    if all(games % size == 0 for games in turns):
        return tuple(
            tuple(tuple(table[place] for place in order) for table in each)
            for each, games in zip(company, turns, strict=True)
            for order in rotate_seats(size, games)
        )
    expanded = tuple(each for each, games in zip(company, turns, strict=True) for _ in range(games))
    return with_winds(expanded, size)


def best_of(state: SearchState, domains: Sequence[Sequence[int]], least: int, moves: int, seed: int) -> Tables:
    """Return the best tables of several runs of the search; stop at the first run that reaches the bound."""
    found: list[SearchState] = []
    for go in range(GOES):
        found.append(improve(state.copy(), domains, least, moves, stream(seed * GOES + go)))
        # The bound is proved, so a schedule that reaches it cannot be improved.
        if found[-1].cost <= least:
            break
    return min(found, key=lambda each: each.cost).tables


def _refuse_impossible(players: int, rounds: int, size: int, constraints: Constraints) -> None:
    """Raise SeatingError unless every round fills its tables and constraints name existing players."""
    if rounds < 1:
        raise SeatingError("no_rounds", {"rounds": rounds})
    if players < size:
        raise SeatingError("too_few_players", {"players": players, "size": size})
    named = {one for pair in constraints.apart for one in pair}.union(*constraints.absent.values())
    for unknown in sorted(named - set(range(players))):
        raise SeatingError("no_such_player", {"player": unknown})
    for number in range(rounds):
        there = players - len(constraints.absent.get(number, ()))
        if there % size:
            over = there % size
            raise SeatingError(
                "tables_not_full",
                {"round": number + 1, "present": there, "size": size, "missing": size - over, "over": over},
            )


def _start(players: int, rounds: int, size: int, present: Sequence[Sequence[int]]) -> Schedule:
    """Return the most even schedule known before any search."""
    started = [_shifted(each, number, size) for number, each in enumerate(present)]
    known = _known(players, rounds) if size == designs.FOUR and all(len(each) == players for each in present) else []
    return min([tuple(started), *known], key=lambda schedule: balance_of(schedule, players).unevenness)


def _shifted(present: Sequence[int], number: int, size: int) -> Round:
    """Return a plain round: every table's second player moves on by one table a round, the third by two, ..."""
    tables = len(present) // size
    columns = [present[column * tables : (column + 1) * tables] for column in range(size)]
    return tuple(
        tuple(columns[column][(table + column * number) % tables] for column in range(size)) for table in range(tables)
    )


def _known(players: int, rounds: int) -> list[Schedule]:
    """Return the known designs for this number of rounds; shorter designs start over."""
    found = (designs.once(players), designs.thrice(players), designs.never_twice(players))
    return [tuple(design[number % len(design)] for number in range(rounds)) for design in found if design]


def _least(state: SearchState, players: int, rounds: Schedule) -> int:
    """Return the lower bound of the sum of squared meetings, for rounds played and planned with these table sizes."""
    total = sum(map(sum, state.met)) // 2
    return max(least_squares(total, players * (players - 1) // 2), total + 2 * pairs_again(rounds, players))
