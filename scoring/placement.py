"""Places of a finished game, with shared places.

Seats are numbered from the first dealer on, so the lower number is the seat nearer to the first dealer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby

from scoring.ruleset.settling import Ties

Group = tuple[int, ...]
"""Seats that share a place, in seat order; an untied place is a group of one."""


def groups(scores: Sequence[int], ties: Ties, forced_top: int | None = None) -> tuple[Group, ...]:
    """Return the seats from first to last, with seats that share a place grouped together.

    A forced top is first, regardless of the scores.
    """

    def standing(seat: int) -> tuple[bool, int]:
        return seat != forced_top, -scores[seat]

    seats = sorted(range(len(scores)), key=standing)
    # The sort is stable, so among equal scores the seat nearer to the first dealer already comes first.
    if ties is Ties.BY_SEAT:
        return tuple((seat,) for seat in seats)
    return tuple(tuple(level) for _, level in groupby(seats, key=standing))


def places(grouped: Sequence[Group]) -> tuple[int, ...]:
    """Return each seat's place, counted from 1; a shared place is the best of the places it fills."""
    bests = accumulate((len(group) for group in grouped), initial=1)
    by_seat = {seat: best for group, best in zip(grouped, bests, strict=False) for seat in group}
    return tuple(by_seat[seat] for seat in range(len(by_seat)))
