"""Partition of entrants into tables of four at least cost.

The one idea: each entrant gets a share such that no table costs less than the shares of its four. The sum of all
shares is a lower bound, and a table's excess over its shares is the price of choosing it: a partition costs the
shares and the excesses. Tables are chosen for the first free entrant, then for the next; of several ways to have
seated the same entrants only the cheapest is kept, and none that has spent more excess than the best partition known
allows. Costs are integers, so a result does not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.format.rounds import PAIRED_SIZE

SIZE = PAIRED_SIZE

MOST_TRIED = 12
"""Entrants up to whom every partition is priced."""
Ints = NDArray[np.int64]
Tables = tuple[tuple[int, ...], ...]
"""Each table's entrants as rows of the matrix of prices, in ascending order."""
PAIRS = tuple(combinations(range(SIZE), 2))
"""Pairs of places at a table."""

_NONE: Ints = np.zeros(0, dtype=np.int64)
_STEPS = 160
_CHUNK = 1 << 20
"""Ways to go on that are looked at together."""
_WORK = 1 << 26
"""Tables times ways to go on that are looked at if only some ways are kept."""
_WAYS_EACH = 8
"""Ways to go on from one first free entrant that are looked at for each way that is kept."""
_LOOKED_AT = 20_000
"""Tables with which shares are found."""
_FINEST = 8
"""Bits of the fractions in which shares are reckoned, unless sums would exceed 64 bits."""


def cost_of(price: Ints, tables: Tables) -> int:
    """Return the sum of the prices of all pairs that sit together."""
    at = np.array(tables, dtype=np.int64).reshape(-1, SIZE)
    return int(table_costs(price, at).sum())


def table_costs(price: Ints, tables: Ints) -> Ints:
    """Return the cost of each of these tables, given in shape (tables, 4)."""
    costs = np.zeros(len(tables), dtype=np.int64)
    for one, other in PAIRS:
        costs += price[tables[:, one], tables[:, other]]
    return costs


def _summed(values: Ints, tables: Ints) -> Ints:
    """Return the sum of the values of each table's entrants; much faster than a sum along an axis of four."""
    one, two, three, four = tables.T
    summed: Ints = values[one] + values[two] + values[three] + values[four]
    return summed


def tried_partition(price: Ints) -> Tables:
    """Return the partition of least cost of at most `MOST_TRIED` entrants: every one is priced."""
    partitions = _partitions(len(price))
    tables = all_tables(len(price))
    costs = table_costs(price, tables)
    best = int(np.sum([costs[numbers] for numbers in partitions], axis=0).argmin())
    return named(tables[partitions[:, best]])


@cache
def all_tables(entrants: int) -> Ints:
    """Return all tables of that number of entrants, in ascending order, of shape (tables, 4)."""
    return np.array(list(combinations(range(entrants), SIZE)), dtype=np.int64)


@cache
def _partitions(entrants: int) -> Ints:
    """Return all partitions as numbers of tables, of shape (tables at once, partitions)."""
    number = {tuple(table): index for index, table in enumerate(all_tables(entrants).tolist())}
    found = [[number[table] for table in each] for each in _every_partition(tuple(range(entrants)))]
    return np.ascontiguousarray(np.array(found, dtype=np.int64).T)


def _every_partition(free: tuple[int, ...]) -> Iterator[Tables]:
    """Yield every partition of these entrants, the first of them at the first table."""
    if not free:
        yield ()
        return
    for others in combinations(free[1:], SIZE - 1):
        left = tuple(each for each in free[1:] if each not in others)
        for rest in _every_partition(left):
            yield ((free[0], *others), *rest)


def named(tables: Ints) -> Tables:
    """Return tables of shape (tables, 4) as tuples."""
    return tuple(tuple(map(int, table)) for table in tables)


@dataclass(frozen=True, slots=True)
class Cover:
    """A partition into some of the tables, if a cheap enough one was found, and a bound on all partitions."""

    tables: Tables | None
    bound: int
    """No partition costs less; at most the cost of the best one known before."""


@dataclass(frozen=True, slots=True)
class Others:
    """Tables that are left out of a search: all whose last entrant lies far enough from the first."""

    reach: Ints
    """For each first entrant the distance from which tables are left out."""
    spread: int
    """Every pair costs this times the square of its distance, or more."""


