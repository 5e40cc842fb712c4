"""Figures of seating plans beside the bounds and the best published plans, and the CPU time to get a plan."""

from __future__ import annotations

import time
from itertools import accumulate

from scoring.seating import bounds_for, seating, staying
from scoring.seating.catalogue import lines_for
from scoring.seating.figures import Figures, bounds_of, figures_of

Counts = tuple[int, int, int, int, int, int | None, int]
NAMES = ("squares", "table_most", "table_over", "wind_off", "unlinked", "least_links", "pairs_at_least")
"""The figures compared, in their order."""
PUBLISHED: dict[tuple[int, int], Counts | None] = {
    (16, 5): (120, 3, 4, 0, 0, None, 0),
    (16, 8): (336, 3, 13, 0, 0, None, 0),
    (20, 5): (150, 1, 0, 0, 0, 15, 40),
    (20, 6): (224, 2, 0, 0, 0, 15, 32),
    (20, 8): (374, 2, 0, 0, 0, 15, 1),
    (24, 7): (252, 2, 0, 0, 0, 21, 24),
    (24, 8): (354, 2, 0, 0, 0, 21, 21),
    (28, 8): (336, 2, 0, 0, 0, 24, 42),
    (28, 9): (378, 2, 0, 0, 0, None, 0),
    (32, 8): (384, 2, 30, 0, 0, 20, 80),
    (32, 9): (432, 2, 0, 0, 0, 24, 16),
    (32, 10): (480, 2, 0, 0, 0, 30, 16),
    (36, 6): (324, 2, 6, 0, 0, 6, 3),
    (36, 10): (540, 2, 0, 0, 0, 27, 36),
    (36, 11): (594, 2, 0, 0, 0, 33, 36),
    (40, 8): (480, 2, 27, 0, 0, 13, 12),
    (40, 13): (780, 2, 0, 0, 0, None, 0),
    (44, 14): (924, 2, 0, 0, 0, 42, 22),
    (48, 8): (576, 2, 15, 0, 0, 9, 15),
    (48, 10): (720, 2, 43, 0, 0, 17, 24),
    (48, 12): (864, 2, 98, 0, 0, 27, 18),
    (48, 15): (1080, 2, 0, 0, 0, 45, 48),
    (56, 8): (672, 2, 7, 0, 0, 4, 2),
    (60, 8): (720, 1, 0, 0, 0, 4, 1),
    (64, 8): (768, 1, 0, 0, 0, 6, 96),
    (80, 8): (960, 1, 0, 0, 3, 0, 3),
    (100, 8): (1200, 1, 0, 0, 6, 0, 6),
    (128, 10): (1920, 1, 0, 0, 768, 0, 768),
    (172, 8): (2064, 1, 0, 0, 329, 0, 329),
    (200, 8): None,
    (224, 9): None,
}
"""By players and rounds: the figures of the best published plan (ApplySci, aim, DOI 10.5281/zenodo.13971404), counted
from that plan; None if nothing is published."""
REFUSED_ABOVE = 10
"""Seconds of CPU in which an organizer gets a plan of any size."""
STAYING = ((8, (4, 4)), (8, (4, 4, 4)), (16, (4, 4)))
"""Schedules in which four stay at a table for a turn: number of players, and the hanchan of each turn."""


def main() -> int:
    """Print each plan's figures; return 1 if a plan is worse than the published one or takes too long."""
    failed = False
    print(f"{'size':>8}  {', '.join(NAMES)}: plan / bound / published; CPU seconds; against published")
    for (players, rounds), published in PUBLISHED.items():
        began = time.process_time()
        figures = figures_of(seating(players, rounds), players)
        took = time.process_time() - began
        bounds = bounds_of(players, rounds)
        cells = [
            f"{_word(getattr(figures, name))}/{_word(getattr(bounds, name, 0))}/{_word(theirs)}"
            for name, theirs in zip(NAMES, published or ["-"] * len(NAMES), strict=True)
        ]
        verdict = against(figures, published)
        failed |= verdict == "worse" or took > REFUSED_ABOVE
        print(f"{players:>4}x{rounds:<3}  {', '.join(cells)}; {took:.1f} s; {verdict}")
    began = time.process_time()
    plans = [line.schedule() for players in range(8, 241, 4) for line in lines_for(players).values()]
    print(f"All {len(plans)} shipped plans have the figures they state ({time.process_time() - began:.0f} s of CPU).")
    for players, turns in STAYING:
        schedule = staying(players, turns)
        companies = tuple(schedule[first] for first in accumulate((0, *turns[:-1])))
        together, bounds = figures_of(companies, players), bounds_for(companies, players)
        failed |= together.squares > bounds.squares
        print(
            f"four stay, {players} players, turns of {turns}: a pair shares at most {together.most_meetings} turns "
            f"(at least {bounds.most_meetings}), squares {together.squares} (at least {bounds.squares}), starts from "
            f"two winds differ by {figures_of(schedule, players).wind_gap}"
        )
    return int(failed)


def against(figures: Figures, published: Counts | None) -> str:
    """Compare a plan with the published one by the first figure that differs; more links are better."""
    if published is None:
        return "nothing published"
    ours, theirs = (_order(counts, figures.players) for counts in (_counts(figures), published))
    return "equal" if ours == theirs else "better" if ours < theirs else "worse"


def _counts(figures: Figures) -> Counts:
    return tuple(getattr(figures, name) for name in NAMES)


def _order(counts: Counts, players: int) -> tuple[int, ...]:
    *first, least, pairs = counts
    return *first, -players if least is None else -least, pairs


def _word(count: object) -> str:
    return "all meet" if count is None else str(count)
