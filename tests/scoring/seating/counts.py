"""Counts of a schedule that tests of several modules need."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.seating.balance import Pair, Schedule, meetings_of


def meetings_within(pairs: Iterable[Pair], schedule: Schedule, players: int) -> int:
    """Return the meetings of these pairs."""
    met = meetings_of(schedule, players)
    return sum(met[one][other] for one, other in pairs)
