"""Display of a count of seasons: whole percents that never claim certainty, and the standard error."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

PERCENT = 100
LEAST, MOST = "<1", ">99"
"""Shown instead of 0 and of 100: simulation proves neither."""
TENTHS_OF_A_POINT = 10
TENTHS = PERCENT * TENTHS_OF_A_POINT
"""Tenths of a percent in the whole."""


def percent(count: int, seasons: int) -> int:
    """Return the nearest whole percent, halves rounded up."""
    return (2 * PERCENT * count + seasons) // (2 * seasons)


def percent_text(count: int, seasons: int) -> str:
    """Return the share in whole percent without its sign: `<1`, `1` ... `99`, `>99`."""
    whole = percent(count, seasons)
    return {0: LEAST, PERCENT: MOST}.get(whole, str(whole))


def standard_error(count: int, seasons: int) -> int:
    """Return the standard error (one sigma) of a share, in tenths of a percent, rounded up.

    The root of p(1 - p) / n; at least one tenth, since a share of 0 or 1 does not prove certainty.
    """
    square = -(-count * (seasons - count) * TENTHS**2 // seasons**3)
    # ceil(sqrt(x)) in integers is isqrt(x - 1) + 1 for x > 0; for x = 0 the same formula gives the one tenth.
    return isqrt(max(0, square - 1)) + 1


def largest_error(seasons: int) -> int:
    """Return the standard error of a share of one half, where it is greatest."""
    return standard_error(seasons // 2, seasons)


@dataclass(frozen=True, slots=True)
class Share:
    """A count of seasons out of all simulated ones."""

    count: int
    seasons: int

    @property
    def text(self) -> str:
        """Return whole percent without the sign: `<1`, 1 to 99, `>99`."""
        return percent_text(self.count, self.seasons)

    @property
    def percent(self) -> int:
        """Return whole percent, for the length of a bar."""
        return percent(self.count, self.seasons)

    @property
    def level(self) -> int:
        """Return tenths, 0 to 10, for the shade of a cell."""
        return self.percent // 10

    @property
    def error(self) -> int:
        """Return the standard error in tenths of a percent."""
        return standard_error(self.count, self.seasons)
