"""Conditions put together: any of several lists of conditions, each list to be met whole, nothing in it superfluous."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.conditions.profile import Span
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class Condition:
    """The final score less a rival's must be at least so much; without a rival, the final score itself."""

    rival: Entrant | None
    least: int


Together = tuple[Condition, ...]
"""Conditions that must all hold."""

Formula = tuple[Together, ...]
"""Any one of these is enough. `NEVER_TRUE` has none, `ALWAYS_TRUE` one that asks for nothing."""

NEVER_TRUE: Formula = ()
ALWAYS_TRUE: Formula = ((),)


def at_least(needed: int, margins: Sequence[Condition], scores: Iterable[int], apart: Distances) -> Formula:
    """So many of these margins over rivals and own scores must be reached: every way to do it that asks least.

    Own scores are nested: who reaches a higher one has reached the lower ones. `apart` tells which margins follow from
    others because of the places.
    """
    rising = sorted(scores)
    ways = list(_ways(needed, margins, rising))
    return without_implied([_shortest(way, apart) for way in ways], apart)


def _ways(needed: int, margins: Sequence[Condition], rising: Sequence[int]) -> Iterator[Together]:
    """Every choice of margins, with the lowest own score that brings what is still missing."""
    for count in range(min(max(needed, 0), len(margins)) + 1):
        missing = max(needed, 0) - count
        if missing <= len(rising):
            own = (Condition(None, rising[missing - 1]),) if missing else ()
            yield from ((*chosen, *own) for chosen in combinations(margins, count))


@dataclass(frozen=True, slots=True)
class Distances:
    """By how much one rival is at least above another, because of their places at the player's own table."""

    places: Mapping[Entrant, Span]
    step: int
    """What lies between two neighbouring places at least."""

    def between(self, upper: Entrant, lower: Entrant) -> int | None:
        """How far the one is above the other at least; None if the places do not put it there."""
        distance = self.places[lower].first - self.places[upper].first
        return self.step * distance if distance > 0 else None


def implies(one: Condition, other: Condition, apart: Distances) -> bool:
    """Does the one condition leave the other no chance to fail?"""
    if one.rival == other.rival:
        return one.least >= other.least
    if one.rival is None or other.rival is None:
        return False
    distance = apart.between(one.rival, other.rival)
    return distance is not None and one.least + distance >= other.least


def _shortest(way: Together, apart: Distances) -> Together:
    """Leave out what follows from the rest."""
    kept = list(way)
    for each in way:
        if any(other is not each and implies(other, each, apart) for other in kept):
            kept.remove(each)
    return tuple(kept)


def without_implied(ways: Sequence[Together], apart: Distances) -> Formula:
    """Leave out every way that asks for more than another one does, and each that stands there twice."""
    kept: list[Together] = []
    for way in dict.fromkeys(ways):
        if any(_covers(other, way, apart) for other in kept):
            continue
        kept = [other for other in kept if not _covers(way, other, apart)]
        kept.append(way)
    return tuple(kept)


def _covers(easier: Together, harder: Together, apart: Distances) -> bool:
    """Is whoever meets the harder list sure to meet the easier one?"""
    return all(any(implies(each, needed, apart) for each in harder) for needed in easier)
