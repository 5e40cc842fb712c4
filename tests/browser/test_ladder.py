"""The ladder in a browser: paths lit from the server, by pointer, focus and tap, and for the reader's own player."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from league.selectors.access.readers import reader_of
from league.selectors.standings.published import standings_of
from tests.browser.phones import PHONE, SMALL
from tests.league.played_season import Season, preliminary

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LIT = """ladder => [...new Set([...ladder.querySelectorAll(".lit")].map(each => each.matches(".may")
  ? "may" : each.dataset.p))].sort()"""


@pytest.fixture
def season(transactional_db: None) -> Season:
    """Return a season with the preliminary and the first playoff played."""
    made = preliminary()
    made.play_stage("po1", day=3)
    made.publish()
    return made


def ranked(season: Season, block: str) -> list[str]:
    """Return the keys of a block's players, best first."""
    standings = standings_of(reader_of(season.competition, None))
    return [row.entrant.player.key for row in standings if row.block.key == block]


def lit(page: Page) -> list[str]:
    """Return what is lit in the drawing that is shown: keys of players, and "may" for lines still open."""
    found: list[str] = page.locator("svg[data-lit]:visible").first.evaluate(LIT)
    return found


def test_hover_focus_and_tap_light_a_path_and_leaving_restores_it(page: Page, season: Season) -> None:
    going_on, out, asked = ranked(season, "po1")[0], ranked(season, "A")[7], ranked(season, "A")[0]
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"/c/spring/ladder/?path={asked}")
    assert lit(page) == [asked]
    row = {key: page.locator(f'.onlyw a[data-p="{key}"]').first for key in (going_on, out, asked)}
    row[going_on].hover()
    assert lit(page) == sorted([going_on, "may"])
    row[out].hover()
    assert lit(page) == [out]
    page.mouse.move(0, 0)
    assert lit(page) == [asked]
    row[going_on].focus()
    assert lit(page) == sorted([going_on, "may"])
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"[?]path={going_on}$"))
    page.mouse.move(0, 0)
    page.locator("h1").click()
    assert lit(page) == sorted([going_on, "may"])
    expect(page.get_by_label("選手の道")).to_have_value(going_on)
    expect(page.locator(".litbar")).to_contain_text("→ プレーオフ1 1位")
    page.get_by_label("選手の道").select_option("")
    assert lit(page) == []
    expect(page.locator(".litbar")).to_be_hidden()


def test_the_readers_own_path_is_lit_where_no_other_is_chosen(page: Page, season: Season) -> None:
    mine, other = ranked(season, "po1")[:2]
    page.set_viewport_size(PHONE)
    page.goto(f"/c/spring/me/?player={mine}")
    page.get_by_role("button", name="これは自分").click()
    page.goto("/c/spring/")
    expect(page.locator(".mini .lit").first).to_be_attached()
    assert lit(page) == sorted([mine, "may"])
    page.locator(".mini").click()
    expect(page.locator(".upright .lit").first).to_be_attached()
    assert lit(page) == sorted([mine, "may"])
    page.goto(f"/c/spring/ladder/?path={other}", wait_until="networkidle")
    assert lit(page) == sorted([other, "may"])


def test_without_scripts_the_form_and_the_rows_light_a_path(
    season: Season, chromium: Browser, live_server: LiveServer
) -> None:
    first, second = ranked(season, "po1")[:2]
    context = chromium.new_context(
        base_url=live_server.url, locale="ja-JP", java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    plain = context.new_page()
    plain.goto("/c/spring/ladder/")
    plain.get_by_label("選手の道").select_option(first)
    plain.get_by_role("button", name="表示する").click()
    expect(plain.locator(".upright a.lit").first).to_have_attribute("data-p", first)
    plain.locator(f'.upright a[data-p="{second}"]').first.click()
    expect(plain.locator(".upright a.lit").first).to_have_attribute("data-p", second)
    plain.locator(".litbar a").click()
    expect(plain).to_have_url(re.compile(f"/players/{second}/$"))
    context.close()


def test_the_ladder_is_read_out_from_the_final_down_and_fits_a_small_phone_with_large_text(
    page: Page, season: Season
) -> None:
    page.set_viewport_size(SMALL)
    page.goto(f"/c/spring/ladder/?path={ranked(season, 'po1')[0]}")
    expect(page.locator("main")).to_match_aria_snapshot(
        """
        - heading "勝ち上がり表" [level=1]
        - paragraph: /選手を選ぶと/
        - text: 選手の道
        - combobox "選手の道"
        - button "表示する"
        - group "勝ち上がり表":
          - link /決勝/
          - link "予選A 1位"
          - link "予選B 1位"
          - link "プレーオフ3 1位"
          - link "プレーオフ3 2位"
          - link /プレーオフ3/
        - status: /プレーオフ1 1位/
        - list:
          - listitem: 確定
        - region "一覧で見る":
          - heading "一覧で見る" [level=2]
        """
    )
    expect(page.locator(".upright a[aria-current=true]")).to_have_count(3)
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    bar = page.locator(".litbar").bounding_box()
    assert bar is not None
    assert bar["height"] <= SMALL["height"] / 2
