"""The tulip (bonus tile flips) on a phone: worked examples by touch, with and without scripts."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from rulesets import examples

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLES: dict[str, Any] = {each["id"]: each for each in tomllib.loads(examples.text_of("superbingo"))["tulip"]}
RUSH = {"hand": "34567899p12378s nuki:1b + 9s", "riichi": "riichi", "dora": "2z", "ura": "3z"}
"""The hand of worked example SB-T08: a red bingo tile laid aside, sevens that join, two promotions."""
LAST = {"hand": "123789p12378s55z + 9s", "by": "tsumo", "riichi": "riichi", "dora": "2z", "ura": "7z"}
"""The hand of worked example SB-T12, completed at its third stack."""
PHONE: ViewportSize = {"width": 360, "height": 740}


def flips_of(example: str) -> list[str]:
    return [tile for tile, _ in EXAMPLES[example]["expect"]["flips"]]


def open_hand(page: Page, won: dict[str, str], live_server: LiveServer) -> None:
    """Open the hand calculator's result in English, and from there the tulip."""
    page.context.add_cookies([{"name": "jantaku_language", "value": "en", "url": live_server.url}])
    page.set_viewport_size(PHONE)
    page.goto(f"/rules/superbingo/hand/?{urlencode(won)}")
    page.get_by_role("link", name="Flip the wall (tulip)").click()
    page.wait_for_selector("[data-tulip]")
    page.wait_for_load_state()  # the script is deferred: a tap before it is in place reloads the page


def is_too_wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


@pytest.fixture
def rush(page: Page, live_server: LiveServer) -> Page:
    """Return a phone page ready for flipping; a mark on `window` reveals a reload."""
    open_hand(page, RUSH, live_server)
    page.evaluate("window.isSamePage = true")
    return page


def test_a_worked_example_is_entered_by_touch_without_a_reload(rush: Page) -> None:
    wanted = EXAMPLES["SB-T08"]["expect"]
    for number, (tile, hits) in enumerate(wanted["flips"], start=1):
        rush.locator(f"#flip-{tile}").click()
        expect(rush.locator(".tulip-step")).to_have_count(number)
        first = rush.locator(".tulip-step").first
        expect(first).to_contain_text(f"Matches: {hits}." if hits else "No match.")
        assert not is_too_wide(rush)
    expect(rush.locator(".tulip-total dd")).to_have_text(str(wanted["total"]))
    expect(rush.locator(".tulip-mode")).to_have_text("16R")
    expect(rush.get_by_role("heading", name="46 Chips from the discarder")).to_be_visible()
    assert rush.evaluate("window.isSamePage") is True


def test_undo_and_the_back_button_restore_the_previous_flips(rush: Page) -> None:
    for tile in ("7p", "7p", "8p"):
        rush.locator(f"#flip-{tile}").click()
    expect(rush.locator(".tulip-mode")).to_have_text("kakuhen")
    rush.locator("#undo").click()
    expect(rush.locator(".tulip-mode")).to_have_text("normal")
    expect(rush.locator(".tulip-step")).to_have_count(2)
    rush.go_back()
    expect(rush.locator(".tulip-mode")).to_have_text("kakuhen")
    rush.locator("#restart").click()
    expect(rush.locator(".tulip-step")).to_have_count(0)
    assert rush.evaluate("window.isSamePage") is True


def test_taps_faster_than_the_network_are_not_lost(rush: Page) -> None:
    rush.evaluate("for (const tile of ['7p', '7p', '8p']) document.getElementById(`flip-${tile}`).click()")
    expect(rush.locator(".tulip-step")).to_have_count(3)
    expect(rush.locator(".tulip-total dd")).to_have_text("16")


def test_a_flip_is_announced_and_the_focus_is_kept(rush: Page) -> None:
    rush.locator("#flip-8p").focus()
    rush.keyboard.press("Enter")
    expect(rush.locator("[data-tulip-said]")).to_contain_text("8 of circles: Matches: 5.")
    expect(rush.locator("#flip-8p")).to_be_focused()


def test_tiles_are_large_enough_for_touch_and_all_visible(rush: Page) -> None:
    boxes = rush.eval_on_selector_all(
        ".tulip-row button", "all => all.map(each => each.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) == 27
    assert min(box["width"] for box in boxes) >= 30
    assert min(box["height"] for box in boxes) >= 40
    assert max(box["bottom"] for box in boxes) <= PHONE["height"]


def test_the_last_stack_is_marked_with_one_tap(page: Page, live_server: LiveServer) -> None:
    open_hand(page, LAST, live_server)
    for tile in flips_of("SB-T12"):
        page.locator(f"#flip-{tile}").click()
    expect(page.get_by_text("That was the last stack")).to_be_visible()
    page.locator("#last").click()
    expect(page.locator(".tulip-total dd")).to_have_text("18")
    expect(page.locator(".tulip-remark").nth(1)).to_contain_text("The last stack: completed, 10 chips.")


def test_without_scripts_every_tap_loads_a_page(chromium: Browser, live_server: LiveServer) -> None:
    context = chromium.new_context(
        base_url=live_server.url,
        locale="en-US",
        viewport=PHONE,
        java_script_enabled=False,
    )
    page = context.new_page()
    page.goto(f"/rules/superbingo/tulip/?{urlencode(RUSH)}")
    for tile in flips_of("SB-T08"):
        page.locator(f"#flip-{tile}").click()
    expect(page.locator(".tulip-total dd")).to_have_text("46")
    page.locator("#undo").click()
    expect(page.locator(".tulip-step")).to_have_count(6)
    context.close()
