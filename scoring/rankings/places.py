"""The worth of a place that may be shared."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from scoring.format.ranking import Ties


def shared(worth: Callable[[int], Fraction], place: int, level: int, ties: Ties) -> Fraction:
    """Return the worth of a place that `level` entrants share, by the rule for ties."""
    if level == 1 or ties is Ties.BETTER:
        return worth(place)
    return sum((worth(each) for each in range(place, place + level)), Fraction(0)) / level
