"""Clients that leave a server waiting: silent, with half a request head, or with half a body; for tests, benchmarks."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from scripts.servers import LOCALHOST

SILENT = b""
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: league.exam"
HALF_A_BODY = (
    b"POST /api/v1/hanchan/1/results/ HTTP/1.1\r\nHost: league.example.org\r\n"
    b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n" + 500 * b" "
)
KINDS = (SILENT, HALF_A_HEAD, HALF_A_BODY)
SECONDS = 20
"""The longest wait for a connection to open, or for its bytes to be taken."""


@contextmanager
def slow_clients(number: int, port: int, tls: ssl.SSLContext | None = None) -> Iterator[list[socket.socket]]:
    """Open this number of connections, a third of each kind, and keep them open during the block.

    With TLS every second silent one does not even begin the handshake.
    """
    with ExitStack() as stack:
        opened: list[socket.socket] = []
        for place in range(number):
            connection = stack.enter_context(socket.create_connection((LOCALHOST, port), timeout=SECONDS))
            if tls and place % (2 * len(KINDS)):
                connection = stack.enter_context(tls.wrap_socket(connection))
            connection.sendall(KINDS[place % len(KINDS)])
            opened.append(connection)
        yield opened


def number_open(connections: Sequence[socket.socket]) -> int:
    """Return on how many connections the server has neither sent anything nor closed."""
    return sum(map(_is_waiting, connections))


def received_until_closed(connections: Sequence[socket.socket], seconds: float) -> list[bytes]:
    """Return what the server sends on each connection until it closes it. TimeoutError if one stays open for longer."""
    end = time.monotonic() + seconds
    return [_received(connection, end) for connection in connections]


def _is_waiting(connection: socket.socket) -> bool:
    """Return True if there is nothing to read, not even the end of the connection."""
    connection.settimeout(0)
    try:
        connection.recv(1)
    except (BlockingIOError, ssl.SSLWantReadError):
        return True
    except OSError:
        return False
    else:
        return False
    finally:
        connection.settimeout(SECONDS)


def _received(connection: socket.socket, end: float) -> bytes:
    """Return the bytes received until the server closes the connection."""
    parts = [b""]
    with suppress(ConnectionError, ssl.SSLError):
        while not parts[1:] or parts[-1]:
            connection.settimeout(max(0.01, end - time.monotonic()))
            parts.append(connection.recv(65536))
    return b"".join(parts)
