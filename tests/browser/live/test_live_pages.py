"""Open pages that refresh themselves: published results appear, and the reader's state (focus, scroll) is kept."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from league.models import Hanchan
from tests.league.played_season import Season, almost_finished

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FIVE_SECONDS = 5_000
HOUR = timedelta(hours=1)
AT = "document.activeElement.getBoundingClientRect().top"


@pytest.fixture
def season(transactional_db: None) -> Season:
    """Return a season with all but the last hanchan of the final played."""
    return almost_finished()


def test_a_confirmed_result_appears_within_five_seconds_and_focus_and_scroll_are_kept(
    page: Page, season: Season
) -> None:
    page.clock.install()
    page.goto("/c/spring/blocks/final/?lang=en")
    pairs = page.locator(".whylist li[id^=why]")
    for pair in pairs.all():
        pair.locator("summary").click()
    opened = set(pairs.evaluate_all("all => all.map(pair => pair.id)"))
    page.locator(".grid a").last.focus()
    focused = page.evaluate("document.activeElement.getAttribute('href')")
    top = page.evaluate(AT)
    assert page.evaluate("scrollY") > 0
    page.clock.pause_at(datetime.now(UTC) + HOUR)
    season.play(Hanchan.objects.get(block=season.block("final"), number=4))
    season.publish()
    page.clock.run_for(FIVE_SECONDS)
    expect(page.locator(".pagetitle")).to_contain_text("finished")
    expect(page.locator(".livemark")).to_contain_text("Updated. As of")
    expect(page.locator(".stamp")).to_contain_text("hanchan 4")
    assert page.locator(".fresh").count() > 0
    still_open = set(page.locator(".whylist li:has(> details[open])").evaluate_all("all => all.map(pair => pair.id)"))
    assert still_open == opened & set(pairs.evaluate_all("all => all.map(pair => pair.id)")) != set()
    assert page.evaluate("document.activeElement.getAttribute('href')") == focused
    assert abs(page.evaluate(AT) - top) <= 2


def test_an_offline_page_shows_its_age_and_catches_up_once_online(page: Page, season: Season) -> None:
    page.goto("/c/spring/?lang=en")
    page.context.set_offline(True)
    expect(page.locator(".livemark.lost")).to_have_text(
        re.compile(r"^No connection: this page stands as of \d\d:\d\d$")
    )
    season.play(Hanchan.objects.get(block=season.block("final"), number=4))
    season.publish()
    page.context.set_offline(False)
    expect(page.locator(".champ")).to_be_visible()
    expect(page.locator(".livemark.lost")).to_have_count(0)
