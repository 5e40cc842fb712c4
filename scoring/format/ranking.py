"""Schema of a ranking: final places of events, a rating game by game, or ranks won by points.

A file has either `versions` (events), or a `rating`, or a `ladder`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, PlainSerializer, PlainValidator, model_validator

from scoring.format.parts import Cited, Key, Name
from scoring.ruleset.base import Amount, Count, Positive, SentenceError, Strict

SENTENCES: Mapping[str, str] = {
    "no_factor": 'a factor is a whole number or a fraction in quotes such as "1/2"',
    "one_kind_of_ranking": "a ranking has exactly one of versions, rating and ladder",
    "versions_not_rising": "versions stand in the order of their dates, each later than the one before",
    "needs_top": "a linear worth needs top, the worth of first place",
    "needs_table": "a worth by table needs table, the worth of place 1, 2, ...",
    "worth_has_more": "top belongs to a linear worth, and table to a worth by table",
    "needs_steps": 'this term needs steps, such as [[41, "1/2"], [81, "1"]], with rising numbers',
    "needs_worth": "the term for qualification needs worth",
    "term_has_more": "most belongs to days, steps to days, players and countries, and worth to qualification",
    "one_limit_of_age": "an age has either until_days or years",
    "ages_not_rising": "ages stand from the youngest to the oldest",
    "worth_per_place": "worth has one amount for each of the %(players)s places",
    "players_twice": "each number of players stands once",
    "coefficient_not_falling": "the coefficient falls from first by step to least, which is not above first",
    "rank_key_twice": "each rank has a key of its own",
    "rank_without_end": "only the last rank may have no end, and an end lies above the start",
}
"""A sentence for each fault of a value: what is allowed instead."""

_FACTOR = re.compile(r"(\d{1,6})(?:/([1-9]\d{0,5}))?")
MOST_DECIMALS = 6


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
    """Halves away from zero."""
    DOWN = "down"
    """Towards zero."""
    HALF_EVEN = "half_even"
    """To nearest, halves to the even number."""


class Ties(StrEnum):
    """The worth of a place that several share."""

    BETTER = "better"
    """The worth of the better place for all of them."""
    AVERAGE = "average"
    """The mean of the places that they fill."""


class Listed(Strict):
    """The form in which a number is published, or kept."""

    decimals: Annotated[int, Field(ge=0, le=MOST_DECIMALS)]
    rounding: WorthRounding


class Base(Cited):
    """The worth of a place in an event."""

    kind: Literal["linear", "points", "table"]
    top: Positive | None = None
    """For `linear`: the worth of the first place; the last is worth 0."""
    table: tuple[Amount, ...] = ()
    """For `table`: the worth of place 1, 2, ...; later places are worth 0."""
    ties: Ties = Ties.BETTER
    """For `linear` and `table`."""
    rounding: WorthRounding | None = None
    """To a whole number; None: exact."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "linear" and self.top is None:
            raise SentenceError(SENTENCES, "needs_top")
        if self.kind == "table" and not self.table:
            raise SentenceError(SENTENCES, "needs_table")
        if (self.top is not None and self.kind != "linear") or (self.table and self.kind != "table"):
            raise SentenceError(SENTENCES, "worth_has_more")
        return self


class WeightTerm(Cited):
    """One term of an event's weight; the terms add up."""

    by: Literal["days", "players", "countries", "qualification"]
    most: Positive | None = None
    """For `days`: more days count as this many."""
    steps: tuple[tuple[Count, Factor], ...] = ()
    """From which number on the term is worth how much; 0 below the first."""
    worth: Factor | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.by == "qualification" and self.worth is None:
            raise SentenceError(SENTENCES, "needs_worth")
        if self.by in ("players", "countries") and not self.steps:
            raise SentenceError(SENTENCES, "needs_steps")
        if any(second[0] <= first[0] for first, second in pairwise(self.steps)):
            raise SentenceError(SENTENCES, "needs_steps")
        allowed = {"days": {"most", "steps"}, "qualification": {"worth"}}.get(self.by, {"steps"})
        if {key for key in ("most", "steps", "worth") if getattr(self, key)} - allowed or (self.most and self.steps):
            raise SentenceError(SENTENCES, "term_has_more")
        return self


class Age(Cited):
    """The factor of events up to an age; older ones than the last entry do not count."""

    until_days: Positive | None = None
    years: Positive | None = None
    factor: Factor

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        if (self.until_days is None) == (self.years is None):
            raise SentenceError(SENTENCES, "one_limit_of_age")
        return self

    @property
    def least_days(self) -> int:
        """Return the number of days that this age lasts at the least."""
        return self.until_days or 365 * (self.years or 0)


