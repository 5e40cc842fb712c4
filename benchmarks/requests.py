"""Pages and documents over HTTP: cold, cached, unchanged, beside an empty view; then while results come in.

Everything runs on this machine's processors: the service, its database, the reading clients and those that submit
results. The empty view runs behind the same middleware in the same processes. First each kind of request is sent a
few dozen times, the kinds alternating over many turns, on one persistent connection: milliseconds (median and 99th
percentile), requests a second, and the cost beside the empty view of the same turn, in time and in processor time of
all the service's processes; figures are medians of the turns. Then four visitors read with pauses, and without a
pause, while ten results a second come in: pages that others have read a moment before, as on an evening under way.
Last they read through nginx with `deploy/nginx.conf`, whose cache gives them pages of the second before.
`BENCH_GAMES` is the size of the open table.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.asking import Answer, Connection, Writer, at_once, request_of, share
from benchmarks.prepare import LEAGUE
from benchmarks.served import Served, every_service, processor_of, processor_seconds
from benchmarks.stock import games_asked
from scripts.nginx import nginx

TURNS, REQUESTS, COLD = 11, 40, 3
"""Turns, and requests of each kind in a turn; fewer of the cold ones, which are expensive."""
VISITORS = 4
LEISURE = 25.0
"""Requests a second of each visitor who pauses."""
SECONDS = 12.0
RESULTS_A_SECOND = 10.0
MOST_UNCHANGED, MOST_CACHED, MOST_WAIT = 2.0, 3.0, 50.0
MOST_COLD = {
    "standings page": 20.0,
    "home page with the ladder": 25.0,
    "standings over REST": 10.0,
    "bracket over REST": 20.0,
}
"""Highest allowed processor time of cold requests, relative to the empty view."""
OK, UNCHANGED = 200, 304
BARE = "empty view"


@dataclass
class Kind:
    """A kind of request with its measurements."""

    name: str
    what: str
    ask: Callable[[], Answer]
    status: int
    times: int
    before: Callable[[], object] | None = None
    took: list[list[float]] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def turn(self, served: Served) -> None:
        """Send the request a few times in a row; the preparation (`before`) is not measured."""
        took, used = [], 0.0
        # The counter of processor time is read around each request only if something must run in between.
        for _ in range(self.times if self.before else 1):
            if self.before:
                self.before()
            start = processor_seconds(served.groups)
            took += [self.answered() for _ in range(1 if self.before else self.times)]
            used += processor_seconds(served.groups) - start
        self.took.append(took)
        self.processor.append(used / self.times)

    def answered(self) -> float:
        """Return the milliseconds of one request. RuntimeError if the status is not the expected one."""
        answer = self.ask()
        if answer.status != self.status:
            raise RuntimeError(f"{self.name}, {self.what}: {answer.status} {answer.body[:300]!r}")
        return answer.took


@dataclass(frozen=True, slots=True)
class Way:
    """A way to read while results come in: its name, the pause between two requests in seconds, the connection."""

    name: str
    pause: float
    connect: Callable[[], Connection]


def main() -> int:
    """Measure on both databases; return 1 if a promise is not kept."""
    failed = False
    for served in every_service(games_asked()):
        failed |= measure(served)
    return int(failed)


def measure(served: Served) -> bool:
    """Print the cost of requests on one database; return True if any is higher than promised."""
    kinds = list(kinds_of(served))
    for kind in kinds:
        kind.turn(served)
        kind.took.clear()
        kind.processor.clear()
    for turn in range(TURNS):
        for kind in kinds if turn % 2 else reversed(kinds):
            kind.turn(served)
    failed = tell(served.name, kinds)
    rest, directly = 1 / LEISURE, partial(Connection, served.port)
    leisurely = f"{VISITORS * LEISURE:.0f} requests a second"
    with tempfile.TemporaryDirectory(prefix="jantaku-nginx-") as folder, nginx(Path(folder), served.port) as proxy:
        ways = [
            Way(leisurely, rest, directly),
            Way("without a pause", 0.0, directly),
            Way(f"{leisurely} through nginx", rest, partial(Connection, proxy.port, proxy.tls)),
        ]
        places = (("league of 16", LEAGUE, "league"), (open_name(), served.prepared["open_slug"], "open"))
        for name, slug, jobs in places:
            failed |= while_results_come_in(served, name, slug, served.prepared[jobs], ways)
    return failed


def open_name() -> str:
    """Return the name of the open table in the output."""
    return f"open table of {games_asked():,}"


def kinds_of(served: Served) -> Iterator[Kind]:
    """Yield the empty view, and each page and document cold, cached and unchanged."""
    connection = Connection(served.port)

    def forget() -> None:
        connection.get("/forget/")

    yield Kind(BARE, "", lambda: connection.get("/bare/"), OK, REQUESTS)
    for name, path in addresses(served).items():
        first = connection.get(path)
        if first.status != OK:
            raise RuntimeError(f"{path}: {first.status} {first.body[:300]!r}")
        known = request_of(served.port, "GET", path, {"If_None_Match": first.headers["etag"]})
        plain = request_of(served.port, "GET", path, {})
        yield Kind(name, "304", lambda raw=known: connection.ask(raw), UNCHANGED, REQUESTS)  # type: ignore[misc]
        yield Kind(name, "cached 200", lambda raw=plain: connection.ask(raw), OK, REQUESTS)  # type: ignore[misc]
        yield Kind(name, "cold 200", lambda raw=plain: connection.ask(raw), OK, COLD, forget)  # type: ignore[misc]


def addresses(served: Served) -> dict[str, str]:
    """Return the pages to read: of the demo's season of sixteen players, and of the open table."""
    table = served.prepared["open_slug"]
    return {
        "standings page": "/c/demo/blocks/A/",
        "home page with the ladder": "/c/demo/",
        "standings over REST": "/api/v1/standings/?competition=demo",
        "bracket over REST": "/api/v1/competitions/demo/bracket/",
        f"{open_name()}: running table": f"/c/{table}/ranking/",
        f"{open_name()}: home page": f"/c/{table}/",
    }


