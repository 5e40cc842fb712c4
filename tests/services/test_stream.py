"""Test the stream of live tables: a real gunicorn behind the shipped nginx site, on the test's database."""

from __future__ import annotations

import datetime as dt
import json
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Self

import pytest
from django.utils import timezone
from knox.models import AuthToken

from league.models import Competition, Hanchan, Role, TableSession
from league.services.competitions.schedule import hold_back
from league.services.standings.publishing import publish_standings
from scripts.nginx import Proxy, nginx
from scripts.servers import LOCALHOST, UnavailableError, free_port
from tests import factories
from tests.league.tables import RIICHI, RON, begun, entered, final_table, write
from tests.stream_server import METRICS_TOKEN, stream_server

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
HOST = "league.example.org"
PROMISED = 1.0


@dataclass(frozen=True, slots=True)
class Event:
    """An event of the stream."""

    name: str
    tag: str
    data: str

    @property
    def sequence(self) -> int:
        """Return the newest event of the log that the document shows."""
        return int(json.loads(self.data)["sequence"])


class Overlay:
    """A client of the stream of one table, by the proxy."""

    def __init__(self, proxy: Proxy, table: TableSession, **headers: str) -> None:
        self.connection = HTTPSConnection(LOCALHOST, proxy.port, timeout=20, context=proxy.tls)
        sent = {"Host": HOST, "Accept": "text/event-stream", "Accept-Language": "en"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request("GET", f"/api/v1/table-sessions/{table.pk}/live/stream/", headers=sent)
        self.response: HTTPResponse = self.connection.getresponse()

    def next(self) -> Event | None:
        """Wait for the next event; None once the stream has ended."""
        fields: dict[str, str] = {}
        while line := self.response.readline().decode():
            if line == "\n":
                return Event(fields["event"], fields.get("id", ""), fields["data"])
            name, _colon, value = line.rstrip("\n").partition(": ")
            fields[name] = value
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_why: object) -> None:
        self.response.close()
        self.connection.close()


@pytest.fixture(scope="module")
def port(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Run one stream for all tests here."""
    with stream_server(tmp_path_factory.mktemp("stream")) as found:
        yield found


@pytest.fixture(scope="module")
def proxy(port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """Run one nginx in front of it."""
    try:
        with nginx(tmp_path_factory.mktemp("nginx"), free_port(), port) as found:
            yield found
    except UnavailableError as reason:
        pytest.skip(str(reason))


@pytest.fixture
def table() -> TableSession:
    return final_table()


@pytest.fixture
def hanchan(table: TableSession) -> Hanchan:
    found = begun(table)
    publish_standings(table.competition_id)
    return found


def test_a_change_arrives_within_a_second_and_in_order(proxy: Proxy, table: TableSession, hanchan: Hanchan) -> None:
    with Overlay(proxy, table) as overlay:
        first = overlay.next()
        assert first
        assert (overlay.response.status, first.name, first.sequence) == (200, "live", 1)
        for number, entry in enumerate((RIICHI, RON), start=2):
            write(hanchan, *entered(entry))
            began = time.monotonic()
            found = overlay.next()
            assert found
            assert (found.sequence, time.monotonic() - began < PROMISED) == (number, True)


def test_an_embargo_ends_the_stream_and_a_token_opens_none(proxy: Proxy, table: TableSession, hanchan: Hanchan) -> None:
    with Overlay(proxy, table) as overlay:
        assert overlay.next()
        hold_back(table_session=table, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
        write(hanchan, *entered(RIICHI))
        ended = overlay.next()
        assert ended
        assert (ended.name, ended.data, overlay.next()) == ("gone", "{}", None)
    staff = factories.user("broadcast", Role.READER, table.competition)
    token = AuthToken.objects.create(staff)[1]
    for headers in ({}, {"Authorization": f"Bearer {token}"}):
        with Overlay(proxy, table, **headers) as refused:
            assert refused.response.status == 404


def test_a_delayed_competition_is_streamed_with_its_delay(proxy: Proxy, table: TableSession, hanchan: Hanchan) -> None:
    Competition.objects.update(live_delay=10)
    write(hanchan, *entered(RIICHI))
    with Overlay(proxy, table) as overlay:
        found = overlay.next()
    assert found
    assert (found.sequence, json.loads(found.data)["delay"]) == (0, 10)


def test_a_client_that_reconnects_misses_nothing_and_gets_nothing_twice(
    proxy: Proxy, table: TableSession, hanchan: Hanchan
) -> None:
    with Overlay(proxy, table) as overlay:
        known = overlay.next()
    assert known
    with Overlay(proxy, table, Last_Event_ID=known.tag) as again:
        write(hanchan, *entered(RIICHI))
        events = iter(again.next, None)
        assert next(each for each in events if each.name == "live").sequence == 2
    write(hanchan, *entered(RON))
    with Overlay(proxy, table, Last_Event_ID=known.tag) as later:
        found = later.next()
    assert found
    assert found.sequence == 3


def measured(port: int) -> dict[str, float]:
    """Return the metrics of the stream by their name."""
    with closing(HTTPConnection(LOCALHOST, port, timeout=20)) as connection:
        connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
        response = connection.getresponse()
        assert response.status == 200
        lines = [line for line in response.read().decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def test_the_metrics_follow_the_clients(proxy: Proxy, port: int, table: TableSession, hanchan: Hanchan) -> None:
    with Overlay(proxy, table) as overlay:
        assert overlay.next()
        found = measured(port)
        assert (found["jantaku_stream_clients"], found["jantaku_stream_documents"]) == (1, 1)
        assert found["jantaku_stream_reading_age_seconds"] < 5
    hold_back(table_session=table, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
    refused = 'jantaku_stream_refused_total{reason="not_found"}'
    before = measured(port)[refused]
    with Overlay(proxy, table) as turned_away:
        assert turned_away.response.status == 404
    assert measured(port)[refused] == before + 1


@pytest.mark.parametrize(
    ("method", "path", "host", "status"),
    [
        ("GET", "/health/live", "probe", 200),
        ("GET", "/metrics", "probe", 404),
        ("GET", "/api/v1/", HOST, 404),
        ("GET", "/api/v1/table-sessions/999999/live/stream/", HOST, 404),
        ("POST", "/api/v1/table-sessions/1/live/stream/", HOST, 405),
    ],
)
def test_other_addresses_and_methods_are_refused(port: int, method: str, path: str, host: str, status: int) -> None:
    with closing(HTTPConnection(LOCALHOST, port, timeout=20)) as connection:
        connection.request(method, path, headers={"Host": host})
        assert connection.getresponse().status == status


def test_a_host_that_the_service_does_not_answer_to_gets_no_stream(
    port: int, table: TableSession, hanchan: Hanchan
) -> None:
    with closing(HTTPConnection(LOCALHOST, port, timeout=20)) as connection:
        connection.request("GET", f"/api/v1/table-sessions/{table.pk}/live/stream/", headers={"Host": "evil.example"})
        assert connection.getresponse().status == 404
