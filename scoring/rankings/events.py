"""Rankings over the final places of events: each line is the sum itself, term by term, as of any day.

A pure function of the events, the file and the day. All sums are exact; only the listed number is rounded. Weights and
bases are added up as whole numbers of a common unit, since a fraction for each product costs more than everything else.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import lcm
from typing import Generic, TypeVar

from scoring.format.ranking import Age, Base, EventWorth, Ranking, RankingPart, RankingVersion, WeightTerm
from scoring.rankings.places import shared
from scoring.rankings.rounding import rounded, rounded_units

Person = TypeVar("Person", bound=Hashable)
NEVER = Fraction(0)


@dataclass(frozen=True, slots=True)
class Result:
    """A place in a final table; `level` entrants share it. `points` is the exact total, for worths by points."""

    place: int
    level: int = 1
    points: Fraction = Fraction(0)


@dataclass(frozen=True)
class Event(Generic[Person]):
    """An event with what its weight depends on, and its final table.

    `key` orders events of one day, so that the answer never depends on the order in which events are given.
    """

    key: int
    day: dt.date
    players: int
    results: Mapping[Person, Result] = field(repr=False)
    days: int = 1
    countries: int = 1
    needs_qualification: bool = False

    @cached_property
    def facts(self) -> Mapping[str, int]:
        """The number that each kind of term of the weight looks at."""
        return {
            "days": self.days,
            "players": self.players,
            "countries": self.countries,
            "qualification": int(self.needs_qualification),
        }


class Status(StrEnum):
    """The way in which a result takes part on the day."""

    COUNTS = "counts"
    """It is among the results taken by some part."""
    LEFT_OUT = "left_out"
    """Better results fill all parts."""
    TOO_OLD = "too_old"
    """Its age leaves it no weight."""


@dataclass(frozen=True, slots=True)
class Term:
    """A result as the ranking counts it on the day: base, weight of the event, factor of its age."""

    event: int
    result: Result
    exact: Fraction
    """The base before it is rounded."""
    base: Fraction
    weight: Fraction
    """Of the event, before its age."""
    factor: Fraction
    status: Status

    @property
    def product(self) -> Fraction:
        """Return what the result adds to a sum."""
        return self.base * self.weight * self.factor


@dataclass(frozen=True, slots=True)
class PartSum:
    """One mean or sum of the parts: the events taken, best first, and the fills."""

    events: tuple[int, ...]
    fills: int
    sum: Fraction
    """Of base x weight."""
    weight: Fraction
    """Of all taken and filled, at least of one."""
    value: Fraction


class Unranked(StrEnum):
    """The reason why a line has no place."""

    TOO_FEW_RESULTS = "too_few_results"
    TOO_FEW_EVENTS = "too_few_events"
    TOO_FEW_DAYS = "too_few_days"


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A condition for a place that is not met: what is there, and what is needed."""

    code: Unranked
    there: int
    needed: int


@dataclass(frozen=True, slots=True)
class Total(Generic[Person]):
    """A person's total on the day, exact and as listed; `missing` is empty for those with a place."""

    person: Person
    exact: Fraction
    listed: Fraction
    counting: int
    """Number of results with a weight."""
    missing: tuple[Shortfall, ...] = ()


@dataclass(frozen=True, slots=True)
class Sum:
    """The whole sum behind a total: parts as they combine, and every result, the newest first."""

    parts: tuple[PartSum, ...]
    terms: tuple[Term, ...]
    exact: Fraction


@dataclass(frozen=True, slots=True)
class RankedTotal(Generic[Person]):
    """A total with its place, shared by level ones; `place` is None without one."""

    total: Total[Person]
    place: int | None
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class _Worth:
    """An event on the day: its weight, the factor of its age, their product, and its day as a number."""

    weight: Fraction
    factor: Fraction
    product: Fraction
    day: int


Counted = tuple[int, int, int, int]
"""A result with a weight, in common units and negative, so that the best sorts first: base, weight, day, event.

Of equal bases the heavier counts first, then the newer, then the one listed later.
"""


