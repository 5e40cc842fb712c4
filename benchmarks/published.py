"""Time from the response to a submitted result until the page that shows it can be read.

A scorer's program submits a result of a league of sixteen, or of the open table, and polls the version as an open
page does, every few milliseconds instead of seconds, until it changes: first with a pause before the next result,
then with the next at once. Embedded, a single result is published before the response is sent; with Celery a worker
publishes it. Results that come within `PUBLISHED_APART_SECONDS` after a publication are published together.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterable
from itertools import islice
from statistics import median
from typing import Any

from benchmarks.asking import CREATED, Connection, share, submission
from benchmarks.prepare import LEAGUE
from benchmarks.served import Served, every_service
from benchmarks.stock import games_asked

RESULTS = 30
"""Results of each kind."""
WARM_UP = 5
"""Results at the beginning that are not counted, while the worker is still starting."""
REST = "after a rest"
RESTS = {REST: 1.5, "right after the one before": 0.0}
"""Seconds before the next result."""
POLLED = 0.002
PATIENCE = 60.0
"""Seconds; a worker that has just been started may not be ready for the first result."""
PROMISED_MEDIAN, PROMISED_MOST = 300.0, 1000.0
"""Milliseconds: the median for single results, and the 99th percentile for results in quick succession."""


def main() -> int:
    """Measure on both databases; return 1 if a result is published too late."""
    failed = False
    for served in every_service(games_asked()):
        places = {
            "league of 16": ("league", LEAGUE),
            f"open table of {games_asked():,}": ("open", served.prepared["open_slug"]),
        }
        for name, (jobs, slug) in places.items():
            work = iter(served.prepared[jobs])
            for how, rest in RESTS.items():
                answered, seen = measure(served, islice(work, RESULTS), slug, rest)
                print(
                    f"{served.name}, {name}, {how}: answered after {median(answered):.0f} ms "
                    f"(p99 {share(answered, 0.99):.0f}), on its page {median(seen):.0f} ms later "
                    f"(p99 {share(seen, 0.99):.0f})",
                    flush=True,
                )
                failed |= median(seen) > PROMISED_MEDIAN if how == REST else share(seen, 0.99) > PROMISED_MOST
    return int(failed)


def measure(served: Served, jobs: Iterable[Any], slug: str, rest: float) -> tuple[list[float], list[float]]:
    """Return the milliseconds until each response, and from there until the page shows the result.

    The first `WARM_UP` results are left out.
    """
    connection, chance = Connection(served.port), random.Random(slug)
    answered, seen = [], []
    for job in jobs:
        time.sleep(rest)
        tag = connection.get(f"/c/{slug}/version/").headers["etag"]
        request = submission(served.port, served.prepared["token"], job, chance)
        answer = connection.ask(request)
        if answer.status != CREATED:
            raise RuntimeError(f"{answer.status} {answer.body[:300]!r}")
        answered.append(answer.took)
        told = time.perf_counter()
        while connection.get(f"/c/{slug}/version/").headers["etag"] == tag:
            time.sleep(POLLED)
            if time.perf_counter() - told > PATIENCE:
                raise RuntimeError(f"{slug} was not published within {PATIENCE:.0f} s")
        seen.append(1000 * (time.perf_counter() - told))
    return answered[WARM_UP:], seen[WARM_UP:]


if __name__ == "__main__":
    sys.exit(main())
