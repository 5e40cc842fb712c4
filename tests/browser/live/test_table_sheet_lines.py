"""The live score sheet with lost connections, and with several devices at one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from league.models import ResultSheet, TableEvent, TableSession
from tests.browser.phones import PHONE, SMALL, Opens, begun, kyoku_of, record

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.django_db(transaction=True)


def test_entries_made_offline_are_sent_once_after_reconnecting(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.context.set_offline(True)
    device.tap("act-riichi", "seat-1")
    device.sees(".line", "waiting")
    device.tap("act-ron", "seat-1", "seat-2", "han-3", "fu-30")
    device.sees(".note", "checked once the connection is back")
    device.tap("record")
    device.tap("act-riichi", "seat-3")
    device.sees(".line", "3 waiting")
    assert TableEvent.objects.filter(kind="entry").count() == 0
    device.context.set_offline(False)
    device.settles()
    device.sees(".kyoku", "East 2")
    assert kyoku_of(table) == [(0, 3900, -3900, 0)]
    assert [event.payload["entry"]["type"] for event in TableEvent.objects.filter(kind="entry")] == [
        "riichi",
        "ron",
        "riichi",
    ]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_waiting_entries_leave_the_sheet_as_wide_as_the_phone(phone: Opens, table: TableSession, language: str) -> None:
    device = begun(phone(table, language=language))
    device.context.set_offline(True)
    device.tap("act-riichi", "seat-1")
    expect(device.page.locator(".status button")).to_be_in_viewport(ratio=1)
    for size in (SMALL, PHONE):
        device.page.set_viewport_size(size)
        assert device.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    heights = device.page.locator(".table .wind").evaluate_all("(all) => all.map((one) => one.offsetHeight)")
    assert max(heights) == min(heights)
    device.context.set_offline(False)
    device.settles()


def test_a_lost_response_duplicates_no_entry(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    lost: list[str] = []

    def loses_the_first(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().text())
        route.abort()

    device.page.route("**/sheet/events/", loses_the_first)
    device.tap("act-riichi", "seat-0")
    device.sees(".mark-of", "Riichi")
    device.settles()
    assert len(lost) == 1
    assert TableEvent.objects.filter(kind="entry").count() == 1


def test_a_result_is_not_submitted_without_the_entries_that_still_wait(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("act-riichi", "seat-1")
    device.settles()
    device.page.route("**/sheet/events/", lambda route: route.abort())
    device.tap("act-ron", "seat-1", "seat-2", "han-3", "fu-30")
    record(device)
    device.sees(".line", "waiting")
    device.tap("log")
    device.page.locator("summary", has_text="time").tap()
    device.page.locator(".submit .wide").tap()
    device.tap("submit")
    device.sees(".wrong", "This needs a connection")
    assert not ResultSheet.objects.exists()
    device.page.unroute("**/sheet/events/")
    device.settles()
    device.tap("submit")
    device.sees(".state-confirmed", "confirmed")
    assert [seat.final_score for seat in ResultSheet.objects.get().seats.order_by("seat")] == [
        25000,
        28900,
        21100,
        25000,
    ]


def test_unsent_entries_survive_a_reload(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.page.route("**/sheet/events/", lambda route: route.abort())
    device.tap("act-riichi", "seat-0")
    device.sees(".line", "waiting")
    device.page.reload()
    device.sees(".line", "waiting")
    device.page.unroute("**/sheet/events/")
    device.settles()
    assert TableEvent.objects.filter(kind="entry").count() == 1


def test_an_offline_reload_shows_the_sheet_and_keeps_unsent_entries(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    device.page.wait_for_function(
        "async () => (await (await caches.open('jantaku-sheet')).keys()).some((one) => one.url.endsWith('/screens.js'))"
    )
    device.context.set_offline(True)
    device.tap("act-riichi", "seat-0")
    device.sees(".line", "waiting")
    device.page.reload()
    device.sees(".line", "1 waiting")
    device.tap("act-ron", "seat-0", "seat-1", "mangan", "record")
    device.sees(".line", "2 waiting")
    device.context.set_offline(False)
    device.settles()
    assert kyoku_of(table) == [(12000, -12000, 0, 0)]


def test_two_devices_at_one_table_stay_in_sync(phone: Opens, table: TableSession) -> None:
    mine = begun(phone(table))
    yours = phone(table)
    yours.page.wait_for_selector(".on-table")
    mine.tap("act-riichi", "seat-2")
    yours.sees("[data-seat='2'] .mark-of", "Riichi")
    yours.sees(".note", "From another device")
    yours.tap("act-ron", "seat-2", "seat-3", "haneman")
    record(yours)
    mine.sees(".kyoku", "East 2")
    assert mine.scores() == ["25,000", "25,000", "37,000", "13,000"]


def test_the_later_of_two_concurrent_entries_is_kept_and_shown_beside_the_first(
    phone: Opens, table: TableSession
) -> None:
    mine = begun(phone(table))
    yours = phone(table)
    yours.page.wait_for_selector(".on-table")
    yours.context.set_offline(True)
    yours.tap("act-riichi", "seat-0")
    yours.sees(".line", "waiting")
    mine.tap("act-riichi", "seat-1")
    mine.settles()
    yours.context.set_offline(False)
    yours.sees(".alarm", "Another device was quicker")
    yours.sees(".alarm .came", "final2")
    yours.sees(".alarm", "final1")
    yours.tap("again")
    yours.settles()
    mine.sees("[data-seat='0'] .mark-of", "Riichi")
    assert [event.payload["entry"]["seat"] for event in TableEvent.objects.filter(kind="entry")] == [1, 0]


def test_an_invalid_entry_is_refused_with_its_reason_and_can_be_dropped(phone: Opens, table: TableSession) -> None:
    mine = begun(phone(table))
    mine.context.set_offline(True)
    mine.tap("act-riichi", "seat-1")
    mine.tap("act-riichi")
    mine.page.keyboard.press("2")
    mine.sees(".line", "2 waiting")
    mine.context.set_offline(False)
    mine.sees(".alarm", "riichi")
    mine.tap("drop")
    mine.settles()
    assert TableEvent.objects.filter(kind="entry").count() == 1
