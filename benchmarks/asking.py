"""HTTP client for benchmarks, with as little overhead as possible: it shares the processors with the service."""

from __future__ import annotations

import json
import random
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self
from uuid import uuid4

from scripts.servers import LOCALHOST

CREATED = 201
ODD = ["at_two_tables", "extreme_score", "same_result_twice", "same_scores_elsewhere"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A response with the milliseconds it took."""

    status: int
    headers: dict[str, str]
    body: bytes
    took: float


class Connection:
    """A persistent connection, opened again if the server has closed it."""

    def __init__(self, port: int, tls: ssl.SSLContext | None = None) -> None:
        self.port, self.tls = port, tls
        self.socket: socket.socket | None = None
        self.left = b""

    def get(self, path: str, **headers: str) -> Answer:
        """Request a page as a browser does that accepts gzip and Japanese."""
        return self.ask(request_of(self.port, "GET", path, headers))

    def ask(self, raw: bytes) -> Answer:
        """Send a request, once more if the connection had been closed meanwhile."""
        began = time.perf_counter()
        try:
            return self._ask(raw, began)
        except (ConnectionError, IndexError):
            self.close()
            return self._ask(raw, began)

    def _ask(self, raw: bytes, began: float) -> Answer:
        if self.socket is None:
            self.socket = socket.create_connection((LOCALHOST, self.port))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.tls:
                self.socket = self.tls.wrap_socket(self.socket)
        self.socket.sendall(raw)
        while b"\r\n\r\n" not in self.left:
            self._more()
        head, _blank, self.left = self.left.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _colon, value in (line.partition(": ") for line in lines)}
        length = int(headers.get("content-length", "0"))
        while len(self.left) < length:
            self._more()
        body, self.left = self.left[:length], self.left[length:]
        took = 1000 * (time.perf_counter() - began)
        if headers.get("connection", "") == "close":
            self.close()
        return Answer(int(first.split(" ")[1]), headers, body, took)

    def _more(self) -> None:
        assert self.socket  # noqa: S101 - connected by _ask
        read = self.socket.recv(65536)
        if not read:
            raise ConnectionResetError
        self.left += read

    def close(self) -> None:
        """Close the connection."""
        if self.socket:
            self.socket.close()
        self.socket, self.left = None, b""


def request_of(port: int, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    """Return the bytes of an HTTP request."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {LOCALHOST}:{port}"]
    lines += ["Accept: */*", "Accept-Encoding: gzip", "Accept-Language: ja"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def submission(port: int, token: str, job: dict[str, Any], chance: random.Random) -> bytes:
    """Return the request of a scorer's program that submits a result with random scores."""
    scores = [100 * chance.randint(180, 320) for _ in range(3)]
    scores.append(100_000 - sum(scores))
    seats = [{"entrant": who, "score": score} for who, score in zip(job["entrants"], scores, strict=True)]
    body = json.dumps({"seats": seats, "accept": ODD})
    headers = {"Authorization": f"Token {token}", "Idempotency_Key": uuid4().hex}
    return request_of(port, "POST", f"/api/v1/hanchan/{job['hanchan']}/results/", headers, body.encode())


WRITERS = 2
"""Number of scorers at different tables who submit at the same time."""


@dataclass
class Writer:
    """Submit results in the background at this rate, all writers together, until the block ends."""

    port: int
    token: str
    jobs: list[dict[str, Any]]
    each_second: float
    took: list[float] = field(default_factory=list)
    wrong: list[Answer] = field(default_factory=list)

    def __enter__(self) -> Self:
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(place,), daemon=True) for place in range(WRITERS)]
        self.began = time.perf_counter()
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_why: object) -> None:
        self.ended.set()
        for thread in self.threads:
            thread.join()
        self.seconds = time.perf_counter() - self.began

    def _run(self, place: int) -> None:
        connection, chance = Connection(self.port), random.Random(place)
        due = self.began + place / self.each_second
        while self.jobs and not self.ended.is_set():
            answer = connection.ask(submission(self.port, self.token, self.jobs.pop(0), chance))
            self.took.append(answer.took)
            if answer.status != CREATED:
                self.wrong.append(answer)
            due += WRITERS / self.each_second
            self.ended.wait(max(0.0, due - time.perf_counter()))
        connection.close()


def at_once(number: int, work: Callable[[int], list[float]]) -> list[float]:
    """Run the function in this number of threads at the same time and return all their times."""
    found: list[list[float]] = [[] for _ in range(number)]

    def go(place: int) -> None:
        found[place] = work(place)

    threads = [threading.Thread(target=go, args=(place,)) for place in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [took for own in found for took in own]


def share(times: Sequence[float], part: float) -> float:
    """Return the quantile: the time that this part of the times does not exceed."""
    return sorted(times)[min(len(times) - 1, int(len(times) * part))]
