"""Common parts of all worked examples: their keys, the conventions of a file, and the text of a difference."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from scoring.format import Format
from scoring.resolution import BlockStandings
from scoring.ruleset import Ruleset
from scoring.ruleset.base import Strict
from scoring.tiebreak import Entrant

ANY = "any"
"""The value of `refused` that accepts every refusal."""
DIGITS = 4
"""Decimals of the amounts in examples: tenths of a point, hundredths and more of a rating."""


class Absent(StrEnum):
    """The meaning of a key left out of `expect`."""

    IGNORE = "ignore"
    """It is not compared."""
    ZERO = "zero"
    """0, none, false or empty is expected."""


class Conventions(Strict):
    """The head of a file of examples."""

    ruleset: str | None = None
    """The ruleset that the examples follow; the command line may name another one."""
    format: str | None = None
    """The league format, for examples of standings."""
    absent: Absent = Absent.IGNORE


class Example(Strict):
    """The fields of every example."""

    id: str
    clauses: tuple[str, ...] = ()
    note: str = ""
    disputed: str = ""
    """The reason why the example itself is thought to be wrong; it is then counted separately."""
    options: dict[str, object] = {}
    """House options that differ from the defaults."""
    refused: str = ""
    """The code of the engine's refusal, or `any` for every code; nothing else is compared then."""


@dataclass(frozen=True, slots=True)
class LeagueSoFar:
    """The results of earlier examples of one league: its blocks so far, and its seeds."""

    standings: dict[str, BlockStandings] = field(default_factory=dict)
    seeds: dict[int, Entrant] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Context:
    """The rules and conventions that the examples of a file are run under."""

    ruleset: Ruleset
    absent: Absent
    format: Format | None = None
    seasons: dict[str, LeagueSoFar] = field(default_factory=dict)
    """By the examples' `league`; filled as the examples run in the order of the file."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One result of the engine that is not the expected one."""

    key: str
    expected: object
    found: object
    is_error: bool = False
    """The engine gave no answer: it raised an error that the example does not expect."""

    def __str__(self) -> str:
        return f"{self.key}: expected {format_value(self.expected)}, found {format_value(self.found)}"


def refusal(example: Example, key: str, wanted: str, error: ValueError | None) -> Iterator[Mismatch]:
    """Yield a difference if an example was refused, or was not and should have been.

    `any` accepts every refusal of the engine that has a code; an example that cannot be read is not a refusal.
    """
    codes = [each.code for name in ("problems", "refusals") for each in getattr(error, name, ())]
    is_met = bool(codes) if example.refused == ANY else example.refused in codes
    if example.refused and not is_met:
        yield Mismatch("refused", example.refused, codes or str(error or "nothing"), bool(error and not codes))
    elif error is not None and not example.refused:
        yield Mismatch(key, wanted, str(error), is_error=True)


def format_value(value: object) -> str:
    """Return a value as an example writes it."""
    if isinstance(value, Fraction):
        return decimal(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {format_value(each)}" for key, each in value.items()) + "}"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "[" + ", ".join(map(format_value, value)) + "]"
    return str(value)


def decimal(amount: Fraction) -> str:
    """Return an amount as a decimal with at most four digits, or as a fraction if that is not exact."""
    scaled = amount * 10**DIGITS
    if scaled.denominator != 1:
        return str(amount)
    whole, rest = divmod(abs(scaled.numerator), 10**DIGITS)
    digits = f"{rest:0{DIGITS}}".rstrip("0")
    return f"{'-' if amount < 0 else ''}{whole}{'.' if digits else ''}{digits}"