def cheapest_cover(
    tables: Ints, costs: Ints, entrants: int, best: int, *, most: int | None = None, others: Others | None = None
) -> Cover:
    """Return the partition of least cost into some of these tables, if it costs less than `best`.

    Tables are of shape (tables, 4), in ascending order, and each entrant sits at one of them; entrants of a table lie
    fewer than 63 numbers apart. With `most`, at most that many ways to have seated as many entrants are kept,
    those with the least excess, so a cheaper partition may be missed. `others` are the tables
    that are not given.
    """
    unit = int(np.gcd.reduce(costs)) or 1
    known = -(-best // unit)
    fine = 1 << max(0, min(_FINEST, 58 - (max(int(costs.max()) // unit, known) * entrants).bit_length()))
    scaled = costs // unit * fine
    shares = _shares_of_many(tables, scaled, entrants, known * fine)
    excess = scaled - _summed(shares, tables)
    total = int(shares.sum())
    room = (known - 1) * fine - total
    found, least = _seated(tables, excess, room, entrants, most) if room >= 0 else (None, room + 1)
    over = _excess_of_others(others, shares, Fraction(fine, unit)) if others else None
    least = least if over is None else min(least, over)
    bound = min(known, -(-(total + least) // fine)) * unit
    return Cover(None if found is None else named(tables[found]), min(bound, best))


def _excess_of_others(others: Others, shares: Ints, scale: Fraction) -> int | None:
    """Return the excess that a partition with other tables has at least; None if there are no others.

    Of the shares such a table has those of its outer two, and twice the largest between them at most. A negative
    excess counts for every first entrant.
    """
    over = []
    for first, reach in enumerate(others.reach):
        last = np.arange(first + int(reach), len(shares))
        costs = 2 * others.spread * (last - first) ** 2 * scale.numerator // scale.denominator
        between = np.maximum.accumulate(shares[first + 1 :])[last - first - 2]
        over += [int((costs - shares[first] - shares[last] - 2 * between).min())] if len(last) else []
    return sum(each for each in over if each < 0) or min(over, default=None)


def _shares_of_many(tables: Ints, costs: Ints, entrants: int, best: int) -> Ints:
    """Return shares that no table exceeds, found with the tables that exceed a first guess least.

    The guess is a quarter of an entrant's cheapest table. Where another table costs less than the shares found, those
    of its entrants are lowered.
    """
    if len(tables) <= _LOOKED_AT:
        return _shares(tables, costs, entrants, best)
    guess = np.full(entrants, np.iinfo(np.int64).max // SIZE)
    np.minimum.at(guess, tables.ravel(), np.repeat(costs // SIZE, SIZE))
    over_guess = costs - _summed(guess, tables)
    is_kept = _cheapest(over_guess, _LOOKED_AT)
    # Entrants whose tables all cost much may have none among these.
    for entrant in np.setdiff1d(np.arange(entrants), tables[is_kept]):
        own = np.flatnonzero((tables == entrant).any(axis=1))
        is_kept[own[_cheapest(over_guess[own], _LOOKED_AT // entrants)]] = True
    shares = _shares(tables[is_kept], costs[is_kept], entrants, best)
    excess = costs - _summed(shares, tables)
    over = excess < 0
    lowered = np.zeros(entrants, dtype=np.int64)
    np.minimum.at(lowered, tables[over].ravel(), np.repeat(excess[over] // SIZE, SIZE))
    return shares + lowered


def _cheapest(values: Ints, count: int) -> NDArray[np.bool_]:
    """Return which of the values are the `count` smallest, or equal to them."""
    place = min(count, len(values)) - 1
    limit = int(np.partition(values, place)[place])
    return np.less_equal(values, limit)


def _shares(tables: Ints, costs: Ints, entrants: int, best: int) -> Ints:
    """Return a share for each entrant, such that none of the tables costs less than its entrants' shares.

    Subgradient steps on the sum over entrants of a quarter of their cheapest table; then steps that keep all tables at
    or above their shares.
    """
    tables = np.asfortranarray(tables)
    places = np.argsort(tables, axis=None, kind="stable")
    sitting, of_entrant = places // SIZE, tables.ravel()[places]
    starts = np.searchsorted(of_entrant, np.arange(entrants))
    shares = np.full(entrants, best // entrants, dtype=np.int64)
    kept, reached, tired = shares, -best - 1, 1
    for _ in range(_STEPS):
        own = (costs - _summed(shares, tables))[sitting]
        least = np.minimum.reduceat(own, starts)
        bound = int(shares.sum()) + int(least.sum()) // SIZE
        if bound > reached:
            kept, reached = shares, bound
        else:
            tired += 1
        cheapest = np.flatnonzero(own == least[of_entrant])
        first = cheapest[np.searchsorted(cheapest, starts)]
        uneven = SIZE - np.bincount(tables[sitting[first]].ravel(), minlength=entrants)
        length = int((uneven * uneven).sum())
        if not length or reached >= best:
            break
        # The usual step (Polyak): the gap to the best known cost over the squared length, smaller once steps bring
        # nothing. `uneven` is four times the subgradient, hence the factor.
        shares = shares + uneven * max(1, (best - bound) * SIZE * 8 // (length * (7 + tired)))
    shares = kept
    for _ in range(SIZE):
        shares = shares + np.minimum.reduceat((costs - _summed(shares, tables))[sitting], starts) // SIZE
    for entrant, at in enumerate(np.split(sitting, starts[1:])):
        shares[entrant] += (costs[at] - _summed(shares, tables[at])).min()
    return shares


class _Ways(NamedTuple):
    """Ways to have seated as many entrants, one in each row."""

    sets: Ints
    spent: Ints
    parent: Ints
    """Row of the way before."""
    table: Ints
    """Table added to it."""


_NO_WAYS = _Ways(_NONE, _NONE, _NONE, _NONE)


def _seated(tables: Ints, excess: Ints, room: int, entrants: int, most: int | None) -> tuple[Ints | None, int]:
    """Return the tables of a partition with at most `room` excess, and the excess that every one has at least.

    After n tables the entrants before the first free one all sit. A set of bits says which others do, counted from
    the first free one; as 4n sit in all, the set tells which one that is.
    """
    least = room + 1
    few = np.flatnonzero(excess <= room)
    if most is not None and len(few) > _WORK // most:
        least = int(np.partition(excess[few], _WORK // most)[_WORK // most])
        few = few[excess[few] < least]
    excess, first = excess[few], tables[few, 0]
    masks = np.bitwise_or.reduce(np.left_shift(1, tables[few] - first[:, np.newaxis]), axis=1)
    begins = np.searchsorted(first, np.arange(entrants + 1))
    ways = _Ways(*np.zeros((4, 1), dtype=np.int64))
    path: list[_Ways] = []
    for seated in range(0, entrants, SIZE):
        free = seated - np.bitwise_count(ways.sets).astype(np.int64)
        parts = [_NO_WAYS]
        for entrant in np.unique(free):
            here, there = np.flatnonzero(free == entrant), np.arange(begins[entrant], begins[entrant + 1])
            step = max(1, _CHUNK // max(1, len(there)))
            for some in (here[start : start + step] for start in range(0, len(here), step)):
                part, lost = _ways_on(ways, some, (there, masks[there], excess[there]), room, most)
                parts.append(part)
                least = min(least, lost)
        ways = _distinct(*map(np.concatenate, zip(*parts, strict=True)))
        if most is not None and len(ways.sets) > most:
            order = np.argsort(ways.spent, kind="stable")
            least = min(least, int(ways.spent[order[most]]))
            ways = _Ways(*(column[np.sort(order[:most])] for column in ways))
        if not len(ways.sets):
            return None, least
        path.append(ways)
    place, chosen = 0, []
    for each in reversed(path):
        chosen.append(int(few[each.table[place]]))
        place = int(each.parent[place])
    return np.array(sorted(chosen)), min(least, int(ways.spent[0]))


def _ways_on(
    ways: _Ways, some: Ints, tables: tuple[Ints, Ints, Ints], room: int, most: int | None
) -> tuple[_Ways, int]:
    """Add the tables, given as numbers, sets and excess, to some ways; return the new ones and what others spend."""
    there, masks, excess = tables
    fits = (ways.sets[some, np.newaxis] & masks) == 0
    fits &= ways.spent[some, np.newaxis] + excess <= room
    row, column = np.nonzero(fits)
    spent, lost = ways.spent[some[row]] + excess[column], room + 1
    if most is not None and len(spent) > most * _WAYS_EACH:
        lost = int(np.partition(spent, most * _WAYS_EACH)[most * _WAYS_EACH])
        row, column, spent = row[spent < lost], column[spent < lost], spent[spent < lost]
    sets = ways.sets[some[row]] | masks[column]
    # The entrants of the trailing ones sit, so the lowest zero is the next first free one: bits are counted from it.
    sets >>= np.bitwise_count(sets & ~(sets + 1))
    return _distinct(sets, spent, some[row], there[column]), lost


def _distinct(sets: Ints, spent: Ints, parent: Ints, table: Ints) -> _Ways:
    """Keep of equal sets the one with the least spent."""
    order = np.lexsort((spent, sets))
    kept = order[np.flatnonzero(np.diff(sets[order], prepend=-1))]
    return _Ways(sets[kept], spent[kept], parent[kept], table[kept])
