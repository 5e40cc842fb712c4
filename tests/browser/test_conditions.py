"""Pages of conditions and what-if in a browser: on a phone, with sliders, without scripts, in print."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hanchan
from tests.league.played_season import Season, almost_finished, preliminary

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def season(transactional_db: None) -> Season:
    """Return a season with all but the last hanchan of the final played."""
    return almost_finished()


def last_table(season: Season) -> int:
    """Return the key of the table session of the last hanchan."""
    return Hanchan.objects.get(block=season.block("final"), number=4).table_session_id


def typed(page: Page) -> list[int]:
    """Return the scores in the fields, in hundreds."""
    inputs = page.locator(".seat:not(.deposits) .in input")
    return [int(inputs.nth(place).input_value()) for place in range(inputs.count())]


def test_conditions_fit_a_phone_and_a_sheet_prints_on_one_page(page: Page, season: Season) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    sheet = f"/c/spring/tables/{last_table(season)}/conditions/"
    for path in ("/c/spring/conditions/", sheet, "/c/spring/what-if/", "/c/spring/blocks/final/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
    page.goto(sheet)
    assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4"))) == 1


def test_a_slider_keeps_the_sum_and_updates_the_standings(page: Page, season: Season) -> None:
    page.goto("/c/spring/what-if/")
    page.locator("input[type=range]").first.fill("41200")
    expect(page.locator("#result .would")).to_be_visible()
    assert typed(page)[0] == 412
    assert sum(typed(page)) == 1000
    expect(page.locator("#result .scores li").first).to_contain_text("41,200")
    shared = page.url
    assert "?s" in shared
    page.goto(shared)
    expect(page.locator("#result .scores li").first).to_contain_text("41,200")
    assert sum(typed(page)) == 1000


def test_a_typed_score_updates_the_standings_and_an_error_is_shown_at_its_table(page: Page, season: Season) -> None:
    page.goto("/c/spring/what-if/")
    inputs = page.locator(".seat:not(.deposits) .in input")
    for place, score in enumerate(("400", "300", "200", "200")):
        inputs.nth(place).fill(score)
    page.locator(".seat .who").first.click()
    expect(inputs.first).to_be_focused()
    expect(inputs.first).to_have_accessible_name(page.locator(".seat .who").first.inner_text())
    expect(page.locator("fieldset [role=alert]")).to_be_visible()
    inputs.nth(3).fill("")
    expect(page.locator("fieldset [role=alert]")).to_have_count(0)
    expect(page.locator("#result .scores li").last).to_contain_text("10,000")


def test_an_error_at_the_second_table_is_shown_there(page: Page, transactional_db: None) -> None:
    preliminary(7)
    page.goto("/c/spring/what-if/")
    second = page.locator("fieldset").nth(1)
    for place, score in enumerate(("400", "300", "200", "200")):
        second.locator(".seat:not(.deposits) .in input").nth(place).fill(score)
    expect(page.locator("fieldset [role=alert]")).to_have_count(1)
    expect(second.locator("[role=alert]")).to_be_visible()


def test_scores_that_are_sent_too_early_get_the_focus_again(page: Page, season: Season) -> None:
    page.goto("/c/spring/what-if/")
    field = page.locator(".whatif .seat .in input").first
    field.fill("412")
    with page.expect_navigation():
        field.press("Enter")
    expect(page.locator("main fieldset [role=alert]")).to_be_visible()
    expect(field).to_be_focused()


def test_the_what_if_form_works_without_scripts(chromium: Browser, live_server: LiveServer, season: Season) -> None:
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False, locale="en")
    page = context.new_page()
    page.goto("/c/spring/what-if/")
    assert page.locator("input[type=range]").count() == 0
    inputs = page.locator(".seat:not(.deposits) .in input")
    for place, score in enumerate(("400", "300", "200")):
        inputs.nth(place).fill(score)
    page.get_by_role("button", name="Try it out").click()
    expect(page.locator("#result .scores li").last).to_contain_text("10,000")
    context.close()


def test_the_explanation_of_a_pair_of_neighbours_opens_by_keyboard(page: Page, season: Season) -> None:
    page.goto("/c/spring/blocks/final/")
    pair = page.locator(".whylist li[id^=why]").first
    pair.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(pair.locator(".sums")).to_be_visible()
    pair.locator(".sums a").first.click()
    expect(page).to_have_url(re.compile(r"/hanchan/\d+/$"))
