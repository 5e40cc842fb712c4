"""The public pages in a browser: on a phone, on a desktop and by keyboard."""

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hanchan
from league.services.live.log import NewEvent, append_events
from league.services.standings.odds import publish_odds
from tests import factories
from tests.league.played_season import Season, preliminary

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def season(transactional_db: None) -> Season:
    """Return a season with its preliminary under way."""
    return preliminary(5)


def paths_of(season: Season) -> list[str]:
    """Return one page of every kind."""
    table = season.competition.table_sessions.first()
    assert table is not None
    player = factories.in_block(season.block("A"))[0].player.key
    home = f"/c/{season.competition.slug}/"
    inside = (
        "",
        "ladder/",
        "blocks/A/",
        "blocks/final/",
        "sessions/",
        "sessions/1/",
        "players/",
        "ruleset/",
        f"players/{player}/",
    )
    deep = (f"tables/{table.pk}/", f"hanchan/{table.hanchan.all()[0].pk}/")
    return ["/", f"/players/{player}/", "/nothing-here/", *(home + path for path in (*inside, *deep))]


def test_no_page_scrolls_sideways_on_a_phone_and_the_ladder_is_a_list(page: Page, season: Season) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    for language in ("ja", "en"):
        page.goto(f"/?lang={language}")
        for path in paths_of(season):
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (language, path)
    page.goto("/c/spring/")
    expect(page.locator(".drawing")).to_be_hidden()
    expect(page.locator("#stage-preliminary table").first).to_be_visible()
    expect(page.locator("details.fold").first).to_be_visible()


def test_the_odds_of_the_next_hanchan_fit_a_phone(page: Page, season: Season) -> None:
    publish_odds(season.competition.pk)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto("/c/spring/odds/")
    frame = page.locator(".scroll:has(.odds.next)").first
    assert frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth")


def test_the_latest_results_have_each_name_in_one_line_on_a_tablet(page: Page, season: Season) -> None:
    page.set_viewport_size({"width": 768, "height": 1024})
    page.goto("/c/spring/?lang=ja")
    names = page.locator(".board .who")
    expect(names).to_have_count(8)
    assert max(names.evaluate_all("all => all.map((each) => each.getBoundingClientRect().height)")) < 40


def begin_next(season: Season, *, publish: bool = True) -> None:
    """Start the season's next game on a score sheet."""
    hanchan = Hanchan.objects.filter(state=Hanchan.State.SCHEDULED).order_by("table_session__session__number", "pk")[0]
    append_events(hanchan=hanchan, events=[NewEvent("begin", "start", {})], after=0, by=factories.SYSTEM)
    if publish:
        season.publish()


def test_a_game_that_begins_appears_on_an_open_page(page: Page, season: Season) -> None:
    page.goto("/c/spring/")
    expect(page.locator(".nowbox")).to_have_count(0)
    begin_next(season, publish=False)
    expect(page.locator(".nowbox .pt").first).to_have_text("25,000", timeout=15_000)


def test_the_first_screen_of_a_phone_shows_the_game_being_played_and_the_readers_card(
    page: Page, season: Season
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    begin_next(season)
    for language in ("ja", "en"):
        page.goto(f"/?lang={language}")
        with page.expect_response("**/live/box/"):
            page.goto("/c/spring/")
        expect(page.locator(".nowbox .pt").first).to_have_text("25,000")
        tops = [page.locator(part).first.bounding_box() for part in (".nowbox", ".f-me", ".f-main")]
        now, me, standing = [box for box in tops if box]
        dock = page.locator(".dock").bounding_box()
        assert dock
        assert now["y"] + now["height"] <= me["y"] < standing["y"]
        assert me["y"] + 40 < dock["y"], "what is below the dock is on the second screen"


def test_the_scores_of_a_running_game_arrive_without_moving_the_page(
    page: Page, season: Season, faults: list[str]
) -> None:
    begin_next(season)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        page.route("**/live/box/", lambda route: route.abort())
        page.goto("/c/spring/")
        before = page.locator(".f-main").bounding_box()
        page.unroute("**/live/box/")
        expect(page.locator(".nowbox .pt").first).to_have_text("25,000")
        assert page.locator(".f-main").bounding_box() == before
    faults.clear()  # the requests that were blocked


def test_a_wide_grid_scrolls_in_its_frame_and_keeps_the_names_visible(page: Page, season: Season) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto("/c/spring/blocks/A/")
    frame = page.locator(".scroll").last
    name = frame.locator("tbody th").first
    before = name.bounding_box()
    frame.evaluate("frame => frame.scrollLeft = 300")
    after = name.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["x"] - after["x"]) <= 1


def test_on_a_desktop_the_ladder_is_a_drawing_with_links_to_the_players_paths(page: Page, season: Season) -> None:
    page.goto("/c/spring/")
    expect(page.locator(".drawing svg")).to_be_visible()
    assert page.locator(".drawing path.line").count() == 16
    page.locator(".drawing a.row").first.click()
    page.wait_for_url("**/ladder/?path=*")


def test_the_first_tab_stop_skips_the_header(page: Page, season: Season) -> None:
    page.goto("/c/spring/blocks/A/")
    page.keyboard.press("Tab")
    skip = page.locator("a.skip")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/spring/blocks/A/#content")


def test_the_language_switch_keeps_the_page(page: Page, season: Season) -> None:
    page.goto("/c/spring/blocks/A/")
    page.get_by_role("link", name="English").click()
    page.wait_for_url("**/c/spring/blocks/A/")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("link", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")


def test_the_dark_theme_follows_the_preference_of_the_visitor(
    chromium: Browser, live_server: LiveServer, season: Season
) -> None:
    context = chromium.new_context(base_url=live_server.url, color_scheme="dark")
    page = context.new_page()
    page.goto("/c/spring/")
    shade = page.evaluate(
        "getComputedStyle(document.body).backgroundColor || getComputedStyle(document.documentElement).backgroundColor"
    )
    root = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert "18, 20, 18" in f"{shade} {root}"
    context.close()
