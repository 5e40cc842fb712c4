"""Exact sums and rounding without creating a fraction for every intermediate value.

A sum is a numerator over some common denominator, not reduced: a settlement adds a dozen amounts per seat,
and reducing each time costs more than everything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class ExactSum:
    """An exact sum, as a numerator over a positive denominator."""

    numerator: int
    denominator: int

    @property
    def exact(self) -> Fraction:
        """Return the sum as a fraction in lowest terms."""
        return Fraction(self.numerator, self.denominator)

    def over(self, step: Fraction) -> tuple[int, int]:
        """Return the number of whole steps, rounded down, and the remainder in units of `unit(step)`."""
        return divmod(self.numerator * step.denominator, self.unit(step))

    def unit(self, step: Fraction) -> int:
        """Return the size of one step in the unit of the remainder that `over` returns."""
        return self.denominator * step.numerator


def add(amounts: Iterable[Fraction]) -> ExactSum:
    """Add amounts exactly and return the unreduced sum."""
    numerator, denominator = 0, 1
    for amount in amounts:
        if amount.denominator == denominator:
            numerator += amount.numerator
        else:
            numerator = numerator * amount.denominator + amount.numerator * denominator
            # Not reduced on purpose: a gcd for each of a dozen amounts per seat costs more than the rest of a
            # settlement.
            denominator *= amount.denominator
    return ExactSum(numerator, denominator)


def nearest(amount: ExactSum, step: Fraction, *, halves_away: bool = True) -> int:
    """Return the nearest number of steps, halves rounded away from zero or towards it."""
    steps, rest = amount.over(step)
    half = 2 * rest - amount.unit(step)
    # `over` rounds down, so a negative half is already the step away from zero; only a positive one moves up.
    return steps + (half > 0 or (half == 0 and (amount.numerator > 0) is halves_away))


def towards_zero(amount: ExactSum, step: Fraction) -> int:
    """Return the number of whole steps, cut off towards zero."""
    steps, rest = amount.over(step)
    return steps + (steps < 0 and rest > 0)
