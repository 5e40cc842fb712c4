"""Balance of a schedule: counts of meetings and starting winds, beside the lower bounds that counting gives."""

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
    """The smallest and the largest count of an event, beside the best values that counting allows."""

    least: int
    most: int
    bound_least: int
    """No schedule can have a higher least."""
    bound_most: int
    """No schedule can have a lower most."""

    @property
    def is_perfect(self) -> bool:
        """Return whether no schedule could be more even."""
        return (self.least, self.most) == (self.bound_least, self.bound_most)


@dataclass(frozen=True, slots=True)
class Balance:
    """Counts of meetings, starting winds and hanchan in a schedule, per player."""

    players: int
    rounds: int
    meetings: tuple[tuple[int, ...], ...]
    """Number of times each player meets each other player."""
    winds: tuple[tuple[int, ...], ...]
    """Number of times each player starts from each seat, the first dealer's first."""
    games: tuple[int, ...]
    """Number of hanchan of each player."""
    pairs: Spread
    """Meetings per pair."""
    starts: Spread
    """Starts per player and wind."""
    unevenness: int
    """Sum of the squares of all pairs' meetings: the smaller, the more even."""
    bound: int
    """Lower bound of `unevenness` for any schedule with the same number of meetings."""
    apart: int
    """Meetings of pairs that were to be kept apart."""

    @property
    def excess(self) -> int:
        """Return the distance of the meetings from the bound; 0 is as even as counting allows."""
        return self.unevenness - self.bound


def balance_of(schedule: Schedule, players: int, apart: Iterable[Pair] = ()) -> Balance:
    """Count a schedule's meetings and starts; `apart` are the pairs to be kept apart."""
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
    """Return a matrix with the number of times each player meets each other player."""
    met = [[0] * players for _ in range(players)]
    for each in schedule:
        for table in each:
            for one, other in combinations(table, 2):
                met[one][other] += 1
                met[other][one] += 1
    return met


def least_squares(total: int, parts: int) -> int:
    """Return the smallest sum of squares of `parts` integers with this total."""
    if not parts:
        return 0
    each, left = divmod(total, parts)
    return (parts - left) * each * each + left * (each + 1) * (each + 1)


def pairs_again(schedule: Sequence[Sequence[Sequence[int]]], players: int) -> int:
    """Return a lower bound on repeated meetings, counted by pairs of rounds.

    The players of a table sit at no more tables than there are in another round: of four at two tables at least
    two pairs meet again, at three tables one. Only rounds that seat every player are counted.
    """
    whole = [each for each in schedule if sum(map(len, each)) == players]
    return sum(
        _together_at_least(len(table), len(other))
        for number, other in enumerate(whole)
        for each in whole[:number]
        for table in each
    )


def _together_at_least(people: int, tables: int) -> int:
    """Return the pairs among people who are spread over tables as evenly as possible."""
    each, left = divmod(people, tables)
    return (tables - left) * each * (each - 1) // 2 + left * (each + 1) * each // 2


def _spread_of_pairs(counts: Sequence[int], *, is_some_twice: bool) -> Spread:
    """Return the spread of meetings per pair.

    With a fixed total the smallest count is at most the floor of the mean, the largest at least its ceiling.
    """
    if not counts:
        return Spread(0, 0, 0, 0)
    total = sum(counts)
    return Spread(min(counts), max(counts), total // len(counts), max(-(-total // len(counts)), 2 * is_some_twice))


def _spread_of_starts(starts: Sequence[Sequence[int]], games: Sequence[int], size: int) -> Spread:
    """Return the spread of starts, bounded by dividing each player's games over the winds."""
    if not size:
        return Spread(0, 0, 0, 0)
    every = [count for row in starts for count in row]
    return Spread(min(every), max(every), min(games) // size, -(-max(games) // size))


def companions(schedule: Schedule, player: int) -> Counter[int]:
    """Count how often a player meets each player that they meet at all."""
    return Counter(
        other for each in schedule for table in each if player in table for other in table if other != player
    )
