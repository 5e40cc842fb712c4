"""The hand calculator in a browser: by touch on a phone, by keyboard, without scripts, and as a picker for scripts."""

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDTH, HEIGHT = 360, 740
PAGE = "/rules/cinderella/hand/?lang=en"


def tap(page: "Page", *codes: str) -> None:
    for code in codes:
        page.click(f"[data-tile='{code}']")


def where_to(page: "Page", target: str) -> None:
    page.click(f".targets label:has([value={target}])")


def worth(page: "Page", text: str) -> None:
    """Wait until the displayed value contains this text."""
    page.wait_for_function(
        "text => (document.querySelector('.worth')?.textContent ?? '').replace(/\\s+/g, ' ').includes(text)", arg=text
    )


def query(page: "Page") -> dict[str, str]:
    return {key: found[0] for key, found in parse_qs(urlsplit(page.url).query).items()}


def test_a_hand_is_entered_by_touch_and_its_url_restores_it(page: "Page") -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(PAGE)
    tap(page, "2m", "3m", "4m", "0m", "6m", "7m", "3p", "4p", "6s", "7s", "8s", "9s", "9s")
    assert "1 more" in page.inner_text("[data-count]")
    assert page.get_attribute("[data-tile='0m']", "aria-disabled") == "true"
    assert "2 left" in (page.get_attribute("[data-tile='9s']", "aria-label") or "")
    tap(page, "2p")
    worth(page, "2 han 30 fu 2,000")
    page.select_option("[name=riichi]", "riichi")
    worth(page, "3 han 30 fu 3,900")
    where_to(page, "dora")
    tap(page, "8s")
    worth(page, "5 han 30 fu · Mangan 8,000")
    assert query(page) == {"hand": "234067m34p67899s + 2p", "riichi": "riichi", "dora": "8s"}
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.reload()
    worth(page, "5 han 30 fu · Mangan 8,000")
    page.click("[data-row=hand] .won")
    assert page.input_value("[name=hand]") == "234067m34p67899s"


def test_a_meld_takes_one_tap_and_its_five_can_be_made_red(page: "Page") -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(PAGE)
    where_to(page, "pon")
    tap(page, "7z")
    where_to(page, "chi")
    tap(page, "3p")
    where_to(page, "hand")
    tap(page, "2m", "3m", "4m", "9s", "9s", "6s", "7s", "8s")
    worth(page, "1 han 30 fu 1,000")
    page.click(".meld[data-meld=chi] button[value='m1.2']")
    worth(page, "2 han 30 fu 2,000")
    assert page.input_value("[name=hand]") == "234m6799s pon:777z chi:340p + 8s"
    page.click(".meld[data-meld=pon] .away")
    assert page.input_value("[name=hand]") == "234m67998s chi:340p"
    page.click("[data-clear]")
    assert page.input_value("[name=hand]") == ""


def test_a_hand_is_entered_by_keyboard(page: "Page") -> None:
    page.goto(PAGE)
    page.focus("[data-tile='1m']")
    for key in ("ArrowRight", "Enter", "ArrowRight", "Enter", "ArrowRight", "Enter", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert page.input_value("[name=hand]") == "234m4s"
    page.focus("[name=hand]")
    page.keyboard.press("Control+A")
    page.keyboard.type("234m567m34p678s99s 2p")
    worth(page, "1 han 30 fu 1,000")
    page.keyboard.press("Control+A")
    page.keyboard.type("234m567m34p678s99x")
    page.wait_for_selector(".answer .notice.ruling")
    assert page.input_value("[name=hand]") == "234m567m34p678s99x"


def test_another_script_reads_hand_and_value_from_the_picker(page: "Page") -> None:
    page.goto(PAGE)
    answer = page.evaluate(
        """async () => {
          const picker = document.querySelector("[data-hand-picker]").handPicker;
          const heard = [];
          document.addEventListener("handchange", (event) => heard.push(event.detail));
          picker.set("234m567m34p678s99s 2p", { dora: "8s" });
          const value = await picker.value({ seat: "E", by: "tsumo", honba: "1" });
          return { line: picker.line, missing: picker.missing, heard, value };
        }"""
    )
    assert (answer["line"], answer["missing"]) == ("234567m34p67899s + 2p", 0)
    assert answer["heard"][0] == {"line": "234567m34p67899s + 2p", "missing": 0}
    assert answer["value"]["value"]["value"]["total"] == 7800 + 300
    assert re.fullmatch(r"hand=[^&]*&by=tsumo&dora=8s&seat=E&honba=1", answer["value"]["query"])


def test_without_scripts_every_tap_loads_a_page(chromium: "Browser", live_server: LiveServer) -> None:
    context = chromium.new_context(base_url=live_server.url, locale="en", java_script_enabled=False)
    page = context.new_page()
    page.goto("/rules/boo/hand/?hand=234m567m34p678s99s")
    page.click("[data-tile='2p']")
    assert "234567m34p67899s + 2p" in page.input_value("[name=hand]")
    assert "fu" in page.inner_text(".worth")
    page.check("label:has([value=dora]) input", force=True)
    page.click("[data-tile='8s']")
    assert page.input_value("[name=dora]") == "8s"
    page.fill("[name=hand]", "234m567m34p678s99s + 9s")
    page.press("[name=hand]", "Enter")
    assert "not complete" in page.inner_text(".answer")
    context.close()
