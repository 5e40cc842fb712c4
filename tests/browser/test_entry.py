"""Entry screen of a table session by keyboard: typing, previews, errors, corrections, restored drafts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest
from django.conf import LazySettings
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hanchan, ResultSheet, TableSession
from tests import factories
from tests.browser.staff import sign_in
from tests.replayed import replayed

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)

NIGHT = (
    ("412", "301", "187", "100"),
    ("-35", "▲20", "５５５", "500"),
    ("250", "260", "270", "220"),
    ("600", "200", "150", "50"),
)


@pytest.fixture
def table(live_server: LiveServer) -> TableSession:
    """Return a table session of block A with four players and four hanchan."""
    return table_of_a_league()


@replayed
def table_of_a_league() -> TableSession:
    """Create a table session of block A in a league of two blocks."""
    return factories.table(factories.league().blocks.get(key="A"))


@pytest.fixture
def desk(page: Page, live_server: LiveServer, table: TableSession, settings: LazySettings) -> Page:
    """Return the entry screen of that table, in English, with its director logged in."""
    director = factories.user("director", is_staff=True, is_superuser=True)
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "en", "url": live_server.url}])
    sign_in(page, director, f"/admin/league/tablesession/{table.pk}/entry/")
    return page


def type_scores(page: Page, scores: Sequence[str]) -> None:
    """Type each score followed by Enter."""
    for score in scores:
        page.keyboard.type(score)
        page.keyboard.press("Enter")


def form_of(hanchan: Hanchan) -> str:
    """Return the selector of the hanchan's form on the screen."""
    return f"#hanchan-{hanchan.pk} form.sheet-form"


def counting(table: TableSession) -> dict[int, list[int]]:
    """Return the confirmed scores by number of the hanchan."""
    sheets = ResultSheet.objects.counting().filter(hanchan__table_session=table)
    return {
        sheet.hanchan.number: list(sheet.seats.order_by("seat").values_list("score", flat=True)) for sheet in sheets
    }


def test_a_table_session_of_four_hanchan_is_entered_by_keyboard(desk: Page, table: TableSession) -> None:
    for number, scores in enumerate(NIGHT, start=1):
        type_scores(desk, scores)
        with desk.expect_navigation():
            desk.keyboard.press("Shift+Enter")
        expect(desk.locator(".messagelist li")).to_contain_text(f"Hanchan {number} is in and counts.")
    assert counting(table) == {
        1: [41200, 30100, 18700, 10000],
        2: [-3500, -2000, 55500, 50000],
        3: [25000, 26000, 27000, 22000],
        4: [60000, 20000, 15000, 5000],
    }
    expect(desk.get_by_text("All results are in.")).to_be_visible()


def test_enter_moves_over_the_deposits_to_the_save_button(desk: Page, table: TableSession) -> None:
    type_scores(desk, ("402", "301", "187", "100"))
    expect(desk.locator("[data-role=sticks]").first).to_be_focused()
    desk.keyboard.type("1")
    desk.keyboard.press("Enter")
    expect(desk.locator("button.default").first).to_be_focused()
    with desk.expect_navigation():
        desk.keyboard.press("Enter")
    assert ResultSheet.objects.get().kyoutaku == 1000
    second = table.hanchan.get(number=2)
    expect(desk.locator(f"{form_of(second)} [data-role=score]").first).to_be_focused()


def test_arrow_keys_change_the_row_and_the_focus_selects_its_value(desk: Page) -> None:
    scores = desk.locator("[data-role=score]")
    desk.keyboard.type("412")
    desk.keyboard.press("ArrowDown")
    expect(scores.nth(1)).to_be_focused()
    desk.keyboard.type("301")
    desk.keyboard.press("ArrowUp")
    expect(scores.nth(0)).to_be_focused()
    desk.keyboard.type("413")
    expect(scores.nth(0)).to_have_value("413")


def test_sum_places_points_and_rank_changes_appear_while_typing(desk: Page) -> None:
    total, cells = desk.locator(".sum").first, desk.locator("form.sheet-form").first
    type_scores(desk, ("412", "301", "187"))
    expect(total).to_have_text("90,000 so far")
    desk.keyboard.type("103")
    expect(total).to_have_text("+300 over")
    desk.locator("[data-role=score]").nth(3).fill("97")
    expect(total).to_have_text("300 missing")
    desk.locator("[data-role=score]").nth(3).fill("100")
    expect(total).to_have_text("100,000 OK")
    expect(cells.locator("[data-shows=place]")).to_have_text(["1", "2", "3", "4"])
    expect(cells.locator("[data-shows=points]")).to_have_text(["+51.2", "+10.1", "-21.3", "-40.0"])
    expect(cells.locator(".moves li").first).to_contain_text("Player A1")


