"""Exchange of whole players in a plan: who takes which of its numbers, so that pairs with a price meet rarely.

The plan stays the same but for the names, so none of its figures changes. The price of all meetings is the objective
of a quadratic assignment problem; a tabu search looks at every exchange of two players at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.seating.balance import Schedule, meetings_of
from scoring.seating.draws import stream

Counts = NDArray[np.int64]
Sums = NDArray[np.int32]
"""Prices and changes of the price; with half the bytes a step takes half the time."""

STEPS = 2_000
"""Default number of exchanges of the search."""
PATIENCE = 400
"""Exchanges without a new best after which the search ends."""
REST = 8
"""Least number of exchanges for which a player who has just changed numbers keeps the new one; at most twice that."""
NEVER = 2**29


def relabelled(
    schedule: Schedule, prices: Counts, classes: Sequence[object], *, steps: int = STEPS, seed: int = 0
) -> Schedule:
    """Return the schedule with players exchanged so that the sum of price x meetings over all pairs is small.

    `prices` is symmetric, by player and player, with zeros on its diagonal. Only players of one class change places,
    such as those who are present in the same rounds. The sum never exceeds that of the given schedule.
    """
    players = len(prices)
    met = np.array(meetings_of(schedule, players), dtype=np.int64)
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(classes))}
    kind_of = np.array([kinds[kind] for kind in classes])
    barred = (kind_of[:, None] != kind_of[None, :]) | np.eye(players, dtype=bool)
    order = _search(prices.astype(np.int32), met.astype(np.int32), barred * np.int32(NEVER), steps, seed)
    names = {int(number): player for player, number in enumerate(order)}
    return tuple(tuple(tuple(names[one] for one in table) for table in each) for each in schedule)


def _search(prices: Sums, met: Sums, barred: Sums, steps: int, seed: int) -> Counts:
    """Return the best number of the plan for each player that the search finds."""
    players = len(prices)
    order, now = np.arange(players), met.copy()
    cost = int((prices * now).sum()) // 2
    best, best_cost, best_step = order.copy(), cost, 0
    free_at = np.zeros(players, dtype=np.int64)
    sums = prices @ now
    draws = stream(seed)
    for step in range(steps):
        if not best_cost or step - best_step > PATIENCE:
            break
        own = sums.diagonal()
        change = prices * now
        change *= 2
        change += sums
        change += sums.T
        change -= own[:, None]
        change -= own
        change += barred
        # A player who waits may move all the same where that gives a new best.
        for lines in (change, change.T):
            held = lines[free_at > step]
            held[cost + held >= best_cost] = NEVER
            lines[free_at > step] = held
        one, other = divmod(int(change.argmin()), players)
        if change[one, other] >= NEVER // 2:
            continue
        cost += int(change[one, other])
        before = now[:, [one, other]]
        order[[one, other]] = order[[other, one]]
        now[[one, other]] = now[[other, one]]
        now[:, [one, other]] = now[:, [other, one]]
        # Columns of the other players change by two rows of meetings only.
        sums += prices[:, [one, other]] @ (now[:, [one, other]] - before).T
        sums[:, [one, other]] = prices @ now[:, [one, other]]
        free_at[[one, other]] = step + 1 + REST + next(draws) % REST
        if cost < best_cost:
            best, best_cost, best_step = order.copy(), cost, step
    return best
