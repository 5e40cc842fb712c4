"""A player's page and "me" in a browser on a phone: what the first screen answers, in which order, after which taps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from league.services.standings.odds import publish_odds
from tests.browser.phones import PHONE
from tests.league.played_season import Season, almost_finished
from tests.replayed import replayed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
KEY = "spring-takanashi"
DOCK = 50
"""The height of the dock that covers the foot of a phone's screen."""


@pytest.fixture
def season(transactional_db: None) -> Season:
    """Return a season with all but the last hanchan of the final played, with odds."""
    return season_with_odds()


@replayed
def season_with_odds() -> Season:
    """Play all but the last hanchan of the final, and compute the odds."""
    played = almost_finished()
    publish_odds(played.competition.pk)
    return played


@pytest.fixture
def phone(page: Page) -> Page:
    """Return the page at the size of a phone."""
    page.set_viewport_size(PHONE)
    return page


def answers(page: Page) -> list[Locator]:
    """Return what answers: where am I and why, what is my chance, what do I need, when do I play."""
    card = page.locator(".mecard.one")
    return [
        card.locator(".rank"),
        card.locator(".why"),
        card.locator(".fig3"),
        card.locator(".g-need"),
        card.locator(".g-next"),
        card.locator(".g-path"),
    ]


def is_on_the_first_screen(part: Locator) -> bool:
    """Return True if the whole part is visible without scrolling."""
    box = part.bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= PHONE["height"] - DOCK


def test_every_answer_is_on_the_first_screen_of_a_phone(season: Season, phone: Page) -> None:
    for language in ("ja", "en"):
        phone.goto(f"/c/spring/players/{KEY}/?lang={language}")
        assert [is_on_the_first_screen(each) for each in answers(phone)] == [True] * 6, language
        assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), language


def test_without_a_choice_the_answers_are_one_tap_away_and_a_choice_takes_one_more(season: Season, phone: Page) -> None:
    phone.goto("/c/spring/")
    slot = phone.locator("[data-me]")
    expect(slot.get_by_label("あなたはどの選手ですか")).to_be_visible()
    slot.get_by_label("あなたはどの選手ですか").select_option(KEY)
    slot.get_by_role("button").click()
    expect(phone).to_have_url(re.compile(r"player="))
    assert [is_on_the_first_screen(each) for each in answers(phone)[:5]] == [True] * 5, "the path is below the button"
    phone.get_by_role("button", name="これは自分").click()
    expect(phone).to_have_url(re.compile(r"/c/spring/me/$"))
    assert [is_on_the_first_screen(each) for each in answers(phone)] == [True] * 6
    expect(phone.locator(".dock [aria-current]")).to_have_text("自分")


def test_the_card_fills_the_space_kept_for_it_and_the_own_row_is_marked(season: Season, phone: Page) -> None:
    phone.goto(f"/c/spring/me/?player={KEY}")
    phone.get_by_role("button", name="これは自分").click()
    phone.goto("/c/spring/")
    slot = phone.locator("[data-me]")
    expect(slot.locator(".rank")).to_contain_text("2")
    expect(slot.locator(".fig3")).to_contain_text("17.9")
    expect(phone.locator("tr.me").first).to_contain_text("小鳥遊")
    assert (
        phone.evaluate("performance.getEntriesByType('layout-shift').reduce((sum, each) => sum + each.value, 0)") == 0
    )
    slot.get_by_role("link", name="小鳥遊 まどか").click()
    assert [is_on_the_first_screen(each) for each in answers(phone)] == [True] * 6
    phone.goto("/c/spring/blocks/A/seating/")
    expect(phone.locator("[data-me-first] tr").first).to_have_class("me")
    expect(phone.locator("[data-me-first] tr.me th")).to_have_text("小鳥遊 まどか")


def test_without_scripts_the_space_is_a_link_to_the_card(
    season: Season, chromium: Browser, live_server: LiveServer
) -> None:
    context = chromium.new_context(base_url=live_server.url, locale="ja-JP", java_script_enabled=False)
    plain = context.new_page()
    plain.goto("/c/spring/")
    plain.locator("[data-me] a").click()
    expect(plain.get_by_label("あなたはどの選手ですか")).to_be_visible()
    context.close()


def test_the_card_is_read_out_in_the_order_of_the_questions(season: Season, phone: Page) -> None:
    phone.goto(f"/c/spring/players/{KEY}/")
    expect(phone.locator(".mecard.one")).to_match_aria_snapshot(
        """
        - article "小鳥遊 まどか":
          - heading "小鳥遊 まどか" [level=1]
          - term: トータル
          - definition: "17.9"
          - term: 首位まで
          - definition: "30.3"
          - term: 優勝確率
          - region "優勝の条件":
            - heading "優勝の条件" [level=2]
            - term: トップ
          - region "次の対局":
            - heading "次の対局" [level=2]
          - region "勝ち上がりの道":
            - heading "勝ち上がりの道" [level=2]
            - list "勝ち上がりの道":
              - listitem: /予選リーグ/
              - listitem: /プレーオフ1/
              - listitem: /プレーオフ2/
              - listitem: /プレーオフ3/
              - listitem: /決勝.*いまここ/
        """
    )
    expect(phone.locator("main")).to_match_aria_snapshot(
        """
        - main:
          - article "小鳥遊 まどか"
          - region "勝ち上がり表":
            - link "勝ち上がり表を見る"
          - region "決勝の推移":
            - heading "決勝の推移" [level=2]
            - paragraph:
              - link "全員の数値"
            - figure /決勝 3半荘の累計：/
            - group: 前のステージ
          - heading "成績" [level=2]
          - region "決勝の成績":
            - table /決勝：小鳥遊 まどか/
          - heading "順位の決め手" [level=2]
          - heading "数字で見る" [level=2]
        """
    )