class Reckoning(Generic[Person]):
    """All lines of a ranking on a day. Lines are computed when asked for, each from its own results alone."""

    def __init__(self, ranking: Ranking, events: Iterable[Event[Person]], day: dt.date) -> None:
        self.day = day
        self.version = ranking.version_on(day)
        self.events: dict[int, Event[Person]] = {}
        self._own: dict[Person, frozenset[int]] = {}
        self._totals: dict[Person, Total[Person]] = {}
        self._worth: dict[int, _Worth] = {}
        self._bases: dict[tuple[int, int, int], Fraction] = {}
        self._unit = 1
        if self.version:
            fills = [part.fill.weight for part in self.version.parts if part.fill]
            self._unit = lcm(1, *(weight.denominator for weight in fills))
        for event in events:
            self.put(event)

    def copy(self) -> Reckoning[Person]:
        """Return a copy to change; totals computed so far are known to both."""
        found = copy(self)
        vars(found).update({name: each.copy() for name, each in vars(self).items() if isinstance(each, dict)})
        return found

    def put(self, event: Event[Person]) -> None:
        """Add an event, or replace it; only people in it, before or now, are computed again."""
        self.remove(event.key)
        if self.version is None or event.day > self.day:
            return
        self.events[event.key] = event
        weight = weight_of(self.version.event, event)
        factor = factor_of(self.version.event.age, event.day, self.day)
        self._worth[event.key] = _Worth(weight, factor, weight * factor, event.day.toordinal())
        # It stays when an event goes: every common multiple is a unit.
        self._unit = lcm(self._unit, (weight * factor).denominator)
        for person in event.results:
            self._own[person] = self._own.get(person, frozenset()) | {event.key}
            self._totals.pop(person, None)

    def remove(self, key: int) -> None:
        """Take an event out; only people in it are computed again."""
        event = self.events.pop(key, None)
        for person in event.results if event else ():
            rest = self._own.pop(person) - {key}
            if rest:
                self._own[person] = rest
            self._totals.pop(person, None)

    @property
    def people(self) -> Iterable[Person]:
        """All people with a result up to the day."""
        return self._own.keys()

    def _base(self, rule: Base, event: Event[Person], result: Result) -> Fraction:
        """Return the base of a result; those that follow from the place are computed once."""
        if rule.kind == "points":
            return base_of(rule, result, event.players)
        key = (event.players, result.place, result.level)
        found = self._bases.get(key)
        if found is None:
            found = self._bases[key] = base_of(rule, result, event.players)
        return found

    def total(self, person: Person) -> Total[Person]:
        """Return a person's total, from the own results alone."""
        found = self._totals.get(person)
        if found is None:
            found = self._totals[person] = self._total(person)
        return found

    def _total(self, person: Person) -> Total[Person]:
        if self.version is None:
            return Total(person, NEVER, NEVER, 0)
        counted, unit = self._counted(self.version, person)
        values = [self._values(part, counted, unit)[0] for part in self.version.parts]
        exact = combined(self.version, values)
        missing = tuple(self._missing(self.version, person, len(counted)))
        return Total(person, exact, rounded(exact, self.version.listed), len(counted), missing)

    def _counted(self, version: RankingVersion, person: Person) -> tuple[list[Counted], int]:
        """Return the results with a weight, the best first, and the unit of their bases."""
        own: list[tuple[Fraction, _Worth, Event[Person]]] = []
        for key in self._own.get(person, ()):
            worth = self._worth[key]
            if worth.product:
                event = self.events[key]
                own.append((self._base(version.event.base, event, event.results[person]), worth, event))
        unit = lcm(1, *(base.denominator for base, _worth, _event in own))
        return (
            sorted(
                (-_over(base, unit), -_over(worth.product, self._unit), -worth.day, -event.key)
                for base, worth, event in own
            ),
            unit,
        )

    def _values(self, part: RankingPart, counted: Sequence[Counted], unit: int) -> tuple[Fraction, int, int, int, int]:
        """Return a part's value, the number taken and filled, and numerators of its sum and its weight."""
        best = counted[: taken(part, len(counted))]
        above = sum(base * weight for base, weight, _day, _event in best)
        below = -sum(weight for _base, weight, _day, _event in best)
        fills = max(0, part.fill.to - len(best)) if part.fill else 0
        if part.fill and fills:
            weight = _over(part.fill.weight, self._unit)
            above += fills * part.fill.base * unit * weight
            below += fills * weight
        value = Fraction(above, unit * (self._unit if part.by == "sum" else below or 1))
        return value, len(best), fills, above, below

    def _part(self, part: RankingPart, counted: Sequence[Counted], unit: int) -> PartSum:
        value, count, fills, above, below = self._values(part, counted, unit)
        events = tuple(-event for _base, _weight, _day, event in counted[:count])
        return PartSum(events, fills, Fraction(above, unit * self._unit), Fraction(below, self._unit), value)

    def _missing(self, version: RankingVersion, person: Person, counting: int) -> Iterable[Shortfall]:
        if counting < version.least_results:
            yield Shortfall(Unranked.TOO_FEW_RESULTS, counting, version.least_results)
        rule = version.eligible
        if rule is None:
            return
        since = years_before(self.day, rule.within_years) if rule.within_years else dt.date.min
        recent = [self.events[key] for key in self._own.get(person, ()) if self.events[key].day >= since]
        if len(recent) < rule.least_events:
            yield Shortfall(Unranked.TOO_FEW_EVENTS, len(recent), rule.least_events)
        days = sum(event.days for event in recent)
        if days < rule.least_days:
            yield Shortfall(Unranked.TOO_FEW_DAYS, days, rule.least_days)

    def ranked(self) -> list[RankedTotal[Person]]:
        """Return all lines: those with a place by listed total, level ones sharing it, then the others."""
        totals = [self.total(person) for person in self._own]
        eligible = sorted((each for each in totals if not each.missing), key=lambda each: -each.listed)
        found: list[RankedTotal[Person]] = []
        for _, same in groupby(eligible, key=lambda each: each.listed):
            level, place = list(same), len(found) + 1
            found += [RankedTotal(each, place, len(level) > 1) for each in level]
        rest = sorted((each for each in totals if each.missing), key=lambda each: -each.listed)
        return [*found, *(RankedTotal(each, None) for each in rest)]

    def sum_of(self, person: Person) -> Sum:
        """Return the whole sum behind a person's total, with every result."""
        if self.version is None:
            return Sum((), (), NEVER)
        counted, unit = self._counted(self.version, person)
        parts = tuple(self._part(part, counted, unit) for part in self.version.parts)
        taken_events = {key for part in parts for key in part.events}
        terms = []
        for key in sorted(self._own.get(person, ()), key=lambda key: (self.events[key].day, key), reverse=True):
            event, worth = self.events[key], self._worth[key]
            result = event.results[person]
            status = Status.COUNTS if key in taken_events else Status.LEFT_OUT
            terms.append(
                Term(
                    event=key,
                    result=result,
                    exact=exact_base(self.version.event.base, result, event.players),
                    base=self._base(self.version.event.base, event, result),
                    weight=worth.weight,
                    factor=worth.factor,
                    status=status if worth.product else Status.TOO_OLD,
                )
            )
        return Sum(parts, tuple(terms), combined(self.version, [part.value for part in parts]))