def test_an_error_is_shown_at_its_field_and_keeps_all_typed_scores(desk: Page) -> None:
    type_scores(desk, ("412", "301", "187", "abc"))
    desk.keyboard.type("0")
    with desk.expect_navigation():
        desk.keyboard.press("Shift+Enter")
    form = desk.locator("form.sheet-form").first
    expect(form.locator('[data-errors="3"]')).to_contain_text("“abc” is not a score")
    wrong = form.locator("[data-role=score]").nth(3)
    expect(wrong).to_be_focused()
    assert [field.input_value() for field in form.locator("[data-role=score]").all()] == ["412", "301", "187", "abc"]
    desk.keyboard.type("100")
    expect(form.locator('[data-errors="3"]')).to_be_hidden()
    with desk.expect_navigation():
        desk.keyboard.press("Shift+Enter")
    expect(desk.locator(".messagelist li")).to_contain_text("Hanchan 1 is in and counts.")


def test_a_warning_needs_a_tick_that_is_cleared_when_a_score_changes(desk: Page, table: TableSession) -> None:
    form = desk.locator("form.sheet-form").first
    type_scores(desk, ("1200", "-50", "-50", "-100"))
    tick = form.locator("[data-role=accept]")
    expect(tick).to_be_visible()
    tick.check()
    desk.locator("[data-role=score]").nth(1).fill("-60")
    expect(tick).to_be_hidden()
    desk.locator("[data-role=score]").nth(2).fill("-40")
    expect(tick).to_be_visible()
    expect(tick).not_to_be_checked()
    tick.focus()
    desk.keyboard.press("Space")
    with desk.expect_navigation():
        desk.keyboard.press("Shift+Enter")
    assert counting(table) == {1: [120000, -6000, -4000, -10000]}


def test_seats_are_asked_for_only_if_a_tie_needs_them(desk: Page, table: TableSession) -> None:
    form = desk.locator("form.sheet-form").first
    type_scores(desk, ("350", "350", "200", "90", "1"))
    expect(form.locator('[data-errors="whole"]')).to_contain_text("Enter the players in order from the first dealer")
    form.locator("[data-role=are_seats_known]").check()
    expect(form.locator('[data-errors="whole"] li')).to_have_count(0)
    with desk.expect_navigation():
        form.locator("[data-role=score]").first.press("Shift+Enter")
    assert counting(table) == {1: [35000, 35000, 20000, 9000]}


def test_a_reload_restores_the_draft_with_a_notice(desk: Page, table: TableSession) -> None:
    type_scores(desk, ("412", "301"))
    desk.reload()
    scores = desk.locator("form.sheet-form").first.locator("[data-role=score]")
    expect(scores.nth(0)).to_have_value("412")
    expect(scores.nth(1)).to_have_value("301")
    notice = desk.locator("#entry-notice")
    expect(notice).to_contain_text("Restored what you had typed")
    notice.get_by_role("button").click()
    expect(scores.nth(0)).to_have_value("")
    expect(notice).to_be_hidden()


def test_a_saved_sheet_leaves_no_draft(desk: Page, table: TableSession) -> None:
    type_scores(desk, NIGHT[0])
    with desk.expect_navigation():
        desk.keyboard.press("Shift+Enter")
    assert desk.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('jantaku:'))") == []


def test_a_sheet_sent_while_offline_is_kept_and_a_notice_is_shown(desk: Page, table: TableSession) -> None:
    desk.context.set_offline(True)
    type_scores(desk, NIGHT[0])
    desk.keyboard.press("Shift+Enter")
    expect(desk.locator("#entry-offline")).to_be_visible()
    desk.context.set_offline(False)
    expect(desk.locator("#entry-offline")).to_be_hidden()
    with desk.expect_navigation():
        desk.keyboard.press("Shift+Enter")
    assert list(counting(table)) == [1]


