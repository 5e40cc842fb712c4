"""Test error reports to Sentry: they are optional and contain no personal data."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import brotli  # type: ignore[import-untyped]
import pytest
import sentry_sdk
from django.conf import settings

from league.platform.environment import ROOT
from league.platform.error_reports import release_of, strip_quoted_values

FAILS = """
import django; django.setup()
from django.conf import settings; settings.ROOT_URLCONF = "tests.league.reporting_urls"
from django.test import RequestFactory
from django.core.wsgi import get_wsgi_application
application = get_wsgi_application()
headers = {"authorization": "Token jtk_hidden-token", "host": "localhost", "x-forwarded-for": "192.0.2.77"}
factory = RequestFactory(headers=headers)
factory.cookies["sessionid"] = "hidden-session"
typed = {"name": "佐藤", "password": "hidden-word"}
request = factory.post("/invitation/hidden-key-of-somebody/?token=hidden-parameter", typed)
told = {}
def start_response(status, headers): told.update(headers, status=status)
b"".join(application(request.environ, start_response))
print(told["status"].split()[0], told["X-Request-ID"])
import sentry_sdk; sentry_sdk.flush(10)
"""


class Inbox(BaseHTTPRequestHandler):
    """Keep every envelope received."""

    envelopes: list[bytes]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        opened = {"gzip": gzip.decompress, "br": brotli.decompress}.get(self.headers.get("Content-Encoding", ""))
        self.envelopes.append(opened(body) if opened else body)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_told: object) -> None:
        """Write nothing to the log while tests run."""


@contextmanager
def inbox() -> Iterator[tuple[str, list[bytes]]]:
    """Run a receiver of reports; yield its DSN and the list of received envelopes."""
    envelopes: list[bytes] = []
    handler = type("Handler", (Inbox,), {"envelopes": envelopes})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://key@127.0.0.1:{server.server_port}/1", envelopes
        server.shutdown()


def fail(folder: Path, **variables: str) -> tuple[str, str]:
    """Send a failing request in a separate process; return its status and its request id."""
    base = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    told = {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "league.settings", "LOG_LEVEL": "ERROR"}
    done = subprocess.run(
        [sys.executable, "-c", FAILS],
        cwd=ROOT,
        env=base | told | variables,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    status, request_id = done.stdout.split()
    return status, request_id


def events_in(envelopes: list[bytes]) -> list[dict[str, Any]]:
    """Return the events among the envelopes' items."""
    items = [line for envelope in envelopes for line in envelope.splitlines()[1:]]
    return [item for item in (json.loads(line) for line in items if line) if "event_id" in item]


def test_an_exception_is_reported_once_with_its_context_and_without_secrets(tmp_path: Path) -> None:
    with inbox() as (dsn, envelopes):
        status, request_id = fail(tmp_path, SENTRY_DSN=dsn, SECRET_KEY="hidden-" + "k3Y" * 20)
    assert status == "500"
    (event,) = events_in(envelopes)
    (fault,) = event["exception"]["values"]
    assert (fault["type"], fault["value"]) == ("ValueError", "no such player: '…'")
    assert fault["stacktrace"]["frames"][-1]["function"] == "broken"
    assert event["tags"]["request_id"] == request_id
    assert (event["release"], event["environment"]) == (release_of(ROOT), "embedded")
    assert event["request"] == {"method": "POST", "url": "http://localhost/invitation/[hidden]/"}
    assert not event["breadcrumbs"]["values"]
    everything = b"".join(envelopes).decode()
    for secret in ("hidden-", "192.0.2.77", "sessionid", "jtk_", "佐藤", "\\u4f50"):
        assert secret not in everything, secret


def test_without_a_dsn_nothing_is_reported() -> None:
    assert not settings.ENVIRONMENT.sentry_dsn
    assert not sentry_sdk.get_client().is_active()


@pytest.mark.parametrize(
    ("said", "reported"),
    [
        (
            'duplicate key value violates unique constraint "league_player_name_key"\nDETAIL:  Key (name)=(佐藤).',
            'duplicate key value violates unique constraint "league_player_name_key"',
        ),
        ("invalid literal for int() with base 10: 'Sato'", "invalid literal for int() with base 10: '…'"),
        ("division by zero", "division by zero"),
    ],
)
def test_an_exception_message_is_reported_without_the_values_that_it_quotes(said: str, reported: str) -> None:
    assert strip_quoted_values(said) == reported
