"""Run every part of the service several times at once and check that no result is lost, doubled or shown late.

    python -m scripts.together --results 200 --competitions 10

Two web services of two processes each, two workers and, by mistake, two beats share one PostgreSQL and one Redis
while four clients submit results: some twice at the same moment through both web services, some against a rival with
another result for the same game. Meanwhile pages are read from both. In the end each answered result must exist
exactly once, standings equal a rebuild, no page was older than promised, both web services counted one rate limit, and
no log has a fault.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import random
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

from scripts.fault_clients import CREATED, UNUSUAL, WORTH_ANOTHER_TRY, Tally, request, some_scores, submit
from scripts.fault_parts import START_SECONDS, Part, Service, log_tails
from scripts.faults import RECOVERY_SECONDS, ROOT, is_published_within, prepare, results_compared
from scripts.servers import free_port, wait_for_port

WEBS, WORKERS, BEATS = 2, 2, 2
TWICE, RIVALS = 0.3, 0.1
"""Parts of the results; the others are submitted once."""
TOO_MANY = 429
VERSION = re.compile(rb'data-version="(\d+)"')
FAULT = re.compile(r"Traceback|\"level\": \"(error|critical)\"")
PATIENCE_SECONDS = 120
PROMISED_SECONDS = 1.0
"""Age that a page may have when it is requested: once a newer version is published, old ones must go."""
GRACE_SECONDS = 2
"""Seconds by which a busy machine may delay a request between two of its steps."""
GUESSES = 30
GUESSING_SECONDS = 15
"""Seconds that the guesses take at most; they must fall into one minute of the rate limit."""
STRANGER = "203.0.113.7"
QUEUES = "celery,sweep,webhooks,odds"
ALL_IS_WELL = (
    "Each result once, standings as a rebuild gives them, pages as fresh as promised, one share, no fault logged."
)


class Crowd(Service):
    """The service with several processes of each kind."""

    def start(self) -> None:
        """Start all parts; each web service listens on its own port."""
        self.ports = [free_port() for _ in range(WEBS)]
        celery = [sys.executable, "-m", "celery", "--quiet", "--app", "league", "--skip-checks"]
        web = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "league.wsgi"]
        parts = [(f"web{n}", web, {"PORT": str(port)}) for n, port in enumerate(self.ports)]
        for number in range(WORKERS):
            serving = ["worker", "--hostname", f"worker{number}@%h", "--queues", QUEUES, "--concurrency", "2"]
            parts.append((f"worker{number}", [*celery, *serving], {}))
        parts += [(f"beat{number}", [*celery, "beat"], {}) for number in range(BEATS)]
        for name, command, more in parts:
            self.parts[name] = Part(name, command, self.folder, {**self.env, **more}, None)
            self.parts[name].start()
        self.port = self.ports[0]
        for number, port in enumerate(self.ports):
            part = self.parts[f"web{number}"]
            assert part.process  # noqa: S101 - started above
            wait_for_port(port, part.process, newest_log(part))


def newest_log(part: Part) -> Path:
    """Return the file that a part writes its log to now."""
    return max(part.log.parent.glob(f"{part.name}.*.log"), key=lambda file: file.stat().st_mtime)


@dataclass
class Seen:
    """Observations of the clients and readers."""

    wrong: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    reads: Counter[int] = field(default_factory=Counter)
    oldest: float = 0


class Crowding(threading.Thread):
    """A client that submits one game after the other: once, twice, or against a rival."""

    def __init__(
        self, ports: list[int], token: str, work: queue.Queue[dict[str, Any]], tally: Tally, seen: Seen
    ) -> None:
        super().__init__(daemon=True)
        self.ports, self.token, self.work, self.tally, self.seen = ports, token, work, tally, seen
        self.chance = random.Random(token)
        self.both = ThreadPoolExecutor(2)

    def run(self) -> None:
        """Submit games until there is no work left."""
        while True:
            try:
                job = self.work.get_nowait()
            except queue.Empty:
                return
            drawn = self.chance.random()
            way = "twice" if drawn < TWICE else "rivals" if drawn < TWICE + RIVALS else "once"
            self.seen.kinds[way] += 1
            self.hand_in(job, way)

    def hand_in(self, job: Mapping[str, Any], way: str) -> None:
        """Submit one game: once, or twice at the same moment with one key, or by two with different keys.

        With one key both responses must name the same sheet; of two rivals exactly one may succeed.
        """
        first = some_scores(self.chance), uuid4().hex
        second = (some_scores(self.chance), uuid4().hex) if way == "rivals" else first
        ports = self.chance.sample(self.ports, 2)
        sent = [(ports[0], *first), (ports[1], *second)] if way != "once" else [(ports[0], *first)]
        answers = list(self.both.map(lambda one: self.answer_to(job, *one), sent))
        said = [json.loads(body) for status, body in answers if status == CREATED]
        if len(said) != (1 if way in ("once", "rivals") else 2):
            self.seen.wrong.append(f"{way}: hanchan {job['hanchan']} was answered {answers}")
        elif len({one["sheet"]["id"] for one in said}) != 1:
            self.seen.wrong.append(f"one key, two sheets: {said}")
        else:
            won = next(index for index, (status, _body) in enumerate(answers) if status == CREATED)
            with self.tally.lock:
                self.tally.answered[job["hanchan"]] = sent[won][1]

    def answer_to(self, job: Mapping[str, Any], port: int, scores: tuple[int, ...], key: str) -> tuple[int, bytes]:
        """Send until there is an answer; rate limits and outages are retried."""
        seats = [{"entrant": who, "score": score} for who, score in zip(job["entrants"], scores, strict=True)]
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            status, _headers, body = submit(port, job["hanchan"], self.token, key, {"seats": seats, "accept": UNUSUAL})
            self.tally.count(status, body, "a submission")
            if status not in WORTH_ANOTHER_TRY or time.monotonic() > end:
                return status, body
            time.sleep(0.2)


class Truth(threading.Thread):
    """Polls the database for the published version of each competition and notes when it was first seen."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self.address, self.ended = address, threading.Event()
        self.known: dict[str, list[tuple[float, int]]] = {}

    def run(self) -> None:
        """Poll every 50 ms until ended."""
        with psycopg.connect(self.address, autocommit=True) as asking:
            while not self.ended.wait(0.05):
                rows = asking.execute("SELECT slug, public_version FROM league_competition").fetchall()
                now = time.monotonic()
                for slug, version in rows:
                    noted = self.known.setdefault(slug, [(now, version)])
                    if noted[-1][1] != version:
                        noted.append((now, version))

    def age(self, slug: str, version: int, asked_at: float) -> float:
        """Return the seconds for which this version had been outdated when it was requested."""
        newer = [at for at, known in self.known.get(slug, []) if known > version]
        return max(0, asked_at - min(newer)) if newer else 0


