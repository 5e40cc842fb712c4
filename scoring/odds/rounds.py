"""Remaining hanchan of a block, with their pairings as far as these are known.

The one idea: a hanchan names rows of its block, so that it can be laid out before the entrants of the rows
are known. Scheduled hanchan are played as scheduled. For the rest, rows that lack the same hanchan of a
session are shuffled over tables; where they do not fill whole tables, rows with the most hanchan left meet
first, of those the ones that have met least often, so that every row reaches its number.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.format import Seating, Stage
from scoring.odds.chance import Columns, Shuffle


@dataclass(frozen=True, slots=True)
class DrawnGame:
    """A hanchan: for each seat the place in the group's order, and the hanchan's number for the player in it."""

    column: int
    """The draw that decides its result."""
    seats: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of a block that meet in some hanchan, shuffled first where the pairings are not known yet."""

    rows: tuple[int, ...]
    shuffle: Shuffle | None
    games: tuple[DrawnGame, ...]

    def numbers(self) -> tuple[frozenset[int], ...]:
        """Return, for each place of the order, the numbers of the hanchan that its player plays."""
        found: list[set[int]] = [set() for _ in self.rows]
        for game in self.games:
            for place, number in game.seats:
                found[place].add(number)
        return tuple(map(frozenset, found))


@dataclass(frozen=True, slots=True)
class DrawPlan:
    """Context for laying out hanchan: the allocator of draws, the bound of a result, and the players at a table."""

    columns: Columns
    bound: int
    players: int

    def game(self, seats: Sequence[tuple[int, int]]) -> DrawnGame:
        """Return a hanchan with a draw of its own."""
        return DrawnGame(self.columns.take(self.bound), tuple(seats))


Meeting = tuple[tuple[int, int], ...]
"""A scheduled hanchan: the rows that meet, each with the hanchan's number for it."""


def remaining(
    missing: Sequence[frozenset[int]], scheduled: Sequence[Meeting], stage: Stage, table: DrawPlan
) -> tuple[Group, ...]:
    """Lay out every hanchan still to be played; `missing` are the numbers that each row of the block lacks."""
    left = [set(numbers) for numbers in missing]
    groups = list(_scheduled(left, scheduled, table))
    met = Counter(pair for group in groups for pair in combinations(sorted(group.rows), 2))
    for session in sessions_of(stage):
        groups += _session(left, session, table)
    groups += _leftover(left, met, table)
    return tuple(groups)


def sessions_of(stage: Stage) -> tuple[range, ...]:
    """Return the numbers of the hanchan that the same table plays one after another, session by session."""
    hanchan = stage.hanchan or 0
    sessions = (stage.sessions if stage.seating is Seating.STAY else None) or hanchan or 1
    each = hanchan // sessions
    return tuple(range(first, first + each) for first in range(1, hanchan + 1, each or 1))


def _scheduled(left: list[set[int]], scheduled: Sequence[Meeting], table: DrawPlan) -> Iterator[Group]:
    """Yield scheduled hanchan as groups of the rows named, if all of them still lack that hanchan."""
    for meeting in scheduled:
        if all(number in left[row] for row, number in meeting):
            for row, number in meeting:
                left[row].discard(number)
            seats = [(place, number) for place, (_row, number) in enumerate(meeting)]
            yield Group(tuple(row for row, _number in meeting), None, (table.game(seats),))


def _session(left: list[set[int]], session: range, table: DrawPlan) -> Iterator[Group]:
    """Yield groups of rows that lack the same hanchan of the session and fill tables, shuffled over these."""
    # Rows are grouped by the very hanchan they lack, since a shuffle must not give a row a hanchan it has played.
    alike: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for row, numbers in enumerate(left):
        if lacking := tuple(sorted(numbers & set(session))):
            alike[lacking].append(row)
    for lacking, rows in alike.items():
        if len(rows) % table.players:
            continue
        for row in rows:
            left[row] -= set(lacking)
        tables = range(0, len(rows), table.players)
        seats = [range(first, first + table.players) for first in tables]
        games = [table.game([(place, number) for place in at]) for at in seats for number in lacking]
        yield Group(tuple(rows), _shuffle(len(rows), table), tuple(games))


def _leftover(left: list[set[int]], met: Counter[tuple[int, int]], table: DrawPlan) -> Iterator[Group]:
    """Let the rows with the most hanchan left meet; hanchan that cannot fill a table are not played.

    `met` counts the scheduled meetings of two rows, the smaller one first.
    """
    rows = tuple(row for row, numbers in enumerate(left) if numbers)
    is_alike = len({frozenset(left[row]) for row in rows}) == 1
    own = {place: sorted(left[row]) for place, row in enumerate(rows)}
    games = []
    while len(waiting := [place for place in own if own[place]]) >= table.players:
        meeting: list[int] = []
        for _seat in range(table.players):
            free = [place for place in waiting if place not in meeting]
            often = [sum(met[_pair(rows[place], rows[other])] for other in meeting) for place in free]
            meeting.append(min(zip(free, often, strict=True), key=lambda each: (-len(own[each[0]]), each[1]))[0])
        met.update(_pair(rows[one], rows[other]) for one, other in combinations(meeting, 2))
        games.append(table.game([(place, own[place].pop(0)) for place in meeting]))
    if games:
        yield Group(rows, _shuffle(len(rows), table) if is_alike else None, tuple(games))


def _pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _shuffle(size: int, table: DrawPlan) -> Shuffle | None:
    """Return a shuffle of the rows; None for a single table, which needs none."""
    return table.columns.shuffle(size) if size > table.players else None
