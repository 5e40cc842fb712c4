"""Seating schedules: pairings, starting winds, and a balance report that shows how even they are.

A schedule is a tuple of rounds, a round a tuple of tables, a table the players in the order of their seats,
the first dealer first; players are numbered from 0. Where a perfect design is known it is built; elsewhere a
search improves the best known start, and the report states the lower bound that counting gives and the
distance of the schedule from it. The starting wind of each player never needs a search: it is an edge
colouring, which always exists.
"""

from __future__ import annotations

from scoring.seating.balance import Balance, Spread, balance_of
from scoring.seating.draws import draw_order, in_order_of_lots, lot, rotate_seats
from scoring.seating.plan import Constraints, SeatingError, seating, staying
from scoring.seating.rests import with_rests
from scoring.seating.winds import with_winds

__all__ = [
    "Balance",
    "Constraints",
    "SeatingError",
    "Spread",
    "balance_of",
    "draw_order",
    "in_order_of_lots",
    "lot",
    "rotate_seats",
    "seating",
    "staying",
    "with_rests",
    "with_winds",
]
