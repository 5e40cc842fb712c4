"""Pages and documents over HTTP: cold, cached, unchanged, beside an empty view; then while results come in.

Everything runs on this machine's processors: the service, its database, the clients that ask and those that hand
results in. The empty view stands behind the same middleware in the same processes. First one kind of request after the
other, a few dozen each, in turn and again and again, over one kept connection: how long they take (milliseconds, half
of them and all but one in a hundred), requests a second, and what they cost beside the empty view of the same turn, in
time and in processor time of all the service's processes; medians of the turns. Then four visitors read at their
leisure, and without a pause, while ten results a second come in: pages that others have read a moment before, as on an
evening under way. `BENCH_GAMES` is the size of the open table.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median

from benchmarks.asking import Answer, Connection, Writer, at_once, request_of, share
from benchmarks.prepare import LEAGUE
from benchmarks.served import Served, every_service, processor_of, processor_seconds
from benchmarks.stock import games_asked

TURNS, REQUESTS, COLD = 11, 40, 3
"""So many requests of each kind in a turn; cold ones are dear."""
VISITORS = 4
LEISURE = 25.0
"""Requests a second of each visitor who takes their time."""
SECONDS = 12.0
RESULTS_A_SECOND = 10.0
MOST_UNCHANGED, MOST_CACHED, MOST_WAIT = 2.0, 3.0, 50.0
MOST_COLD = {
    "standings page": 20.0,
    "home page with the ladder": 25.0,
    "standings over REST": 10.0,
    "bracket over REST": 20.0,
}
"""Processor time relative to the empty view."""
OK, UNCHANGED = 200, 304
BARE = "empty view"


@dataclass
class Kind:
    """A kind of request, and what was measured of it."""

    name: str
    what: str
    ask: Callable[[], Answer]
    status: int
    times: int
    before: Callable[[], object] | None = None
    took: list[list[float]] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def turn(self, served: Served) -> None:
        """Ask a few times in a row; whatever is done beforehand is not measured."""
        took, used = [], 0.0
        for _ in range(self.times if self.before else 1):
            if self.before:
                self.before()
            start = processor_seconds(served.groups)
            took += [self.answered() for _ in range(1 if self.before else self.times)]
            used += processor_seconds(served.groups) - start
        self.took.append(took)
        self.processor.append(used / self.times)

    def answered(self) -> float:
        """How long one took. RuntimeError if the answer is another one."""
        answer = self.ask()
        if answer.status != self.status:
            raise RuntimeError(f"{self.name}, {self.what}: {answer.status} {answer.body[:300]!r}")
        return answer.took


def main() -> int:
    """Measure on both databases; 1 if what is promised does not hold."""
    failed = False
    for served in every_service(games_asked()):
        failed |= measure(served)
    return int(failed)


def measure(served: Served) -> bool:
    """Print what requests cost on one database; whether any of it is more than promised."""
    kinds = list(kinds_of(served))
    for kind in kinds:
        kind.turn(served)
        kind.took.clear()
        kind.processor.clear()
    for turn in range(TURNS):
        for kind in kinds if turn % 2 else reversed(kinds):
            kind.turn(served)
    failed = tell(served.name, kinds)
    for name, slug, jobs in (("league of 16", LEAGUE, "league"), (open_name(), served.prepared["open_slug"], "open")):
        failed |= while_results_come_in(served, name, slug, served.prepared[jobs])
    return failed


def open_name() -> str:
    """What the open table is called in print."""
    return f"open table of {games_asked():,}"


def kinds_of(served: Served) -> Iterator[Kind]:
    """The empty view, and each page and document cold, cached and unchanged."""
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
    """What is read: the demo's season of sixteen players, and the open table."""
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
    """Print a table; whether anything is dearer than promised."""
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


def while_results_come_in(served: Served, name: str, slug: str, jobs: list[dict[str, object]]) -> bool:
    """Print how long visitors wait meanwhile; whether too long."""
    paths = [f"/c/{slug}/", f"/c/{slug}/version/", f"/api/v1/competitions/{slug}/bracket/"]
    paths += (
        [f"/c/{slug}/ranking/"]
        if slug != LEAGUE
        else [f"/c/{slug}/blocks/open/", f"/api/v1/standings/?competition={slug}"]
    )
    failed = False
    for path in paths * VISITORS:
        Connection(served.port).get(path)
    for pause, how in ((1 / LEISURE, f"{VISITORS * LEISURE:.0f} requests a second"), (0.0, "without a pause")):
        with Writer(served.port, served.prepared["token"], jobs, RESULTS_A_SECOND) as writer:
            used = {part: -processor_of(group) for part, group in served.groups.items()}
            began = time.perf_counter()
            times = at_once(VISITORS, lambda place, pause=pause: visit(served.port, paths, place, pause))  # type: ignore[misc]
            seconds = time.perf_counter() - began
            used = {part: used[part] + processor_of(group) for part, group in served.groups.items()}
        print(
            f"- {served.name}, {name}, {how}: {len(times) / seconds:,.0f} a second, p50 {median(times):.1f} ms, p99 "
            f"{share(times, 0.99):.1f} ms, while {len(writer.took) / writer.seconds:.1f} results a second came in, "
            f"each answered after {median(writer.took):.0f} ms (p99 {share(writer.took, 0.99):.0f} ms); of a core: "
            + ", ".join(f"{part} {spent / seconds:.0%}" for part, spent in used.items()),
            flush=True,
        )
        if writer.wrong:
            print(
                f"- {len(writer.wrong)} were refused, such as {writer.wrong[0].status} {writer.wrong[0].body[:300]!r}"
            )
        failed |= bool(writer.wrong) or (pause > 0 and share(times, 0.99) > MOST_WAIT)
    return failed


def visit(port: int, paths: list[str], place: int, pause: float) -> list[float]:
    """How long each page took, for somebody who reads on and has every other page already."""
    connection, chance, tags, took = Connection(port), random.Random(place), dict.fromkeys(paths, ""), []
    end = time.perf_counter() + SECONDS
    due = time.perf_counter() + chance.random() * pause
    while time.perf_counter() < end:
        time.sleep(max(0.0, due - time.perf_counter()))
        path = chance.choice(paths)
        answer = connection.get(path, If_None_Match=tags[path]) if tags[path] else connection.get(path)
        tags[path] = answer.headers.get("etag", "") if chance.random() < 0.5 else ""  # noqa: PLR2004 - every other
        if answer.status not in (OK, UNCHANGED):
            raise RuntimeError(f"{path}: {answer.status} {answer.body[:300]!r}")
        took.append(answer.took)
        due = max(due + pause, time.perf_counter() - 1)
    connection.close()
    return took


if __name__ == "__main__":
    sys.exit(main())
