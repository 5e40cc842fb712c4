"""Byes: who sits out a round if the entrants do not fill whole tables, and what that counts.

A bye has a worth and no place, so it is a credit beside the hanchan and breaks no tie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.format.policies import OddBy
from scoring.seating.draws import in_order_of_lots


@dataclass(frozen=True, slots=True)
class OddRound:
    """Seats of a round whose entrants may not fill whole tables."""

    sit_out: frozenset[int]
    """Entrants with a bye."""
    substitutes: int
    """House players who fill the last table."""


def byes(
    standing: Sequence[Sequence[int]], had: Mapping[int, int], policy: OddBy, *, size: int = 4, seed: str = ""
) -> OddRound:
    """Return who sits out: of those with the fewest byes so far the lowest ranked, level ones by lot.

    The standing is given as groups of level entrants, the best first; before the first round all are level. Raise
    ValueError if the policy refuses a number that does not fill tables of `size`.
    """
    order = [entrant for level in standing for entrant in in_order_of_lots(level, seed)]
    over = len(order) % size
    if over and policy is OddBy.REFUSE:
        raise ValueError(f"{len(order)} entrants do not fill tables of {size}")
    if policy is OddBy.SUBSTITUTES:
        return OddRound(frozenset(), -len(order) % size)
    places = sorted(range(len(order)), key=lambda place: (had.get(order[place], 0), -place))
    return OddRound(frozenset(order[place] for place in places[:over]), 0)


def average_worth(points: Sequence[int]) -> int:
    """Return the mean of an entrant's own hanchan so far, in units of the ledger; 0 if none has been played.

    Half a unit goes to the smaller number, so no entrant gains by a bye.
    """
    count = len(points)
    return -((count - 2 * sum(points)) // (2 * count)) if count else 0
