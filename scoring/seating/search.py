"""Local search that makes meetings more even: two players of different tables change places where that helps.

The cost is the sum of the squares of all pairs' meetings, plus a penalty for every meeting of a pair that is
to be kept apart. A change for the worse is accepted while it stays below a threshold that falls to zero
(threshold accepting); the best schedule seen is kept. All random numbers are passed in by the caller.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from scoring.seating.balance import Pair

APART = 40
"""Penalty for a meeting of a pair to be kept apart, in squares of meetings."""
THRESHOLDS = (8, 6, 4, 4, 2, 2, 2, 0)
"""Largest accepted increase of the cost, by phase of the search."""

Tables = list[list[int]]


@dataclass(slots=True)
class SearchState:
    """Tables with their meetings; `price` is the penalty for each meeting of a pair, beside the square."""

    tables: Tables
    met: list[list[int]]
    price: list[list[int]]
    cost: int = 0

    @classmethod
    def of(cls, tables: Sequence[Sequence[int]], players: int, apart: Collection[Pair], before: Tables) -> SearchState:
        """Return the state of these tables, with the meetings of earlier rounds counted in."""
        met = [list(row) for row in before] if before else [[0] * players for _ in range(players)]
        price = [[0] * players for _ in range(players)]
        for one, other in apart:
            price[one][other] = price[other][one] = APART
        state = cls([list(table) for table in tables], met, price)
        for table in tables:
            for place, one in enumerate(table):
                for other in table[place + 1 :]:
                    met[one][other] += 1
                    met[other][one] += 1
        state.cost = sum(
            count * count + state.price[one][other] * count
            for one, row in enumerate(met)
            for other, count in enumerate(row)
            if one < other
        )
        return state

    def copy(self) -> SearchState:
        """Return a copy that can be changed independently; it shares the prices, which never change."""
        return SearchState(
            [list(table) for table in self.tables], [list(row) for row in self.met], self.price, self.cost
        )

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


def improve(
    state: SearchState, domains: Sequence[Sequence[int]], least: int, moves: int, draws: Iterator[int]
) -> SearchState:
    """Return the best state found in `moves` moves; players change places only within a domain of tables.

    Domains are given as the tables' numbers. The search ends early at `least`, below which no schedule is
    possible.
    """
    best = state.copy()
    open_domains = [domain for domain in domains if len(domain) > 1]
    for move in range(moves if open_domains else 0):
        if best.cost <= least:
            break
        limit = THRESHOLDS[move * len(THRESHOLDS) // moves]
        here, there, one, other = _proposal(state.tables, open_domains, next(draws))
        if one in there or other in here:
            continue
        change = state.change_of(here, there, one, other)
        if change <= limit:
            state.swap(here, there, one, other)
            state.cost += change
            if state.cost < best.cost:
                best = state.copy()
    return best


def _proposal(tables: Tables, domains: Sequence[Sequence[int]], number: int) -> tuple[list[int], list[int], int, int]:
    """Decode a random number into two tables of a domain and a player of each."""
    number, domain = divmod(number, len(domains))
    among = domains[domain]
    number, first = divmod(number, len(among))
    number, step = divmod(number, len(among) - 1)
    here, there = tables[among[first]], tables[among[(first + 1 + step) % len(among)]]
    number, one = divmod(number, len(here))
    return here, there, here[one], there[number % len(there)]
