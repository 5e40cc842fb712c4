"""Memory of each process after every kind of page was read and results came in.

`RSS` counts memory that a process shares with others in full, `PSS` only its share of it: the sum of `PSS` is the
memory that the machine needs.
"""

from __future__ import annotations

import sys
import time

from benchmarks.asking import Connection, Writer
from benchmarks.prepare import LEAGUE
from benchmarks.served import Served, every_service, memory_of, processes
from benchmarks.stock import games_asked

ROUNDS = 40
RESULTS_A_SECOND = 10.0
SECONDS = 10.0
MOST = 400.0
"""MB that one process of the service may use."""


def main() -> int:
    """Warm up, measure, print; return 1 if a process uses more than promised."""
    largest = 0.0
    for served in every_service(games_asked()):
        with Writer(served.port, served.prepared["token"], served.prepared["league"], RESULTS_A_SECOND):
            warm(served)
        for name, group in served.groups.items():
            found = [memory_of(pid) for pid in processes(group)]
            whole = sum(pss for _rss, pss in found)
            each = ", ".join(f"{rss:.0f} ({pss:.0f})" for rss, pss in found)
            print(
                f"{served.name}, {name}: {whole:.0f} MB in {len(found)} processes, RSS (PSS) in MB: {each}", flush=True
            )
            if name in ("web", "worker", "beat"):
                largest = max(largest, *(rss for rss, _pss in found))
    return int(largest > MOST)


def warm(served: Served) -> None:
    """Read every kind of page, often enough that each process has served it."""
    connections = [Connection(served.port) for _ in range(8)]
    table = served.prepared["open_slug"]
    paths = [
        "/", "/c/demo/", "/c/demo/blocks/A/", "/c/demo/odds/", "/c/demo/conditions/", "/c/demo/records/", "/rules/",
        f"/c/{LEAGUE}/", f"/c/{LEAGUE}/blocks/open/", f"/c/{table}/", f"/c/{table}/ranking/",
        "/api/v1/competitions/demo/bracket/", "/api/v1/standings/?competition=demo", "/rules/cinderella/",
    ]  # fmt: skip
    end = time.perf_counter() + SECONDS
    for _ in range(ROUNDS):
        for place, path in enumerate(paths):
            connections[place % len(connections)].get(path)
        if time.perf_counter() > end:
            break


if __name__ == "__main__":
    sys.exit(main())
