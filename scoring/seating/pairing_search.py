"""Search for the tables of a round: avoided pairs first, then cost, with a lower bound on the cost.

The one idea: the price of a pair grows with its distance in the order, so tables of near neighbours suffice. Up to 24
entrants all tables are looked at; beyond, those within a reach, and a bound on the cost of all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from scoring.seating.partition import (
    MOST_TRIED,
    PAIRS,
    SIZE,
    Ints,
    Others,
    Tables,
    all_tables,
    cheapest_cover,
    cost_of,
    table_costs,
    tried_partition,
)

MOST_EXACT = 24
"""Entrants up to whom all tables are looked at."""
MOST_TABLES = 600_000
"""Tables that are looked at beyond that."""
KEPT = 300_000
"""Ways to have seated some entrants that are kept beyond that, of all numbers of entrants together."""
FARTHEST = 60
"""Order numbers that the first and the last at a table lie apart less than, beyond `MOST_EXACT` entrants.

Sets of entrants are bits of a signed number of 64 bits, counted from the first at the table.
"""
NEIGHBOURS = 20
"""Sum of the squares of the differences among four neighbours: 1 + 1 + 1 + 4 + 4 + 9."""
NEAR = 6
"""Neighbouring tables of which any three are partitioned together at first; of up to twice as many tables all."""
_DEARER = 4
"""Factor by which a round without avoided pairs may cost more than the best one known with some."""
_LARGEST = 1 << 62
"""Sums of prices stay below."""


class BoundBy(StrEnum):
    """Argument by which no pairing costs less than a bound."""

    OPTIMUM = "optimum"
    """The least cost itself: every pairing was tried or excluded."""
    NEIGHBOURS = "neighbours"
    """Four neighbours in the order at every table."""
    PAIRS = "pairs"
    """Half of what each entrant's three cheapest opponents cost."""
    SHARES = "shares"
    """A share for each entrant, such that no table costs less than the shares of its four."""


@dataclass(frozen=True, slots=True)
class Found:
    """The tables of a round, with a lower bound on the cost of a round with as few avoided pairs."""

    tables: Tables
    bound: int
    bound_by: BoundBy
    is_best: bool
    """True if it is proved that no round has fewer avoided pairs, kind by kind, or as many and a lower cost."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of pairs of order numbers, as symmetric matrices."""

    cost: Ints
    """At least `spread` times the square of the pair's distance."""
    spread: int
    avoided: Sequence[Ints]
    """For each kind of pairs to be avoided, the worst first: 1 for such a pair."""

    @property
    def combined(self) -> Ints:
        """Return one price: least in sum for the fewest avoided pairs, kind by kind, then the least cost.

        Raise ValueError if sums of it could exceed 64 bits.
        """
        together = len(self.cost) // SIZE * len(PAIRS)
        combined, price = self.cost.copy(), together * int(self.cost.max()) + 1
        if price * (together + 1) ** len(self.avoided) > _LARGEST:
            raise ValueError(f"{len(self.cost)} entrants are too many for these weights and kinds to be avoided")
        for pairs in reversed(self.avoided):
            combined += price * pairs
            price *= together + 1
        return combined

    def broken(self, tables: Tables) -> list[int]:
        """Count the avoided pairs of each kind."""
        return [cost_of(pairs, tables) for pairs in self.avoided]

    def rank(self, tables: Tables) -> tuple[list[int], int]:
        """Return the key by which rounds are compared; the smaller, the better."""
        return self.broken(tables), cost_of(self.cost, tables)


def find_tables(prices: Prices) -> Found:
    """Return the best round found; up to `MOST_EXACT` entrants it is the best of all."""
    entrants = len(prices.cost)
    combined = prices.combined
    straight = tuple(tuple(range(first, first + SIZE)) for first in range(0, entrants, SIZE))
    tables = _improved(combined, straight)
    if entrants > MOST_EXACT:
        return _near(prices, tables)
    if entrants > MOST_TRIED:
        every = all_tables(entrants)
        cover = cheapest_cover(every, table_costs(combined, every), entrants, cost_of(combined, tables))
        tables = cover.tables or tables
    return Found(tables, cost_of(prices.cost, tables), BoundBy.OPTIMUM, is_best=True)


def _improved(price: Ints, tables: Tables) -> Tables:
    """Partition any three near tables at least cost until no three improve."""
    near = NEAR if len(tables) > 2 * NEAR else len(tables)
    done: set[Tables] = set()
    is_improved = True
    while is_improved:
        is_improved = False
        for first in range(len(tables)):
            for others in combinations(range(first + 1, min(first + near, len(tables))), min(3, len(tables)) - 1):
                group = tuple(tables[number] for number in (first, *others))
                if group in done:
                    continue
                better = _partitioned(price, group)
                done.add(better)
                if better != group:
                    is_improved = True
                    tables = _sorted([*(table for table in tables if table not in group), *better])
    return tables


def _exchanged(price: Ints, tables: Tables) -> Tables:
    """Exchange two entrants of any two tables as long as that costs less, each time those that save the most."""
    entrants = len(price)
    at = np.empty(entrants, dtype=np.int64)
    for number, table in enumerate(tables):
        at[list(table)] = number
    while True:
        seated = np.zeros((entrants, len(tables)), dtype=np.int64)
        seated[np.arange(entrants), at] = 1
        with_table = price @ seated
        own = with_table[np.arange(entrants), at]
        # Of one at the table of the other: with all who sit there, without the one who leaves it.
        moved = with_table[:, at] - price
        saved = own[:, np.newaxis] + own - moved - moved.T
        saved[at[:, np.newaxis] == at] = 0
        one, other = np.unravel_index(int(saved.argmax()), saved.shape)
        if saved[one, other] <= 0:
            return _sorted([tuple(map(int, np.flatnonzero(at == number))) for number in range(len(tables))])
        at[one], at[other] = at[other], at[one]


