"""The desk in a browser: nothing serious for axe in either theme, nothing wider than a phone, keys reach everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.conf import LazySettings
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from league.models import Adjustment
from tests import factories
from tests.browser.test_accessibility import AXE, FOCUSED, RUN, SERIOUS
from tests.league.played_season import Season, almost_finished

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = ((768, 1024), (390, 844), (1280, 800))
WITHOUT_LOADING = RUN.replace("axe.run(document, ", "axe.run(document, {preload: false, ...").replace(
    " : {})", " : {}})"
)
"""axe would load style sheets anew and write them into the page, which the page's policy forbids."""
IS_WIDE = "document.documentElement.scrollWidth > window.innerWidth"
CUT = """() => [...document.querySelectorAll("main a.button, main button")]
  .filter(each => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > innerWidth + 1)
  .map(each => each.textContent.trim())"""


def serious(page: Page, *rules: str) -> list[str]:
    """What axe-core finds serious in the page as it is, by all its rules or by these."""
    found: list[dict[str, Any]] = page.evaluate(WITHOUT_LOADING, list(rules) or None)
    return [f"{each['rule']}: {each['nodes']}" for each in found if each["impact"] in SERIOUS]


@pytest.fixture
def season(transactional_db: None) -> Season:
    """Everything but the last hanchan of the final."""
    return almost_finished()


@pytest.fixture
def desk(page: Page, live_server: LiveServer, settings: LazySettings, season: Season) -> Page:
    """The page of somebody who may do everything."""
    client = Client()
    client.force_login(factories.user("chief", is_staff=True, is_superuser=True))
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
    return page


def paths(season: Season) -> list[str]:
    """The pages an organizer sees most, one of each kind."""
    competition, block = season.competition, season.block("final")
    hanchan = block.hanchan.order_by("number").first()
    assert hanchan
    slot = season.block("po1").slots.order_by("number").first()
    assert slot
    return [
        f"/admin/{path}"
        for path in (
            "", "lists/", "demo/", "search/?q=%E9%A2%A8", "league/competition/", "league/tablesession/",
            "league/player/", "league/change/", "league/change/?q=zzzz", f"league/competition/{competition.pk}/change/",
            f"league/block/{block.pk}/adjust/", f"league/slot/{slot.pk}/swap/", f"league/hanchan/{hanchan.pk}/void/",
            f"league/resultsheet/of-hanchan/{hanchan.pk}/", f"league/competition/{competition.pk}/close/",
        )
    ]  # fmt: skip


def test_axe_finds_nothing_serious_at_the_desk_in_either_theme(desk: Page, season: Season) -> None:
    found = []
    for path in paths(season):
        desk.emulate_media(color_scheme="light", reduced_motion="reduce")
        desk.goto(path)
        desk.evaluate(AXE)
        found += [f"{path} light {text}" for text in serious(desk)]
        desk.emulate_media(color_scheme="dark")
        found += [f"{path} dark {text}" for text in serious(desk, "color-contrast", "link-in-text-block")]
    assert not found, "\n".join(found)


def test_nothing_is_wider_than_a_tablet_or_a_phone_and_no_button_is_cut(desk: Page, season: Season) -> None:
    wide = []
    for path in paths(season):
        desk.goto(path)
        for width, height in SIZES:
            desk.set_viewport_size({"width": width, "height": height})
            if desk.evaluate(IS_WIDE):
                wide.append(f"{path} at {width}")
            wide += [f"{path} at {width}: {text}" for text in desk.evaluate(CUT)]
    assert not wide, "\n".join(wide)


def test_a_penalty_is_given_with_the_keyboard_alone(desk: Page, season: Season) -> None:
    block = season.block("final")
    desk.goto(f"/admin/league/block/{block.pk}/adjust/")
    desk.locator("[name=entrant]").focus()
    for key in ("ArrowDown", "Tab"):
        desk.keyboard.press(key)
    desk.keyboard.type("-20")
    desk.keyboard.press("Tab")
    desk.keyboard.type("遅刻")
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    desk.locator(".effect").wait_for()
    assert not Adjustment.objects.exists()
    desk.locator(".submit-row button:focus").wait_for()
    desk.keyboard.press("Enter")
    desk.locator(".messagelist .success").wait_for()
    assert Adjustment.objects.get().points == -200


def test_every_stop_of_the_header_and_the_filters_is_marked(desk: Page, season: Season) -> None:
    desk.goto("/admin/league/tablesession/")
    for _stop in range(24):
        desk.keyboard.press("Tab")
        at = desk.evaluate(FOCUSED)
        assert at["isMarked"] or not at["isShown"], at["name"]


def test_a_filter_opens_by_key_and_narrows_the_list(desk: Page, season: Season) -> None:
    desk.goto("/admin/league/tablesession/")
    everything = desk.locator("#result_list tbody tr").count()
    desk.locator("details.filter summary").first.focus()
    desk.keyboard.press("Enter")
    desk.locator("details.filter[open] li a").nth(1).click()
    desk.locator("details.filter summary strong").wait_for()
    assert 0 < desk.locator("#result_list tbody tr").count() < everything


@pytest.mark.parametrize("width", [360, 480])
def test_a_filter_opens_within_a_phone(desk: Page, live_server: LiveServer, width: int) -> None:
    desk.set_viewport_size({"width": width, "height": 800})
    for path in ("league/tablesession/", "league/change/"):
        desk.goto(f"{live_server.url}/admin/{path}")
        lists = desk.locator("#changelist-filter details")
        assert lists.count() > 1
        for place in range(lists.count()):
            lists.nth(place).evaluate("each => { each.open = true }")
            box = lists.nth(place).locator("ul, form").bounding_box()
            assert box
            assert (box["x"] >= 0, box["x"] + box["width"] <= width) == (True, True), (path, place)


def test_a_button_is_not_underlined_like_a_link(desk: Page, live_server: LiveServer) -> None:
    desk.goto(f"{live_server.url}/admin/")
    lines = desk.locator("#content a.button").evaluate_all(
        "all => all.map(each => getComputedStyle(each).textDecorationLine)"
    )
    assert set(lines) == {"none"}