class EventWorth(Cited):
    """What an event is worth."""

    base: Base
    weight: tuple[WeightTerm, ...] = ()
    """Without terms every event weighs 1."""
    age: tuple[Age, ...] = ()
    """Without ages every event counts for ever."""

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if any(second.least_days <= first.least_days for first, second in pairwise(self.age)):
            raise SentenceError(SENTENCES, "ages_not_rising")
        return self


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
    """One mean, or sum, of the results taken, each by its weight."""

    by: Literal["mean", "sum"] = "mean"
    take: Take
    fill: Fill | None = None


class Combine(Strict):
    """The way in which the parts make a total."""

    by: Literal["mean", "sum"]


class Eligible(Cited):
    """Condition for a place in the ranking, over the events of the last years whether they count or not."""

    within_years: Positive | None = None
    """None: all events."""
    least_events: Count = 0
    least_days: Count = 0
    """Days of play of those events together."""


class RankingVersion(Cited):
    """The rules of a ranking from a date on."""

    since: dt.date = Field(alias="from")
    least_results: Count = 0
    """Number of results that must count; with fewer there is no place."""
    listed: Listed | None = None
    """None: the exact number is published."""
    event: EventWorth
    parts: tuple[RankingPart, ...] = Field(min_length=1)
    combine: Combine
    eligible: Eligible | None = None


class PlaceWorth(Cited):
    """Points of each place of a game with this number of players."""

    players: Literal[3, 4]
    worth: tuple[Amount, ...]

    @model_validator(mode="after")
    def _one_per_place(self) -> Self:
        if len(self.worth) != self.players:
            raise SentenceError(SENTENCES, "worth_per_place", players=self.players)
        return self


class Coefficient(Cited):
    """Factor of every change: `first` in a first game, less by `step` in each later one, `least` at the end."""

    first: Factor
    step: Factor
    least: Factor

    @model_validator(mode="after")
    def _falling(self) -> Self:
        if self.least > self.first:
            raise SentenceError(SENTENCES, "coefficient_not_falling")
        return self


def _refuse_players_twice(places: Sequence[PlaceWorth]) -> None:
    if len({each.players for each in places}) < len(places):
        raise SentenceError(SENTENCES, "players_twice")


class Rating(Cited):
    """A rating by games: each adds coefficient x (worth of the place + (mean of the table - own) / divisor)."""

    start: Amount
    places: tuple[PlaceWorth, ...] = Field(min_length=1)
    divisor: Positive
    least_mean: Amount | None = None
    """The mean of a table counts as this much at the least."""
    coefficient: Coefficient
    ties: Ties = Ties.AVERAGE
    kept: Listed
    """The form in which a rating is kept after each game."""
    listed: Listed
    least_games: Count = 0

    @model_validator(mode="after")
    def _once(self) -> Self:
        _refuse_players_twice(self.places)
        return self


class LadderRank(Cited):
    """One rank of a ladder, lowest first."""

    key: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$", max_length=32)]
    title: Name
    start: Count
    """Points with which the rank begins, after promotion and after demotion. One that starts at 0 cannot be lost."""
    end: Positive | None = None
    """Points that promote; None: the highest rank."""
    loss: Amount = Fraction(0)
    """Points that last place costs."""


class Ladder(Cited):
    """Ranks by points: places win points, last place costs what the rank says."""

    places: tuple[PlaceWorth, ...] = Field(min_length=1)
    """Points before the loss of last place."""
    ranks: tuple[LadderRank, ...] = Field(min_length=1)
    ties: Ties = Ties.AVERAGE
    least_games: Count = 0

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if len({rank.key for rank in self.ranks}) < len(self.ranks):
            raise SentenceError(SENTENCES, "rank_key_twice")
        if any(rank.end is None for rank in self.ranks[:-1]) or any(
            rank.end <= rank.start for rank in self.ranks if rank.end
        ):
            raise SentenceError(SENTENCES, "rank_without_end")
        _refuse_players_twice(self.places)
        return self


class Ranking(Cited):
    """A whole ranking, in all its versions."""

    name: Key
    kind: Literal["ranking"]
    title: Name
    versions: tuple[RankingVersion, ...] = ()
    rating: Rating | None = None
    ladder: Ladder | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if sum(map(bool, (self.versions, self.rating, self.ladder))) != 1:
            raise SentenceError(SENTENCES, "one_kind_of_ranking")
        if any(second.since <= first.since for first, second in pairwise(self.versions)):
            raise SentenceError(SENTENCES, "versions_not_rising")
        return self

    def version_on(self, day: dt.date) -> RankingVersion | None:
        """Return the version in force on a day; None before the first one and for rankings game by game."""
        return next((each for each in reversed(self.versions) if each.since <= day), None)

    @property
    def is_by_games(self) -> bool:
        """True if single games count, not the final places of events."""
        return not self.versions
