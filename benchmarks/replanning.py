"""A large event planned again in the middle: players leave and arrive, a table is lost; who moves, and the CPU time."""

from __future__ import annotations

import random
import time

from scoring.seating import seating
from scoring.seating.replan import Aim, Changes, replan

CASES = ((200, 8, 3, 10, 4), (160, 10, 4, 8, 3), (64, 12, 5, 5, 2), (40, 6, 2, 4, 2))
"""Players, rounds, rounds played, players who leave, players who arrive; a table is lost each time."""
REFUSED_ABOVE = 10
"""Seconds of CPU in which an organizer gets a new plan."""


def main() -> int:
    """Print both plans of each case; return 1 if one repeats meetings in the largest case, or takes too long."""
    failed = False
    for players, rounds, played, leave, arrive in CASES:
        schedule = seating(players, rounds)
        leaving = random.Random(players).sample(range(players), leave)
        changes = Changes(leaving=leaving, arriving=range(players, players + arrive), lost={players // 8})
        for aim in Aim:
            began = time.process_time()
            found = replan(schedule, players + arrive, played=played, changes=changes, aim=aim)
            took = time.process_time() - began
            failed |= took > REFUSED_ABOVE or (players == CASES[0][0] and found.after.excess > 0)
            print(
                f"{players} x {rounds}, {played} played, {leave} leave, {arrive} arrive, {aim.value}: "
                f"{found.staying_moves} seats at another table, {found.after.excess} repeats (at least {found.forced}, "
                f"before {found.before.excess}), at most {found.after.table_most} visits to a table "
                f"(before {found.before.table_most}), {took:.1f} s"
            )
    return int(failed)
