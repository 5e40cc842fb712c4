"""Seasons simulated in a second: the fast kernel beside the scalar engine that ranks real seasons.

A Cinderella season is played to the middle of its preliminaries with results of the prior; then the rest of it is
simulated `BENCH_SEASONS` times (default 100,000) by the kernel, counting included, and some hundred times by the
scalar engine, both alternately and from the same draws. Figures are processor time on one core.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rulesets.formats import load_format
from rulesets.loader import load
from rulesets.prior import load_prior
from scoring.odds.arrays import Ints
from scoring.odds.counts import count
from scoring.odds.course import Course, lay_out
from scoring.odds.kernel import simulate
from scoring.odds.outcomes import outcomes_of
from scoring.odds.scalar import results_of_draw, simulate_one
from scoring.odds.season import Season
from scoring.tiebreak import Entrant, Played

AT_LEAST = 500.0
"""Lowest allowed ratio of the kernel's speed to that of the scalar engine."""
BATCH = 10_000
SCALAR = 200
TURNS = 3
SESSION = range(1, 5)
TABLES = ((0, 1, 2, 3), (4, 5, 6, 7))


def main() -> int:
    """Measure, print; return 1 if the kernel is slower than promised."""
    seasons = int(os.environ.get("BENCH_SEASONS", "100000"))
    course = lay_out(mid_season())
    raw = np.random.PCG64(1)
    count([simulate(course, draw(course, raw, BATCH))])
    kernel = scalar = 0.0
    for _ in range(TURNS):
        kernel += spent_by_kernel(course, raw, seasons)
        scalar += spent_by_scalar(course, draw(course, raw, SCALAR))
    each, one = kernel / (TURNS * seasons), scalar / (TURNS * SCALAR)
    print(f"kernel: {seasons:,} seasons in {each * seasons:.2f} s, {1 / each:,.0f} a second, draws and counts included")
    print(f"scalar engine: {1 / one:,.0f} a second; the kernel is {one / each:,.0f} times as fast")
    return int(one / each < AT_LEAST)


def spent_by_kernel(course: Course, raw: np.random.PCG64, seasons: int) -> float:
    """Return the processor seconds to simulate and count this number of seasons with the kernel."""
    start = time.process_time()
    count(simulate(course, draws) for draws in batches(course, raw, seasons))
    return time.process_time() - start


def spent_by_scalar(course: Course, draws: Ints) -> float:
    """Return the processor seconds to simulate these seasons one by one."""
    rows = draws.T.tolist()
    start = time.process_time()
    for row in rows:
        simulate_one(course, row)
    return time.process_time() - start


def batches(course: Course, raw: np.random.PCG64, seasons: int) -> Iterator[Ints]:
    """Yield the draws of this number of seasons, batch by batch."""
    for _ in range(seasons // BATCH):
        yield draw(course, raw, BATCH)


def draw(course: Course, raw: np.random.PCG64, seasons: int) -> Ints:
    """Return random draws as the service makes them, one row for each draw and one column for each season."""
    rows = [raw.random_raw(seasons) % np.uint64(bound) for bound in course.bounds]
    return np.stack(rows).astype(np.int64)


def mid_season() -> Season:
    """Return a season with four of eight hanchan played in both preliminary blocks and the rest open."""
    rules, league = load("cinderella"), load_format("cinderella")
    pool = outcomes_of(load_prior().results(rules), rules)
    before = Season(league, rules.players, rules.ranking_ledger.scale, {n: n for n in range(1, 17)}, pool)
    course, chance = lay_out(before), random.Random(1)
    blocks = {key: session_played(course, key, chance) for key in ("A", "B")}
    return replace(before, played=blocks)


def session_played(course: Course, key: str, chance: random.Random) -> dict[Entrant, tuple[Played, ...]]:
    """Return the first session of a block, by entrant."""
    names = [row.entrant for row in course.blocks[key].rows]
    found: dict[Entrant, tuple[Played, ...]] = dict.fromkeys(names, ())
    bound = len(course.season.pool) * len(course.arrangements)
    for table in TABLES:
        for number in SESSION:
            results = results_of_draw(course, chance.randrange(bound), [number] * len(table))
            for seat, result in zip(table, results, strict=True):
                found[names[seat]] = (*found[names[seat]], result)
    return found
