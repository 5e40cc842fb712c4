"""Clients that submit results over REST and read pages while parts of the service are killed or frozen."""

from __future__ import annotations

import json
import queue
import random
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any
from uuid import uuid4

from scripts.servers import LOCALHOST

PATIENCE_SECONDS = 600
HOST = "league.example"
CREATED = 201
SERVER_ERROR = 500
OUT_OF_ORDER = 503
UNUSUAL = ["at_two_tables", "extreme_score", "same_scores_elsewhere"]
WORTH_ANOTHER_TRY = (429, OUT_OF_ORDER)


@dataclass(frozen=True, slots=True)
class Read:
    """A page that was read: when it was requested on the monotonic clock, and the seconds it took."""

    began: float
    seconds: float


@dataclass
class Tally:
    """Counts and observations shared by the clients."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    answered: dict[int, tuple[int, ...]] = field(default_factory=dict)
    sent: dict[int, tuple[str, str, Any]] = field(default_factory=dict)
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    sent_again: int = 0
    cut_off: int = 0
    under_way: int = 0
    longest: float = 0

    def count(self, status: int, body: bytes, where: str) -> None:
        """Count a response; an error 5xx other than 503 is a fault of the service."""
        with self.lock:
            self.statuses[status] += 1
            if status >= SERVER_ERROR and status != OUT_OF_ORDER:
                self.faults.append(f"{where} answered {status}: {body[:300].decode(errors='replace')}")


class Client(threading.Thread):
    """Submits one result after the other, and retries each until it is answered."""

    def __init__(self, port: int, token: str, work: queue.Queue[dict[str, Any]], tally: Tally, pace: float) -> None:
        super().__init__(daemon=True)
        self.port, self.token, self.work, self.tally, self.pace = port, token, work, tally, pace
        self.chance = random.Random(token)
        self.ended = threading.Event()

    def run(self) -> None:
        """Submit until there is no work left or the run ends; a result already begun is completed."""
        while not self.ended.is_set():
            try:
                job = self.work.get_nowait()
            except queue.Empty:
                return
            self.hand_in(job)
            time.sleep(self.chance.uniform(0, 2 * self.pace))

    def hand_in(self, job: dict[str, Any]) -> None:
        """Send one result with one key until it is answered."""
        key = uuid4().hex
        scores = some_scores(self.chance)
        seats = [{"entrant": who, "score": score} for who, score in zip(job["entrants"], scores, strict=True)]
        body = {"seats": seats, "accept": UNUSUAL}
        begun = time.monotonic()
        while time.monotonic() < begun + PATIENCE_SECONDS and not self.tally.faults:
            if self.send(job["hanchan"], key, body) == CREATED:
                with self.tally.lock:
                    self.tally.answered[job["hanchan"]] = scores
                    self.tally.sent[job["hanchan"]] = self.token, key, body
                    self.tally.longest = max(self.tally.longest, time.monotonic() - begun)
                return
            with self.tally.lock:
                self.tally.sent_again += 1
            time.sleep(self.chance.uniform(0.1, 1))
        self.tally.faults.append(f"hanchan {job['hanchan']} was not answered after {time.monotonic() - begun:.0f} s")

    def send(self, hanchan: int, key: str, body: dict[str, Any]) -> int:
        """Return the status; 0 if the connection broke."""
        with self.tally.lock:
            self.tally.under_way += 1
        try:
            status, _headers, said = submit(self.port, hanchan, self.token, key, body)
        except (OSError, HTTPException):
            with self.tally.lock:
                self.tally.cut_off += 1
            return 0
        finally:
            with self.tally.lock:
                self.tally.under_way -= 1
        self.tally.count(status, said, "a submission")
        if status not in (CREATED, *WORTH_ANOTHER_TRY):
            self.tally.faults.append(f"hanchan {hanchan} was answered {status}: {said[:300].decode(errors='replace')}")
            self.ended.set()
        return status


def some_scores(chance: random.Random) -> tuple[int, ...]:
    """Return random scores of a table of four, hardly ever the same."""
    first, second, third = (100 * chance.randint(180, 320) for _ in range(3))
    return first, second, third, 100_000 - first - second - third


class Visitor(threading.Thread):
    """Reads pages all the time: they may report an outage (503), but not fail otherwise."""

    def __init__(self, port: int, tally: Tally) -> None:
        super().__init__(daemon=True)
        self.port, self.tally, self.ended = port, tally, threading.Event()

    def run(self) -> None:
        """Read page after page until ended."""
        while not self.ended.wait(0.3):
            for path in ("/", "/c/cup0/", "/api/v1/competitions/cup0/bracket/"):
                began = time.monotonic()
                with suppress(OSError, HTTPException):
                    status, _headers, said = request(self.port, "GET", path, {})
                    self.tally.count(status, said, path)
                self.tally.reads.append(Read(began, time.monotonic() - began))


def request(
    port: int, method: str, path: str, headers: dict[str, str], body: Any = None
) -> tuple[int, dict[str, str], bytes]:
    """Send a request as the reverse proxy would."""
    connection = HTTPConnection(LOCALHOST, port, timeout=20)
    proxied = {"Host": HOST, "X-Forwarded-Proto": "https", "Content-Type": "application/json"}
    try:
        connection.request(method, path, body and json.dumps(body), {**proxied, **headers})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def submit(port: int, hanchan: int, token: str, key: str, body: Any) -> tuple[int, dict[str, str], bytes]:
    """Submit a result."""
    headers = {"Authorization": f"Token {token}", "Idempotency-Key": key}
    return request(port, "POST", f"/api/v1/hanchan/{hanchan}/results/", headers, body)
