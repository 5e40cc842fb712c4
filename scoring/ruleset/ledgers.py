"""The ledgers of a ruleset: in what its results are counted.

Points on the table are the scores themselves; a ledger counts what comes of them (league points,
prizes, chips, table fees). Ledgers never mix.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Protocol

from pydantic import Field

from scoring.ruleset.base import Count, Positive, Ruled, Title


class Unit(StrEnum):
    """What one of a ledger is."""

    LEAGUE_POINTS = "league_points"
    """Points of the table: a thousand table points, with the bonuses of the places."""
    CHIPS = "chips"
    """Prize chips, 祝儀."""
    G = "G"
    """A house's own unit for prizes."""
    P = "P"
    """A house's own unit for chips of different worth."""
    UNITS = "units"
    """Neutral payments per player, whatever a house lets one of them stand for."""
    YEN = "yen"
    """Table fees; the only money there is."""


class Exact(Protocol):
    """A fraction, in lowest terms or not."""

    @property
    def numerator(self) -> int:
        """Its numerator."""
        ...

    @property
    def denominator(self) -> int:
        """Its denominator, positive."""
        ...


LedgerKey = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class Ledger(Ruled):
    """One way of counting a result."""

    key: LedgerKey
    title: Title
    unit: Unit
    scale: Positive
    """Stored integers are the amount times this: 10 keeps tenths."""
    zero_sum: bool
    """What the players pay one another in it adds up to zero. A rule's own rounding and what goes
    to nobody or to the house stand outside."""
    ranks: bool
    """Standings are made of this ledger; one of a ruleset's ledgers does it."""
    entered: bool
    """A result brings amounts of it from the table: prizes, chips."""
    step: Count
    """Entered amounts are multiples of this, in stored integers; 0 where nothing is entered."""

    def stored(self, amount: Exact) -> int:
        """Return an amount as its integer at this ledger's scale.

        Raise ValueError if the scale cannot hold it.
        """
        stored, rest = divmod(amount.numerator * self.scale, amount.denominator)
        if rest:
            raise ValueError(f"{amount} is no multiple of 1/{self.scale} of {self.key}")
        return stored

    def text(self, stored: int) -> str:
        """Write a stored integer as a decimal, or as a fraction where no decimal ends."""
        digits = len(str(self.scale)) - 1
        if self.scale == 10**digits:
            whole, rest = divmod(abs(stored), self.scale)
            sign = "-" if stored < 0 else ""
            return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"
        return str(Fraction(stored, self.scale))
