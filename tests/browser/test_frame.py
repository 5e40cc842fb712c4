"""Test the frame of the pages: a low header, a dock at the thumb, nothing too wide, no requests to other hosts."""

import pytest
from playwright.sync_api import Page, expect

from scripts.looks import WIDE
from scripts.site import Shot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HIGHEST = 64
SMALL_PHONE = 360
OF_EACH_KIND = ("home-1", "block-1", "sessions-1", "rules-1", "entrants-1", "people-1", "start-1", "sign_in-1")
TEXT = {"as it is": "16px", "twice as large": "32px"}
ENLARGED = "size => { document.documentElement.style.fontSize = size; }"
HEIGHT = "document.querySelector('header.top').getBoundingClientRect().height"
DOCK = """() => { const dock = document.querySelector('.dock').getBoundingClientRect();
  return [Math.round(innerHeight - dock.bottom), dock.height]; }"""


def test_the_header_is_low_and_no_page_is_wider_than_a_small_phone_even_at_twice_the_text_size(
    page: Page, public: list[Shot]
) -> None:
    shots = [shot for shot in public if shot.name in OF_EACH_KIND]
    assert len(shots) == len(OF_EACH_KIND)
    high, wide = {}, {}
    for shot in shots:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(shot.path)
        height = page.evaluate(HEIGHT)
        if height > HIGHEST:
            high[shot.path] = height
        page.set_viewport_size({"width": SMALL_PHONE, "height": 740})
        for name, size in TEXT.items():
            page.evaluate(ENLARGED, size)
            over = page.evaluate(WIDE)
            if over:
                wide[shot.path, name] = over
    assert (high, wide) == ({}, {})


def test_the_dock_lies_at_the_bottom_of_a_phone_and_below_the_header_of_a_desktop(
    page: Page, public: list[Shot]
) -> None:
    [home] = [shot for shot in public if shot.name == "home-1"]
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(home.path)
    below, height = page.evaluate(DOCK)
    assert below == 0
    assert 50 <= height <= 56
    page.set_viewport_size({"width": 1280, "height": 800})
    below, _ = page.evaluate(DOCK)
    assert below > 600
    assert page.get_by_role("navigation").get_by_role("link", name="順位", exact=True).is_visible()


def test_the_admin_login_works_under_the_content_security_policy(page: Page) -> None:
    page.goto("/admin/")
    expect(page.locator("#id_username")).to_be_visible()


def test_a_request_to_another_host_is_recorded_as_a_fault(page: Page, faults: list[str]) -> None:
    for address in ("http://elsewhere.invalid/", "http://127.0.0.2/"):
        with page.expect_event("requestfailed") as failed:
            page.set_content(f"<img src='{address}'>")
        assert failed.value.failure == "net::ERR_NAME_NOT_RESOLVED"
        assert faults.pop() == f"asked another host for {address}"
    page.goto("/admin/")
    page.evaluate("fetch('http://elsewhere.invalid/').catch(() => null)")
    assert faults
    assert all("Content Security Policy" in fault for fault in faults)
    faults.clear()
