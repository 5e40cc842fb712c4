"""The expected wait of the parties on a parlour's waiting list, from the pace of its running tables.

A chair is free now if it is empty, and after the running game if its guest has announced to leave. A game's end is
expected after the average time of the last games under its rule book. Nothing is expected of guests who have
announced nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class RunningTable:
    """A running table; times in whole minutes.

    `played` is the time since its game began, `empty` and `leaving` are numbers of chairs.
    """

    name: str
    book: int
    played: int
    empty: int = 0
    leaving: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Party:
    """Guests who wait together for seats under a rule book; they need not sit at one table."""

    book: int
    people: int = 1


@dataclass(frozen=True, slots=True)
class Wait:
    """An expected wait in minutes, 0 for a free chair; None if nothing can be said.

    `tables` are those where the party's chairs become free, `pace` is the average time of a game that it was computed
    with.
    """

    minutes: int | None
    tables: tuple[str, ...] = ()
    pace: int | None = None


def average_minutes(games: Sequence[int]) -> int | None:
    """Return the average of the times of games, rounded up to whole minutes; None without a game."""
    return -(-sum(games) // len(games)) if games else None


def expected_waits(
    parties: Sequence[Party], tables: Sequence[RunningTable], paces: dict[int, int | None]
) -> list[Wait]:
    """Return the wait of each party in the order of the list; an earlier party takes the earlier chairs.

    `paces` are average minutes of a game by rule book. A game that takes longer than the average is expected to end
    within a minute: only an empty chair is free now.
    """
    chairs: dict[int, list[tuple[int, str]]] = {}
    for table in tables:
        free = chairs.setdefault(table.book, [])
        free += [(0, table.name)] * table.empty
        pace = paces.get(table.book)
        if pace is not None:
            free += [(max(1, pace - table.played), table.name)] * table.leaving
    for free in chairs.values():
        free.sort()
    return [_wait_of(party, chairs.get(party.book, []), paces.get(party.book)) for party in parties]


def _wait_of(party: Party, free: list[tuple[int, str]], pace: int | None) -> Wait:
    """Take the party's chairs from the free ones."""
    if len(free) < party.people:
        # The chairs that are there are kept for this party: a later one does not overtake it.
        free.clear()
        return Wait(None, pace=pace)
    taken = free[: party.people]
    del free[: party.people]
    return Wait(max(minutes for minutes, _name in taken), tuple(dict.fromkeys(name for _, name in taken)), pace)
