"""Assign as many columns as there are rows, one to each, at least cost (the Hungarian method)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def assign(costs: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the column of each row of a square matrix of integers, such that the sum of their costs is least."""
    cost = np.array(costs, dtype=np.int64)
    size = len(cost)
    # Potentials: `cost - of_row - of_column` is never negative, and 0 where a row has its column. Then no assignment
    # costs less than the sum of all potentials, and a complete one costs just that.
    of_row, of_column = np.zeros(size, dtype=np.int64), np.zeros(size + 1, dtype=np.int64)
    row_of = np.full(size + 1, -1)
    for row in range(size):
        # The last column is where the path of changes begins: it holds the row to be assigned.
        row_of[size], column = row, size
        slack = np.full(size, np.iinfo(np.int64).max)
        before = np.full(size, size)
        is_free = np.ones(size, dtype=np.bool_)
        seen = [size]
        while row_of[column] >= 0:
            here = row_of[column]
            left = cost[here] - of_row[here] - of_column[:size]
            closer = is_free & (left < slack)
            slack[closer], before[closer] = left[closer], column
            column = int(np.where(is_free, slack, np.iinfo(np.int64).max).argmin())
            step = slack[column]
            of_row[row_of[seen]] += step
            of_column[seen] -= step
            slack[is_free] -= step
            is_free[column] = False
            seen.append(column)
        while column != size:
            row_of[column] = row_of[before[column]]
            column = int(before[column])
    return tuple(map(int, np.argsort(row_of[:size])))
