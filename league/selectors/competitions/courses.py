"""The rounds of one block in a planned schedule: its tables session by session, and who rests in them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.models import Block, Entrant
from scoring.seating.balance import Schedule


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table for the hanchan of these numbers and rounds (回戦 of the session), with the seats of each.

    Without seats while its entrants are not known.
    """

    block: Block
    table: int
    starts_at: dt.datetime
    numbers: tuple[int, ...]
    rounds: tuple[int, ...]
    seats: tuple[tuple[Entrant, ...], ...]


@dataclass(frozen=True, slots=True)
class PlannedRest:
    """The players of a block who rest in these rounds of the session, which have these numbers in the block."""

    block: Block
    numbers: tuple[int, ...]
    rounds: tuple[int, ...]
    players: tuple[Entrant, ...]


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """A session with its tables, and who rests in it where a block's players do not fill tables."""

    number: int
    name: str
    name_en: str
    tables: tuple[PlannedTable, ...]
    rests: tuple[PlannedRest, ...] = ()


def round_numbers(numbers: Iterable[int]) -> Mapping[int, int]:
    """Return the round (回戦) of a session by the block's number of a hanchan, from all numbers played in it."""
    return {number: round_ for round_, number in enumerate(sorted(set(numbers)), start=1)}


Runs = tuple[tuple[int, ...], ...]
"""Hanchan numbers, in groups that one company plays without changing tables."""


def runs_of(numbers: range, games: int) -> Runs:
    """Return the numbers in groups of `games`."""
    return tuple(tuple(numbers[first : first + games]) for first in range(0, len(numbers), games))


def sessions_of(turns: Sequence[int], in_row: Sequence[int]) -> tuple[Runs, ...]:
    """Return the numbers of each session, in groups that are played in a row; `turns` are the hanchan of each."""
    found, first = [], 1
    for games, row in zip(turns, in_row, strict=True):
        found.append(runs_of(range(first, first + games), row))
        first += games
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Course:
    """The rounds of one block; `schedule` has a round for each hanchan number, with indexes of the players."""

    block: Block
    players: tuple[Entrant, ...]
    """Empty while they are not known."""
    schedule: Schedule
    sessions: tuple[Runs, ...]
    at_once: int | None
    """Tables that play at a time, where a round has more: the others play after them."""
    has_rests: bool = False

    def tables(self, run: tuple[int, ...]) -> Iterable[tuple[tuple[Entrant, ...], ...]]:
        """Yield the seats of each table in the hanchan of these numbers; empty seats while players are not known."""
        for place in range(len(self.schedule[run[0] - 1])):
            seats = (self.schedule[number - 1][place] for number in run)
            yield tuple(tuple(self.players[one] for one in table) if self.players else () for table in seats)

    def wave(self, place: int) -> int:
        """Return how many groups of tables of a round play before this table."""
        return place // self.at_once if self.at_once else 0

    def duration(self, run: tuple[int, ...]) -> int:
        """Return how many hanchan are played one after another until all tables have played these."""
        return len(run) * (self.wave(len(self.schedule[run[0] - 1]) - 1) + 1)

    def width(self, runs: Runs) -> int:
        """Return the largest number of tables that play at a time."""
        most = max((len(self.schedule[run[0] - 1]) for run in runs), default=0)
        return min(most, self.at_once or most)

    def rests(self, runs: Runs) -> Iterable[PlannedRest]:
        """Yield the players who rest in each group of hanchan."""
        rounds = round_numbers(number for run in runs for number in run)
        for run in runs if self.has_rests else ():
            if not any(self.schedule[run[0] - 1]):
                continue
            there = {one for table in self.schedule[run[0] - 1] for one in table}
            resting = (entrant for place, entrant in enumerate(self.players) if place not in there)
            players = tuple(sorted(resting, key=lambda entrant: entrant.number))
            yield PlannedRest(self.block, run, tuple(rounds[number] for number in run), players)


def begins_of(courses: Sequence[tuple[Course, Runs]], at_once: int | None) -> list[int]:
    """Return when each block begins, in hanchan from the start of the day: blocks share the tables of the venue."""
    begins: list[int] = []
    now = used = until = 0
    for course, runs in courses:
        width = course.width(runs)
        if at_once and used and used + width > at_once:
            now, used = until, 0
        begins.append(now)
        used += width
        until = max(until, now + sum(map(course.duration, runs)))
    return begins
