"""Run a real webhook receiver in a thread; it keeps each request and responds as the test chooses."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answering = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True, slots=True)
class Received:
    """One request as received."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def told(self) -> dict[str, Any]:
        return dict(json.loads(self.body))

    def is_signed_by(self, key: str) -> bool:
        """Verify the signature as a receiver would, from headers, raw body and shared key alone."""
        secret = base64.b64decode(key.removeprefix("whsec_"))
        signed = b".".join((self.id.encode(), self.headers["webhook-timestamp"].encode(), self.body))
        made = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
        return f"v1,{made}" in self.headers["webhook-signature"].split(" ")


@dataclass
class Receiver:
    """The receiver's URL and the requests that it has received."""

    url: str
    port: int
    answering: Answering
    requests: list[Received] = field(default_factory=list)

    @property
    def events(self) -> list[str]:
        return [request.told["type"] for request in self.requests]


def saying(status: int, body: bytes = b"", **headers: str) -> Answering:
    """Return a handler that always sends the same response."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


@contextmanager
def receiver(answering: Answering | None = None, context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Run a receiver on the loopback address until the test ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            made.requests.append(Received(self.path, headers, body))
            made.answering(self)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class has this name
            return

    server = Quiet(("127.0.0.1", 0), Handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    port = server.server_address[1]
    made = Receiver(f"http{'s' if context else ''}://127.0.0.1:{port}/hook?k=1", port, answering or saying(204))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Quiet(ThreadingHTTPServer):
    """A server that ignores errors, because some tests need senders that disconnect early."""

    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        return
