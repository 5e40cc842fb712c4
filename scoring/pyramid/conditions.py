"""Destinations of the ranks of a tier while it is played, by the rules of the series.

A destination is a short text of a kind and what it is about, such as `up:A1`, so that published standings can hold it.
`places` derives them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring.lines import OUT, WITHDRAWN


class PlaceKind(StrEnum):
    """The place that a rank of a tier leads to."""

    UP = "up"
    OUTSIDE = "to"
    """A competition beside the tiers, such as a title match."""
    GAIN = "gain"
    """Promotion points."""
    STAY = "stay"
    """The same tier, where lower ranks fare worse."""
    SAME = "same"
    """The same tier, and no rank fares worse."""
    RISK = "risk"
    """Relegation points."""
    DOWN = "down"
    OPEN = "open"
    """Level at a border at the end of the term: the organizers decide."""
    LEAVES = "leaves"
    """The holder of the rank leaves the series by a decision; the rank counts for no border."""
    DECLINED = "declined"
    """The holder stays in the tier, having declined any place above."""
    KEPT = "kept"
    """The holder stays in the tier by a decision, whatever the rank."""
    PLACED = "placed"
    """The organizers have given the holder a place in a tier."""


DECIDED = frozenset({PlaceKind.LEAVES, PlaceKind.DECLINED, PlaceKind.KEPT, PlaceKind.PLACED})
"""Kinds that belong to the holder of a rank by a decision, not to the rank."""
GOALS = frozenset({PlaceKind.UP, PlaceKind.OUTSIDE, PlaceKind.GAIN, PlaceKind.STAY})
"""Kinds that players try to reach."""


@dataclass(frozen=True, slots=True)
class SeriesDestination:
    """The destination of a rank: its kind, the tier or competition, and figures that belong to it."""

    kind: PlaceKind
    key: str = ""
    """The tier or the competition beside the tiers; for points the tier to which they move the player, or empty."""
    needed: Fraction | None = None
    """The total that the rank also needs."""
    points: int = 0

    def __str__(self) -> str:
        if self.kind in _OF_POINTS:
            return ":".join(filter(None, [self.kind.value, str(self.points), self.key]))
        parts = [self.kind.value, self.key]
        return ":".join(parts if self.needed is None else [*parts, str(self.needed)])


_OF_POINTS = frozenset({PlaceKind.GAIN, PlaceKind.RISK})


def read_destination(text: str) -> SeriesDestination | None:
    """Return the destination that a text names; None for those of other origins, such as a stage's key."""
    kind, separator, rest = text.partition(":")
    if not separator or kind not in {each.value for each in PlaceKind}:
        return None
    found = PlaceKind(kind)
    if found in _OF_POINTS:
        points, _, key = rest.partition(":")
        return SeriesDestination(found, key, points=int(points))
    key, _, needed = rest.partition(":")
    return SeriesDestination(found, key, Fraction(needed) if needed else None)


def is_goal(destination: str) -> bool:
    """Return whether a rank's destination is one that players try to reach: going on, the title, or a place above.

    Elimination is none, nor are the final places behind a champion, and relegation.
    """
    if not destination or destination in {OUT, WITHDRAWN} or destination[:1].isdigit():
        return False
    found = read_destination(destination)
    return found is None or found.kind in GOALS


def is_decided(destination: str) -> bool:
    """Return whether a destination belongs to the holder of the rank by a decision, so that no border counts it."""
    found = read_destination(destination)
    return found is not None and found.kind in DECIDED


def sides(destinations: Sequence[str]) -> list[bool | None]:
    """Return for each rank whether it lies inside the lowest border of its block; None for ranks it does not count.

    The border is that of going on, in a tier that of staying up, or of going up where none goes down. Those who leave
    count for neither, nor do those who keep their seats where the border is that of staying up.
    """
    read = [read_destination(each) for each in destinations]
    has_worse = any(each is not None and each.kind in _BELOW for each in read)
    found: list[bool | None] = []
    for text, each in zip(destinations, read, strict=True):
        if each is None or each.kind not in DECIDED:
            found.append(is_goal(text))
        elif each.kind is PlaceKind.DECLINED:
            found.append(True if has_worse else None)
        elif each.kind is PlaceKind.KEPT:
            found.append(None if has_worse else False)
        else:
            found.append(None)
    return found


_BELOW = frozenset({PlaceKind.STAY, PlaceKind.RISK, PlaceKind.DOWN})
