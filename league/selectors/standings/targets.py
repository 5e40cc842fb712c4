"""Goals within a block: the places that lead on, and in a tier of a series those that go up or stay up.

Decisions made for the next term change which ranks count: those who leave take none of the places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from league.selectors.standings.derivation import Derivation
from league.selectors.standings.facts import Facts
from scoring.conditions import Word
from scoring.lines import WITHDRAWN
from scoring.pyramid.conditions import PlaceKind, is_goal, read_destination
from scoring.pyramid.movement import DecisionKind
from scoring.standings import Ranked
from scoring.tiebreak import Entrant as Id


@dataclass(frozen=True, slots=True)
class Target:
    """A goal within a block: one of the first `places` places, which lead to `destination` or better."""

    places: int
    destination: str
    """The destination as a standing names it."""
    is_last_to_go_on: bool
    """True for the last destination: an entrant that misses it is eliminated."""
    needed: int | None = None
    """The total that it also needs, at the ranking ledger's scale."""
    exempt: frozenset[Id] = frozenset()
    """Entrants whose ranks do not count for it, by decisions made for the next term."""


def targets_of(derived: Derivation, key: str) -> tuple[Target, ...]:
    """Return the destinations of the block's ranks, best first, with the number of places that reach each or better.

    Elimination is not a target. Final places behind the champion lead nowhere and are not targets either. In a tier of
    a series places are counted without those whose ranks do not count by decisions.
    """
    places = [place for place in derived.resolution.destinations.get(key, ()) if place != WITHDRAWN]
    going = [place for place in places if is_goal(place) and read_destination(place) is None]
    last_of = {place: number for number, place in enumerate(going, start=1)}
    by_rank = (
        Target(number, place, is_last_to_go_on=number == len(going) and key not in derived.places)
        for place, number in last_of.items()
        if number < len(places)
    )
    return (*by_rank, *_tier_targets(derived, key, len(places)))


def _tier_targets(derived: Derivation, key: str, ranked: int) -> Iterator[Target]:
    """Yield the targets of a tier's block; missing the last of them eliminates no one."""
    known = derived.places.get(key)
    rows = {line.entrant for line in derived.standings[key].ranked} if known else set()
    for goal in known.goals if known else ():
        exempt = goal.exempt & rows
        if goal.places < ranked - len(exempt):
            needed = goal.destination.needed
            yield Target(
                goal.places,
                str(goal.destination),
                is_last_to_go_on=False,
                # A total is a whole number at the ledger's scale.
                needed=None if needed is None else ceil(needed * derived.facts.scale),
                exempt=exempt,
            )


def decided_word(facts: Facts, line: Ranked, target: Target) -> Word:
    """Return what is certain for an entrant whose rank does not count for a target.

    A seat that a decision keeps is certain; those who leave reach nothing, nor those who have declined.
    """
    decisions = facts.series.state.decisions if facts.series else ()
    leaves = any(each.player == line.entrant and each.kind is DecisionKind.LEAVES for each in decisions)
    found = read_destination(target.destination)
    is_stay = found is not None and found.kind is PlaceKind.STAY
    return Word.CERTAIN if is_stay and not leaves else Word.ELIMINATED
