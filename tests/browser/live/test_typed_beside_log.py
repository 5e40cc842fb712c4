"""A result typed beside a live score sheet: the warning in the admin, and the update of every open page."""

from __future__ import annotations

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hanchan, Role, TableSession
from league.services.results.results import void_hanchan
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.browser.phones import Opens, first_of
from tests.browser.staff import sign_in
from tests.factories import SYSTEM
from tests.league.tables import DRAW, RON, begun, entered, write

pytestmark = pytest.mark.django_db(transaction=True)
NOTE = "end before the result, at East 3, 1 honba"


@pytest.fixture
def hanchan(table: TableSession) -> Hanchan:
    """Return the first hanchan, whose score sheet is at East 3 with 1 honba."""
    found = begun(table)
    write(found, *entered(RON, DRAW))
    publish_standings(table.competition_id)
    return found


@pytest.fixture
def errors(page: Page) -> list[str]:
    """Collect the errors that the scripts of every page of this browser report."""
    found: list[str] = []

    def console(message: ConsoleMessage) -> None:
        if message.type == "error":
            found.append(message.text)

    page.context.on("console", console)
    return found


def test_the_admin_warns_of_a_score_sheet_in_progress_and_saves_once_accepted(
    page: Page, hanchan: Hanchan, live_server: LiveServer
) -> None:
    page.context.add_cookies([{"name": "jantaku_language", "value": "en", "url": live_server.url}])
    scorer = factories.user("scorer", Role.SCORER, hanchan.block.competition, is_staff=True)
    sign_in(page, scorer, f"/admin/league/tablesession/{hanchan.table_session_id}/entry/")
    for seat, score in enumerate(("412", "301", "187", "100")):
        page.locator(f"[name=h{hanchan.pk}-score_{seat}]").fill(score)
    page.keyboard.press("Enter")
    form = page.locator(f"form:has([name=h{hanchan.pk}-score_0])")
    form.locator("[type=submit]").first.click()
    expect(page.locator("body")).to_contain_text("in progress: East 3, 1 honba")
    assert not hanchan.sheets.exists()
    page.locator(f"[name=h{hanchan.pk}-accept]").check()
    form.locator("[type=submit]").first.click()
    expect(page.locator("body")).to_contain_text("is in and counts")
    assert hanchan.sheets.get().accepted_warnings == ["score_sheet_in_progress"]


def test_every_open_page_shows_the_typed_result_and_the_log_again_once_it_is_voided(
    phone: Opens, page: Page, hanchan: Hanchan, errors: list[str]
) -> None:
    table, slug = hanchan.table_session, hanchan.block.competition.slug
    sheet, context = phone(table), page.context
    sheet.sees(".kyoku", "East 3")
    overlay, follow = context.new_page(), context.new_page()
    overlay.goto(f"/overlay/{table.pk}/?lang=en&hanchan={hanchan.pk}")
    follow.goto(f"/c/{slug}/hanchan/{hanchan.pk}/live/?lang=en")
    expect(overlay.locator(".kyoku")).to_have_text("East 3")
    expect(follow.locator("#kyoku")).to_contain_text("East 3")
    factories.play(hanchan)
    publish_standings(table.competition_id)
    follow.bring_to_front()
    expect(follow.locator("#now")).to_contain_text(NOTE)
    expect(follow.locator(".places li").first).to_contain_text("41,200")
    overlay.bring_to_front()
    expect(overlay.locator(".typed")).to_have_text("Result as typed")
    expect(overlay.locator(".player .score").first).to_have_text("41,200")
    expect(overlay.locator(".last")).to_have_count(0)
    sheet.page.goto(f"/tables/{table.pk}/sheet/?hanchan={hanchan.pk}")
    sheet.sees(".settled", "41,200")
    sheet.tap("log")
    sheet.sees(".log .note", NOTE)
    page.goto(f"/c/{slug}/hanchan/{hanchan.pk}/?lang=en")
    expect(page.locator("#game .notice")).to_contain_text(NOTE)
    void_hanchan(hanchan=first_of(table), by=SYSTEM, reason="The game is not over")
    publish_standings(table.competition_id)
    follow.bring_to_front()
    expect(follow.locator("#kyoku")).to_contain_text("East 3")
    overlay.bring_to_front()
    expect(overlay.locator(".kyoku")).to_have_text("East 3")
    expect(overlay.locator(".player .score").first).to_have_text("26,500")
    sheet.tap("back")
    sheet.sees(".kyoku", "East 3")
    assert errors == []
