"""Metrics of the stream of live tables: its readers, and figures that follow its clients and readings."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from ipaddress import ip_network
from typing import Any, TypeVar

import pytest
from django.conf import LazySettings

from league.api.live import stream
from league.api.live.stream import Channel, Stream, serve
from league.api.live.stream_metrics import Refusal
from league.api.live.stream_source import Reading, Source

T = TypeVar("T")
TOKEN = "a-long-and-random-token-of-the-metrics"
SOURCE = Source("hanchan", 1, "en", "localhost")
FOUND = Reading(HTTPStatus.OK, '"1"', b"{}")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own: a browser test before this one may have left its event loop running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def ask(application: Stream, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Send a GET to the application; return status and body."""
    sent: list[MutableMapping[str, Any]] = []

    async def take(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    pairs = [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
    scope = {"type": "http", "method": "GET", "path": path, "headers": pairs, "client": ("10.1.2.3", 5)}
    run(application(scope, never, take))
    return sent[0]["status"], sent[1]["body"].decode()


async def never() -> MutableMapping[str, Any]:
    """Receive nothing, as from a client that stays."""
    await asyncio.Event().wait()
    raise AssertionError


def test_metrics_are_given_to_the_readers_that_the_operator_allows(settings: LazySettings) -> None:
    right, wrong = ({"authorization": f"Bearer {token}"} for token in (TOKEN, "other"))
    assert ask(Stream(), "/metrics", right)[0] == 404
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"metrics_token": TOKEN})
    assert [ask(Stream(), "/metrics", sent)[0] for sent in ({}, wrong, right)] == [404, 404, 200]
    allowed = {"metrics_token": "", "metrics_addresses": (ip_network("10.1.0.0/16"),)}
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update=allowed)
    assert ask(Stream(), "/metrics/")[0] == 200


def test_a_stream_without_clients_has_figures_of_zero(settings: LazySettings) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"metrics_token": TOKEN})
    text = ask(Stream(), "/metrics", {"authorization": f"Bearer {TOKEN}"})[1]
    for name in (
        "clients",
        "documents",
        "reading_age_seconds",
        *(f'refused_total{{reason="{one}"}}' for one in Refusal),
    ):
        assert f"\njantaku_stream_{name} 0.0\n" in text


def test_a_client_of_a_full_stream_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MOST_CHANNELS", 0)
    application = Stream()
    assert ask(application, "/api/v1/hanchan/1/live/stream/")[0] == 503
    assert application.refused == {Refusal.FULL: 1}


def test_a_client_that_takes_nothing_is_turned_away_as_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "SEND_SECONDS", 0.01)

    async def stuck(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    async def served() -> Refusal | None:
        channel = Channel(SOURCE)
        channel.take(FOUND, asyncio.get_running_loop().time())
        return await serve(channel, "", never, stuck)

    assert run(served()) is Refusal.SLOW


def test_the_reading_age_grows_while_a_document_cannot_be_read() -> None:
    async def ages() -> list[float]:
        channel = Channel(SOURCE)
        begun, found = channel.begun_at, []
        for reading, after in ((Reading(503), 4), (FOUND, 6), (Reading(500), 13), (Reading(304), 20)):
            channel.take(reading, begun + after)
            found.append(channel.reading_age(begun + after))
        return found

    assert run(ages()) == pytest.approx([4, 0, 7, 0])
