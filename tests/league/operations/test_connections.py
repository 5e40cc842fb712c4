"""Test connections of the embedded server: room for new clients, and threads that no client can keep."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Any
from urllib.request import urlopen

import pytest
from waitress.server import TcpWSGIServer, create_server
from waitress.wasyncore import close_all

from league.management.connections import MOST_QUEUED, Connection
from scripts.servers import LOCALHOST
from scripts.slow_clients import number_open, received_until_closed, slow_clients

MOST = 20
NEVER = 3600
LAST_DEADLINE = 60
"""Seconds within which even a busy machine has closed a connection."""
REQUEST = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LARGE, SLOW = (REQUEST.replace(b"/", path, 1) for path in (b"/large", b"/slow"))
LAST = REQUEST.replace(b"Host", b"Connection: close\r\nHost")


def test_a_new_connection_is_served_in_place_of_the_longest_idle_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with served(monkeypatch, NEVER) as port, slow_clients(60, port) as slow:
        assert word(port) == b"hello"
        assert received_until_closed(slow[:30], LAST_DEADLINE) == 30 * [b""]
        assert number_open(slow[-15:]) == 15


def test_clients_that_take_no_response_do_not_keep_the_thread_that_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    with served(monkeypatch, idle_seconds=1) as port, connected(port) as first, connected(port) as second:
        first.sendall(LARGE)
        second.sendall(LARGE)
        assert word(port) == b"hello"


def test_a_connection_with_hundreds_of_requests_at_once_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    with served(monkeypatch, NEVER) as port, connected(port) as greedy:
        greedy.sendall(200 * REQUEST)
        [answers] = received_until_closed([greedy], LAST_DEADLINE)
        assert answers.count(b"hello") < 200
        assert word(port) == b"hello"


def test_a_few_requests_at_once_are_all_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    with served(monkeypatch, NEVER) as port, connected(port) as client:
        client.sendall((MOST_QUEUED - 1) * REQUEST + LAST)
        [answers] = received_until_closed([client], LAST_DEADLINE)
        assert answers.count(b"hello") == MOST_QUEUED


def test_a_response_that_takes_longer_than_the_deadline_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    with served(monkeypatch, idle_seconds=1) as port, connected(port) as client:
        client.sendall(SLOW + LAST)
        [answers] = received_until_closed([client], LAST_DEADLINE)
        assert answers.count(b"hello") == 2


@contextmanager
def served(monkeypatch: pytest.MonkeyPatch, idle_seconds: int) -> Iterator[int]:
    """Serve `answer` in this process with one thread and twenty connections; yield the port."""
    monkeypatch.setattr(Connection, "most", MOST, raising=False)
    monkeypatch.setattr(TcpWSGIServer, "channel_class", Connection)
    server = create_server(
        answer, host=LOCALHOST, port=0, connection_limit=MOST + 10, channel_timeout=idle_seconds, threads=1
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield int(vars(server)["effective_port"])
    finally:
        vars(server)["task_dispatcher"].shutdown()
        # In the server's own thread: its select would fail if a socket were closed meanwhile.
        vars(server)["trigger"].pull_trigger(partial(close_all, vars(server)["_map"]))
        thread.join(timeout=20)
    assert not thread.is_alive()


def answer(environ: dict[str, Any], start: Any) -> list[bytes]:
    """Answer with a word, which may take two seconds, or with more than waitress buffers."""
    if environ["PATH_INFO"] == "/slow":
        time.sleep(2)
    body = 40 * [bytes(1_000_000)] if environ["PATH_INFO"] == "/large" else [b"hello"]
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(sum(map(len, body))))])
    return body


def connected(port: int) -> closing[socket.socket]:
    """Return a connection to the server."""
    return closing(socket.create_connection((LOCALHOST, port), timeout=LAST_DEADLINE))


def word(port: int) -> bytes:
    """Return the response to a client of its own."""
    with urlopen(f"http://{LOCALHOST}:{port}/", timeout=LAST_DEADLINE) as response:
        read: bytes = response.read()
        return read
