"""Random decisions of a simulated season, as numbered integers that the caller passes in.

The one idea: a season is a function of its draws. Each draw has a number (its column) and a bound; a shuffle
is encoded as the digits of one or a few draws, so that all possible seasons can also be enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

LARGEST_BOUND = 2**32
"""Largest bound of a draw.

A 64-bit number taken modulo it favours no value by more than one in four thousand million.
"""


@dataclass(frozen=True, slots=True)
class Digits:
    """A draw read as mixed-radix digits, the least significant first; `radices` are the bounds of the digits."""

    column: int
    radices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A random order of `size` items, every order equally likely (Fisher-Yates).

    Each digit selects, for the next place, the item to exchange it with among those not placed yet.
    """

    size: int
    digits: tuple[Digits, ...]

    def order(self, draw: Sequence[int]) -> tuple[int, ...]:
        """Return the order that one season's draws give, as places of the items before the shuffle."""
        order = list(range(self.size))
        for place, step in enumerate(self._steps(draw)):
            order[place], order[place + step] = order[place + step], order[place]
        return tuple(order)

    def _steps(self, draw: Sequence[int]) -> Iterator[int]:
        for digits in self.digits:
            rest = draw[digits.column]
            for radix in digits.radices:
                rest, step = divmod(rest, radix)
                yield step


class Columns:
    """Allocator that numbers the draws of a season as they are requested."""

    def __init__(self) -> None:
        self.bounds: list[int] = []

    def take(self, bound: int) -> int:
        """Return the number of a new draw with values from 0 to below the bound."""
        self.bounds.append(bound)
        return len(self.bounds) - 1

    def shuffle(self, size: int) -> Shuffle:
        """Return a new shuffle, in as few draws as hold its digits."""
        digits: list[Digits] = []
        radices: list[int] = []
        for radix in range(size, 1, -1):
            if prod(radices) * radix > LARGEST_BOUND:
                digits.append(self._digits(radices))
                radices = []
            radices.append(radix)
        if radices:
            digits.append(self._digits(radices))
        return Shuffle(size, tuple(digits))

    def _digits(self, radices: Sequence[int]) -> Digits:
        return Digits(self.take(prod(radices)), tuple(radices))
