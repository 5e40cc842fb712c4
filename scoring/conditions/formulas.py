"""Formulas in disjunctive normal form over conditions on final scores, without redundant parts.

A formula is a list of alternatives; each alternative is a list of conditions that must all hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.conditions.profile import Span
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class Condition:
    """The final score less a rival's must be at least `least`; without a rival, the final score itself."""

    rival: Entrant | None
    least: int


Together = tuple[Condition, ...]
"""Conditions that must all hold."""

Formula = tuple[Together, ...]
"""Any one of these is sufficient. `NEVER_TRUE` has none, `ALWAYS_TRUE` one without conditions."""

NEVER_TRUE: Formula = ()
ALWAYS_TRUE: Formula = ((),)


def at_least(needed: int, margins: Sequence[Condition], scores: Iterable[int], apart: Distances) -> Formula:
    """Return the weakest ways to reach at least `needed` of these margins over rivals and own scores.

    Own scores are nested: a higher one reached includes the lower ones. `apart` gives the margins that follow
    from others because of the places.
    """
    rising = sorted(scores)
    ways = list(_ways(needed, margins, rising))
    return without_implied([_shortest(way, apart) for way in ways], apart)


def with_score(formula: Formula, score: int, apart: Distances) -> Formula:
    """Return a formula that also needs a final score of its own."""
    own = Condition(None, score)
    return without_implied([_shortest((*way, own), apart) for way in formula], apart)


def _ways(needed: int, margins: Sequence[Condition], rising: Sequence[int]) -> Iterator[Together]:
    """Yield every choice of margins, with the lowest own score that supplies those still missing."""
    for count in range(min(max(needed, 0), len(margins)) + 1):
        missing = max(needed, 0) - count
        if missing <= len(rising):
            own = (Condition(None, rising[missing - 1]),) if missing else ()
            yield from ((*chosen, *own) for chosen in combinations(margins, count))


@dataclass(frozen=True, slots=True)
class Distances:
    """Minimum distances between rivals' scores, from their places at the player's own table."""

    places: Mapping[Entrant, Span]
    step: int
    """The minimum distance between two neighbouring places."""

    def between(self, upper: Entrant, lower: Entrant) -> int | None:
        """Return the minimum distance of one rival above another; None if the places do not put it there."""
        distance = self.places[lower].first - self.places[upper].first
        return self.step * distance if distance > 0 else None


def implies(one: Condition, other: Condition, apart: Distances) -> bool:
    """Return whether one condition implies the other."""
    if one.rival == other.rival:
        return one.least >= other.least
    if one.rival is None or other.rival is None:
        return False
    distance = apart.between(one.rival, other.rival)
    return distance is not None and one.least + distance >= other.least


def _shortest(way: Together, apart: Distances) -> Together:
    """Drop the conditions that follow from the rest."""
    kept = list(way)
    for each in way:
        if any(other is not each and implies(other, each, apart) for other in kept):
            kept.remove(each)
    return tuple(kept)


def without_implied(ways: Sequence[Together], apart: Distances) -> Formula:
    """Drop duplicates and every alternative that is stricter than another one."""
    kept: list[Together] = []
    for way in dict.fromkeys(ways):
        if any(_covers(other, way, apart) for other in kept):
            continue
        kept = [other for other in kept if not _covers(way, other, apart)]
        kept.append(way)
    return tuple(kept)


def _covers(easier: Together, harder: Together, apart: Distances) -> bool:
    """Return whether the harder list of conditions implies the easier one."""
    return all(any(implies(each, needed, apart) for each in harder) for needed in easier)
