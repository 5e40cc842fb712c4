"""Send one HTTP request to a URL chosen by a user, protected against SSRF.

The host name is resolved here, every resulting address is checked, and the connection goes to exactly the checked
address, so that a second DNS answer cannot redirect it (DNS rebinding). No redirect is followed. One deadline
covers everything from name resolution to the last byte, and only the beginning of a response is read.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from league.models.webhooks import DeliveryFault

if TYPE_CHECKING:
    from typing_extensions import Buffer

SECONDS = 10
"""Seconds from name resolution to the end of the response."""
MOST_READ = 4096
"""Bytes of the response's body that are read."""
MOST_RECEIVED = 64 * 1024
"""Bytes of the response that are received altogether, headers included."""
HTTPS_PORT = 443
LEAST_OTHER_PORT = 1024
ADDRESSES_OF_NETWORKS = ipaddress.ip_network("2000::/3")
"""The range of global IPv6 unicast addresses; translated and site-local ones lie outside."""
SPECIAL_NETWORKS = tuple(
    ipaddress.ip_network(network)
    for network in (
        "192.0.0.0/24",  # IETF protocol assignments
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.175.48.0/24",  # AS112
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)
"""Networks of IANA's special-purpose registries that `is_global` lets pass, as of Python 3.11.

They are assigned to protocols, whose servers a provider may run itself.
"""
REDIRECTS = range(300, 400)
SUCCESSES = range(200, 300)

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Sequence[str]]


class SendingError(Exception):
    """A message was not delivered; `fault` is the reason."""

    def __init__(self, fault: DeliveryFault, detail: str = "") -> None:
        super().__init__(f"{fault}: {detail}" if detail else str(fault))
        self.fault = fault


@dataclass(frozen=True, slots=True)
class WebhookResponse:
    """A response: its status, and the beginning of its body as text."""

    status: int
    text: str

    @property
    def is_success(self) -> bool:
        """Return True if the message counts as received (2xx)."""
        return self.status in SUCCESSES


def addresses_of(host: str, port: int) -> list[str]:
    """Return the addresses of a host name, as this machine resolves it."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in found))


@cache
def trusting_known_authorities() -> ssl.SSLContext:
    """Return the TLS settings of this process; reading the certificates of all authorities takes 15 ms."""
    return ssl.create_default_context()


@dataclass(frozen=True, slots=True)
class Sender:
    """Settings for sending. `allow_private` permits private networks and plain http."""

    allow_private: bool = False
    resolve: Resolve = addresses_of
    context: ssl.SSLContext = field(default_factory=trusting_known_authorities)
    seconds: float = SECONDS

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> WebhookResponse:
        """Send the body and return the response. Raise SendingError if there is none."""
        end = Deadline(self.seconds)
        parts = urlsplit(url)
        refuse_scheme(parts, allow_private=self.allow_private)
        try:
            found = self.addresses(parts.hostname or "", port_of(parts), end)
            with self.connected(parts, found, end) as connection:
                return exchange(Connection(connection, end), parts, body, headers)
        except TimeoutError as late:
            raise SendingError(DeliveryFault.TIMEOUT) from late
        except ssl.SSLError as broken:
            raise SendingError(DeliveryFault.TLS_FAILED, broken.reason or "") from broken
        except http.client.HTTPException as unreadable:
            raise SendingError(DeliveryFault.ANSWER_UNREADABLE, type(unreadable).__name__) from unreadable
        except OSError as broken:
            raise SendingError(DeliveryFault.CONNECTION_FAILED, broken.strerror or "") from broken

    def addresses(self, host: str, port: int, end: Deadline) -> list[IPAddress]:
        """Return the addresses of a host. Raise SendingError if one of them is not on the public internet.

        The error does not name the address: the author of the URL could map the private network that way.
        """
        found = [ipaddress.ip_address(text.partition("%")[0]) for text in in_time(self.resolve, host, port, end)]
        if not found:
            raise SendingError(DeliveryFault.ADDRESS_REFUSED)
        # All must be public, not only the one that is used: a mixed answer is the sign of an attack.
        for address in found:
            if not (self.allow_private or is_public(address)):
                raise SendingError(DeliveryFault.ADDRESS_REFUSED)
        return found

    def connected(self, parts: SplitResult, addresses: Sequence[IPAddress], end: Deadline) -> socket.socket:
        """Return a connection to the first address that answers, with TLS for the host name."""
        plain = first_that_answers(addresses, port_of(parts), end)
        if parts.scheme != "https":
            return plain
        try:
            plain.settimeout(end.left())
            return self.context.wrap_socket(plain, server_hostname=parts.hostname)
        except BaseException:
            plain.close()
            raise


class Deadline:
    """The time at which the request must be finished, on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self.at = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left. Raise TimeoutError if there are none."""
        seconds = self.at - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds


class ReceivedBytes(io.RawIOBase):
    """The received bytes of a connection, limited by the deadline and by `MOST_RECEIVED`."""

    def __init__(self, connection: socket.socket, end: Deadline) -> None:
        self.connection, self.end, self.received = connection, end, 0

    def readable(self) -> bool:
        """Return True: the response is read from this stream."""
        return True

    def readinto(self, buffer: Buffer) -> int:
        """Read the available bytes. Raise SendingError if the response is too long."""
        self.connection.settimeout(self.end.left())
        got = self.connection.recv_into(buffer)
        self.received += got
        if self.received > MOST_RECEIVED:
            raise SendingError(DeliveryFault.ANSWER_TOO_LONG)
        return got


class Connection:
    """The part of a socket's interface that `http.client` needs; its creator closes the connection."""

    def __init__(self, connection: socket.socket, end: Deadline) -> None:
        self.connection, self.end = connection, end

    def sendall(self, data: bytes) -> None:
        """Send all data before the deadline."""
        self.connection.settimeout(self.end.left())
        self.connection.sendall(data)

    def makefile(self, *_how: object) -> io.BufferedReader:
        """Return the response as a stream."""
        return io.BufferedReader(ReceivedBytes(self.connection, self.end))

    def close(self) -> None:
        """Do nothing: the creator of the connection closes it."""