class Reader(threading.Thread):
    """Reads pages of one web service and compares each with the published version."""

    def __init__(self, port: int, slugs: list[str], truth: Truth, seen: Seen, promised: float) -> None:
        super().__init__(daemon=True)
        self.port, self.slugs, self.truth, self.seen, self.promised = port, slugs, truth, seen, promised
        self.ended = threading.Event()

    def run(self) -> None:
        """Read the competitions' pages in a loop until ended."""
        while not self.ended.is_set():
            for slug in self.slugs:
                asked_at = time.monotonic()
                with suppress(OSError, HTTPException):
                    status, _headers, page = request(self.port, "GET", f"/c/{slug}/", {})
                    self.seen.reads[status] += 1
                    self.hold(slug, status, page, asked_at)
                time.sleep(0.1)

    def hold(self, slug: str, status: int, page: bytes, asked_at: float) -> None:
        """Note a fault unless the page belongs to the competition and is no older than promised."""
        found = VERSION.search(page)
        if status != 200 or not found:  # noqa: PLR2004 - HTTP
            self.seen.wrong.append(f"/c/{slug}/ was answered {status}: {page[:200]!r}")
            return
        age = self.truth.age(slug, int(found[1]), asked_at)
        self.seen.oldest = max(self.seen.oldest, age)
        if age > self.promised + GRACE_SECONDS:
            self.seen.wrong.append(f"/c/{slug}/ was {age:.1f} s old, promised are {self.promised}")


