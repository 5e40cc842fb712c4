"""Test a field of 224 players on a narrow phone: nothing sticks out, and the reader's own place is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from tests.league.large_fields import large_league, open_field

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PEOPLE = 224
PATHS = ("", "blocks/main/", "ladder/", "sessions/", "sessions/1/", "players/")
TALLEST = 14_000
LAST_ROW = 160
"""The player at this place is the reader; three digits, in a folded part."""
STICKING_OUT = """() => [...document.querySelectorAll(".rk, text.rank, .num.rank")].filter((rank) => {
  const range = document.createRange();
  range.selectNodeContents(rank);
  const text = range.getBoundingClientRect();
  const box = (rank.closest("a.row")?.querySelector(".hit") ?? rank).getBoundingClientRect();
  return text.width && (text.left < box.left || text.right > box.right);
}).map((rank) => rank.textContent)"""


def test_a_field_of_224_fits_a_narrow_phone_and_leads_to_the_readers_place(page: Page, live_server: LiveServer) -> None:
    large_league(open_field(PEOPLE, 2, 1, 32), 1)
    page.set_viewport_size({"width": 360, "height": 740})
    for path in PATHS:
        page.goto(f"/c/large/{path}")
        page.evaluate(
            "document.querySelectorAll('details').forEach((part) => { part.open = /^(main|places)-/.test(part.id); })"
        )
        assert page.evaluate("document.documentElement.scrollWidth") == 360, path
        assert page.evaluate(STICKING_OUT) == [], path
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = false; })")
        assert page.evaluate("document.documentElement.scrollHeight") < TALLEST, path
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
