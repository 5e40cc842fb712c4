"""A real Chromium for tests that look at pages as a person does.

The one idea: a page that asks another host for anything, breaks the content security policy or throws an error in a
script fails its test, whatever the test was about.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from league.models import Competition, Entrant, TableLink, TableSession
from league.services.live.links import make_link
from league.services.standings.odds import publish_odds
from scripts.site import Shot, public_pages
from tests import factories
from tests.browser.phones import PATIENT, PHONE, Device, Opens
from tests.factories import SYSTEM

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route, ViewportSize

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The headless shell draws no window of its own: a page costs it a third of the CPU time."""
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One headless browser for the whole run."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("no Chromium: install Debian's chromium-headless-shell")
    # Playwright runs an event loop in this thread, which Django takes for asynchronous code from then on.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(OPTIONS))
        yield browser
        browser.close()


@pytest.fixture
def faults() -> list[str]:
    """What went wrong in the pages of this test; a test that provokes a fault on purpose clears the list."""
    return []


@pytest.fixture
def browser_context(chromium: Browser, live_server: LiveServer, faults: list[str]) -> Iterator[BrowserContext]:
    """A fresh visitor, Japanese, at a desktop; `browser_context.new_page()` opens further pages."""
    context = chromium.new_context(base_url=live_server.url, locale="ja-JP", timezone_id="Asia/Tokyo")

    def only_ours(route: Route) -> None:
        if route.request.url.startswith((live_server.url, "data:", "blob:")):
            route.continue_()
        else:
            faults.append(f"asked another host for {route.request.url}")
            route.abort()

    context.route("**/*", only_ours)
    watch(context, faults)
    yield context
    context.close()
    assert not faults, "\n".join(faults)


def watch(context: BrowserContext, faults: list[str]) -> None:
    """Note what goes wrong in the context's pages, and be patient with them."""

    def console(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            faults.append(message.text)

    context.set_default_timeout(PATIENT)
    context.on("console", console)
    context.on("weberror", lambda error: faults.append(str(error.error)))


@pytest.fixture
def page(browser_context: BrowserContext) -> Page:
    """An open page; addresses may be given relative to the service."""
    return browser_context.new_page()


@pytest.fixture
def phone(chromium: Browser, live_server: LiveServer, faults: list[str]) -> Iterator[Opens]:
    """Phones that come in by a link, by default the scorer's."""
    contexts: list[BrowserContext] = []

    def opens(
        table: TableSession, entrant: Entrant | None = None, viewport: ViewportSize = PHONE, **more: Any
    ) -> Device:
        language = more.pop("language", "en")
        context = chromium.new_context(
            base_url=live_server.url, viewport=viewport, has_touch=True, is_mobile=True, **more
        )
        context.add_cookies([{"name": "jantaku_language", "value": language, "url": live_server.url}])
        watch(context, faults)
        contexts.append(context)
        kind = TableLink.Kind.PLAYER if entrant else TableLink.Kind.SCORER
        link = make_link(table_session=table, kind=kind, by=SYSTEM, entrant=entrant)
        page = context.new_page()
        page.goto(f"/t/{link.token}/")
        return Device(page)

    yield opens
    for context in contexts:
        context.close()
    assert not faults, "\n".join(faults)


@pytest.fixture
def table(live_server: LiveServer) -> TableSession:
    """Four players under the Cinderella League's book and their table, two hanchan."""
    return factories.table(factories.final_table().blocks.get(), numbers=(1, 2))


@pytest.fixture
def public(transactional_db: None, live_server: LiveServer) -> list[Shot]:
    """Every public page of the demonstration's season and parlours, odds and all."""
    call_command("load_demo", verbosity=0)
    for key in Competition.objects.filter(kind=Competition.Kind.LEAGUE).values_list("pk", flat=True):
        publish_odds(key)
    return public_pages(live_server.url)
