"""Common parts of all tables of a ruleset: strict validation, clauses, exact amounts, and faults.

A ruleset is data. Nothing in this package holds a rule's number: it only defines which numbers there may be, and
refuses impossible ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, ClassVar, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator

TABLE_POINTS = "table"
"""The name of points on the table among the ledgers of transfers; no real ledger may take it."""

SENTENCES: Mapping[str, str] = {
    "no_amount": 'an amount is an integer or a decimal in quotes such as "12.5"',
    "empty_list": "must not be empty",
}
"""A sentence for each fault of a value: what is allowed instead."""

T = TypeVar("T")

_DECIMAL = re.compile(r"[+-]?\d+(\.\d+)?")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault in a file or an option: its place, the value found, and the allowed values."""

    source: str
    key: str
    value: object
    message: str
    line: int | None = None
    sentence: str = ""
    """The message before its values are put in, for translation; empty where only English exists."""
    params: Mapping[str, object] = field(default_factory=dict, compare=False)
    code: str = ""
    """The kind of fault, a key of the table that has the sentence."""
    parts: tuple[Fault, ...] = field(default=(), compare=False)
    """The faults that this one puts together: kinds of values of which one is needed, or several things to correct."""

    def __str__(self) -> str:
        where = self.source if self.line is None else f"{self.source}:{self.line}"
        if self.key:
            where = f"{where}: {self.key}"
        found = "" if self.value is None else f" (found {_short(repr(self.value))})"
        return f"{where}: {self.message}{found}"


def fault(sentences: Mapping[str, str], key: str, value: object, code: str, /, **params: object) -> Fault:
    """Return the fault of this code that a model finds in itself; the reader of the file adds its source and line."""
    return Fault("", key, value, sentences[code] % params, None, sentences[code], params, code)


class Choices(tuple[str, ...]):
    """Allowed values in a fault's parameters: written in English here, by the service in the reader's language."""

    __slots__ = ()

    def __str__(self) -> str:
        *others, last = self or ("",)
        return f"{', '.join(others)} or {last}" if others else last


class SentenceError(ValueError):
    """Raised for a value that a sentence of a table `SENTENCES` describes; `code` is the sentence's key."""

    def __init__(self, sentences: Mapping[str, str], code: str, **params: object) -> None:
        super().__init__(sentences[code] % params)
        self.sentence = sentences[code]
        self.code = code
        self.params = params

    def fault(self, key: str, value: object) -> Fault:
        """Return the fault of the value at this key; the reader of the file adds its source and line."""
        return Fault("", key, value, str(self), None, self.sentence, self.params, self.code)


def _short(shown: str, most: int = 120) -> str:
    """Shorten the text of a value for display."""
    return shown if len(shown) <= most else f"{shown[:most]}…"


class FaultsError(ValueError):
    """Raised for refused data, with all its faults at once."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


class Strict(BaseModel):
    """A frozen table that refuses unknown keys and never converts a value to another type."""

    model_config: ClassVar[ConfigDict] = ConfigDict(strict=True, frozen=True, extra="forbid")


class Title(Strict):
    """A name in the two languages of the service."""

    ja: str = Field(min_length=1)
    en: str = Field(min_length=1)


ClauseId = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]*-\d{3}$")]
"""A clause of the rule book, such as "CL-035"."""


def require_nonempty(values: tuple[T, ...]) -> tuple[T, ...]:
    """Refuse an empty list. This runs last, so that a bad entry is not reported twice."""
    if not values:
        raise SentenceError(SENTENCES, "empty_list")
    return values


Clauses = Annotated[tuple[ClauseId, ...], AfterValidator(require_nonempty)]


class Ruled(Strict):
    """A table of rules, with the clauses of the rule book that its values come from."""

    clauses: Clauses


def parse_amount(value: object) -> Fraction:
    """Parse an amount: an integer or a decimal in quotes. A binary float is refused."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        return Fraction(value)
    # A TOML float would lose exactness before it arrives here.
    raise SentenceError(SENTENCES, "no_amount")


def _plain(amount: Fraction) -> int | str:
    """Write an amount as in a file: an integer if it is one, else a decimal."""
    if amount.denominator == 1:
        return amount.numerator
    digits = 0
    # Ends, since only decimals are parsed: the denominator has no factor but 2 and 5.
    while (amount * 10**digits).denominator != 1:
        digits += 1
    whole, rest = divmod(abs(amount.numerator) * 10**digits // amount.denominator, 10**digits)
    return f"{'-' if amount < 0 else ''}{whole}.{rest:0{digits}d}"


Amount = Annotated[Fraction, PlainValidator(parse_amount), PlainSerializer(_plain)]
"""An exact amount of a ledger."""

Points = int
"""Points on the table."""

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(gt=0)]


class Wind(StrEnum):
    """A wind: of a seat, or of a round."""

    EAST = "E"
    """East, 東."""
    SOUTH = "S"
    """South, 南."""
    WEST = "W"
    """West, 西."""
    NORTH = "N"
    """North, 北."""
