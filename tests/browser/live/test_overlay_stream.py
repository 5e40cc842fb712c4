"""The broadcast overlay in a real browser: a new score is shown within a second, streamed and polled."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import LazySettings
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import TableSession
from scripts.servers import LOCALHOST
from tests.browser.phones import first_of
from tests.league.tables import RIICHI, RON, entered, event, write
from tests.stream_server import stream_server

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.django_db(transaction=True)
PROMISED = 1000
"""Milliseconds from the write until the overlay shows it."""


@dataclass(frozen=True, slots=True)
class Running:
    """A stream beside the service, with the requests to it."""

    asked: list[str]
    stop: Callable[[], None]


@pytest.fixture
def stream(live_server: LiveServer, page: Page, settings: LazySettings, tmp_path: Path) -> Iterator[Running]:
    """Run the stream beside the service, at the same address for the browser."""
    with ExitStack() as stack:
        port = stack.enter_context(stream_server(tmp_path))
        settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"stream_port": port})
        asked: list[str] = []

        def to_the_stream(route: Route) -> None:
            asked.append(route.request.url)
            route.continue_(url=route.request.url.replace(live_server.url, f"http://{LOCALHOST}:{port}"))

        page.route("**/live/stream/", to_the_stream)
        yield Running(asked, stack.close)


def test_a_streamed_score_is_on_the_overlay_within_a_second_and_polled_once_the_stream_is_down(
    stream: Running, table: TableSession, page: Page
) -> None:
    write(first_of(table), event("start"))
    polls: list[str] = []
    page.on("request", lambda request: polls.append(request.url) if request.url.endswith("/live/") else None)
    with page.expect_request("**/live/stream/"):
        page.goto(f"/overlay/{table.pk}/?lang=en")
    expect(page.locator(".player")).to_have_count(4)
    page.wait_for_timeout(2500)
    polled = len(polls)
    write(first_of(table), *entered(RON))
    expect(page.locator(".player").nth(1)).to_contain_text("30,200", timeout=PROMISED)
    assert (len(stream.asked), len(polls)) == (1, polled)
    stream.stop()
    write(first_of(table), *entered(RIICHI))
    expect(page.locator(".player.riichi")).to_have_count(1, timeout=3 * PROMISED)


def test_a_polled_score_is_on_the_overlay_within_a_second_of_its_answer(table: TableSession, page: Page) -> None:
    write(first_of(table), event("start"))
    page.goto(f"/overlay/{table.pk}/?lang=en")
    expect(page.locator(".player").nth(1)).to_contain_text("25,000")
    assert json.loads(page.locator("#overlay-data").inner_text())["streams"] is False
    write(first_of(table), *entered(RON))
    expect(page.locator(".player").nth(1)).to_contain_text("30,200", timeout=2 * PROMISED)
