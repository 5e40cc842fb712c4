"""Score sheet, overlay and live page of a table, opened in every state that a table can have."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.db import transaction
from playwright.sync_api import TimeoutError as TooLate
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import TableSession
from league.services.live.links import end_link
from tests import factories
from tests.browser.phones import PATIENT, PHONE, Opens, begun, first_of
from tests.factories import SYSTEM
from tests.league.table_states import STATES, TYPED, State
from tests.league.tables import first

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page, Route

pytestmark = pytest.mark.django_db(transaction=True)
ON_THE_SHEET = "(text) => document.getElementById('sheet')?.innerText.includes(text)"
BUTTONS = "#sheet .actions button, #sheet .tools [data-key=undo], #sheet [data-key=start], #sheet [data-key=submit]"
OVERLAY = {
    "not_begun": "The game has not begun",
    "running": "East 2",
    "log_counts": "The game is over",
    "typed_counts": "Result as typed",
    "typed_over_running_log": "Result as typed",
    "typed_over_a_log_and_taken_back": "East 2",
    "typed_waits": "The game has not begun",
    "closed": "East 2",
    "typed_under_superbingo": "Result as typed",
}
"""Text that the overlay shows, by state."""
FOLLOWED = {
    "typed_counts": TYPED,
    "typed_over_running_log": "end before the result, at East 2, 0 honba",
    "typed_over_a_log_and_taken_back": "Places and points if the game ended now.",
    "log_corrected_by_typing": "The result was not made from them.",
    "abandoned": "This hanchan is not played.",
    "cancelled": "The game has not begun",
}
"""Text that the live page shows, by state."""


@pytest.fixture
def errors(page: Page, live_server: LiveServer) -> list[str]:
    """Collect the script errors of the page, which is set to English."""
    found: list[str] = []

    def console(message: ConsoleMessage) -> None:
        if message.type == "error":
            found.append(message.text)

    page.on("console", console)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.context.add_cookies([{"name": "jantaku_language", "value": "en", "url": live_server.url}])
    page.add_init_script("delete Navigator.prototype.serviceWorker")  # it would store every file again in each state
    return found


def leaves(page: Page) -> None:
    """Log out, on a page that polls nothing; being of the same host, the next one opens in its process."""
    page.goto("/robots.txt")
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)


def comes_in(page: Page, state: State, live_server: LiveServer) -> None:
    """Make the page's browser the scorer's device."""
    leaves(page)
    session = state.device.client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])


def wrong_with(page: Page, state: State) -> list[str]:
    """Open the sheet and return the deviations from the expected content."""
    asked = f"?hanchan={state.asks_for.pk}" if state.asks_for else ""
    page.goto(f"/tables/{state.table.pk}/sheet/{asked}", wait_until="commit")
    try:
        page.wait_for_function(ON_THE_SHEET, arg=state.says, timeout=PATIENT)
    except TooLate:
        return [page.inner_text("body")]
    seen = page.inner_text("#sheet")
    takes_entries = state.may_enter and state.phase != "typed"
    expected = {
        "buttons": (page.locator(BUTTONS).count() > 0, takes_entries and "final scores only" not in seen),
        "score": (state.score in seen, True),
        "way on": (page.locator("#sheet a.button").count() > 0, state.leads_on),
        "trouble": (page.locator("#trouble").is_visible(), False),
    }
    return [f"{name}: {seen}" for name, (is_so, ought) in expected.items() if is_so != ought]


def test_the_sheet_the_overlay_and_the_live_page_open_in_every_state_and_show_it(
    page: Page, errors: list[str], live_server: LiveServer
) -> None:
    page.set_viewport_size(PHONE)
    found: list[str] = []
    for name, reach in STATES.items():
        state = transaction.atomic(reach)()  # in one transaction the standings are published once, at its end
        comes_in(page, state, live_server)
        wrong = wrong_with(page, state)
        table = state.table
        if name in OVERLAY.keys() | FOLLOWED.keys():
            leaves(page)  # visitors without a login see these pages
        if name in OVERLAY:
            page.goto(f"/overlay/{table.pk}/")
            expect(page.locator("#overlay"), name).to_contain_text(OVERLAY[name])
        if name in FOLLOWED:
            page.goto(f"/c/{table.competition.slug}/hanchan/{first(table).pk}/live/")
            expect(page.locator("#now"), name).to_contain_text(FOLLOWED[name])
        found += [f"{name}: {text}" for text in (*wrong, *errors)]
        errors.clear()
    assert found == []
    assert STATES.keys() >= {*OVERLAY, *FOLLOWED}


def test_a_result_typed_elsewhere_replaces_an_open_question(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("act-ron", "seat-2")
    factories.play(first_of(table))
    device.sees(".on-table .note", TYPED)
    expect(device.page.locator(".settled")).to_contain_text("41,200")
    expect(device.page.locator(".prompt")).to_have_count(0)
    device.page.locator(".several .main").tap()
    device.sees("h2", "Before the first hand")


def test_a_revoked_link_shows_a_message_instead_of_a_login(phone: Opens, table: TableSession) -> None:
    device = phone(table)
    device.sees("h2", "Before the first hand")
    end_link(link=table.links.get(), by=SYSTEM)
    device.sees(".alarm", "This link has ended")
    device.page.reload()
    device.sees("h1", "This link has ended")


@pytest.mark.parametrize("kind", ["scorer", "player"])
def test_a_failed_fetch_of_the_state_shows_an_alarm_and_can_be_retried(
    phone: Opens, table: TableSession, kind: str
) -> None:
    device = phone(table, entrant=first_of(table).seats.get(seat=0).entrant if kind == "player" else None)
    opened = "Before the first hand" if kind == "scorer" else "No result has been handed in yet"
    device.sees("main", opened)
    device.page.route("**/sheet/state/*", lambda route: route.fulfill(status=500))
    device.page.evaluate("localStorage.clear()")
    device.page.reload()
    device.sees(".alarm", "cannot be loaded")
    device.page.unroute("**/sheet/state/*")
    device.page.locator(".alarm button").tap()
    device.sees("main", opened)


def test_a_script_that_fails_to_load_shows_a_message_and_can_be_retried(phone: Opens, table: TableSession) -> None:
    device = phone(table, service_workers="block")
    device.page.route("**/sheet/screens*.js", lambda route: route.abort())
    device.page.reload()
    device.sees("#trouble:not([hidden])", "Something went wrong on this page")
    device.page.unroute("**/sheet/screens*.js")
    device.page.locator("#trouble a").tap()
    device.sees("h2", "Before the first hand")
    expect(device.page.locator("#trouble")).to_be_hidden()


def test_a_script_error_shows_a_message_and_its_stored_state_is_discarded(
    phone: Opens, table: TableSession, faults: list[str]
) -> None:
    device = phone(table)
    device.sees("h2", "Before the first hand")

    def breaks(route: Route) -> None:
        answer = route.fetch()
        if answer.status == HTTPStatus.OK:
            document = {**answer.json(), "phase": "playing", "asks": None, "round": None}
            route.fulfill(body=json.dumps(document), content_type="application/json")
        else:
            route.fulfill(response=answer)

    device.page.route("**/sheet/state/*", breaks)
    device.page.evaluate("localStorage.clear()")
    device.page.reload()
    device.sees("#trouble:not([hidden])", "Something went wrong on this page")
    device.page.unroute("**/sheet/state/*")
    device.page.locator("#trouble a").tap()
    device.sees("h2", "Before the first hand")
    assert faults
    faults.clear()


def test_state_stored_by_another_release_is_fetched_again(phone: Opens, table: TableSession) -> None:
    device = phone(table)
    device.sees("h2", "Before the first hand")
    device.page.evaluate(
        "() => { const name = Object.keys(localStorage).find((one) => one.endsWith(':sheet'));"
        " const kept = JSON.parse(localStorage.getItem(name));"
        " localStorage.setItem(name, JSON.stringify({ ...kept, value: { version: kept.value.version } })); }"
    )
    device.page.reload()
    device.sees("h2", "Before the first hand")
    expect(device.page.locator("#trouble")).to_be_hidden()
