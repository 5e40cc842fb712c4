"""Cost of a broadcast's overlays, polling and streamed, and the time until a change reaches them.

The service runs as `manage.py serve` with the stream beside it (`deploy/stream.conf.py`), on SQLite and then on
PostgreSQL, with a league's table in play. First the cost of a poll of the unchanged table is measured beside
that of a page's poll of the version, in turns. Then `BENCH_OVERLAYS` (default 1,000) are connected to the stream: its
processor time while nothing changes, and for each change, of all processes together. Then a tenth of them poll as
overlays do without a stream. Times run from sending an entry of the scorer until an overlay has the new document, on
this machine's processors together with the clients. Returns 1 if one in a hundred gets a change after more than a
second from the stream.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from uuid import uuid4

from benchmarks.asking import CREATED, Connection, request_of, share
from benchmarks.served import PYTHON, processor_seconds, servers
from benchmarks.stock import ROOT
from scripts.servers import DURABLE, LOCALHOST, UnavailableError, free_port, postgresql, started, wait_for_port

EVERY = 0.8
"""Seconds between two polls of an overlay without a stream (`static/league/sheet/overlay.js`)."""
OVERLAYS, PART = 1_000, 10
TURNS, POLLS = 10, 40
CONNECTING_SECONDS, IDLE_SECONDS, CHANGES, APART = 8.0, 10.0, 10, 2.0
PROMISED = 1.0
OK, UNCHANGED = 200, 304
BEGIN = "--begin"


@dataclass(frozen=True, slots=True)
class Table:
    """A running service with a table in play."""

    web: int
    stream: int
    groups: dict[str, int]
    table: str
    hanchan: str
    token: str

    @property
    def path(self) -> str:
        """Return the address that overlays read."""
        return f"/api/v1/table-sessions/{self.table}/live/"

    def write(self, kind: str, payload: dict[str, Any] | None = None) -> float:
        """Append an event to the log; return the moment it was sent."""
        connection, path = Connection(self.web), f"/api/v1/hanchan/{self.hanchan}/log/"
        headers = {"Authorization": f"Token {self.token}"}
        newest = connection.get(path, **headers)
        event = {"client_id": uuid4().hex, "kind": kind, "payload": payload or {}}
        body = json.dumps({"after": json.loads(newest.body)["sequence"], "events": [event]}).encode()
        sent = time.perf_counter()
        answer = connection.ask(request_of(self.web, "POST", path, headers, body))
        connection.close()
        if answer.status not in (OK, CREATED):
            raise RuntimeError(f"{path}: {answer.status} {answer.body[:300]!r}")
        return sent

    def change(self, number: int) -> float:
        """Declare a riichi or take it back; return the moment it was sent."""
        riichi = {"entry": {"type": "riichi", "seat": 1}}
        return self.write("undo") if number % 2 else self.write("entry", riichi)


def main() -> int:
    """Measure on both databases; return 1 if a change comes too late."""
    failed = measure("SQLite", {})
    try:
        with postgresql(DURABLE) as address:
            failed |= measure("PostgreSQL", {"DATABASE_URL": address})
    except UnavailableError as missing:
        print(f"PostgreSQL left out: {missing}")
    return int(failed)


def measure(name: str, settings: dict[str, str]) -> bool:
    """Print the figures of one database; return True if a change comes too late by the stream."""
    number = int(os.environ.get("BENCH_OVERLAYS", str(OVERLAYS)))
    with served(settings) as table:
        live, version = polls(table)
        print(f"{name}: a poll of an unchanged table takes {live:.2f} ms of processor time, {live / version:.2f} times "
              f"a poll of the version ({version:.2f} ms)")  # fmt: skip
        idle, changed, waits = asyncio.run(streamed(table, number))
        print(f"{name}: {number:,} overlays on the stream: {idle:.1%} of a core while nothing changes, and "
              f"{1000 * changed:.0f} ms for each change; shown after {told(waits)}", flush=True)  # fmt: skip
        few = number // PART
        busy, late = asyncio.run(polling(table, few))
        print(f"{name}: {few:,} overlays polling every {EVERY} s: {busy:.1%} of a core ({PART} times as many: "
              f"{PART * busy:.0%}); shown after {told(late)}", flush=True)  # fmt: skip
    return share(waits, 0.99) > PROMISED


def told(waits: list[float]) -> str:
    """Return the median and the 99th percentile in words."""
    return f"{1000 * median(waits):.0f} ms (p99 {1000 * share(waits, 0.99):.0f}, {len(waits):,} times)"


@contextmanager
def served(settings: dict[str, str]) -> Iterator[Table]:
    """Run the service with its demo season, and the stream beside it; begin a game."""
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-") as name:
        folder, web, stream = Path(name), free_port(), free_port()
        own = {"DATA_DIR": name, "HOST": LOCALHOST, "PORT": str(web), "STREAM_PORT": str(stream), "DEMO": "1"}
        environment = os.environ | own | {"DJANGO_SETTINGS_MODULE": "league.settings"} | settings
        command = [PYTHON, "-m", "gunicorn", "--config", "deploy/stream.conf.py", "league.asgi"]
        with (
            started([PYTHON, "manage.py", "serve"], folder / "web.log", env=environment) as serving,
            started(command, folder / "stream.log", env=environment) as streaming,
        ):
            wait_for_port(web, serving, folder / "web.log")
            wait_for_port(stream, streaming, folder / "stream.log")
            groups = {"web": serving.pid, "stream": streaming.pid} | servers()
            said = subprocess.run(
                [PYTHON, "-m", "benchmarks.overlays", BEGIN],
                check=True,
                env=environment,
                cwd=ROOT,
                stdout=subprocess.PIPE,
            )
            found = Table(web, stream, groups, **json.loads(said.stdout.splitlines()[-1]))
            found.write("start")
            yield found


def begin() -> dict[str, str]:
    """Schedule a league's table, published; return the ids of table session and hanchan, and an account's token."""
    import django

    django.setup()
    from django.contrib.auth.models import User
    from knox.models import AuthToken

    from benchmarks.prepare import league, scheduled, settle
    from league.models import Audience, Competition, Hanchan

    competition, entrants = league()
    job = next(scheduled(competition, entrants))
    shown = {"status": Competition.Status.PUBLISHED, "audience": Audience.PUBLIC}
    Competition.objects.filter(pk=competition.pk).update(**shown)
    settle()
    hanchan = Hanchan.objects.get(pk=job["hanchan"])
    token = AuthToken.objects.create(User.objects.create_superuser(username="bench", password=None))[1]
    return {"table": str(hanchan.table_session_id), "hanchan": str(hanchan.pk), "token": str(token)}


def polls(table: Table) -> tuple[float, float]:
    """Return the processor milliseconds of a 304 for an overlay, and of one for a page; medians of the turns."""
    connection = Connection(table.web)
    took: dict[str, list[float]] = {table.path: [], "/c/demo/version/": []}
    for _turn in range(TURNS):
        for path, times in took.items():
            tag = connection.get(path).headers["etag"]  # odds may be published meanwhile
            before = processor_seconds(table.groups)
            for _poll in range(POLLS):
                if connection.get(path, If_None_Match=tag).status not in (OK, UNCHANGED):
                    raise RuntimeError(path)
            times.append(1000 * (processor_seconds(table.groups) - before) / POLLS)
    connection.close()
    live, version = (median(each) for each in took.values())
    return live, version


async def streamed(table: Table, number: int) -> tuple[float, float, list[float]]:
    """Return the share of a core without changes, the processor seconds of a change, and the waiting times."""
    arrived: list[float] = []
    clients = [asyncio.create_task(listen(table, arrived)) for _ in range(number)]
    await asyncio.sleep(CONNECTING_SECONDS)
    if len(arrived) != number:
        raise RuntimeError(f"{len(arrived)} of {number} overlays got the document")
    idle = await processor_share(table, IDLE_SECONDS)
    waits: list[float] = []
    used = 0.0
    for change in range(CHANGES):
        arrived.clear()
        before = processor_seconds(table.groups)
        sent = await asyncio.to_thread(table.change, change)
        await asyncio.sleep(APART)
        used += processor_seconds(table.groups) - before - idle * APART
        waits += [at - sent for at in arrived]
    await end(clients)
    return idle, used / CHANGES, waits


async def listen(table: Table, arrived: list[float]) -> None:
    """Follow the stream; note the moment of each document."""
    reader, writer = await asyncio.open_connection(LOCALHOST, table.stream, limit=2**20)
    head = f"GET {table.path}stream/ HTTP/1.1\r\nHost: {LOCALHOST}:{table.web}\r\nAccept-Language: ja\r\n\r\n"
    writer.write(head.encode())
    try:
        while line := await reader.readline():
            if line.startswith(b"event: live"):
                arrived.append(time.perf_counter())
    finally:
        writer.close()


async def polling(table: Table, number: int) -> tuple[float, list[float]]:
    """Return the share of a core that polling takes, and the waiting times until a change is read."""
    arrived: list[float] = []
    clients = [asyncio.create_task(poll(table, arrived, EVERY * place / number)) for place in range(number)]
    await asyncio.sleep(2 * EVERY)
    used = await processor_share(table, IDLE_SECONDS)
    waits: list[float] = []
    for change in range(CHANGES):
        arrived.clear()
        sent = await asyncio.to_thread(table.change, change)
        await asyncio.sleep(APART)
        waits += [at - sent for at in arrived]
    await end(clients)
    return used, waits


async def poll(table: Table, arrived: list[float], first: float) -> None:
    """Poll as an overlay does; note the moment of each new document."""
    await asyncio.sleep(first)
    reader, writer = await asyncio.open_connection(LOCALHOST, table.web, limit=2**20)
    tag = ""
    try:
        while True:
            began = time.perf_counter()
            known = f"If-None-Match: {tag}\r\n" if tag else ""
            head = f"GET {table.path} HTTP/1.1\r\nHost: {LOCALHOST}:{table.web}\r\nAccept-Language: ja\r\n{known}\r\n"
            writer.write(head.encode())
            try:
                lines = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
            except (asyncio.IncompleteReadError, ConnectionError):  # the server closes idle connections
                writer.close()
                reader, writer = await asyncio.open_connection(LOCALHOST, table.web, limit=2**20)
                continue
            headers = {name.lower(): value for name, _colon, value in (line.partition(": ") for line in lines)}
            await reader.readexactly(int(headers.get("content-length", "0")))
            if f" {OK} " in lines[0]:
                tag = headers["etag"]
                arrived.append(time.perf_counter())
            await asyncio.sleep(max(0.0, EVERY - (time.perf_counter() - began)))
    finally:
        writer.close()


async def processor_share(table: Table, seconds: float) -> float:
    """Return the share of a core that the service's processes take within this time."""
    before, began = processor_seconds(table.groups), time.perf_counter()
    await asyncio.sleep(seconds)
    return (processor_seconds(table.groups) - before) / (time.perf_counter() - began)


async def end(clients: list[asyncio.Task[None]]) -> None:
    """End the clients, and raise what one of them has failed with."""
    for client in clients:
        client.cancel()
    for found in await asyncio.gather(*clients, return_exceptions=True):
        if isinstance(found, Exception) and not isinstance(found, ConnectionError):
            raise found


if __name__ == "__main__":
    if sys.argv[1:] == [BEGIN]:
        print(json.dumps(begin()))
    else:
        sys.exit(main())