def _partitioned(price: Ints, group: Tables) -> Tables:
    """Return the best partition of these tables' entrants; the group itself if none is better."""
    rows = sorted(row for table in group for row in table)
    found = tried_partition(price[np.ix_(rows, rows)])
    better = _sorted([tuple(rows[index] for index in table) for table in found])
    return better if cost_of(price, better) < cost_of(price, group) else group


def _sorted(tables: Sequence[tuple[int, ...]]) -> Tables:
    return tuple(sorted(tables, key=lambda table: (sum(table), table)))


def _near(prices: Prices, tables: Tables) -> Found:
    """Improve a round by tables within a reach; if pairs to be avoided remain, by exchanges of any two first."""
    tables, bound = _barred(prices, tables)
    if any(prices.broken(tables)):
        # Near tables alone may not have what keeps, say, a large club apart.
        exchanged = _improved(prices.combined, _exchanged(prices.combined, tables))
        if prices.rank(exchanged) < prices.rank(tables):
            tables, bound = _barred(prices, exchanged)
    cost = cost_of(prices.cost, tables)
    if bound < cost and any(broken := prices.broken(tables)):
        kept = [kind for kind, count in zip(prices.avoided, broken, strict=True) if not count]
        bound = max(bound, _covered(Prices(prices.cost, prices.spread, kept), tables, len(kept))[1])
    bounds = [(bound, BoundBy.SHARES), *_simple_bounds(prices, tables)]
    least, by = max(bounds, key=lambda each: each[0])
    return Found(tables, least, by, is_best=least == cost and (bound == cost or not any(prices.broken(tables))))


def _barred(prices: Prices, tables: Tables) -> tuple[Tables, int]:
    """Return the better of these and the best tables within a reach, and a bound on the cost.

    Kinds to be avoided are barred at first; as long as that finds nothing, the last of them is priced instead.
    """
    barred = len(prices.avoided)
    tables, bound = _covered(prices, tables, barred)
    while any(prices.broken(tables)[:barred]):
        barred -= 1
        tables, bound = _covered(prices, tables, barred)
    return tables, bound


def _covered(prices: Prices, tables: Tables, barred: int) -> tuple[Tables, int]:
    """Return the better of these and the best tables found with the first kinds barred, and a bound on the cost."""
    entrants = len(prices.cost)
    priced = Prices(prices.cost, prices.spread, prices.avoided[barred:]).combined
    near, others = near_tables(sum(prices.avoided[:barred], np.eye(entrants, dtype=np.int64)) > 0, prices.spread)
    if len(np.unique(near)) < entrants:
        return tables, 0
    costs = table_costs(priced, near)
    best = cost_of(priced, tables)
    if any(prices.broken(tables)[:barred]):
        tables = (
            cheapest_cover(near, costs, entrants, best * _DEARER, most=KEPT // entrants // 4, others=others).tables
            or tables
        )
        best = cost_of(priced, tables)
    if any(prices.broken(tables)[:barred]):
        return tables, 0
    cover = cheapest_cover(near, costs, entrants, best, most=KEPT // entrants, others=others)
    tables = cover.tables or tables
    # Rounds that break as many pairs pay as much for them: what is left bounds the cost.
    return tables, cover.bound - cost_of(priced, tables) + cost_of(prices.cost, tables)


def near_tables(barred: NDArray[np.bool_], spread: int) -> tuple[Ints, Others]:
    """Return tables without barred pairs, each of an entrant and three of the nearest after it, and the others."""
    entrants = len(barred)
    count = max(d for d in range(SIZE - 1, FARTHEST) if d < SIZE or entrants * comb(d, SIZE - 1) <= MOST_TABLES)
    threes = np.array(list(combinations(range(count), SIZE - 1)), dtype=np.int64)
    found, reach = [], np.zeros(entrants, dtype=np.int64)
    for first in range(entrants):
        after = np.flatnonzero(~barred[first, first : first + FARTHEST]) + first
        reach[first] = (after[count] if len(after) > count else first + FARTHEST) - first
        others = after[:count][threes[threes[:, -1] < min(count, len(after))]]
        is_free = ~(barred[others[:, 0], others[:, 1]] | barred[others[:, 0], others[:, 2]])
        is_free &= ~barred[others[:, 1], others[:, 2]]
        found.append(np.insert(others[is_free], 0, first, axis=1))
    return np.concatenate(found), Others(reach, spread)


def _simple_bounds(prices: Prices, tables: Tables) -> list[tuple[int, BoundBy]]:
    """Return bounds that hold for every weight; pairs of a kind that is nowhere broken count as barred."""
    entrants = len(prices.cost)
    kinds = zip(prices.avoided, prices.broken(tables), strict=True)
    barred = sum((kind for kind, broken in kinds if not broken), np.eye(entrants, dtype=np.int64))
    cheapest = np.sort(np.where(barred > 0, np.iinfo(np.int64).max // (SIZE * entrants), prices.cost), axis=1)
    return [
        (NEIGHBOURS * prices.spread * (entrants // SIZE), BoundBy.NEIGHBOURS),
        (-(-int(cheapest[:, : SIZE - 1].sum()) // 2), BoundBy.PAIRS),
    ]
