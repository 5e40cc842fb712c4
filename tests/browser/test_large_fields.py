"""Test a field of 224 players: pages are light and short, nothing sticks out, and every player is found."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from django.db import transaction
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.test_accessibility import AXE, serious
from tests.browser.test_public_pages import too_heavy
from tests.league.large_fields import large_league, open_field

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response, ViewportSize

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PEOPLE = 224
PATHS = (
    "", "blocks/main/", "ladder/", "conditions/", "what-if/", "sessions/", "sessions/1/", "players/", "share/",
)  # fmt: skip
TALLEST = 6_000
NARROW: ViewportSize = {"width": 360, "height": 740}
FULL = ("sessions/1/", "players/")
"""Pages whose markup is checked for accessibility, with all parts open."""
ROWS = """() => [...document.querySelectorAll("table.standings tbody tr:not(.bd)")]
  .filter(row => row.checkVisibility()).length"""
LAST_ROW = 160
"""The player at this place is the reader; three digits, in a folded part."""
OPEN = "document.querySelectorAll('details').forEach((part) => { part.open = /^(main|places)-/.test(part.id); })"
STICKING_OUT = """() => [...document.querySelectorAll(".rk, text.rank, .num.rank")].filter((rank) => {
  const range = document.createRange();
  range.selectNodeContents(rank);
  const text = range.getBoundingClientRect();
  const box = (rank.closest("a.row")?.querySelector(".hit") ?? rank).getBoundingClientRect();
  return text.width && (text.left < box.left || text.right > box.right);
}).map((rank) => rank.textContent)"""


def test_a_field_of_224_fits_a_narrow_phone_and_leads_to_the_readers_place(page: Page, live_server: LiveServer) -> None:
    with transaction.atomic():  # so that the standings are published once, at the end
        large_league(open_field(PEOPLE, 2, 1, 32), 1)
    _pages_are_light_short_and_narrow(page)
    _every_player_is_found_and_printed(page)
    page.set_viewport_size(NARROW)
    page.goto("/c/large/")
    row = page.locator(".field tbody tr:not(.bd)").nth(LAST_ROW - 1)
    key = str(row.locator("a").first.get_attribute("href")).split("/")[-2]
    page.goto(f"/c/large/me/?player={key}")
    page.locator("main form[method=post] button").first.click()
    page.goto("/c/large/")
    expect(row).to_have_class("me")
    expect(row).to_be_visible()
    expect(page.locator(".strip .mk")).to_have_count(1)
    expect(page.locator(".stripkey .mine b")).to_have_text(row.locator(".tot").inner_text())
    pin = page.locator(".mepin a")
    pin.click()
    expect(row).to_be_in_viewport()
    expect(pin).to_be_hidden()
    page.goto("/c/large/sessions/")
    expect(page.locator(".seating li.me")).to_have_count(2)
    page.locator("[data-mine]").click()
    expect(page.locator("#my-table")).to_be_in_viewport()


def _pages_are_light_short_and_narrow(page: Page) -> None:
    loaded: list[Response] = []
    page.on("response", lambda response: loaded.append(response))  # noqa: PLW0108 - it cannot mark a built-in method
    for path, width in (*product(PATHS, (390,)), *product(PATHS[:2], (1280,))):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto("about:blank")
        loaded.clear()
        page.goto(f"/c/large/{path}", wait_until="load")
        assert page.evaluate("document.documentElement.scrollHeight") < TALLEST, (path, width)
        assert not [*too_heavy(loaded)], (path, width)
        page.set_viewport_size(NARROW)
        page.evaluate(OPEN)
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"], path
        assert page.evaluate(STICKING_OUT) == [], path
    page.set_viewport_size({"width": 1280, "height": 844})
    for path in FULL:
        page.goto(f"/c/large/{path}?show=all")
        page.evaluate(AXE)
        assert serious(page) == [], path


def _every_player_is_found_and_printed(page: Page) -> None:
    page.goto("/c/large/blocks/main/")
    assert page.evaluate(ROWS) < PEOPLE // 4
    page.emulate_media(media="print")
    assert page.evaluate(ROWS) == PEOPLE
    page.emulate_media(media="screen")
    last = page.locator("table.standings tbody tr .who a").last.text_content() or ""
    page.get_by_role("searchbox").fill(last)
    page.keyboard.press("Enter")
    page.wait_for_url("**?q=*")
    expect(page.get_by_role("search").get_by_role("status")).to_be_visible()
    expect(page.locator("table.standings tbody .who a", has_text=last).first).to_be_visible()
    assert page.evaluate(ROWS) < PEOPLE // 4