def share_counted_apart(ports: list[int]) -> Iterator[str]:
    """Yield a fault unless password guesses through both web services count against one rate limit."""
    from django.conf import settings

    limit = settings.REQUESTS_PER_MINUTE["login"]
    while 60 - time.time() % 60 < GUESSING_SECONDS:
        time.sleep(1)
    statuses = []
    for number in range(GUESSES):
        body = {"username": f"nobody-{number}", "password": "not-a-password"}
        path, headers = "/api/v1/auth/login/", {"X-Forwarded-For": STRANGER}
        statuses.append(request(ports[number % len(ports)], "POST", path, headers, body)[0])
    let_in = sum(status != TOO_MANY for status in statuses)
    if let_in != limit:
        yield f"of {limit} attempts a minute {let_in} were let through: {statuses}"


def faults_logged(service: Service) -> Iterator[str]:
    """Yield the lines of the logs that report a fault."""
    for name in service.parts:
        if name in ("postgres", "redis"):
            continue
        for log in service.folder.glob(f"{name}.*.log"):
            yield from (
                f"{name}: {line[:300]}" for line in log.read_text(errors="replace").splitlines() if FAULT.search(line)
            )


def run(service: Crowd, results: int, competitions: int) -> int:
    """Submit this number of results, then check. Return 0 if all is well."""
    work, tokens = prepare(service, results, competitions)
    from league.models import Competition
    from league.services.operations.verification import differences_of

    service.start()
    if fault := service.wait_until_ready(START_SECONDS):
        print(f"The service did not get ready: {fault}\n{log_tails(service)}", file=sys.stderr)
        return 1
    tally, seen, begun = Tally(), Seen(), time.monotonic()
    truth = Truth(service.env["DATABASE_URL"])
    slugs = [f"cup{number}" for number in range(competitions)]
    watching: list[Truth | Reader] = [
        truth,
        *(Reader(port, slugs, truth, seen, PROMISED_SECONDS) for port in service.ports),
    ]
    clients = [Crowding(service.ports, token, work, tally, seen) for token in tokens]
    for each in (*watching, *clients):
        each.start()
    for client in clients:
        client.join()
    seconds = time.monotonic() - begun
    if not is_published_within(RECOVERY_SECONDS):
        seen.wrong.append(f"standings are still behind after {RECOVERY_SECONDS} seconds")
    for watcher in reversed(watching):
        watcher.ended.set()
        watcher.join()
    wrong = [*tally.faults, *seen.wrong, *results_compared(tally), *share_counted_apart(service.ports)]
    wrong += [str(one) for row in Competition.objects.all() for one in differences_of(row)]
    wrong += faults_logged(service)
    report(tally, seen, seconds)
    print(
        "\n".join([*wrong[:40], log_tails(service)]) if wrong else ALL_IS_WELL, file=sys.stderr if wrong else sys.stdout
    )
    return 1 if wrong else 0


def report(tally: Tally, seen: Seen, seconds: float) -> None:
    """Print the figures."""
    kinds = ", ".join(f"{name} {number}" for name, number in sorted(seen.kinds.items()))
    statuses = ", ".join(f"{status}: {number}" for status, number in sorted(tally.statuses.items()))
    print(f"{len(tally.answered)} results in {seconds:.0f} s ({kinds}); answers {statuses};")
    print(f"  {seen.reads.total()} pages read, the oldest had been followed by another for {seen.oldest:.1f} s.")


def main() -> int:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--results", type=int, default=200)
    parser.add_argument("--competitions", type=int, default=10)
    parser.add_argument("--tables", default="", help="address of a database with all tables, to start from it")
    given = parser.parse_args()
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory(prefix="jantaku-together-", ignore_cleanup_errors=True) as name:
        service = Crowd(Path(name), "postgres", given.tables)
        try:
            service.lay_down()
            return run(service, given.results, given.competitions)
        finally:
            service.stop()


if __name__ == "__main__":
    sys.exit(main())
