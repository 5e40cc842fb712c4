"""Counts of meetings and starting winds in a schedule, and the lower bounds that counting gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

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


def price_of(met: Sequence[Sequence[int]], apart: Mapping[Pair, int]) -> int:
    """Return the price of all meetings of the pairs in `apart`, which has the price of a meeting of each pair."""
    return sum(price * met[one][other] for (one, other), price in apart.items())


def table_size(schedule: Sequence[Sequence[Sequence[int]]]) -> int:
    """Return the number of players at the largest table; 0 without one."""
    return max((len(table) for each in schedule for table in each), default=0)


def visits_of(schedule: Sequence[Sequence[Sequence[int]]], players: int, tables: int) -> list[list[int]]:
    """Return how often each player sits at each table, by the table's place in its round."""
    visits = [[0] * tables for _ in range(players)]
    for each in schedule:
        for place, table in enumerate(each):
            for player in table:
                visits[player][place] += 1
    return visits


def starts_of(schedule: Sequence[Sequence[Sequence[int]]], players: int) -> list[list[int]]:
    """Return how often each player starts from each seat, the first dealer's first."""
    starts = [[0] * table_size(schedule) for _ in range(players)]
    for each in schedule:
        for table in each:
            for seat, player in enumerate(table):
                starts[player][seat] += 1
    return starts


def least_squares(total: int, parts: int) -> int:
    """Return the smallest sum of squares of `parts` integers with this total, which is 0 for none."""
    each, left = divmod(total, max(parts, 1))
    return (parts - left) * each * each + left * (each + 1) * (each + 1)


def squares_at_least(schedule: Sequence[Sequence[Sequence[int]]], players: int, forced: int) -> int:
    """Return a lower bound of the sum of all pairs' meetings squared, for any schedule with tables of these sizes.

    `forced` is the least number of pairs that sit together in two rounds, over all two rounds.
    """
    meetings = sum(comb(len(table), 2) for each in schedule for table in each)
    # A pair that meets m times is counted m(m - 1)/2 times in `forced`, and m² = m + 2 x m(m - 1)/2.
    return max(least_squares(meetings, comb(players, 2)), meetings + 2 * forced)


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