def _over(amount: Fraction, unit: int) -> int:
    """Return an amount in units of 1 / `unit`, which its denominator divides."""
    return amount.numerator * (unit // amount.denominator)


def combined(version: RankingVersion, values: Sequence[Fraction]) -> Fraction:
    """Return the total of the parts."""
    whole = sum(values, Fraction(0))
    return whole / len(values) if version.combine.by == "mean" else whole


def taken(part: RankingPart, results: int) -> int:
    """Return the number of results that a part takes out of all `results`."""
    beyond = max(0, results - part.take.least) * part.take.then
    more = -(-beyond.numerator // beyond.denominator) if part.take.rounding == "up" else int(beyond)
    return min(results, part.take.least + more)


def exact_base(base: Base, result: Result, players: int) -> Fraction:
    """Return the base of a result before it is rounded."""
    if base.kind == "points":
        return result.points
    if base.kind == "linear":
        top = base.top or 0
        return shared(
            lambda place: Fraction(top * (players - place), players - 1) if players > 1 else Fraction(top),
            result.place,
            result.level,
            base.ties,
        )
    table = base.table
    return shared(
        lambda place: table[place - 1] if place <= len(table) else Fraction(0), result.place, result.level, base.ties
    )


def base_of(base: Base, result: Result, players: int) -> Fraction:
    """Return the base of a result, rounded as the file says."""
    exact = exact_base(base, result, players)
    return exact if base.rounding is None else Fraction(rounded_units(exact, base.rounding))


def worth_of_term(term: WeightTerm, number: int) -> Fraction:
    """Return what a term adds to an event's weight; `number` is 1 or 0 for qualification."""
    if term.worth is not None:
        return term.worth * number
    if term.steps:
        return next((worth for least, worth in reversed(term.steps) if number >= least), Fraction(0))
    return Fraction(min(number, term.most or number))


def weight_of(worth: EventWorth, event: Event[Person]) -> Fraction:
    """Return an event's weight, before its age."""
    if not worth.weight:
        return Fraction(1)
    return sum((worth_of_term(term, event.facts[term.by]) for term in worth.weight), Fraction(0))


def factor_of(ages: Sequence[Age], day: dt.date, on: dt.date) -> Fraction:
    """Return the factor of an event's age on a day; 0 beyond the last age."""
    if not ages:
        return Fraction(1)
    for age in ages:
        is_within = (on - day).days <= age.until_days if age.until_days else years_before(on, age.years or 0) <= day
        if is_within:
            return age.factor
    return Fraction(0)


def years_before(day: dt.date, years: int) -> dt.date:
    """Return the same day years before; 28 February for a leap day in other years."""
    year = max(day.year - years, dt.MINYEAR)
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)
