"""From a result's submission over REST to the page that shows it: how long until the public version has moved.

A scorer's program hands in a result of a league of sixteen, or of the open table, and asks for the version as an open
page does, every few milliseconds instead of seconds, until it is another one: first with a rest before the next result,
then with the next on the heels of the one before. Embedded, a single result is published before the answer goes out;
with Celery a worker does it. What comes within a second after a publication is published when that second is over.
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
"""Of each kind."""
WARM_UP = 5
"""So many at the beginning are not counted: the worker is still starting."""
RESTS = {"after a rest": 1.5, "on the heels of the one before": 0.0}
"""Seconds before the next result."""
POLLED = 0.002
PATIENCE = 60.0
"""Seconds; a worker that was started a moment ago may not be ready for the first."""
PROMISED = 2000.0
"""Milliseconds; a page asks every three seconds, so that a result is on it within five."""


def main() -> int:
    """Measure on both databases; 1 if a result is published too late."""
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
                    f"(p99 {share(answered, 0.99):.0f}), published after {median(seen):.0f} ms "
                    f"(p99 {share(seen, 0.99):.0f})",
                    flush=True,
                )
                failed |= share(seen, 0.99) > PROMISED
    return int(failed)


def measure(served: Served, jobs: Iterable[Any], slug: str, rest: float) -> tuple[list[float], list[float]]:
    """For each result but the first few when it was answered and when it was published, both since it was sent."""
    connection, chance = Connection(served.port), random.Random(slug)
    answered, seen = [], []
    for job in jobs:
        time.sleep(rest)
        tag = connection.get(f"/c/{slug}/version/").headers["etag"]
        request = submission(served.port, served.prepared["token"], job, chance)
        began = time.perf_counter()
        answer = connection.ask(request)
        if answer.status != CREATED:
            raise RuntimeError(f"{answer.status} {answer.body[:300]!r}")
        answered.append(answer.took)
        while connection.get(f"/c/{slug}/version/").headers["etag"] == tag:
            time.sleep(POLLED)
            if time.perf_counter() - began > PATIENCE:
                raise RuntimeError(f"{slug} was not published within {PATIENCE:.0f} s")
        seen.append(1000 * (time.perf_counter() - began))
    return answered[WARM_UP:], seen[WARM_UP:]


if __name__ == "__main__":
    sys.exit(main())
