"""Headless Chromium for the browser tests.

The one idea: a page that sends a request to another host, violates the content security policy or throws a script
error fails its test, whatever the test was about.
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
from tests.league.team_league import team_league
from tests.replayed import replayed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, ViewportSize

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Names of the Chromium executable, best first; the headless shell needs a third of the CPU time per page."""
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)
"""The last one lets no request leave this machine; `context.route` for all requests would switch the cache off."""
FOCUS = "document.addEventListener('DOMContentLoaded', () => document.querySelector('[autofocus]')?.focus())"
"""Focuses the page's first field before the page counts as loaded; Chromium does it with the first frame, later."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Launch one headless browser for the whole run."""
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
    """Collect the faults in the pages of this test; a test that provokes one on purpose clears the list."""
    return []


@pytest.fixture
def browser_context(chromium: Browser, live_server: LiveServer, faults: list[str]) -> Iterator[BrowserContext]:
    """Return the context of a new Japanese visitor with a desktop browser; `new_page()` opens further pages."""
    context = chromium.new_context(base_url=live_server.url, locale="ja-JP", timezone_id="Asia/Tokyo")
    watch(context, live_server.url, faults)
    yield context
    context.close()
    assert not faults, "\n".join(faults)


def watch(context: BrowserContext, address: str, faults: list[str]) -> None:
    """Record the faults in the context's pages, and let them type at once and wait long on slow machines."""

    def request(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            faults.append(f"asked another host for {request.url}")

    def console(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            faults.append(message.text)

    context.set_default_timeout(PATIENT)
    context.add_init_script(FOCUS)
    context.on("request", request)
    context.on("console", console)
    context.on("weberror", lambda error: faults.append(str(error.error)))


@pytest.fixture
def page(browser_context: BrowserContext) -> Page:
    """Return an open page; addresses may be relative to the live server."""
    return browser_context.new_page()


@pytest.fixture
def phone(chromium: Browser, live_server: LiveServer, faults: list[str]) -> Iterator[Opens]:
    """Return a factory of phones that open a table by a link, by default the scorer's, or any `address`."""
    contexts: list[BrowserContext] = []

    def opens(
        table: TableSession, entrant: Entrant | None = None, viewport: ViewportSize = PHONE, **more: Any
    ) -> Device:
        language, address = more.pop("language", "en"), more.pop("address", "")
        context = chromium.new_context(
            base_url=live_server.url, viewport=viewport, has_touch=True, is_mobile=True, **more
        )
        context.add_cookies([{"name": "jantaku_language", "value": language, "url": live_server.url}])
        watch(context, live_server.url, faults)
        contexts.append(context)
        if not address:
            kind = TableLink.Kind.PLAYER if entrant else TableLink.Kind.SCORER
            address = f"/t/{make_link(table_session=table, kind=kind, by=SYSTEM, entrant=entrant).token}/"
        page = context.new_page()
        page.goto(address)
        return Device(page)

    yield opens
    for context in contexts:
        context.close()
    assert not faults, "\n".join(faults)


@pytest.fixture
def table(live_server: LiveServer) -> TableSession:
    """Return a table session of four players and two hanchan under the Cinderella League's ruleset."""
    return table_of_final()


@replayed
def table_of_final() -> TableSession:
    """Create the table of a final."""
    return factories.table(factories.final_table().blocks.get(), numbers=(1, 2))


@pytest.fixture
def public(transactional_db: None, live_server: LiveServer) -> list[Shot]:
    """Return every public page of the demo data (a season and parlours) and of a team league, with odds computed."""
    return demo_pages(live_server.url)


@replayed
def demo_pages(address: str) -> list[Shot]:
    """Store the demo data and a team league, and return their public pages, crawled from this address."""
    call_command("load_demo", verbosity=0)
    team_league(2)
    for key in Competition.objects.filter(kind=Competition.Kind.LEAGUE).values_list("pk", flat=True):
        publish_odds(key)
    return public_pages(address)
