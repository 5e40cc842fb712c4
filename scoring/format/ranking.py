"""Schema of a ranking across events: the worth of a place in an event, and the events that count."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, PlainValidator

from scoring.format.parts import Cited, Key, Name
from scoring.ruleset.base import Amount, Count, Positive, SentenceError, Strict

SENTENCES: Mapping[str, str] = {
    "no_factor": 'a factor is a whole number or a fraction in quotes such as "1/2"',
}
"""A sentence for each fault of a value: what is allowed instead."""

_FACTOR = re.compile(r"(\d{1,6})(?:/([1-9]\d{0,5}))?")


def parse_factor(value: object) -> Fraction:
    """Parse an exact factor in quotes, such as "1/2" or "1"; raise SentenceError for anything else."""
    if isinstance(value, Fraction):
        return value
    match = _FACTOR.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise SentenceError(SENTENCES, "no_factor")
    return Fraction(int(match[1]), int(match[2] or 1))


Factor = Annotated[Fraction, PlainValidator(parse_factor), PlainSerializer(str)]
"""An exact factor, 0 or more."""


class WorthRounding(StrEnum):
    """Rounding of a listed number or a base."""

    NEAREST = "nearest"
    DOWN = "down"
    HALF_EVEN = "half_even"


class Listed(Strict):
    """The form in which a total is published."""

    decimals: Count
    rounding: WorthRounding


class Base(Cited):
    """The worth of a place in an event."""

    kind: Literal["linear", "points", "table"]
    top: Positive | None = None
    """For `linear`: the worth of the first place; the last is worth 0."""
    table: tuple[Amount, ...] = ()
    """For `table`: the worth of place 1, 2, ..."""
    rounding: WorthRounding | None = None


class WeightTerm(Cited):
    """One term of an event's weight; the terms add up."""

    by: Literal["days", "players", "countries", "qualification"]
    most: Positive | None = None
    steps: tuple[tuple[Count, Factor], ...] = ()
    """From which number on the term is worth how much."""
    worth: Factor | None = None


class Age(Cited):
    """The factor of events up to an age; older ones than the last entry do not count."""

    until_days: Positive | None = None
    years: Positive | None = None
    factor: Factor


class EventWorth(Cited):
    """What an event is worth."""

    base: Base
    weight: tuple[WeightTerm, ...] = ()
    age: tuple[Age, ...] = ()


class Take(Strict):
    """Number of best results that count: `least`, and the share `then` of those beyond, rounded."""

    least: Count
    then: Factor
    rounding: Literal["up", "down"]


class Fill(Strict):
    """Results that stand in for missing ones."""

    to: Positive
    base: Count
    weight: Factor


class RankingPart(Cited):
    """One mean of a ranking."""

    take: Take
    fill: Fill | None = None


class Combine(Strict):
    """The way in which the parts make a total."""

    by: Literal["mean", "sum"]


class RankingVersion(Cited):
    """The rules of a ranking from a date on."""

    since: dt.date = Field(alias="from")
    least_results: Count = 0
    listed: Listed | None = None
    event: EventWorth
    parts: tuple[RankingPart, ...] = Field(min_length=1)
    combine: Combine


class Ranking(Cited):
    """A whole ranking, in all its versions."""

    name: Key
    kind: Literal["ranking"]
    title: Name
    versions: tuple[RankingVersion, ...] = Field(min_length=1)
