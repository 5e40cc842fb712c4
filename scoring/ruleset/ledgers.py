"""The ledgers of a ruleset: the units in which its results are counted.

Points on the table are the scores themselves; a ledger counts amounts derived from them (league points, prizes,
chips, table fees). Ledgers never mix.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Protocol

from pydantic import Field

from scoring.ruleset.base import Count, Positive, Ruled, Title


class Unit(StrEnum):
    """The unit of a ledger."""

    LEAGUE_POINTS = "league_points"
    """Points of the table: a thousand table points, with the bonuses of the places."""
    CHIPS = "chips"
    """Prize chips, 祝儀."""
    G = "G"
    """A house's own unit for prizes."""
    P = "P"
    """A house's own unit for chips of different worth."""
    UNITS = "units"
    """Neutral payments per player; the house decides what one of them is worth."""
    YEN = "yen"
    """Table fees: the only ledger in money."""


class Exact(Protocol):
    """A fraction, reduced or not."""

    @property
    def numerator(self) -> int:
        """The numerator."""
        ...

    @property
    def denominator(self) -> int:
        """The denominator, positive."""
        ...


LedgerKey = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class Ledger(Ruled):
    """One way of counting a result."""

    key: LedgerKey
    title: Title
    unit: Unit
    scale: Positive
    """The factor from an amount to its stored integer: 10 keeps tenths."""
    zero_sum: bool
    """Payments between players in it add up to zero. A rule's own rounding, and amounts that go to no
    player or to the house, are excepted."""
    ranks: bool
    """Standings are computed from this ledger; exactly one ledger of a ruleset has it."""
    entered: bool
    """Its amounts are entered with a result: prizes, chips."""
    step: Count
    """Entered amounts are multiples of this, in stored integers; 0 if none are entered."""

    def stored(self, amount: Exact) -> int:
        """Return an amount as its integer at this ledger's scale.

        Raise ValueError if the scale cannot hold it exactly.
        """
        stored, rest = divmod(amount.numerator * self.scale, amount.denominator)
        if rest:
            raise ValueError(f"{amount} is no multiple of 1/{self.scale} of {self.key}")
        return stored

    def text(self, stored: int) -> str:
        """Write a stored integer as a decimal, or as a fraction if the scale is not a power of ten."""
        return points_text(stored, self.scale)


def points_text(stored: int, scale: int) -> str:
    """Write an integer at a scale as a decimal, or as a fraction if the scale is not a power of ten."""
    digits = len(str(scale)) - 1
    if scale == 10**digits:
        whole, rest = divmod(abs(stored), scale)
        sign = "-" if stored < 0 else ""
        return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"
    return str(Fraction(stored, scale))
