"""How a count of seasons is shown: whole percents that never claim certainty, and how far chance may be off."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

PERCENT = 100
LEAST, MOST = "<1", ">99"
"""What is shown instead of 0 and of 100: simulation proves neither."""
TENTHS_OF_A_POINT = 10
TENTHS = PERCENT * TENTHS_OF_A_POINT
"""Tenths of a percent in the whole."""


def percent(count: int, seasons: int) -> int:
    """The nearest whole percent, halves up."""
    return (2 * PERCENT * count + seasons) // (2 * seasons)


def percent_text(count: int, seasons: int) -> str:
    """The share in whole percent without its sign: `<1`, `1` ... `99`, `>99`."""
    whole = percent(count, seasons)
    return {0: LEAST, PERCENT: MOST}.get(whole, str(whole))


def standard_error(count: int, seasons: int) -> int:
    """By how many tenths of a percent, rounded up, a share strays from its true value by chance (one sigma).

    The root of p(1 - p) / n; at least one tenth, since a share of nothing at all tells no more than that.
    """
    square = -(-count * (seasons - count) * TENTHS**2 // seasons**3)
    return isqrt(max(0, square - 1)) + 1


def largest_error(seasons: int) -> int:
    """The standard error of a share of one half, where it is greatest."""
    return standard_error(seasons // 2, seasons)


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many seasons."""

    count: int
    seasons: int

    @property
    def text(self) -> str:
        """In whole percent, without the sign: `<1`, 1 to 99, `>99`."""
        return percent_text(self.count, self.seasons)

    @property
    def percent(self) -> int:
        """In whole percent, for a bar's length."""
        return percent(self.count, self.seasons)

    @property
    def level(self) -> int:
        """In tenths, for a cell's shade: 0 to 10."""
        return self.percent // 10

    @property
    def error(self) -> int:
        """Its standard error, in tenths of a percent."""
        return standard_error(self.count, self.seasons)
