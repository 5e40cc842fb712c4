"""What all worked examples share: their common keys, the conventions of a file, and how a difference is told."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

from scoring.format import Format
from scoring.resolution import BlockStandings
from scoring.ruleset import Ruleset
from scoring.ruleset.base import Strict
from scoring.tiebreak import Entrant

ANY = "any"
"""What `refused` says where every refusal is right."""


class Absent(StrEnum):
    """What a key left out of `expect` means."""

    IGNORE = "ignore"
    """It is not compared."""
    ZERO = "zero"
    """0, none, false or empty is expected."""


class Conventions(Strict):
    """The head of a file of examples."""

    ruleset: str | None = None
    """The ruleset that the examples follow; a runner may be told another one."""
    format: str | None = None
    """The league format, where there are standings."""
    absent: Absent = Absent.IGNORE


class Example(Strict):
    """What every example has."""

    id: str
    clauses: tuple[str, ...] = ()
    note: str = ""
    disputed: str = ""
    """Why the example itself is thought to be wrong; it is then listed and counted apart."""
    options: dict[str, Any] = {}
    """House options that differ from the defaults."""
    refused: str = ""
    """The code under which the engine refuses it, or `any` for every code; nothing else is compared then."""


@dataclass(frozen=True, slots=True)
class Season:
    """What earlier examples of one league have brought: its blocks as they stand, and its seeds."""

    standings: dict[str, BlockStandings] = field(default_factory=dict)
    seeds: dict[int, Entrant] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Context:
    """What the examples of a file are run under."""

    ruleset: Ruleset
    absent: Absent
    format: Format | None = None
    seasons: dict[str, Season] = field(default_factory=dict)
    """By the examples' `league`; filled as its examples run in the order of the file."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that the engine found otherwise."""

    key: str
    expected: object
    found: object
    is_error: bool = False
    """The engine gave no answer: it raised an error that the example does not expect."""

    def __str__(self) -> str:
        return f"{self.key}: expected {shown(self.expected)}, found {shown(self.found)}"


def refusal(example: Example, key: str, wanted: str, error: ValueError | None) -> Iterator[Difference]:
    """Yield what differs where an example was refused, or was not and should have been.

    `any` accepts every refusal of the engine that has a code; an example that cannot be read is no refusal.
    """
    codes = [each.code for name in ("problems", "refusals") for each in getattr(error, name, ())]
    is_met = bool(codes) if example.refused == ANY else example.refused in codes
    if example.refused and not is_met:
        yield Difference("refused", example.refused, codes or str(error or "nothing"), bool(error and not codes))
    elif error is not None and not example.refused:
        yield Difference(key, wanted, str(error), is_error=True)


def shown(value: object) -> str:
    """A value as an example writes it."""
    if isinstance(value, Fraction):
        return decimal(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown(each)}" for key, each in value.items()) + "}"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "[" + ", ".join(map(shown, value)) + "]"
    return str(value)


def decimal(amount: Fraction) -> str:
    """An exact decimal with one digit at least, or a fraction where no decimal ends."""
    scaled = amount * 10
    if scaled.denominator != 1:
        return str(amount)
    whole, tenth = divmod(abs(scaled.numerator), 10)
    return f"{'-' if amount < 0 else ''}{whole}.{tenth}" if tenth or amount.denominator != 1 else str(amount.numerator)
