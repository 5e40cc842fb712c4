"""Exact sums and rounding without a fraction for every intermediate value.

A sum is a numerator over some common denominator, not reduced: a settlement adds a dozen amounts
per seat, and reducing each time costs more than everything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Sum:
    """An exact sum, as a numerator over a positive denominator."""

    numerator: int
    denominator: int

    @property
    def exact(self) -> Fraction:
        """The sum as a fraction in lowest terms."""
        return Fraction(self.numerator, self.denominator)

    def over(self, step: Fraction) -> tuple[int, int]:
        """Return how many whole steps, rounded down, and what is left in units of `unit(step)`."""
        return divmod(self.numerator * step.denominator, self.unit(step))

    def unit(self, step: Fraction) -> int:
        """What one step counts in the remainder of `over`."""
        return self.denominator * step.numerator


def add(amounts: Iterable[Fraction]) -> Sum:
    """Add amounts up."""
    numerator, denominator = 0, 1
    for amount in amounts:
        if amount.denominator == denominator:
            numerator += amount.numerator
        else:
            numerator = numerator * amount.denominator + amount.numerator * denominator
            denominator *= amount.denominator
    return Sum(numerator, denominator)


def nearest(amount: Sum, step: Fraction) -> int:
    """Return how many steps are nearest, halves away from zero."""
    steps, rest = amount.over(step)
    half = 2 * rest - amount.unit(step)
    return steps + (half > 0 or (half == 0 and amount.numerator > 0))


def towards_zero(amount: Sum, step: Fraction) -> int:
    """Return how many whole steps there are, cut towards zero."""
    steps, rest = amount.over(step)
    return steps + (steps < 0 and rest > 0)
