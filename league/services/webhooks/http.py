"""One request to an address that somebody else chose: sent to where it claims to lead, and nowhere inside.

The one idea: the name is resolved here, every address it stands for is looked at, and the connection goes to exactly
the address that was looked at, so that no second answer of a name server counts. No redirect is followed. From the
first look-up to the last byte everything happens within one deadline, and only the beginning of an answer is read.
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
from typing import Any
from urllib.parse import SplitResult, urlsplit

from league.models.webhooks import Fault

SECONDS = 10
"""From the look-up of the name to the end of the answer."""
MOST_READ = 4096
"""So much of an answer's body is read."""
MOST_RECEIVED = 64 * 1024
"""So much of an answer is taken altogether, its head included."""
HTTPS_PORT = 443
LEAST_OTHER_PORT = 1024
ADDRESSES_OF_NETWORKS = ipaddress.ip_network("2000::/3")
"""Every IPv6 address that is one host's on the internet; translated and site-local ones lie outside."""
REDIRECTS = range(300, 400)
SUCCESSES = range(200, 300)

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Sequence[str]]


class SendingError(Exception):
    """A message that did not arrive."""

    def __init__(self, fault: Fault, detail: str = "") -> None:
        super().__init__(f"{fault}: {detail}" if detail else str(fault))
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, and the beginning of the body as text."""

    status: int
    text: str

    @property
    def is_success(self) -> bool:
        """Whether the message counts as received."""
        return self.status in SUCCESSES


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses a name stands for, as this machine resolves it."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in found))


@dataclass(frozen=True, slots=True)
class Sender:
    """How messages are sent. `allow_private` lets them go into the own network, and by plain http."""

    allow_private: bool = False
    resolve: Resolve = addresses_of
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    seconds: float = SECONDS

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Send the body and return the answer. Raise SendingError if there is none."""
        end = Deadline(self.seconds)
        parts = urlsplit(url)
        refuse_scheme(parts, allow_private=self.allow_private)
        try:
            found = self.addresses(parts.hostname or "", port_of(parts), end)
            with self.connected(parts, found, end) as connection:
                return exchange(Line(connection, end), parts, body, headers)
        except TimeoutError as late:
            raise SendingError(Fault.TIMEOUT) from late
        except ssl.SSLError as broken:
            raise SendingError(Fault.TLS_FAILED, broken.reason or "") from broken
        except http.client.HTTPException as unreadable:
            raise SendingError(Fault.ANSWER_UNREADABLE, type(unreadable).__name__) from unreadable
        except OSError as broken:
            raise SendingError(Fault.CONNECTION_FAILED, broken.strerror or "") from broken

    def addresses(self, host: str, port: int, end: Deadline) -> list[IPAddress]:
        """Where the name leads. Raise SendingError if one of its addresses is not on the public internet.

        Which it was is not said: whoever names hosts would learn how the own network is laid out.
        """
        found = [ipaddress.ip_address(text.partition("%")[0]) for text in in_time(self.resolve, host, port, end)]
        if not found:
            raise SendingError(Fault.NAME_UNKNOWN)
        for address in found:
            if not (self.allow_private or is_public(address)):
                raise SendingError(Fault.ADDRESS_REFUSED)
        return found

    def connected(self, parts: SplitResult, addresses: Sequence[IPAddress], end: Deadline) -> socket.socket:
        """A connection to the first of the addresses that answers, encrypted for the name asked for."""
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
    """The moment at which everything must be over."""

    def __init__(self, seconds: float) -> None:
        self.at = time.monotonic() + seconds

    def left(self) -> float:
        """The seconds that are left. Raise TimeoutError if none are."""
        seconds = self.at - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds


class Incoming(io.RawIOBase):
    """What comes in on a connection: before the deadline, and no more than is allowed."""

    def __init__(self, connection: socket.socket, end: Deadline) -> None:
        self.connection, self.end, self.received = connection, end, 0

    def readable(self) -> bool:
        """The answer is read from here."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what is there. Raise SendingError if the answer does not end."""
        self.connection.settimeout(self.end.left())
        got = self.connection.recv_into(buffer)
        self.received += got
        if self.received > MOST_RECEIVED:
            raise SendingError(Fault.ANSWER_TOO_LONG)
        return got


class Line:
    """As much of a socket as a client of HTTP asks for; whoever made the connection hangs up."""

    def __init__(self, connection: socket.socket, end: Deadline) -> None:
        self.connection, self.end = connection, end

    def sendall(self, data: Any) -> None:
        """Send everything before the deadline."""
        self.connection.settimeout(self.end.left())
        self.connection.sendall(data)

    def makefile(self, *_how: Any) -> io.BufferedReader:
        """The answer, to be read."""
        return io.BufferedReader(Incoming(self.connection, self.end))

    def close(self) -> None:
        """The client needs the connection no more."""


def exchange(line: Line, parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send the request and read the beginning of the answer."""
    client = http.client.HTTPConnection(netloc_of(parts))
    client.sock = line  # as much of a socket as the client asks for
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    client.request("POST", path, body, {**headers, "Host": netloc_of(parts), "Connection": "close"})
    response = client.getresponse()
    return Answer(response.status, response.read(MOST_READ).decode("utf-8", "replace"))


def first_that_answers(addresses: Sequence[IPAddress], port: int, end: Deadline) -> socket.socket:
    """A connection to one of the addresses, tried in turn. Raise the last one's OSError if none answers."""
    for place, address in enumerate(addresses, start=1):
        try:
            return socket.create_connection((str(address), port), timeout=end.left())
        except OSError:
            if place == len(addresses):
                raise
    raise SendingError(Fault.NAME_UNKNOWN)


def in_time(resolve: Resolve, host: str, port: int, end: Deadline) -> Sequence[str]:
    """The addresses of a name; a name server that does not answer is left waiting.

    Raise TimeoutError after the deadline, SendingError if there is no such name.
    """
    answers: queue.SimpleQueue[Sequence[str]] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(resolve(host, port))
        except (OSError, UnicodeError):
            answers.put(())

    threading.Thread(target=ask, name="webhook name", daemon=True).start()
    try:
        found = answers.get(timeout=end.left())
    except queue.Empty as late:
        raise TimeoutError from late
    if not found:
        raise SendingError(Fault.NAME_UNKNOWN)
    return found


def is_public(address: IPAddress) -> bool:
    """Whether an address is one host's on the public internet, whatever notation hides it."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address not in ADDRESSES_OF_NETWORKS or address.sixtofour or address.teredo:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def refuse_scheme(parts: SplitResult, *, allow_private: bool) -> None:
    """Only https, and only to ports where a receiver may listen; in the own network anything."""
    is_usual = parts.scheme == "https" and is_port_allowed(port_of(parts))
    if not (is_usual or (allow_private and parts.scheme in ("http", "https"))):
        raise SendingError(Fault.ADDRESS_REFUSED, parts.scheme)


def is_port_allowed(port: int) -> bool:
    """Whether a receiver may listen there: mail and the like live on other ports."""
    return port == HTTPS_PORT or port >= LEAST_OTHER_PORT


def port_of(parts: SplitResult) -> int:
    """The port of an address."""
    return parts.port or (HTTPS_PORT if parts.scheme == "https" else http.client.HTTP_PORT)


def netloc_of(parts: SplitResult) -> str:
    """Host and port as the receiver is called by."""
    return parts.netloc.rpartition("@")[2]