def test_a_correction_needs_a_reason_and_becomes_the_next_revision(desk: Page, table: TableSession) -> None:
    first = table.hanchan.get(number=1)
    factories.play(first)
    desk.reload()
    desk.locator(f"#hanchan-{first.pk}").get_by_text("Correct...").click()
    form = desk.locator(form_of(first))
    expect(form.locator("[data-role=score]").first).to_be_focused()
    expect(form.locator("[data-role=score]").first).to_have_value("412")
    type_scores(desk, ("402", "311"))
    with desk.expect_navigation():
        desk.keyboard.press("Shift+Enter")
    expect(desk.locator(form_of(first))).to_contain_text("Please give a reason")
    desk.keyboard.type("Two scores were swapped")
    with desk.expect_navigation():
        desk.keyboard.press("Shift+Enter")
    expect(desk.locator(f"#hanchan-{first.pk}")).to_contain_text("confirmed, revision 2")
    assert counting(table) == {1: [40200, 31100, 18700, 10000]}


def test_a_result_confirmed_meanwhile_is_shown_beside_the_typed_one(desk: Page, table: TableSession) -> None:
    first = table.hanchan.get(number=1)
    type_scores(desk, NIGHT[2])
    factories.play(first)
    with desk.expect_navigation():
        desk.keyboard.press("Shift+Enter")
    panel = desk.locator(f"#hanchan-{first.pk}")
    expect(panel).to_contain_text("This hanchan already has a confirmed result (revision 1).")
    expect(panel).to_contain_text("What counts now")
    expect(panel).to_contain_text("41,200")
    expect(panel.locator("[data-role=score]").first).to_have_value("250")


def test_a_result_is_voided_with_a_reason(desk: Page, table: TableSession) -> None:
    first = table.hanchan.get(number=1)
    factories.play(first)
    desk.reload()
    desk.locator(f"#hanchan-{first.pk}").get_by_text("Take back...").click()
    desk.locator("#id_reason").fill("Played with a tile missing")
    with desk.expect_navigation():
        desk.get_by_role("button", name="Take back").click()
    expect(desk.locator(form_of(first))).to_be_visible()
    assert counting(table) == {}


def test_the_entry_form_works_without_scripts(desk: Page, table: TableSession, live_server: LiveServer) -> None:
    browser = desk.context.browser
    assert browser is not None
    plain = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, storage_state=desk.context.storage_state()
    )
    page = plain.new_page()
    page.goto(f"/admin/league/tablesession/{table.pk}/entry/")
    form = page.locator("form.sheet-form").first
    for field, score in zip(form.locator("[data-role=score]").all(), ("1200", "-50", "-50", "-100"), strict=True):
        field.fill(score)
    form.locator("button.default").click()
    form.locator("[data-role=accept]").check()
    form.locator("button.default").click()
    plain.close()
    assert counting(table) == {1: [120000, -5000, -5000, -10000]}


def test_admin_pages_comply_with_the_content_security_policy(desk: Page, table: TableSession) -> None:
    first = table.hanchan.get(number=1)
    sheet = factories.play(first)
    season, block = table.competition, table.block
    for address in (
        "/admin/",
        "/admin/league/",
        "/admin/league/competition/add/",
        f"/admin/league/membership/of/{season.pk}/",
        "/admin/league/change/?q=result",
        "/admin/league/resultsheet/queue/",
        f"/admin/league/resultsheet/{sheet.pk}/change/",
        f"/admin/league/competition/{season.pk}/change/",
        f"/admin/league/competition/{season.pk}/enter/",
        f"/admin/league/block/{block.pk}/seed/",
        f"/admin/league/tablesession/add/?block={block.pk}",
        f"/admin/league/hanchan/{first.pk}/void/",
        "/admin/auth/user/",
    ):
        answer = desk.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        expect(desk.locator("#site-name")).to_be_visible()


def test_the_sign_of_a_score_is_changed_by_touch(desk: Page, live_server: LiveServer, table: TableSession) -> None:
    browser = desk.context.browser
    assert browser is not None
    tablet = browser.new_context(
        base_url=live_server.url, storage_state=desk.context.storage_state(), has_touch=True, is_mobile=True
    )
    page = tablet.new_page()
    page.goto(f"/admin/league/tablesession/{table.pk}/entry/")
    score = page.locator("[data-role=score]").first
    score.fill("35")
    page.locator("button.sign").first.tap()
    expect(score).to_have_value("-35")
    page.locator("button.sign").first.tap()
    expect(score).to_have_value("35")
    tablet.close()
