"""Phones at a table: helpers shared by the browser tests of the live score sheet."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from league.models import Hanchan, TableSession
from league.selectors.live.log import log_of

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, ViewportSize

PATIENT = 30_000
"""Timeout in milliseconds for elements to appear: long, because shared machines may be slow."""
PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 360, "height": 640}


@dataclass
class Device:
    """A phone with the score sheet open; it counts the taps."""

    page: Page
    taps: int = 0

    @property
    def context(self) -> BrowserContext:
        """Return the browser context of this device."""
        return self.page.context

    def tap(self, *keys: str) -> None:
        """Tap the elements with these `data-key` values in the given order."""
        for key in keys:
            self.page.locator(f'[data-key="{key}"]').first.tap()
            self.taps += 1

    def sees(self, selector: str, text: str | re.Pattern[str]) -> None:
        """Wait until the element contains the text."""
        expect(self.page.locator(selector).first).to_contain_text(text)

    def scores(self) -> list[str]:
        """Return the scores shown at the seats, starting with the first dealer."""
        seats = self.page.locator(".table [data-seat]").all()
        shown = {seat.get_attribute("data-seat"): seat.locator(".score").inner_text() for seat in seats}
        return [shown[str(number)] for number in range(len(seats))]

    def settles(self) -> None:
        """Wait until every entry has been sent."""
        expect(self.page.locator(".line")).to_have_class(re.compile("sent"))


Opens = Callable[..., Device]


def begun(device: Device) -> Device:
    """Start the hanchan on this device and reset the count of taps."""
    device.tap("start")
    device.page.wait_for_selector(".on-table")
    device.taps = 0
    return device


def first_of(table: TableSession) -> Hanchan:
    """Return the table's first hanchan."""
    return table.hanchan.order_by("round").first()  # type: ignore[return-value]


def kyoku_of(table: TableSession) -> list[tuple[int, ...]]:
    """Return the score changes of each kyoku in the log."""
    return [result.changes() for result in log_of(first_of(table)).game.kyoku]


def record(device: Device) -> None:
    """Tap the record button once it is enabled, to record the entry under review."""
    expect(device.page.locator("[data-key=record]")).to_be_enabled()
    device.tap("record")


def play_through(device: Device) -> None:
    """Enter eight exhaustive draws with all noten, which pass the deal round twice."""
    for _kyoku in range(8):
        device.tap("act-draw", "rest-noten")
        record(device)
        device.page.wait_for_selector(".on-table")
        device.settles()
