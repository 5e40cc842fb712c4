"""The shape of a competition's file. Every table refuses unknown keys and never converts a value to another type.

People go by their `key`, blocks and stages by the format's keys, sessions by their number. What happened in the
competition (results, rulings, ...) may say by `step` in which order it happened; either all of it does or none.
"""

from __future__ import annotations

import datetime as dt
import re
from fractions import Fraction
from typing import Annotated, Any

from pydantic import AfterValidator, Field, PlainSerializer, PlainValidator

from league.models import Audience, Competition, Hanchan
from league.models.schedule import is_web_address
from scoring.ruleset.base import Strict

_AMOUNT = re.compile(r"[+-]?\d+(\.\d+)?|[+-]?\d+/\d*[1-9]\d*")


def parse_points(value: object) -> Fraction:
    """Points are an integer, a decimal in quotes, or, where no decimal ends, a fraction in quotes."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str) and _AMOUNT.fullmatch(value):
        return Fraction(value)
    raise ValueError('points are an integer or a decimal in quotes, such as "-30.0"')


def points_as_text(points: Fraction) -> str:
    """A decimal with one digit at least, or a fraction where no short decimal ends."""
    for digits in (1, 2, 3):
        scaled = abs(points) * 10**digits
        if scaled.denominator == 1:
            whole, rest = divmod(scaled.numerator, 10**digits)
            return f"{'-' if points < 0 else ''}{whole}.{rest:0{digits}d}"
    return str(points)


Points = Annotated[Fraction, PlainValidator(parse_points), PlainSerializer(points_as_text)]
"""An exact amount of the ranking ledger."""

Key = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]+$", max_length=64)]
"""A key of a person, a block, a stage or a text."""

Name = Annotated[str, Field(min_length=1, max_length=100)]
Short = Annotated[str, Field(max_length=100)]
Reason = Annotated[str, Field(min_length=1)]
Number = Annotated[int, Field(ge=1, le=1_000_000)]
Amount = Annotated[int, Field(ge=-1_000_000_000, le=1_000_000_000)]
"""Points on the table, or a ledger's smallest units: more than any game brings, and less than a database can keep."""

Count = Annotated[int, Field(ge=0, le=1_000)]
Step = Number | None


def stream_address(text: str) -> str:
    """A stream's address is one of the web, or empty."""
    if text and not is_web_address(text):
        raise ValueError("must begin with https:// or http:// and have no blanks")
    return text


class CompetitionTable(Strict):
    """The competition itself."""

    slug: Annotated[str, Field(pattern=r"^[-a-z0-9_]+$", max_length=64)]
    name: Name
    name_en: Short = ""
    kind: Competition.Kind = Competition.Kind.LEAGUE
    status: Competition.Status = Competition.Status.DRAFT
    audience: Audience = Audience.PUBLIC
    confirmation: Competition.Confirmation = Competition.Confirmation.ONE
    shows_odds: bool = True
    time_zone: str = "Asia/Tokyo"
    day_starts_at: dt.time = dt.time(0, 0)


class RulesTable(Strict):
    """Rules the competition plays by from a moment on; the first are those it was set up with."""

    ruleset: Key
    """The key of a text in this file, or the name of an installed ruleset."""
    format: Key
    """Likewise, for the format."""
    options: dict[str, Any] = {}
    since: dt.datetime | None = None
    """None: the moment of the import."""


class PlayerTable(Strict):
    """A person. Whoever is known by this key already is taken as they are."""

    key: Key
    name: Name
    name_kana: Short = ""
    name_romaji: Short = ""
    affiliation: Short = ""
    """The affiliation that season."""
    number: Annotated[str, Field(max_length=32)] = ""
    handle: Annotated[str, Field(max_length=50)] = ""
    is_public: bool = False
    is_entrant: bool = True
    """False: only sat in for others."""


class SessionTable(Strict):
    """A numbered day of play."""

    number: Number
    name: Short = ""
    name_en: Short = ""


class TakenBack(Strict):
    """Why a decision or a result no longer holds."""

    reason: Reason
    step: Step = None


