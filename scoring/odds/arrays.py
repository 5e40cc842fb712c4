"""Whole numbers for many seasons at once: rows down, seasons across."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.odds.chance import Shuffle

Ints = NDArray[np.int64]
"""Rows by seasons, unless said otherwise; a place in it is an index too."""
Ties = Callable[[Ints], Ints]
"""The order of the rows in these seasons, in which totals are level."""


def orders(shuffle: Shuffle, draws: Ints, at: Ints | slice) -> Ints:
    """`Shuffle.order` for many seasons: which thing each place gets."""
    count = draws[0, at].size
    found = np.repeat(np.arange(shuffle.size)[:, np.newaxis], count, axis=1)
    seasons = np.arange(count)
    place = 0
    for digits in shuffle.digits:
        rest = draws[digits.column, at]
        for radix in digits.radices:
            rest, step = np.divmod(rest, radix)
            other = place + step
            kept = found[place].copy()
            found[place] = found[other, seasons]
            found[other, seasons] = kept
            place += 1
    return found


def inverse(order: Ints) -> Ints:
    """The place of each row, from the row at each place."""
    found = np.empty_like(order)
    places = np.repeat(np.arange(len(order))[:, np.newaxis], order.shape[1], axis=1)
    np.put_along_axis(found, order, places, axis=0)
    return found


def best_first(totals: Ints, ties: Ties) -> Ints:
    """The row at each place, more points first; `ties` is asked for the seasons in which two rows are level."""
    order: Ints = np.argsort(-totals, axis=0, kind="stable")
    in_order = np.take_along_axis(totals, order, axis=0)
    level = np.flatnonzero((in_order[1:] == in_order[:-1]).any(axis=0))
    if level.size:
        order[:, level] = ties(level)
    return order


def sorted_by(keys: Sequence[Ints]) -> Ints:
    """The row at each place, the smallest first; the first key counts most."""
    order: Ints = np.lexsort(tuple(reversed(keys)), axis=0)
    return order


def constant(values: Sequence[int], seasons: int) -> Ints:
    """The same column in every season."""
    return np.broadcast_to(np.array(values, dtype=np.int64)[:, np.newaxis], (len(values), seasons))
