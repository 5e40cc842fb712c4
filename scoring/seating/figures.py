"""Figures of a schedule, from the first to be compared to the last, beside the bounds that counting gives.

Two schedules for as many players and rounds are compared by repeated meetings, visits to one table, starting
winds, and indirect meetings, in this order. Two players who never meet are linked by every third player who has
met both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

from scoring.seating.balance import (
    Schedule,
    meetings_of,
    pairs_again,
    squares_at_least,
    starts_of,
    table_size,
    visits_of,
)

NO_SUCH_DESIGN = (4, 20, 6)
"""Size of a table, players and rounds for which 3 x rounds = players - 2, yet every plan repeats a meeting: one without
would be a resolvable group divisible design with blocks of four and ten groups of two, which does not exist (Handbook
of Combinatorial Designs)."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of a schedule; the less the better, but for `least_links`."""

    players: int
    rounds: int
    tables: int
    """Most tables of a round."""
    pairs_again: int
    """Pairs that meet more than once."""
    excess: int
    """Meetings beyond each pair's first."""
    squares: int
    """Sum of all pairs' meetings squared."""
    most_meetings: int
    """Meetings of the pair that meets most often."""
    table_most: int
    """Most visits of a player to one table."""
    table_over: int
    """Number of (player, table) with more visits than an even spread of the player's hanchan over all tables needs."""
    wind_off: int
    """Number of (player, wind) with more or fewer starts than an even spread of the player's hanchan gives."""
    wind_gap: int
    """Most starts from a wind minus least, for the player with the largest difference."""
    least_links: int | None
    """Least number of third players who have met both of a pair that never meets; None if every pair meets."""
    pairs_at_least: int
    """Pairs that never meet and have only that many third players."""
    unlinked: int
    """Pairs that neither meet nor share an opponent."""

    @property
    def key(self) -> tuple[int, ...]:
        """Return the counts in the order in which schedules are compared; the smaller, the better."""
        meetings, links = self.companies_key[:2], self.companies_key[2:]
        return (*meetings, self.table_most, self.table_over, self.wind_off, *links)

    @property
    def companies_key(self) -> tuple[int, ...]:
        """Return the same counts without those of tables and winds: repeated meetings, then links."""
        least = self.players if self.least_links is None else self.least_links
        return self.squares, self.excess, self.unlinked, -least, self.pairs_at_least


@dataclass(frozen=True, slots=True)
class Bounds:
    """Values that no schedule in which every player plays every round can beat; each by counting.

    - Repeats: a player has (size - 1) x rounds meetings for players - 1 others, and the squares of all meetings are
      least where meetings differ by one at most. The players of a table sit at no more tables than another round has;
      if these are fewer, some of them meet again.
    - Tables: a player's hanchan spread over all tables.
    - Links: a player has d = 3 x rounds opponents if no meeting repeats, each of whom has d - 3 opponents outside the
      common table, so at most d x (d - 3) links lead to the players who are never met; the least is at most the mean,
      and with fewer links than such players some remain unlinked.
    """

    excess: int
    squares: int
    most_meetings: int
    table_most: int
    wind_gap: int
    least_links: int | None
    """None if every pair can meet."""
    unlinked: int

    def reached(self, figures: Figures) -> frozenset[str]:
        """Return the names of the counts in which the schedule is proved to be as good as any."""
        equal = {
            name
            for name in ("excess", "squares", "most_meetings", "table_most", "wind_gap", "least_links", "unlinked")
            if getattr(self, name) == getattr(figures, name)
        }
        zero = {name for name in ("table_over", "wind_off") if getattr(figures, name) == 0}
        return frozenset(equal | zero)


def figures_of(schedule: Schedule, players: int) -> Figures:
    """Count a schedule; `players` is their number, also of those who are never seated."""
    met = meetings_of(schedule, players)
    tables = max(map(len, schedule), default=0)
    size = table_size(schedule)
    visits = visits_of(schedule, players, tables)
    starts = starts_of(schedule, players)
    games = [sum(row) for row in starts]
    counts = [met[one][other] for one, other in combinations(range(players), 2)]
    links = links_of(met, [player for player in range(players) if games[player]])
    return Figures(
        players=players,
        rounds=len(schedule),
        tables=tables,
        pairs_again=sum(count > 1 for count in counts),
        excess=sum(count - 1 for count in counts if count > 1),
        squares=sum(count * count for count in counts),
        most_meetings=max(counts, default=0),
        table_most=max((max(row, default=0) for row in visits), default=0),
        table_over=sum(count > -(-games[player] // tables) for player, row in enumerate(visits) for count in row),
        wind_off=sum(
            not games[player] // size <= count <= -(-games[player] // size)
            for player, row in enumerate(starts)
            for count in row
        ),
        wind_gap=max((max(row) - min(row) for row in starts if row), default=0),
        least_links=min(links, default=None),
        pairs_at_least=links[min(links)] if links else 0,
        unlinked=links[0],
    )


def links_of(met: Sequence[Sequence[int]], players: Sequence[int]) -> Counter[int]:
    """Count the pairs of these players who never meet, by the number of third players who have met both."""
    near = [sum(1 << other for other, count in enumerate(row) if count) for row in met]
    return Counter(
        (near[one] & near[other]).bit_count() for one, other in combinations(players, 2) if not met[one][other]
    )


def bounds_of(players: int, rounds: int, size: int = 4) -> Bounds:
    """Return the bounds for that many players, a multiple of the table's size, who all play every round."""
    tables = range(0, players, size)
    full = tuple(tuple(range(first, first + size)) for first in tables)
    found = _counted((full,) * rounds, players)
    if (size, players, rounds) == NO_SUCH_DESIGN:
        meetings = (size - 1) * players * rounds // 2
        found = replace(found, squares=max(found.squares, meetings + 2), excess=max(found.excess, 1))
    degree = (size - 1) * rounds
    strangers = players - 1 - degree
    links = min(degree * (degree - size + 1) // strangers, degree) if strangers > 0 else None
    unlinked = players * max(0, strangers - degree * (degree - size + 1)) // 2
    return replace(found, least_links=links, unlinked=unlinked)


def bounds_for(schedule: Schedule, players: int) -> Bounds:
    """Return the bounds for all schedules with as many tables in each round, and as many hanchan of each player.

    Where players rest or are absent, no bound on links is known.
    """
    sizes = {len(table) for each in schedule for table in each}
    if len(sizes) == 1 and all(sum(map(len, each)) == players for each in schedule):
        return bounds_of(players, len(schedule), *sizes)
    return _counted(schedule, players)


def _counted(schedule: Schedule, players: int) -> Bounds:
    """Return the bounds that follow from the sizes of all tables and the hanchan of each player."""
    pairs = max(comb(players, 2), 1)
    total = sum(comb(len(table), 2) for each in schedule for table in each)
    size = table_size(schedule)
    games = Counter(player for each in schedule for table in each for player in table)
    forced = pairs_again(schedule, players)
    return Bounds(
        # A pair that meets m times is counted m(m - 1)/2 times in `forced`, at most (m - 1) x rounds/2.
        excess=max(total - pairs, 2 * forced // max(len(schedule), 1), 0),
        squares=squares_at_least(schedule, players, forced),
        most_meetings=max(-(-total // pairs), 1 + (forced > 0)) if total else 0,
        table_most=-(-max(games.values(), default=0) // max(map(len, schedule), default=1)),
        wind_gap=int(any(count % size for count in games.values())),
        least_links=None,
        unlinked=0,
    )
