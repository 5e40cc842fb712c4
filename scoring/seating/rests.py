"""Schedules in which some players rest each round: every player plays equally often, and rests are spread evenly.

Who rests is chosen greedily: the players with the most hanchan to go play, of these the ones who have rested longest.
The companies are those of a plan for these rounds. If they are not perfect, two players of any two tables change
places where that makes meetings more even; between rounds this moves rests, so rests that come too close to one another
have a price.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import gcd

from scoring.seating.balance import Round, Schedule, pairs_again, squares_at_least
from scoring.seating.draws import stream
from scoring.seating.plan import NOTHING, Constraints, SeatingError, companies, refuse_none
from scoring.seating.search import THRESHOLDS, SearchState
from scoring.seating.tables import with_tables
from scoring.seating.winds import play_in_turns

MOVES = 100_000
"""Default number of exchanges that the search tries."""
FEW = 24
"""Most players for whom the search has a second start."""
EFFORT = 3
"""Effort of the search within rounds for each exchange of the search between rounds."""
UNEVEN = 1_000
"""Price of two rests, or two hanchan where these are rarer, that are too close or too far apart, in squares of
meetings."""


def with_rests(
    players: int,
    turns: int,
    *,
    games: int = 1,
    size: int = 4,
    tables: int | None = None,
    constraints: Constraints = NOTHING,
    moves: int = MOVES,
    seed: int = 0,
) -> Schedule:
    """Return a schedule in which every player plays `turns` turns of `games` hanchan, at `tables` tables at once.

    The players of a table stay together for a turn. Without `tables` as many are used as the players fill; a round
    of `constraints.tables` has no more than those. The result has a round for each hanchan. Raise SeatingError if the
    hanchan of all players do not fill tables, or if absences leave a round without one.
    """
    refuse_unfilled(players, turns, games, size)
    company = _companies(players, turns, size, tables, constraints, (moves, seed))
    return play_in_turns(company, [games] * len(company), size)


def _companies(
    players: int, turns: int, size: int, tables: int | None, constraints: Constraints, effort: tuple[int, int]
) -> Schedule:
    """Return the tables of each turn, as even as the search makes them in `effort`, its moves and its seed."""
    moves, seed = effort
    rounds = _start(players, turns, size, min(players // size, tables or players), constraints)
    seated = [frozenset(one for table in each for one in table) for each in rounds]
    start = companies(seated, players, size, constraints, moves=EFFORT * moves, seed=seed).schedule
    least = squares_at_least(start, players, pairs_again(start, players))
    # The plain rounds are a second start: they are worse, but with few players the search may get further from them.
    found: list[tuple[int, Sequence[Sequence[int]]]] = []
    for begin in (start, rounds) if players <= FEW else (start,):
        found.append(_improved(_State.of(begin, players, constraints), least, moves, seed))
        if found[-1][0] <= least:
            break
    best = iter(min(found, key=lambda each: each[0])[1])
    return with_tables(
        tuple(tuple(tuple(next(best)) for _ in each) for each in start), players, moves=moves // 2, seed=seed
    )


def refuse_unfilled(players: int, turns: int, games: int, size: int) -> None:
    """Raise SeatingError unless there is a turn, a full table, and a number of turns that fills tables."""
    refuse_none(players, turns, size)
    step = size // gcd(players, size)
    if over := turns % step:
        lower, upper = turns - over, turns - over + step
        hanchan = {"hanchan": turns * games, "lower": lower * games, "upper": upper * games}
        code = "hanchan_fill_no_tables" if lower else "too_few_hanchan"
        raise SeatingError(code, players=players, size=size, **hanchan)


def _start(players: int, turns: int, size: int, tables: int, constraints: Constraints) -> Schedule:
    """Return rounds in which those play who have the most turns to go, of these those who have rested longest."""
    left, last = [turns] * players, [-1] * players
    rounds: list[Round] = []
    absent, most = constraints.absent, constraints.tables
    latest = max((*absent, *most), default=-1)
    while any(left):
        number = len(rounds)
        there = [one for one in range(players) if left[one] and one not in absent.get(number, ())]
        there.sort(key=lambda one: (-left[one], last[one], (one - number * size) % players))
        count = min(tables, most.get(number, tables), len(there) // size)
        if not count and number > latest:
            raise SeatingError("too_many_absences", left=len(there), size=size)
        seated = there[: count * size]
        for one in seated:
            left[one] -= 1
            last[one] = number
        # The first of the order are dealt to different tables, so that the same players do not stay together.
        rounds.append(tuple(tuple(sorted(seated[table::count])) for table in range(count)))
    if () in rounds:
        raise SeatingError("no_tables", round=rounds.index(()) + 1)
    return tuple(rounds)


@dataclass(slots=True)
class _State:
    """Tables with their meetings, the round of each, and the rounds in which each player rests or plays."""

    search: SearchState
    round_of: list[int]
    plays: list[int]
    """The rounds in which each player plays, as bits."""
    absent: list[int]
    """The rounds in which each player is absent, as bits."""
    counts_rests: bool
    """True if rests are rarer than turns, so that the distances between rests are compared."""
    close: int
    """Distance between two rests below which they are too close; 2 at least."""
    far: int
    """Distance between two turns above which a rest is too long; only where turns are rarer."""
    rounds: int
    prices: list[int] = field(default_factory=list)
    """The price of each player's rests or turns."""
    cost: int = 0

    @classmethod
    def of(cls, start: Schedule, players: int, constraints: Constraints) -> _State:
        search = SearchState.of([table for each in start for table in each], players, constraints.apart)
        plays, absent = [0] * players, [0] * players
        for number, each in enumerate(start):
            for table in each:
                for one in table:
                    plays[one] |= 1 << number
            for one in constraints.absent.get(number, ()):
                absent[one] |= 1 << number
        rounds, turns = len(start), max(map(int.bit_count, plays))
        counts_rests = rounds <= 2 * turns
        rare = max(rounds - turns if counts_rests else turns, 1)
        # Half the mean distance, and one and a half of it: closer bounds would cost even meetings.
        close, far = max((rounds + rare) // (2 * rare), 2), -(-3 * rounds // (2 * rare))
        state = cls(
            search, [number for number, each in enumerate(start) for _ in each], plays, absent,
            counts_rests, close, far, rounds,
        )  # fmt: skip
        state.prices = list(map(state.price, plays))
        state.cost = search.cost + sum(state.prices)
        return state

    def price(self, plays: int) -> int:
        """Return the price of a player's rests that are too close together, or too long."""
        if self.counts_rests:
            rests = (1 << self.rounds) - 1 & ~plays
            return UNEVEN * (rests & _after(rests, self.close - 1)).bit_count()
        turns = 1 | plays << 1 | 1 << self.rounds + 1
        # Of the turns and both ends, the first alone has none before it.
        return UNEVEN * ((turns & ~_after(turns, self.far)).bit_count() - 1)


def _after(rounds: int, most: int) -> int:
    """Return the rounds, as bits, that come after one of these by that much at most."""
    found = 0
    for distance in range(1, most + 1):
        found |= rounds << distance
    return found


def _improved(state: _State, least: int, moves: int, seed: int) -> tuple[int, Sequence[Sequence[int]]]:
    """Return the most even tables found in `moves` exchanges, after their cost."""
    tables = state.search.tables
    best, best_cost, draws = [list(table) for table in tables], state.cost, stream(seed)
    for move in range(moves if len(tables) > 1 else 0):
        if best_cost <= least:
            break
        if _try_exchange(state, next(draws), THRESHOLDS[move * len(THRESHOLDS) // moves]) and state.cost < best_cost:
            best, best_cost = [list(table) for table in tables], state.cost
    return best_cost, best


def _try_exchange(state: _State, number: int, limit: int) -> bool:
    """Exchange two players of two tables, which the number picks, if that costs no more than the limit."""
    search, tables = state.search, state.search.tables
    number, first = divmod(number, len(tables))
    number, step = divmod(number, len(tables) - 1)
    second = (first + 1 + step) % len(tables)
    here, there = tables[first], tables[second]
    number, place = divmod(number, len(here))
    one, other = here[place], there[number % len(there)]
    before, after = state.round_of[first], state.round_of[second]
    if one == other or not _may_exchange(state, (one, before), (other, after)):
        return False
    change = search.change_of(here, there, one, other)
    if change > limit:
        return False
    if before != after:
        swapped = 1 << before | 1 << after
        price, others = (state.price(state.plays[player] ^ swapped) for player in (one, other))
        change += price + others - state.prices[one] - state.prices[other]
        if change > limit:
            return False
        state.prices[one], state.prices[other] = price, others
        state.plays[one] ^= swapped
        state.plays[other] ^= swapped
    search.swap(here, there, one, other)
    state.cost += change
    return True


def _may_exchange(state: _State, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two players may each play in the round of the other: no player plays twice in a round."""
    (first, before), (second, after) = one, other
    if before == after:
        return True
    here = state.plays[second] | state.absent[second]
    there = state.plays[first] | state.absent[first]
    return not (here >> before | there >> after) & 1
