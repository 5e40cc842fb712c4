"""The ladder in a browser: paths lit from the server, by pointer, focus and tap, and for the reader's own player."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from league.selectors.access.readers import reader_of
from league.selectors.standings.published import standings_of
from tests.browser.phones import PHONE, SMALL
from tests.league.played_season import Season, almost_finished, preliminary

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LIT = """ladder => [...new Set([...ladder.querySelectorAll(".lit")].map(each => each.matches(".may")
  ? "may" : each.dataset.p))].sort()"""


def ranked(season: Season, block: str) -> list[str]:
    """Return the keys of a block's players, best first."""
    standings = standings_of(reader_of(season.competition, None))
    return [row.entrant.player.key for row in standings if row.block.key == block]


def lit(page: Page) -> list[str]:
    """Return what is lit in the drawing that is shown: keys of players, and "may" for lines still open."""
    found: list[str] = page.locator("svg[data-lit]:visible").first.evaluate(LIT)
    return found


def test_hover_focus_and_tap_light_a_path_and_leaving_restores_it(page: Page) -> None:
    asked, other, third = ranked(preliminary(5), "A")[:3]
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"/c/spring/ladder/?path={asked}")
    assert lit(page) == sorted([asked, "may"])
    row = {key: page.locator(f'.onlyw a[data-p="{key}"]').first for key in (other, third)}
    row[other].hover()
    assert lit(page) == sorted([other, "may"])
    page.mouse.move(0, 0)
    assert lit(page) == sorted([asked, "may"])
    row[third].focus()
    assert lit(page) == sorted([third, "may"])
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"[?]path={third}$"))
    page.locator("h1").click()
    assert lit(page) == sorted([third, "may"])
    expect(page.get_by_label("選手の勝ち上がり経路")).to_have_value(third)
    expect(page.locator(".litbar")).to_contain_text("Aブロック 3位")
    page.get_by_label("選手の勝ち上がり経路").select_option("")
    assert lit(page) == []
    expect(page.locator(".litbar")).to_be_hidden()


def test_the_ladder_prints_as_one_drawing_of_the_papers_width(page: Page) -> None:
    preliminary(5)
    page.set_viewport_size({"width": 718, "height": 1000})
    page.emulate_media(media="print")
    page.goto("/c/spring/ladder/")
    drawings = page.locator(".drawing svg:visible")
    assert drawings.count() == 1
    box = drawings.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 718
    assert box["width"] > box["height"]


def test_a_standing_prints_on_two_sheets_without_the_sums_folded_away(page: Page) -> None:
    preliminary(5)
    page.goto("/c/spring/blocks/A/")
    sums = page.locator(".whylist details > :not(summary)")
    assert sums.count() > 0
    page.emulate_media(media="print")
    assert sums.locator("visible=true").count() == 0
    assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4"))) == 2


def test_the_readers_own_path_is_lit_where_no_other_is_chosen(page: Page) -> None:
    mine, other = ranked(almost_finished(), "final")[:2]
    page.set_viewport_size(PHONE)
    page.goto(f"/c/spring/me/?player={mine}")
    page.get_by_role("button", name="これは自分").click()
    page.goto("/c/spring/")
    expect(page.locator(".mini .lit").first).to_be_attached()
    assert lit(page) == [mine]
    page.locator(".mini").click()
    expect(page.locator(".upright .lit").first).to_be_attached()
    assert lit(page) == [mine]
    page.goto(f"/c/spring/ladder/?path={other}", wait_until="networkidle")
    assert lit(page) == [other]


def test_without_scripts_the_form_and_the_rows_light_a_path(chromium: Browser, live_server: LiveServer) -> None:
    first, second = ranked(almost_finished(), "final")[:2]
    context = chromium.new_context(
        base_url=live_server.url, locale="ja-JP", java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    plain = context.new_page()
    plain.goto("/c/spring/ladder/")
    plain.get_by_label("選手の勝ち上がり経路").select_option(first)
    plain.get_by_role("button", name="表示する").click()
    expect(plain.locator(".upright a.lit").first).to_have_attribute("data-p", first)
    plain.locator(f'.upright a[data-p="{second}"]').first.click()
    expect(plain.locator(".upright a.lit").first).to_have_attribute("data-p", second)
    plain.locator(".litbar a").click()
    expect(plain).to_have_url(re.compile(f"/players/{second}/$"))
    context.close()


def test_the_ladder_is_read_out_from_the_final_down_and_fits_a_small_phone_with_large_text(
    page: Page,
) -> None:
    page.set_viewport_size(SMALL)
    page.goto(f"/c/spring/ladder/?path={ranked(almost_finished(), 'final')[0]}")
    expect(page.locator("main")).to_match_aria_snapshot(
        """
        - heading "勝ち上がり表" [level=1]
        - paragraph: /選手を選ぶと/
        - text: 選手の勝ち上がり経路
        - combobox "選手の勝ち上がり経路"
        - button "表示する"
        - group "勝ち上がり表":
          - link "決勝 3/4"
          - link /^1 .*/
          - link /^2 .*/
          - link /^3 .*/
          - link /^4 .*/
          - link "プレーオフ3 4/4"
        - status:
          - paragraph:
            - text: /→ 決勝 1位/
            - link "選手ページ"
        - list:
          - listitem: 確定
        - region "一覧で見る":
          - heading "一覧で見る" [level=2]
        """
    )
    expect(page.locator(".upright a[aria-current=true]")).not_to_have_count(0)
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    bar = page.locator(".litbar").bounding_box()
    assert bar is not None
    assert bar["height"] <= SMALL["height"] / 2
