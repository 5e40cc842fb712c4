"""Balance of generated seating schedules, beside the bound that counting gives, and the time to generate them."""

from __future__ import annotations

import time
from itertools import accumulate

from scoring.seating import balance_of, seating, staying

SIZES = ((8, 8), (12, 11), (16, 5), (16, 15), (20, 8), (24, 12), (32, 7), (40, 13))
"""Numbers of players and hanchan."""
REACHED = {(8, 8), (12, 11), (16, 5), (16, 15), (20, 8), (24, 12), (32, 7), (40, 13)}
"""The sizes for which the bound of counting is known to be reached."""

STAYING = ((8, (4, 4)), (8, (4, 4, 4)), (16, (4, 4)))
"""Schedules in which four stay at a table for a turn: number of players, and the hanchan of each turn."""


def main() -> int:
    """Generate each schedule and print its balance beside the bound; return 1 if a known perfect one is not perfect."""
    failed = False
    for players, rounds in SIZES:
        began = time.perf_counter()
        balance = balance_of(seating(players, rounds), players)
        failed |= (players, rounds) in REACHED and bool(balance.excess)
        print(
            f"{players} x {rounds}: a pair meets {balance.pairs.least} to {balance.pairs.most} times (counting allows "
            f"{balance.pairs.bound_least} to {balance.pairs.bound_most}), squares {balance.unevenness} (at least "
            f"{balance.bound}), {balance.starts.least} to {balance.starts.most} starts from a wind, "
            f"{time.perf_counter() - began:.1f} s"
        )
    for players, turns in STAYING:
        schedule = staying(players, turns)
        together = balance_of(tuple(schedule[first] for first in accumulate((0, *turns[:-1]))), players)
        starts = balance_of(schedule, players).starts
        failed |= bool(together.excess)
        print(
            f"four stay, {players} players, turns of {turns}: a pair shares {together.pairs.least} "
            f"to {together.pairs.most} turns (counting allows {together.pairs.bound_least} to "
            f"{together.pairs.bound_most}), squares {together.unevenness} (at least {together.bound}), "
            f"{starts.least} to {starts.most} starts from a wind"
        )
    return int(failed)