def tell(database: str, kinds: list[Kind]) -> bool:
    """Print the table of one database; return True if a promise is not kept."""
    bare = kinds[0]
    own = [median(turn) for turn in bare.took]
    print(f"\n| {database} | | requests/s | p50 ms | p99 ms | x empty, time | x empty, processor |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    failed = []
    for kind in kinds:
        every = [took for turn in kind.took for took in turn]
        middle, most = median(every), share(every, 0.99)
        ratio = median(median(turn) / least for turn, least in zip(kind.took, own, strict=True))
        costs = median(one / other for one, other in zip(kind.processor, bare.processor, strict=True))
        print(
            f"| {kind.name} | {kind.what} | {1000 / middle:,.0f} | {middle:.2f} | {most:.1f} | {ratio:.2f} "
            f"| {costs:.2f} |"
        )
        promised = {"304": MOST_UNCHANGED, "cached 200": MOST_CACHED}.get(kind.what) or MOST_COLD.get(kind.name)
        if promised and costs > promised:
            failed.append(f"{kind.name}, {kind.what}: {costs:.2f}")
    print(
        f"\n{database}, promised in processor time: a 304 at most {MOST_UNCHANGED} times the empty view, a cached 200 "
        f"{MOST_CACHED}, cold as {MOST_COLD}.",
        end=" ",
    )
    print("Kept." if not failed else f"Not kept: {'; '.join(failed)}.", flush=True)
    return bool(failed)


def while_results_come_in(served: Served, name: str, slug: str, jobs: list[dict[str, object]], ways: list[Way]) -> bool:
    """Print the waiting times of visitors while results come in; return True if they are too long."""
    paths = [f"/c/{slug}/", f"/c/{slug}/version/", f"/api/v1/competitions/{slug}/bracket/"]
    paths += (
        [f"/c/{slug}/ranking/"]
        if slug != LEAGUE
        else [f"/c/{slug}/blocks/open/", f"/api/v1/standings/?competition={slug}"]
    )
    failed = False
    for path in paths * VISITORS:
        Connection(served.port).get(path)
    for way in ways:
        with Writer(served.port, served.prepared["token"], jobs, RESULTS_A_SECOND) as writer:
            used = {part: -processor_of(group) for part, group in served.groups.items()}
            began = time.perf_counter()
            times = at_once(VISITORS, lambda place, way=way: visit(way, paths, place))  # type: ignore[misc]
            seconds = time.perf_counter() - began
            used = {part: used[part] + processor_of(group) for part, group in served.groups.items()}
        print(
            f"- {served.name}, {name}, {way.name}: {len(times) / seconds:,.0f} a second, p50 {median(times):.1f} ms, "
            f"p99 {share(times, 0.99):.1f} ms, while {len(writer.took) / writer.seconds:.1f} results a second came in, "
            f"each answered after {median(writer.took):.0f} ms (p99 {share(writer.took, 0.99):.0f} ms); of a core: "
            + ", ".join(f"{part} {spent / seconds:.0%}" for part, spent in used.items()),
            flush=True,
        )
        if writer.wrong:
            print(
                f"- {len(writer.wrong)} were refused, such as {writer.wrong[0].status} {writer.wrong[0].body[:300]!r}"
            )
        failed |= bool(writer.wrong) or (way.pause > 0 and share(times, 0.99) > MOST_WAIT)
    return failed


def visit(way: Way, paths: list[str], place: int) -> list[float]:
    """Return the milliseconds of each page for one visitor, sending a known ETag about every second time."""
    connection, chance, tags, took = way.connect(), random.Random(place), dict.fromkeys(paths, ""), []
    end = time.perf_counter() + SECONDS
    due = time.perf_counter() + chance.random() * way.pause
    while time.perf_counter() < end:
        time.sleep(max(0.0, due - time.perf_counter()))
        path = chance.choice(paths)
        answer = connection.get(path, If_None_Match=tags[path]) if tags[path] else connection.get(path)
        tags[path] = answer.headers.get("etag", "") if chance.random() < 0.5 else ""  # noqa: PLR2004 - every other
        if answer.status not in (OK, UNCHANGED):
            raise RuntimeError(f"{path}: {answer.status} {answer.body[:300]!r}")
        took.append(answer.took)
        due = max(due + way.pause, time.perf_counter() - 1)
    connection.close()
    return took


if __name__ == "__main__":
    sys.exit(main())
