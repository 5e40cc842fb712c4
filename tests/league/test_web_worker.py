"""Kept connections, shared out among the processes of a real gunicorn."""

from __future__ import annotations

import os
import sys
import time
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest

from league.environment import ROOT
from scripts.servers import LOCALHOST, free_port, started, wait_for_port

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FULL, NEW, ROUNDS = 24, 5, 6
SECONDS, APART_SECONDS, HANGING_UP_SECONDS = 60, 0.01, 0.1


def tell_process(_environ: dict[str, object], start_response: Callable[..., object]) -> list[bytes]:
    """A WSGI application that answers with the number of its process."""
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "10")])
    return [b"%10d" % os.getpid()]


@pytest.fixture
def two_processes(tmp_path: Path) -> Iterator[int]:
    """The port of gunicorn with the configuration of production and two processes."""
    port = free_port()
    base = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    variables = base | {"DATA_DIR": str(tmp_path), "HOST": LOCALHOST, "PORT": str(port), "WEB_PROCESSES": "2"}
    command = [sys.executable, "-m", "gunicorn", "--config", str(ROOT / "deploy" / "gunicorn.conf.py")]
    log = tmp_path / "web.log"
    with started([*command, "tests.league.test_web_worker:tell_process"], log, env=variables) as web:
        wait_for_port(port, web, log)
        yield port


class Visitors:
    """Connections to a port that are kept, each with the process that has it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.kept: list[tuple[HTTPConnection, bytes]] = []

    def come(self, number: int) -> list[bytes]:
        """Which processes have these, one after the other."""
        for _ in range(number):
            time.sleep(APART_SECONDS)
            connection = HTTPConnection(LOCALHOST, self.port, timeout=60)
            connection.request("GET", "/")
            self.kept.append((connection, connection.getresponse().read()))
        return [process for _, process in self.kept[-number:]]

    def leave(self, process: bytes | None = None) -> None:
        """All of one process hang up, or all."""
        for connection, other in self.kept:
            if process in (None, other):
                connection.close()
        self.kept = [(connection, other) for connection, other in self.kept if process not in (None, other)]
        time.sleep(HANGING_UP_SECONDS)


@pytest.fixture
def visitors(two_processes: int) -> Iterator[Visitors]:
    visitors = Visitors(two_processes)
    yield visitors
    visitors.leave()


def processes_that_answer(visitors: Visitors) -> list[bytes]:
    """Both, once the second is there as well."""
    end = time.monotonic() + SECONDS
    found: set[bytes] = set()
    while len(found) < 2:
        found |= set(visitors.come(1))
        assert time.monotonic() < end
    visitors.leave()
    return sorted(found)


def test_a_new_connection_goes_to_the_process_that_has_fewer(visitors: Visitors) -> None:
    empty, full = processes_that_answer(visitors)
    while visitors.come(1) != [full] or len(visitors.kept) < FULL:
        pass
    visitors.leave(empty)
    to_empty = 0
    for _ in range(ROUNDS):
        to_empty += visitors.come(NEW).count(empty)
        visitors.leave(empty)
    assert to_empty > 0.75 * ROUNDS * NEW
