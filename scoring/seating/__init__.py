"""Seating schedules: pairings, table numbers, starting winds, and figures that show how even they are.

A schedule is a tuple of rounds, a round a tuple of tables, a table the players in the order of their seats, the first
dealer first; players are numbered from 0. Shipped plans are used where they fit, elsewhere a search improves the best
start that is known. Figures stand beside bounds that follow from counting, so the distance from the best possible is
known. The starting wind of each player never needs a search: it is an edge colouring, which always exists.
"""

from __future__ import annotations

from scoring.seating.draws import draw_order, in_order_of_lots, lot, rotate_seats
from scoring.seating.figures import Bounds, Figures, bounds_for, bounds_of, figures_of
from scoring.seating.plan import Constraints, SeatingError, seating, staying
from scoring.seating.rests import with_rests
from scoring.seating.winds import play_in_turns, with_winds

__all__ = [
    "Bounds",
    "Constraints",
    "Figures",
    "SeatingError",
    "bounds_for",
    "bounds_of",
    "draw_order",
    "figures_of",
    "in_order_of_lots",
    "lot",
    "play_in_turns",
    "rotate_seats",
    "seating",
    "staying",
    "with_rests",
    "with_winds",
]
