"""The replay of a hand in a browser: keys, buttons and the slider, the step in the address, and axe's findings."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Paifu
from league.services.standings.publishing import publish_standings
from tests.browser.test_accessibility import findings
from tests.league.online import applied, game, named, online_league, scorer, table_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = 360


@pytest.fixture
def address() -> str:
    """Import a game and return the address of its replay."""
    competition = online_league()
    table_of(competition)
    applied(competition, game(1, named(competition)), by=scorer(competition))
    publish_standings(competition.pk)
    return f"/c/online/hanchan/{Paifu.objects.get().hanchan_id}/replay/"


def test_a_hand_is_replayed_by_keys_buttons_and_address(page: Page, address: str, live_server: LiveServer) -> None:
    page.context.add_cookies([{"name": "jantaku_language", "value": "en", "url": live_server.url}])
    page.set_viewport_size({"width": PHONE, "height": 740})
    steps, said = len(game(1).hands[0].steps), page.locator(".said")
    page.goto(f"{address}1/")
    expect(said).to_contain_text("The tiles are dealt")
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text(page.locator("#steps li").nth(1).inner_text().strip())
    expect(page.locator("[data-seat='0'] .held svg")).to_have_count(14)
    page.keyboard.press("End")
    expect(page.locator("input[type=range]")).to_have_value(str(steps))
    expect(page.locator(".river .later")).to_have_count(0)
    page.get_by_role("button", name="One step back").click()
    page.wait_for_url(f"**#{steps - 1}")
    page.keyboard.press("Home")
    expect(page.locator(".river li:not(.later)")).to_have_count(0)
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**/replay/2/**")
    page.keyboard.press("ArrowUp")
    page.wait_for_url("**/replay/1/**")
    page.goto(f"{address}1/#5")
    expect(page.locator("input[type=range]")).to_have_value("5")


def test_the_pages_of_a_replay_have_no_serious_axe_findings(page: Page, address: str) -> None:
    assert findings(page, address, f"{address}1/") == []
