"""The admin in a browser: accessibility in both themes, layout on narrow screens, keyboard operation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Adjustment, Player, Session
from league.services.exchange.paifu_import import begin_paifu_import
from league.services.exchange.paifu_preview import preview_import
from league.services.results.results import void_hanchan
from tests import factories
from tests.browser.staff import sign_in
from tests.browser.test_accessibility import AXE, FOCUSED, serious
from tests.league.large_fields import large_league, open_field
from tests.league.online import brought, game, named, online_league, scorer, table_of
from tests.league.played_season import Season, almost_finished

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = ((768, 1024), (390, 844), (1280, 800))
OPEN = "document.querySelectorAll('main details').forEach(each => { each.open = true; })"
"""Script that opens folded parts: axe-core skips hidden elements."""
IS_WIDE = "document.documentElement.scrollWidth > window.innerWidth"
CUT = """() => [...document.querySelectorAll("main a.button, main button")]
  .filter(each => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > innerWidth + 1)
  .map(each => each.textContent.trim())"""


@pytest.fixture
def season(transactional_db: None) -> Season:
    """Return a season with all but the last hanchan of the final played."""
    return almost_finished()


@pytest.fixture
def signed_in(page: Page) -> Page:
    """Return a page with a superuser logged in."""
    sign_in(page, factories.user("chief", is_staff=True, is_superuser=True))
    return page


@pytest.fixture
def desk(season: Season, signed_in: Page) -> Page:
    """Return a page with a superuser logged in, beside a season, which is replayed only into an empty database."""
    return signed_in


def paths(season: Season) -> list[str]:
    """Return one admin page of each kind that organizers use most."""
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


def findings(page: Page, path: str) -> Iterator[str]:
    """Yield serious findings: all rules in the light theme, contrast rules in the dark one."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(path)
    page.evaluate(OPEN)
    yield from (f"{path} light {text}" for text in serious(page))
    page.emulate_media(color_scheme="dark")
    yield from (f"{path} dark {text}" for text in serious(page, "color-contrast", "link-in-text-block"))


def cut_off(page: Page, path: str) -> Iterator[str]:
    """Yield the sizes at which the open page scrolls sideways, and its buttons that are cut off."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        if page.evaluate(IS_WIDE):
            yield f"{path} at {width}"
        yield from (f"{path} at {width}: {text}" for text in page.evaluate(CUT))


def test_admin_pages_have_no_serious_axe_findings_fit_tablets_and_phones_and_cut_no_button_off(
    desk: Page, season: Season
) -> None:
    desk.add_init_script(AXE)
    found = [text for path in paths(season) for text in (*findings(desk, path), *cut_off(desk, path))]
    assert not found, "\n".join(found)


def test_the_import_of_online_games_has_no_serious_axe_findings_and_fits_phones(signed_in: Page) -> None:
    competition = online_league()
    table, by = table_of(competition), scorer(competition)
    games = (game(1, named(competition)), game(2))
    batch = begin_paifu_import(competition=competition, logs=brought(*games), by=by)
    assert [one.is_ready for one in preview_import(batch, by).games] == [True, False]
    signed_in.add_init_script(AXE)
    page = reverse("admin:league_competition_paifu-in", args=[competition.pk])
    for path in (page, f"{page}?batch={batch.pk}", reverse("pages:table-paifu", args=[table.pk])):
        found = [*findings(signed_in, path), *cut_off(signed_in, path)]
        assert not found, "\n".join(found)


def test_a_points_penalty_is_given_by_keyboard(desk: Page, season: Season) -> None:
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


def test_the_focus_is_visible_in_the_header_and_the_filters(desk: Page, season: Season) -> None:
    desk.goto("/admin/league/tablesession/")
    for _stop in range(24):
        desk.keyboard.press("Tab")
        at = desk.evaluate(FOCUSED)
        assert at["isMarked"] or not at["isShown"], at["name"]


def test_a_filter_opens_by_keyboard_and_narrows_the_list(desk: Page, season: Season) -> None:
    desk.goto("/admin/league/tablesession/")
    everything = desk.locator("#result_list tbody tr").count()
    desk.locator("details.filter summary").first.focus()
    desk.keyboard.press("Enter")
    desk.locator("details.filter[open] li a").nth(1).click()
    desk.locator("details.filter summary strong").wait_for()
    assert 0 < desk.locator("#result_list tbody tr").count() < everything


def test_an_open_filter_fits_a_phone(desk: Page) -> None:
    for path, width in product(("league/tablesession/", "league/change/"), (360, 480)):
        desk.set_viewport_size({"width": width, "height": 800})
        desk.goto(f"/admin/{path}")
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


def printed_slips(page: Page, session: Session) -> tuple[int, int]:
    """Return the numbers of slips and of printed pages of a session whose players have the longest names."""
    Player.objects.update(name="Maximiliane Auguste von und zu Hohenstein")
    session.competition.entrants.update(affiliation="The Riichi Mahjong Association of the Northern Islands")
    page.goto(reverse("admin:league_session_slips", args=[session.pk]))
    pages = re.findall(rb"/Type\s*/Page[^s]", page.pdf(prefer_css_page_size=True))
    return page.locator(".paper").count(), len(pages)


def test_the_score_slips_print_one_page_for_each_table(desk: Page, season: Season) -> None:
    session = season.block("A").hanchan.earliest("number").table_session.session
    tables = session.table_sessions.count()
    assert tables > 1
    assert printed_slips(desk, session) == (tables, tables)


def test_the_slips_of_a_round_print_four_to_a_page(transactional_db: None, signed_in: Page) -> None:
    event = large_league(open_field(24, 2, 1, 8), rounds=0)
    assert printed_slips(signed_in, event.sessions.earliest("number")) == (6, 2)


def test_a_button_pressed_twice_sends_its_form_once(desk: Page, season: Season) -> None:
    before = Session.objects.count()
    sent: list[str] = []
    desk.on("request", lambda request: sent.append(request.method))
    desk.goto(f"/admin/league/session/add/?competition={season.competition.pk}")
    box = desk.locator(".submit-row [type=submit]").first.bounding_box()
    assert box
    for _press in range(2):
        desk.mouse.click(box["x"] + 5, box["y"] + 5)
        desk.wait_for_timeout(50)
    desk.wait_for_url("**/tablesession/add/**")
    assert (sent.count("POST"), Session.objects.count()) == (1, before + 1)
    desk.go_back()
    desk.locator(".submit-row [type=submit]").first.click()
    desk.wait_for_url("**/tablesession/add/**")
    assert Session.objects.count() == before + 2


def test_a_refused_form_has_the_focus_at_its_first_wrong_field_or_at_what_it_says(desk: Page, season: Season) -> None:
    hanchan = season.block("final").hanchan.order_by("number").first()
    assert hanchan
    sent, here = desk.locator("#content form [type=submit]"), desk.locator(":focus")
    desk.goto(f"/admin/league/hanchan/{hanchan.pk}/void/")
    sent.click()
    expect(here).to_have_id("id_reason")
    here.fill("停電")
    void_hanchan(hanchan=hanchan, reason="停電", by=factories.SYSTEM)
    sent.click()
    expect(here).to_have_class("errornote")
    desk.goto(f"/admin/league/competition/{season.competition.pk}/change/")
    expect(desk.locator(".errornote").first).to_contain_text("localhost")
    expect(here).to_have_count(0)
