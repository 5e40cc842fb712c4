"""Test the partition of least cost where only some of many tables decide the shares of the entrants."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.seating.partition import all_tables, cheapest_cover, table_costs


@pytest.mark.slow
def test_an_entrant_who_costs_much_at_every_table_is_seated_and_counted_in_the_bound() -> None:
    at = np.arange(32)
    price = (at[:, None] - at) ** 2
    price[31, :31] = price[:31, 31] = price[31, :31] + 100_000
    tables = all_tables(32)
    cover = cheapest_cover(tables, table_costs(price, tables), 32, 400_000, most=500)
    # Neighbours at every table cost 20 each; the last one costs 100,000 with each of three others besides.
    assert cover.tables == tuple(tuple(range(first, first + 4)) for first in range(0, 32, 4))
    assert 300_000 <= cover.bound <= 300_000 + 8 * 20
