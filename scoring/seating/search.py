"""A search that makes meetings more even: two players of different tables change places where that helps.

What it lowers is the sum of the squares of all pairs' meetings, with a price on every meeting of a pair that is to be
kept apart. A change for the worse is taken while it stays below a threshold that falls to nothing (threshold
accepting); the best schedule seen is kept. All that looks like chance comes from the numbers handed in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from scoring.seating.balance import Pair

APART = 40
"""What a meeting of a pair to be kept apart costs, in squares of meetings."""
THRESHOLDS = (8, 6, 4, 4, 2, 2, 2, 0)
"""How much worse a change may be, over the course of the search."""

Tables = list[list[int]]


@dataclass(slots=True)
class State:
    """Tables with their meetings; `price` is what a pair's meetings cost beside their square."""

    tables: Tables
    met: list[list[int]]
    price: list[list[int]]
    cost: int = 0

    @classmethod
    def of(cls, tables: Sequence[Sequence[int]], players: int, apart: Collection[Pair], before: Tables) -> State:
        """The state of these tables, after the meetings there were before."""
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

    def copy(self) -> State:
        """The same, to be changed apart; prices never change."""
        return State([list(table) for table in self.tables], [list(row) for row in self.met], self.price, self.cost)

    def change_of(self, here: list[int], there: list[int], one: int, other: int) -> int:
        """What the cost changes by if `one` goes there and `other` comes here."""
        met, price = self.met, self.price
        change = 0
        for stays in here:
            if stays != one and stays not in there:
                change += 2 * (met[other][stays] - met[one][stays]) + 2 + price[other][stays] - price[one][stays]
        for stays in there:
            if stays != other and stays not in here:
                change += 2 * (met[one][stays] - met[other][stays]) + 2 + price[one][stays] - price[other][stays]
        return change

    def swap(self, here: list[int], there: list[int], one: int, other: int) -> None:
        """Let them change places."""
        for leaving, coming, table in ((one, other, here), (other, one, there)):
            for stays in table:
                if stays != leaving:
                    self._meet(leaving, stays, -1)
                    self._meet(coming, stays, 1)
        here[here.index(one)], there[there.index(other)] = other, one

    def _meet(self, one: int, other: int, times: int) -> None:
        self.met[one][other] += times
        self.met[other][one] += times


def improved(state: State, domains: Sequence[Sequence[int]], least: int, moves: int, draws: Iterator[int]) -> State:
    """The best state found in so many moves; players change places only within a domain, given as tables' numbers.

    It ends early at `least`, below which no schedule can be.
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
    """Two tables of a domain and a player of each."""
    number, domain = divmod(number, len(domains))
    among = domains[domain]
    number, first = divmod(number, len(among))
    number, step = divmod(number, len(among) - 1)
    here, there = tables[among[first]], tables[among[(first + 1 + step) % len(among)]]
    number, one = divmod(number, len(here))
    return here, there, here[one], there[number % len(there)]
