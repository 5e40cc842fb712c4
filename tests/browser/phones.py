"""Phones at a table: what tests of the score sheet in the browser have in common."""

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
"""Milliseconds until what should be on a page is missed: a machine shared with others may be slow."""
PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 360, "height": 640}


@dataclass
class Device:
    """A phone with the sheet open; it counts how often it is touched."""

    page: Page
    taps: int = 0

    @property
    def context(self) -> BrowserContext:
        """The browser of this device."""
        return self.page.context

    def tap(self, *keys: str) -> None:
        """Touch what has these names, one after the other."""
        for key in keys:
            self.page.locator(f'[data-key="{key}"]').first.tap()
            self.taps += 1

    def sees(self, selector: str, text: str | re.Pattern[str]) -> None:
        """The text appears soon."""
        expect(self.page.locator(selector).first).to_contain_text(text)

    def scores(self) -> list[str]:
        """What lies in front of the seats, first dealer first."""
        seats = self.page.locator(".table [data-seat]").all()
        shown = {seat.get_attribute("data-seat"): seat.locator(".score").inner_text() for seat in seats}
        return [shown[str(number)] for number in range(len(seats))]

    def settles(self) -> None:
        """Everything entered is in."""
        expect(self.page.locator(".line")).to_have_class(re.compile("sent"))


Opens = Callable[..., Device]


def begun(device: Device) -> Device:
    """The hanchan has begun."""
    device.tap("start")
    device.page.wait_for_selector(".on-table")
    device.taps = 0
    return device


def first_of(table: TableSession) -> Hanchan:
    """The table's first hanchan."""
    return table.hanchan.order_by("round").first()  # type: ignore[return-value]


def kyoku_of(table: TableSession) -> list[tuple[int, ...]]:
    """What each kyoku in the log changed."""
    return [result.changes() for result in log_of(first_of(table)).game.kyoku]


def record(device: Device) -> None:
    """Record what is under review, once it was checked."""
    expect(device.page.locator("[data-key=record]")).to_be_enabled()
    device.tap("record")


def play_through(device: Device) -> None:
    """Eight draws with nobody tenpai: the deal goes round twice."""
    for _kyoku in range(8):
        device.tap("act-draw", "rest-noten")
        record(device)
        device.page.wait_for_selector(".on-table")
        device.settles()