def exchange(line: Connection, parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> WebhookResponse:
    """Send the request, and read the status and the beginning of the response."""
    client = http.client.HTTPConnection(netloc_of(parts))
    client.sock = line  # as much of a socket as the client asks for
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    client.request("POST", path, body, {**headers, "Host": netloc_of(parts), "Connection": "close"})
    response = client.getresponse()
    return WebhookResponse(response.status, beginning_of(response))


def beginning_of(response: http.client.HTTPResponse) -> str:
    """Return the beginning of the body; empty if it breaks off or ends too late, since the status alone decides."""
    try:
        return response.read(MOST_READ).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException, SendingError):
        return ""


def first_that_answers(addresses: Sequence[IPAddress], port: int, end: Deadline) -> socket.socket:
    """Return a connection to one of the addresses, tried in order. Raise the last OSError if none answers."""
    for place, address in enumerate(addresses, start=1):
        try:
            # The checked address, not the name: resolving again here would reopen the hole for DNS rebinding.
            return socket.create_connection((str(address), port), timeout=end.left())
        except OSError:
            if place == len(addresses):
                raise
    raise SendingError(DeliveryFault.ADDRESS_REFUSED)


def in_time(resolve: Resolve, host: str, port: int, end: Deadline) -> Sequence[str]:
    """Return the addresses of a host name; a DNS server that does not answer is abandoned.

    Raise TimeoutError after the deadline, SendingError if there is no such name.
    """
    answers: queue.SimpleQueue[Sequence[str]] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(resolve(host, port))
        except (OSError, UnicodeError):
            answers.put(())

    # `getaddrinfo` has no timeout; a daemon thread can be left behind without blocking the worker or its exit.
    threading.Thread(target=ask, name="webhook name", daemon=True).start()
    try:
        found = answers.get(timeout=end.left())
    except queue.Empty as late:
        raise TimeoutError from late
    if not found:
        raise SendingError(DeliveryFault.ADDRESS_REFUSED)
    return found


def is_public(address: IPAddress) -> bool:
    """Return True if the address belongs to one host on the public internet, also in IPv4-mapped notation."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address not in ADDRESSES_OF_NETWORKS or address.sixtofour or address.teredo:
            return False
    if any(address in network for network in SPECIAL_NETWORKS):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def refuse_scheme(parts: SplitResult, *, allow_private: bool) -> None:
    """Raise SendingError unless the URL is https on an allowed port; `allow_private` passes any http(s) URL."""
    is_usual = parts.scheme == "https" and is_port_allowed(port_of(parts))
    if not (is_usual or (allow_private and parts.scheme in ("http", "https"))):
        raise SendingError(DeliveryFault.ADDRESS_REFUSED, parts.scheme)


def is_port_allowed(port: int) -> bool:
    """Return True for 443 and ports from 1024 on: mail servers and the like listen on lower ports."""
    return port == HTTPS_PORT or port >= LEAST_OTHER_PORT


def port_of(parts: SplitResult) -> int:
    """Return the port of a URL, the scheme's default if it gives none."""
    return parts.port or (HTTPS_PORT if parts.scheme == "https" else http.client.HTTP_PORT)


def netloc_of(parts: SplitResult) -> str:
    """Return host and port for the Host header, without credentials."""
    return parts.netloc.rpartition("@")[2]