class ResultTable(Strict):
    """One revision of a hanchan's result; all lists go by seat from the first dealer."""

    scores: tuple[Amount, ...]
    """Points on the table, leftover deposits not included."""
    players: tuple[Key, ...] | None = None
    """Whose result it is; None: those who were to play, in that order."""
    substitutes: dict[Key, Key] = {}
    """Who sat in for whom: the entrant's key, then that of the person who sat."""
    kyoutaku: Amount = 0
    chonbo: tuple[Count, ...] = ()
    are_seats_known: bool = True
    options: dict[str, Any] = {}
    """Options of this table alone."""
    carried: dict[str, tuple[Amount, ...]] = {}
    """By ledger: what each seat brings from the table, in the ledger's smallest unit."""
    tobi: tuple[tuple[int, int], ...] = ()
    """(seat that went out, seat that gets the prize)."""
    points: tuple[Points, ...] | None = None
    """What the result is known to come to: if the rules say otherwise, the file is refused."""
    places: tuple[Number, ...] | None = None
    """Likewise, the places."""
    accept: tuple[str, ...] = ()
    """Codes of warnings that are known to be in order."""
    reason: str = ""
    """Why the result before this one was corrected."""
    voided: TakenBack | None = None
    step: Step = None


class HanchanTable(Strict):
    """A hanchan: the last of its results counts, unless it was voided."""

    number: Number
    players: tuple[Key, ...] | None = None
    """Who is to play, first dealer first; None: the players of the table."""
    state: Hanchan.State | None = None
    """None: finished if a result counts, else scheduled."""
    results: tuple[ResultTable, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether one of its results counts."""
        return bool(self.results) and self.results[-1].voided is None


class TableTable(Strict):
    """People at one table for one or several hanchan."""

    session: Number
    block: Key
    table: Annotated[str, Field(max_length=32)] = ""
    starts_at: dt.datetime | None = None
    venue: Short = ""
    stream_url: Annotated[str, Field(max_length=200), AfterValidator(stream_address)] = ""
    public_at: dt.datetime | None = None
    """Until then the public sees nothing of this table."""
    is_cancelled: bool = False
    rules: Number | None = None
    """Which of the file's rules it is played by, counted from 1; None: those in force when it starts."""
    players: tuple[Key, ...] = ()
    hanchan: tuple[HanchanTable, ...] = ()


class Decision(Strict):
    """Something a person decided, with the reason."""

    reason: Reason
    step: Step = None


class WithdrawalTable(Decision):
    """An entrant who gave up."""

    player: Key


class DrawTable(Decision):
    """A drawn stage's draw, repeatable by its seed."""

    stage: Key
    seed: Annotated[str, Field(max_length=64)]
    result: dict[Key, tuple[int, ...]] | None = None
    """By block: the numbers drawn. What the seed gives must agree with it."""
    taken_back: TakenBack | None = None


class OverrideTable(Decision):
    """A change of who advances: a slot gets another source, or somebody is passed over in a block's ranks."""

    block: Key
    slot: Number | None = None
    source: str = ""
    player: Key | None = None
    """With the source `ruling`: who gets the slot."""
    pass_over: Key | None = None
    swapped_with: tuple[Key, Number] | None = None
    """The block and the number of the slot that changes places with this one; then there is no source."""
    taken_back: TakenBack | None = None


class AdjustmentTable(Decision):
    """Points given or taken outside a hanchan."""

    block: Key
    player: Key
    points: Points
    taken_back: TakenBack | None = None


class RulingTable(Decision):
    """A tie that no rule breaks, broken by the organizer."""

    scope: str
    """A block's key, or a comparison across blocks such as best:preliminary#5."""
    players: tuple[Key, ...]
    """Best first."""
    taken_back: TakenBack | None = None


class TextTable(Strict):
    """A ruleset or a format, word for word, under a key of this file."""

    key: Key
    name: Key
    text: str


class Document(Strict):
    """A whole competition."""

    competition: CompetitionTable
    rules: tuple[RulesTable, ...]
    players: tuple[PlayerTable, ...] = ()
    seeds: dict[Key, tuple[Key, ...]] = {}
    """By block: who was put into its slots by hand, first slot first."""
    sessions: tuple[SessionTable, ...] = ()
    tables: tuple[TableTable, ...] = ()
    withdrawals: tuple[WithdrawalTable, ...] = ()
    draws: tuple[DrawTable, ...] = ()
    overrides: tuple[OverrideTable, ...] = ()
    adjustments: tuple[AdjustmentTable, ...] = ()
    rulings: tuple[RulingTable, ...] = ()
    rulesets: tuple[TextTable, ...] = ()
    formats: tuple[TextTable, ...] = ()
