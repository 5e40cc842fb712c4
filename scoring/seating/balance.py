"""Counts of meetings and starting winds in a schedule, and the lower bounds that counting gives."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

Table = tuple[int, ...]
Round = tuple[Table, ...]
Schedule = tuple[Round, ...]
Pair = tuple[int, int]


def meetings_of(schedule: Sequence[Sequence[Sequence[int]]], players: int) -> list[list[int]]:
    """Return a matrix with the number of times each player meets each other player."""
    met = [[0] * players for _ in range(players)]
    for each in schedule:
        for table in each:
            for one, other in combinations(table, 2):
                met[one][other] += 1
                met[other][one] += 1
    return met


def starts_of(schedule: Sequence[Sequence[Sequence[int]]], players: int) -> list[list[int]]:
    """Return how often each player starts from each seat, the first dealer's first."""
    size = max((len(table) for each in schedule for table in each), default=0)
    starts = [[0] * size for _ in range(players)]
    for each in schedule:
        for table in each:
            for seat, player in enumerate(table):
                starts[player][seat] += 1
    return starts


def least_squares(total: int, parts: int) -> int:
    """Return the smallest sum of squares of `parts` integers with this total, which is 0 for none."""
    each, left = divmod(total, max(parts, 1))
    return (parts - left) * each * each + left * (each + 1) * (each + 1)


def together_at_least(people: int, tables: int) -> int:
    """Return the pairs among people who are spread over tables as evenly as possible.

    With a club's hanchan and the tables of all rounds, these are the meetings of its members that no plan avoids.
    """
    each, left = divmod(people, tables)
    return (tables - left) * each * (each - 1) // 2 + left * (each + 1) * each // 2


def pairs_forced(schedule: Schedule) -> int:
    """Return the least number of pairs that sit together in two rounds, over all two rounds with these players."""
    seats = [({one for table in each for one in table}, sum(map(bool, each))) for each in schedule]
    return sum(
        pairs_kept(len(there & others), tables, other_tables)
        for (there, tables), (others, other_tables) in combinations(seats, 2)
    )


def pairs_again(schedule: Sequence[Sequence[Sequence[int]]], players: int) -> int:
    """Return the same for any players of `players` who fill these tables.

    As many play in both of two rounds as do not fit among those who rest in one of them. Of eight players at two tables
    and again at two, four pairs at least meet again; of eight at two tables and then four at one, two pairs.
    """
    seats = [(sum(map(len, each)), len(each)) for each in schedule]
    return sum(
        pairs_kept(max(there + others - players, 0), tables, other_tables)
        for (there, tables), (others, other_tables) in combinations(seats, 2)
    )


def pairs_kept(people: int, tables: int, other_tables: int) -> int:
    """Return the least number of pairs who meet again when people at `tables` move to `other_tables`."""
    share, left = divmod(people, max(tables, 1))
    kept = [together_at_least(share + more, max(other_tables, 1)) for more in (0, 1)]
    return (tables - left) * kept[0] + left * kept[1]
