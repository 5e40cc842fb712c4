"""Tables with the cost of their meetings, for searches that exchange one pair of players at a time.

The cost is the sum of the squares of all pairs' meetings, plus a price for every meeting of a pair that is to be kept
apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.seating.balance import Pair, meetings_of, price_of

APART = 40
"""Price of a meeting of two players of one club, in squares of meetings: a repeat that avoids one costs two."""
THRESHOLDS = (8, 6, 4, 4, 2, 2, 2, 0)
"""Largest accepted increase of the cost, by phase of the search."""


@dataclass(slots=True)
class SearchState:
    """Tables with their meetings; `price` is the penalty for each meeting of a pair, beside the square."""

    tables: list[list[int]]
    met: list[list[int]]
    price: list[list[int]]
    cost: int

    @classmethod
    def of(cls, tables: Sequence[Sequence[int]], players: int, apart: Mapping[Pair, int]) -> SearchState:
        """Return the state of these tables."""
        met = meetings_of((tables,), players)
        price = [[0] * players for _ in range(players)]
        for (one, other), each in apart.items():
            price[one][other] = price[other][one] = each
        squares = sum(met[one][other] ** 2 for one, other in combinations(range(players), 2))
        return cls([list(table) for table in tables], met, price, squares + price_of(met, apart))

    def change_of(self, here: list[int], there: list[int], one: int, other: int) -> int:
        """Return the change of the cost if `one` goes there and `other` comes here."""
        met, price = self.met, self.price
        change = 0
        for stays in here:
            if stays != one and stays not in there:
                # (m + 1)² - m² for the pair that begins to meet, (m - 1)² - m² for the one that no longer does.
                change += 2 * (met[other][stays] - met[one][stays]) + 2 + price[other][stays] - price[one][stays]
        for stays in there:
            if stays != other and stays not in here:
                change += 2 * (met[one][stays] - met[other][stays]) + 2 + price[one][stays] - price[other][stays]
        return change

    def swap(self, here: list[int], there: list[int], one: int, other: int) -> None:
        """Exchange the two players and update the meetings; the caller updates the cost."""
        for leaving, coming, table in ((one, other, here), (other, one, there)):
            for stays in table:
                if stays != leaving:
                    self._meet(leaving, stays, -1)
                    self._meet(coming, stays, 1)
        here[here.index(one)], there[there.index(other)] = other, one

    def _meet(self, one: int, other: int, times: int) -> None:
        self.met[one][other] += times
        self.met[other][one] += times
