"""The home page with and without nginx in front: requests a second, and their cost for the service.

`manage.py serve` with the demo season on SQLite, alone and behind `deploy/nginx.conf` with its cache and TLS. Four
persistent connections send requests without a pause, the two set-ups alternating. Everything shares this machine's
processors, including the clients, which limits nginx first. Figures are medians over the turns; processor time is
that of the service alone, without nginx and the clients.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.asking import Connection, at_once
from benchmarks.watchers import processor_seconds, served
from scripts.nginx import nginx

PATH = "/c/demo/"
CLIENTS, TURNS, SECONDS = 4, 5, 2.0
OK, UNCHANGED = 200, 304
Connect = Callable[[], Connection]


def main() -> int:
    """Measure and print."""
    with (
        tempfile.TemporaryDirectory(prefix="jantaku-nginx-") as folder,
        served({"TRUSTED_PROXIES": "1"}) as (own, group),
        nginx(Path(folder), own) as proxy,
    ):
        ways = {"service": partial(Connection, own), "nginx": partial(Connection, proxy.port, proxy.tls)}
        etag = ways["service"]().get(PATH).headers["etag"]
        kinds = [(way, status) for status in (OK, UNCHANGED) for way in ways]
        turns = [[measure(group, ways[way], etag, status) for way, status in kinds] for _turn in range(TURNS)]
    print("| home page with the ladder | | requests/s | processor of the service, ms a request |")
    print("| --- | --- | ---: | ---: |")
    for (way, status), found in zip(kinds, zip(*turns, strict=True), strict=True):
        a_second, used = (median(column) for column in zip(*found, strict=True))
        print(f"| {way} | {status} | {a_second:,.0f} | {1000 * used:.3f} |")
    return 0


def measure(group: int, connect: Connect, etag: str, status: int) -> tuple[float, float]:
    """Return the requests a second, and the service's processor seconds for each of them."""
    known = {"If_None_Match": etag} if status == UNCHANGED else {}

    def ask(_place: int) -> list[float]:
        connection, took, end = connect(), [], time.perf_counter() + SECONDS
        while time.perf_counter() < end:
            answer = connection.get(PATH, **known)
            if answer.status != status:
                raise RuntimeError(f"{PATH}: {answer.status} {answer.body[:300]!r}")
            took.append(answer.took)
        connection.close()
        return took

    before, began = processor_seconds(group), time.perf_counter()
    number = len(at_once(CLIENTS, ask))
    return number / (time.perf_counter() - began), (processor_seconds(group) - before) / number


if __name__ == "__main__":
    sys.exit(main())
