"""The place at a coming event that lifts one person above another."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile
from typing import Generic

from scoring.format.ranking import Ranking
from scoring.rankings.events import Event, Person, Reckoning, Result, Total

MOST_PLAYERS = 1000
"""Above this the answer would take too long."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The total that a place would give on the event's day."""

    place: int
    listed: Fraction
    is_above: bool
    """Above the other, who is not in the event."""
    is_above_in_any_case: bool
    """Above the other, who may be in the event at any other place, or not in it."""


@dataclass(frozen=True, slots=True)
class Outlook(Generic[Person]):
    """Totals on the event's day: the other's without it, and those of every place."""

    day: dt.date
    now: Total[Person]
    """The own total on that day without the event."""
    rival: Total[Person]
    places: tuple[Reached, ...]

    @property
    def needed(self) -> int | None:
        """Return the last place that is enough, as all better ones are, if the other is not in the event; or None.

        A worse place may be enough again: a mean leaves it out, and a better one would lower the mean.
        """
        return max((each.place for each in takewhile(lambda each: each.is_above, self.places)), default=None)

    @property
    def needed_in_any_case(self) -> int | None:
        """Return the last place that is enough, as all better ones are, whatever the other does; or None."""
        enough = takewhile(lambda each: each.is_above_in_any_case, self.places)
        return max((each.place for each in enough), default=None)


def what_if(
    ranking: Ranking,
    events: Iterable[Event[Person]],
    person: Person,
    rival: Person,
    coming: Event[Person],
) -> Outlook[Person]:
    """Return the totals that every place at a coming event would give, beside the other's.

    `coming` has no results yet; its key must be of no other event. Only the results of the two are looked at.
    """
    own = [_only(event, (person, rival)) for event in events]
    before = Reckoning(ranking, own, coming.day)
    mine = _totals(ranking, own, person, coming)
    theirs = _totals(ranking, own, rival, coming)
    without = before.total(rival)
    best, second = _two_best([_standing(each) for each in theirs])
    places = []
    for place, total in enumerate(mine, start=1):
        standing = _standing(total)
        # The other cannot have the same place.
        other = second if _standing(theirs[place - 1]) == best else best
        is_above = standing > _standing(without)
        places.append(Reached(place, total.listed, is_above, is_above and (other is None or standing > other)))
    return Outlook(coming.day, before.total(person), without, tuple(places))


def _only(event: Event[Person], people: Sequence[Person]) -> Event[Person]:
    results = {person: event.results[person] for person in people if person in event.results}
    return replace(event, results=results)


def _totals(
    ranking: Ranking, own: Sequence[Event[Person]], person: Person, coming: Event[Person]
) -> list[Total[Person]]:
    """Return the person's total for each place at the coming event."""
    mine = [event for event in own if person in event.results]
    return [
        Reckoning(ranking, [*mine, replace(coming, results={person: Result(place)})], coming.day).total(person)
        for place in range(1, coming.players + 1)
    ]


def _standing(total: Total[Person]) -> tuple[bool, Fraction]:
    """Return a sort key: those without a place stand below all others."""
    return (not total.missing, total.listed)


def _two_best(
    standings: Sequence[tuple[bool, Fraction]],
) -> tuple[tuple[bool, Fraction] | None, tuple[bool, Fraction] | None]:
    """Return the highest and the second highest, which may be equal; None for those that are not there."""
    first, second, *_rest = [*sorted(standings, reverse=True)[:2], None, None]
    return first, second
