"""How even schedules are, beside what counting alone allows, and how long they take to make."""

from __future__ import annotations

import time

from scoring.seating import balance_of, broadcast, seating

SIZES = ((8, 8), (12, 11), (16, 5), (16, 15), (20, 8), (24, 12), (32, 7), (40, 13))
"""Players and hanchan."""
REACHED = {(8, 8), (12, 11), (16, 5), (16, 15), (20, 8), (24, 12), (32, 7), (40, 13)}
"""Where counting's bound is known to be reached."""


def main() -> int:
    """Make each schedule and print its balance beside the bound; 1 if one that is known to be perfect is not."""
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
    tables = balance_of(broadcast(8, 2), 8)
    print(f"broadcast, 8 players, two sessions each: squares {tables.unevenness} (counting: at least {tables.bound})")
    return int(failed)
