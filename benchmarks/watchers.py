"""Cost of pages kept open: number of polls of a competition's version that one core can answer.

The service runs as `manage.py serve`, one process of several threads, on the demo season, on SQLite and then on
PostgreSQL. First a few connections poll without a pause: requests for each second of the server's processor time,
whatever else the machine is doing, times the seconds between two polls, are the watchers a core can serve. Then
`BENCH_WATCHERS` (default 1,000) poll as open pages do, each every three seconds with the ETag it knows, and their
waiting times are measured. Returns 1 if a response is wrong or a core serves fewer than a thousand.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from scripts.servers import DURABLE, LOCALHOST, UnavailableError, free_port, postgresql, started, wait_for_port

ADDRESS = "/c/demo/version/"
EVERY = 3.0
"""Seconds between two polls of an open page (`static/league/live.js`)."""
WATCHERS = 1_000
PROMISED = 1_000
ROUNDS = 3
BUSY, BUSY_SECONDS = 16, 5.0
RIGHT = (200, 304)
"""Statuses that are correct: odds may be published during the measurement, which changes the ETag."""


@dataclass
class Waits:
    """Waiting times, wrong statuses and connections opened."""

    waits: list[float] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)
    opened: int = 0


class Watcher:
    """One open page: a connection kept as long as the server keeps it, and the ETag it knows."""

    def __init__(self, port: int, tag: str, tally: Waits) -> None:
        self.port, self.tally = port, tally
        self.request = (
            f"GET {ADDRESS} HTTP/1.1\r\nHost: {LOCALHOST}:{port}\r\nIf-None-Match: {tag}\r\n"
            "Accept-Encoding: gzip\r\nAccept-Language: ja\r\n\r\n"
        ).encode()
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self) -> None:
        """Poll once, on a new connection if the old one was closed meanwhile."""
        began = time.perf_counter()
        try:
            status = await self._answer()
        except (ConnectionError, asyncio.IncompleteReadError):
            self.close()
            status = await self._answer()
        self.tally.waits.append(time.perf_counter() - began)
        if status not in RIGHT:
            self.tally.wrong.append(status)

    async def _answer(self) -> int:
        if self.streams is None or self.streams[0].at_eof():
            self.close()
            self.streams = await asyncio.open_connection(LOCALHOST, self.port)
            self.tally.opened += 1
        reader, writer = self.streams
        writer.write(self.request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head.splitlines())}
        await reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("connection") == "close":
            self.close()
        return int(head.split(" ", 2)[1])

    def close(self) -> None:
        """Close the connection."""
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


def main() -> int:
    """Measure on both databases; return 1 if a promise is not kept."""
    failed = measure("SQLite", {})
    try:
        with postgresql(DURABLE) as address:
            failed |= measure("PostgreSQL", {"DATABASE_URL": address})
    except UnavailableError as missing:
        print(f"PostgreSQL left out: {missing}")
    return int(failed)


def measure(name: str, settings: dict[str, str]) -> bool:
    """Print the cost of polling on one database; return True if it is too high."""
    with served(settings) as (port, server):
        tag = asyncio.run(tag_of(port))
        before, busy = processor_seconds(server), asyncio.run(without_pause(port, tag))
        used = processor_seconds(server) - before
        a_second = len(busy.waits) / used
        watchers = round(a_second * EVERY)
        print(f"{name}: {a_second:,.0f} polls for a second of the processor: {watchers:,} watchers a core", flush=True)
        number = int(os.environ.get("BENCH_WATCHERS", str(WATCHERS)))
        began, before = time.perf_counter(), processor_seconds(server)
        calm = asyncio.run(as_pages_do(port, tag, number))
        share = (processor_seconds(server) - before) / (time.perf_counter() - began)
    waits = sorted(calm.waits)
    middle, most = (1000 * waits[int(len(waits) * part)] for part in (0.5, 0.99))
    print(
        f"{name}: {number:,} watchers, {len(waits):,} polls on {calm.opened:,} connections: {middle:.0f} ms in the "
        f"middle, {most:.0f} ms for all but one in a hundred, {share:.0%} of a core"
    )
    wrong = busy.wrong + calm.wrong
    if wrong:
        print(f"{name}: {len(wrong)} answers were wrong, such as {wrong[0]}")
    return bool(wrong) or watchers < PROMISED


@contextmanager
def served(settings: dict[str, str]) -> Iterator[tuple[int, int]]:
    """Run the service with its demo season on a free port; yield the port and the process group."""
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-") as folder:
        port, log = free_port(), Path(folder) / "log"
        environment = os.environ | {"DATA_DIR": folder, "HOST": LOCALHOST, "PORT": str(port), "DEMO": "1"} | settings
        with started([sys.executable, "manage.py", "serve"], log, env=environment) as process:
            wait_for_port(port, process, log)
            yield port, process.pid


def processor_seconds(group: int) -> float:
    """Return the processor time used by the processes of a group so far."""
    ticks = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parts = status.read_text().rpartition(")")[2].split()
            ticks += (int(parts[11]) + int(parts[12])) if int(parts[2]) == group else 0
    return ticks / os.sysconf("SC_CLK_TCK")


async def tag_of(port: int) -> str:
    """Return the ETag of the version published now."""
    reader, writer = await asyncio.open_connection(LOCALHOST, port)
    writer.write(f"GET {ADDRESS} HTTP/1.1\r\nHost: {LOCALHOST}:{port}\r\nConnection: close\r\n\r\n".encode())
    head = (await reader.read()).decode()
    writer.close()
    return next(line.partition(":")[2].strip() for line in head.splitlines() if line.lower().startswith("etag:"))


async def without_pause(port: int, tag: str) -> Waits:
    """Poll on a few connections without a pause."""
    tally, end = Waits(), time.perf_counter() + BUSY_SECONDS

    async def go() -> None:
        watcher = Watcher(port, tag, tally)
        while time.perf_counter() < end:
            await watcher.ask()
        watcher.close()

    await asyncio.gather(*(go() for _ in range(BUSY)))
    return tally


async def as_pages_do(port: int, tag: str, number: int) -> Waits:
    """Poll as this number of open pages does, each a few times with the usual pauses."""
    tally = Waits()

    async def go(pauses: Sequence[float]) -> None:
        watcher = Watcher(port, tag, tally)
        for pause in pauses:
            await asyncio.sleep(pause)
            await watcher.ask()
        watcher.close()

    chance = random.Random(number)
    pauses = ([chance.random() * EVERY, *(EVERY * chance.uniform(0.85, 1.15) for _ in range(1, ROUNDS))]
              for _ in range(number))  # fmt: skip
    await asyncio.gather(*map(go, pauses))
    return tally


if __name__ == "__main__":
    sys.exit(main())
