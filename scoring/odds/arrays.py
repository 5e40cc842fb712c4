"""Integer array helpers for many seasons at once: rows down, seasons across."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.odds.chance import Shuffle

Ints = NDArray[np.int64]
"""Rows by seasons, unless stated otherwise; a place in an array is an index too."""
Ties = Callable[[Ints], Ints]
"""Function that returns the order of the rows in the given seasons, in which totals are tied."""


def orders(shuffle: Shuffle, draws: Ints, at: Ints | slice) -> Ints:
    """Return `Shuffle.order` for many seasons: the item that each place gets, of shape (size, seasons)."""
    count = draws[0, at].size
    found = np.repeat(np.arange(shuffle.size)[:, np.newaxis], count, axis=1)
    seasons = np.arange(count)
    place = 0
    for digits in shuffle.digits:
        rest = draws[digits.column, at]
        for radix in digits.radices:
            rest, step = np.divmod(rest, radix)
            other = place + step
            # A row is a view: without the copy the next line would overwrite it before it is written to `other`.
            kept = found[place].copy()
            found[place] = found[other, seasons]
            found[other, seasons] = kept
            place += 1
    return found


def inverse(order: Ints) -> Ints:
    """Return the place of each row, given the row at each place."""
    found = np.empty_like(order)
    places = np.repeat(np.arange(len(order))[:, np.newaxis], order.shape[1], axis=1)
    np.put_along_axis(found, order, places, axis=0)
    return found


def best_first(totals: Ints, ties: Ties) -> Ints:
    """Return the row at each place, more points first; call `ties` for the seasons in which two rows are tied."""
    order: Ints = np.argsort(-totals, axis=0, kind="stable")
    in_order = np.take_along_axis(totals, order, axis=0)
    level = np.flatnonzero((in_order[1:] == in_order[:-1]).any(axis=0))
    if level.size:
        # Tied seasons are rare, so only these pay for the comparison hanchan by hanchan.
        order[:, level] = ties(level)
    return order


def sorted_by(keys: Sequence[Ints]) -> Ints:
    """Return the row at each place, the smallest first; the first key counts most."""
    order: Ints = np.lexsort(tuple(reversed(keys)), axis=0)
    return order


def constant(values: Sequence[int], seasons: int) -> Ints:
    """Return an array with the same column in every season."""
    return np.broadcast_to(np.array(values, dtype=np.int64)[:, np.newaxis], (len(values), seasons))
