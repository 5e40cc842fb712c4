"""How even a schedule is, beside what counting alone allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

Table = tuple[int, ...]
Round = tuple[Table, ...]
Schedule = tuple[Round, ...]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Spread:
    """How often something happens, the least and the most, beside the least and the most that counting allows."""

    least: int
    most: int
    bound_least: int
    """No schedule can have a higher least."""
    bound_most: int
    """No schedule can have a lower most."""

    @property
    def is_perfect(self) -> bool:
        """Nothing could be more even."""
        return (self.least, self.most) == (self.bound_least, self.bound_most)


@dataclass(frozen=True, slots=True)
class Balance:
    """What a schedule gives each player."""

    players: int
    rounds: int
    meetings: tuple[tuple[int, ...], ...]
    """How often each player meets each other one."""
    winds: tuple[tuple[int, ...], ...]
    """How often each player starts from each seat, the first dealer's first."""
    games: tuple[int, ...]
    """How many hanchan each player plays."""
    pairs: Spread
    """Meetings of a pair."""
    starts: Spread
    """A player's starts from one wind."""
    unevenness: int
    """Sum of the squares of all pairs' meetings: the less, the more even."""
    bound: int
    """No schedule with as many meetings can have less."""
    apart: int
    """Meetings of pairs that were to be kept apart."""

    @property
    def excess(self) -> int:
        """How far above the bound the meetings are; 0 is as even as counting allows."""
        return self.unevenness - self.bound

    def pairs_meeting(self, times: int) -> tuple[Pair, ...]:
        """The pairs that meet so often."""
        return tuple(
            (one, other) for one, other in combinations(range(self.players), 2) if self.meetings[one][other] == times
        )


def balance_of(schedule: Schedule, players: int, apart: Iterable[Pair] = ()) -> Balance:
    """Count a schedule's meetings and starts."""
    met = meetings_of(schedule, players)
    size = max((len(table) for each in schedule for table in each), default=0)
    shared = pairs_again(schedule, players)
    starts = [[0] * size for _ in range(players)]
    for each in schedule:
        for table in each:
            for seat, player in enumerate(table):
                starts[player][seat] += 1
    games = tuple(sum(row) for row in starts)
    counts = [met[one][other] for one, other in combinations(range(players), 2)]
    return Balance(
        players=players,
        rounds=len(schedule),
        meetings=tuple(map(tuple, met)),
        winds=tuple(map(tuple, starts)),
        games=games,
        pairs=_spread_of_pairs(counts, is_some_twice=shared > 0),
        starts=_spread_of_starts(starts, games, size),
        unevenness=sum(count * count for count in counts),
        bound=max(least_squares(sum(counts), len(counts)), sum(counts) + 2 * shared),
        apart=sum(met[one][other] for one, other in apart),
    )


def meetings_of(schedule: Sequence[Sequence[Sequence[int]]], players: int) -> list[list[int]]:
    """How often each player meets each other one."""
    met = [[0] * players for _ in range(players)]
    for each in schedule:
        for table in each:
            for one, other in combinations(table, 2):
                met[one][other] += 1
                met[other][one] += 1
    return met


def least_squares(total: int, parts: int) -> int:
    """The least that the squares of so many whole numbers with this total can add up to."""
    if not parts:
        return 0
    each, left = divmod(total, parts)
    return (parts - left) * each * each + left * (each + 1) * (each + 1)


def pairs_again(schedule: Sequence[Sequence[Sequence[int]]], players: int) -> int:
    """How many times at least a pair sits together that has sat together in another round, counted by pairs of rounds.

    The people of a table sit at no more tables than there are in another round: of four at two tables two pairs meet
    again at the least, at three tables one. Only rounds that seat everybody are counted.
    """
    whole = [each for each in schedule if sum(map(len, each)) == players]
    return sum(
        _together_at_least(len(table), len(other))
        for number, other in enumerate(whole)
        for each in whole[:number]
        for table in each
    )


def _together_at_least(people: int, tables: int) -> int:
    """Pairs among people who spread over tables as evenly as can be."""
    each, left = divmod(people, tables)
    return (tables - left) * each * (each - 1) // 2 + left * (each + 1) * each // 2


def _spread_of_pairs(counts: Sequence[int], *, is_some_twice: bool) -> Spread:
    """A total shared among pairs: the least is at most its floor, the most at least its ceiling."""
    if not counts:
        return Spread(0, 0, 0, 0)
    total = sum(counts)
    return Spread(min(counts), max(counts), total // len(counts), max(-(-total // len(counts)), 2 * is_some_twice))


def _spread_of_starts(starts: Sequence[Sequence[int]], games: Sequence[int], size: int) -> Spread:
    """Each player's games shared among the winds."""
    if not size:
        return Spread(0, 0, 0, 0)
    every = [count for row in starts for count in row]
    return Spread(min(every), max(every), min(games) // size, -(-max(games) // size))


def companions(schedule: Schedule, player: int) -> Counter[int]:
    """How often a player meets each of those met at all."""
    return Counter(
        other for each in schedule for table in each if player in table for other in table if other != player
    )
