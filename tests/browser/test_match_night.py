"""The match night screen by keyboard: four tables on one screen; keys are counted at 300 ms each."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.db import connection
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import Competition, HanchanSeat, ResultSheet, Session, TableSession
from tests import factories
from tests.browser.phones import PATIENT
from tests.browser.staff import sign_in
from tests.league import parlours
from tests.league.platform.test_outages import postgresql_full
from tests.replayed import replayed

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.django_db(transaction=True)

SECONDS_A_KEY = 0.3
TWO_MINUTES = 120
WIDE_ENOUGH = 200
"""Width in pixels in which a select shows a long name in full."""


def until(page: Page, script: str) -> None:
    """Wait until the script is true; only a function is allowed by the page's CSP."""
    page.wait_for_function(f"() => {script}", timeout=PATIENT)


class Keyboard:
    """A person at the keyboard, who needs 300 ms for each key."""

    def __init__(self, page: Page) -> None:
        self.page, self.keys = page, 0

    def type(self, text: str) -> None:
        """Type a text; each character counts as a key."""
        self.keys += len(text)
        self.page.keyboard.type(text)

    def press(self, *keys: str) -> None:
        """Press keys; a chord counts each of its keys."""
        for key in keys:
            self.keys += key.count("+") + 1
            self.page.keyboard.press(key)

    def until(self, script: str) -> None:
        """Poll until the script is true in the page."""
        until(self.page, script)

    def enter(self, scores: tuple[str, ...]) -> None:
        """Enter one sheet: type the scores and press Shift+Enter."""
        for score in scores[:-1]:
            self.type(score)
            self.press("Enter")
        self.type(scores[-1])
        self.press("Shift+Enter")

    @property
    def seconds(self) -> float:
        """Return the time that the keys so far take."""
        return self.keys * SECONDS_A_KEY


def scores_of(table: int, number: int) -> tuple[str, ...]:
    """Return four scores in hundreds that no other hanchan has."""
    step = 4 * table + number
    return (str(400 + step), str(300 - 3 * step), str(200 + step), str(100 + step))


@pytest.fixture
def tables(live_server: LiveServer) -> list[TableSession]:
    """Return the table sessions of both blocks: two tables each, four hanchan per table."""
    return tables_of_both_blocks()


@replayed
def tables_of_both_blocks() -> list[TableSession]:
    """Create a league of which a second person confirms results, with all tables of a night."""
    season, made = factories.league(confirmation=Competition.Confirmation.SECOND), []
    for key in ("A", "B"):
        people = factories.in_block(season.blocks.get(key=key))
        made += [factories.table(season.blocks.get(key=key), four) for four in (people[:4], people[4:])]
    return made


@pytest.fixture
def season(tables: list[TableSession]) -> Competition:
    return tables[0].competition


@pytest.fixture
def night(tables: list[TableSession]) -> Session:
    return tables[0].session


@pytest.fixture
def people(season: Competition) -> None:
    for name in ("ann", "ben"):
        factories.user(name, is_staff=True, is_superuser=True)


def logged_in(page: Page, live_server: LiveServer, settings: LazySettings, name: str, session: Session) -> Page:
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "en", "url": live_server.url}])
    sign_in(page, User.objects.get(username=name), f"/admin/league/session/{session.pk}/night/")
    return page


@pytest.fixture
def ann(page: Page, live_server: LiveServer, settings: LazySettings, night: Session, people: None) -> Page:
    return logged_in(page, live_server, settings, "ann", night)


@pytest.fixture
def ben(ann: Page, live_server: LiveServer, settings: LazySettings, night: Session) -> Iterator[Page]:
    """Return the page of a second user in a browser of their own."""
    assert ann.context.browser
    context = ann.context.browser.new_context(base_url=live_server.url)
    context.set_default_timeout(PATIENT)
    yield logged_in(context.new_page(), live_server, settings, "ben", night)
    context.close()


def test_a_sheet_with_chips_and_busts_fits_its_card_and_shows_names_on_a_phone(
    page: Page, live_server: LiveServer, settings: LazySettings
) -> None:
    house = parlours.parlour("kansai3")
    table = factories.table(house.blocks.get(), parlours.guests(house, 3), numbers=(1,))
    factories.table(house.blocks.get(), parlours.guests(house, 3), numbers=(2,))
    factories.user("ann", is_staff=True, is_superuser=True)
    page.set_viewport_size({"width": 1280, "height": 900})
    logged_in(page, live_server, settings, "ann", table.session)
    assert page.locator(".panel").first.evaluate("panel => panel.scrollWidth <= panel.clientWidth")
    page.set_viewport_size({"width": 390, "height": 844})
    name = page.locator("[data-role=entrant]").first.bounding_box()
    assert name
    assert name["width"] > WIDE_ENOUGH


READY = """document.activeElement?.name?.endsWith('-score_0') && document.activeElement.value === ''
    && !document.activeElement.closest('[aria-busy=true]')"""
"""Script that tells if the focus is in the first field of an empty sheet, at any table."""


def at_table(table: TableSession, number: int) -> str:
    """Return a script that tells if the focus is in the first score field of this hanchan."""
    form = f"h{table.hanchan.get(round=number).pk}-score_0"
    return f"document.activeElement?.name === '{form}'"


def enter_table(keys: Keyboard, table: TableSession, number: int, scores: tuple[str, ...]) -> None:
    """Wait for the focus in this hanchan's sheet and enter its scores."""
    keys.until(at_table(table, number))
    keys.enter(scores)


def test_two_users_enter_and_confirm_sixteen_hanchan_in_under_two_minutes_of_keys(
    ann: Page, ben: Page, tables: list[TableSession]
) -> None:
    keys = Keyboard(ann)
    scores = {
        hanchan.pk: scores_of(place, hanchan.round)
        for place, table in enumerate(tables)
        for hanchan in table.hanchan.order_by("round")
    }
    for _sheet in range(16):
        keys.until(READY)
        keys.enter(scores.pop(int(ann.evaluate("document.activeElement.form.elements.hanchan.value"))))
    keys.until("document.querySelectorAll('.chip.waiting').length === 16")
    second = Keyboard(ben)
    second.until("document.querySelectorAll('#night-queue .waiting li').length === 16")
    ben.locator("[data-confirm-all]").focus()
    second.press("Enter")
    second.until("document.querySelectorAll('.chip.confirmed').length === 16")
    second.until("document.activeElement.closest('.card') !== null")
    assert ResultSheet.objects.counting().count() == 16
    assert keys.seconds + second.seconds < TWO_MINUTES


def test_a_sheet_of_four_players_with_chonbo_fits_its_card_beside_the_queue(
    ann: Page, tables: list[TableSession]
) -> None:
    enter_table(Keyboard(ann), tables[0], 1, scores_of(0, 1))
    expect(ann.locator("#night-queue .waiting li")).to_have_count(1)
    ann.set_viewport_size({"width": 1280, "height": 900})
    fits = "panels => panels.map(panel => panel.scrollWidth <= panel.clientWidth)"
    assert ann.locator(".panel").evaluate_all(fits) == [True] * 4


def test_saving_moves_the_focus_to_the_next_table_and_redraws_only_the_saved_one(
    ann: Page, tables: list[TableSession]
) -> None:
    ann.evaluate("document.querySelectorAll('.card').forEach((card) => { card.was = 'here'; })")
    enter_table(Keyboard(ann), tables[0], 1, scores_of(0, 1))
    until(ann, at_table(tables[1], 1))
    expect(ann.locator(f"#table-{tables[0].pk} .chip.waiting")).to_have_count(1)
    drawn = ann.evaluate("[...document.querySelectorAll('.card')].map((card) => card.was ?? 'drawn again')")
    assert drawn == ["drawn again", "here", "here", "here"]


def test_the_last_score_is_not_filled_in_automatically(ann: Page, tables: list[TableSession]) -> None:
    card = ann.locator(f"#table-{tables[0].pk}")
    until(ann, at_table(tables[0], 1))
    for score in ("412", "301", "187"):
        ann.keyboard.type(score)
        ann.keyboard.press("Enter")
    expect(card.locator(".sum")).to_have_text("90,000 so far")
    expect(card.locator("[data-role=score]").nth(3)).to_have_value("")


def test_sheets_of_other_users_appear_and_the_own_draft_is_kept(
    ann: Page, ben: Page, tables: list[TableSession]
) -> None:
    first = ann.locator(f"#table-{tables[0].pk} [data-role=score]").first
    first.fill("412")
    enter_table(Keyboard(ben), tables[0], 1, scores_of(0, 1))
    until(ben, at_table(tables[1], 1))
    enter_table(Keyboard(ben), tables[1], 1, scores_of(1, 1))
    expect(ann.locator(f"#table-{tables[1].pk} .chip.waiting")).to_have_count(1)
    expect(ann.locator(f"#table-{tables[0].pk} .meanwhile")).to_be_visible()
    expect(first).to_have_value("412")
    expect(ann.locator("#night-queue .waiting li")).to_have_count(2)


def test_a_refused_sheet_stays_at_its_table_with_the_typed_scores(ann: Page, tables: list[TableSession]) -> None:
    enter_table(Keyboard(ann), tables[0], 1, ("412", "301", "187", "99"))
    card = ann.locator(f"#table-{tables[0].pk}.refused")
    expect(card).to_contain_text("100 missing")
    expect(card.locator("[data-role=score]").first).to_have_value("412")
    expect(ann.locator("#night-said")).to_contain_text("Not saved yet")
    assert not ResultSheet.objects.exists()


def test_a_sheet_sent_while_offline_survives_a_reload(ann: Page, tables: list[TableSession]) -> None:
    until(ann, at_table(tables[0], 1))
    ann.context.set_offline(True)
    enter_table(Keyboard(ann), tables[0], 1, scores_of(0, 1))
    expect(ann.locator("#entry-offline")).to_be_visible()
    ann.context.set_offline(False)
    ann.reload()
    form = ann.locator(f"#table-{tables[0].pk} form.sheet-form")
    expect(form.locator("[data-role=score]").first).to_have_value(scores_of(0, 1)[0])
    restored = ann.locator("#entry-notice")
    expect(restored).to_be_visible()
    form.locator("[data-role=score]").last.press("Shift+Enter")
    expect(ann.locator(f"#table-{tables[0].pk} .chip.waiting")).to_have_count(1)
    expect(restored).to_be_hidden()


def test_restored_scores_leave_the_players_who_were_drawn_meanwhile(ann: Page, tables: list[TableSession]) -> None:
    seats = list(HanchanSeat.objects.filter(hanchan=tables[0].hanchan.get(round=1)).order_by("seat"))
    HanchanSeat.objects.filter(hanchan=tables[0].hanchan.get(round=1)).delete()
    ann.reload()
    form = ann.locator(f"#table-{tables[0].pk} form.sheet-form")
    form.locator("[data-role=score]").first.fill("412")
    form.locator("[data-role=score]").first.press("Shift+Enter")
    expect(ann.locator(f"#table-{tables[0].pk}.refused")).to_be_visible()
    HanchanSeat.objects.bulk_create(seats)
    ann.reload()
    expect(form.locator("[data-role=score]").first).to_have_value("412")
    for place, seat in enumerate(seats):
        expect(form.locator("[data-role=entrant]").nth(place)).to_have_value(str(seat.entrant_id))


@contextmanager
def disk_full() -> Iterator[None]:
    """Let no result sheet be stored for want of room, on every connection: SQLite's limit is one connection's alone."""
    if connection.vendor == "postgresql":
        with postgresql_full():
            yield
        return
    said = "SELECT RAISE(ABORT, 'database or disk is full')"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TRIGGER no_room BEFORE INSERT ON league_resultsheet BEGIN {said}; END")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TRIGGER no_room")


def test_a_sheet_sent_while_the_disk_is_full_says_so_and_keeps_the_typed_scores(
    ann: Page, tables: list[TableSession]
) -> None:
    card = ann.locator(f"#table-{tables[0].pk}")
    with disk_full():
        enter_table(Keyboard(ann), tables[0], 1, scores_of(0, 1))
        expect(ann.locator("#night-said")).to_contain_text("disk is full")
        expect(ann.locator("#night-said")).to_contain_text("kept on this device")
        expect(card.locator("[data-role=score]").first).to_have_value(scores_of(0, 1)[0])
        assert not ResultSheet.objects.exists()
    card.locator("[data-role=score]").last.press("Shift+Enter")
    expect(card.locator(".chip.waiting")).to_have_count(1)
    assert ResultSheet.objects.count() == 1


def test_in_blind_entry_a_differing_scorer_retypes_only_the_differing_scores(
    ann: Page, ben: Page, season: Competition, tables: list[TableSession]
) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.BLIND)
    for page in (ann, ben):
        page.reload()
    enter_table(Keyboard(ann), tables[0], 1, ("412", "301", "187", "100"))
    until(ann, at_table(tables[1], 1))
    enter_table(Keyboard(ben), tables[0], 1, ("421", "292", "187", "100"))
    card = ben.locator(f"#table-{tables[0].pk}")
    expect(card.locator(".asked")).to_be_visible()
    values = [field.input_value() for field in card.locator("[data-role=score]").all()]
    assert values == ["", "", "187", "100"]
    assert "41,200" not in ben.content()
    card.locator("[data-role=score]").nth(0).fill("412")
    card.locator("[data-role=score]").nth(1).fill("301")
    card.locator("[data-role=score]").nth(1).press("Shift+Enter")
    expect(card.locator(".chip.confirmed")).to_have_count(1)
    assert ResultSheet.objects.counting().filter(entered_by__username="ann").exists()


@pytest.fixture
def only(ann: Page, tables: list[TableSession]) -> TableSession:
    """Abandon the hanchan of all other tables, and return the one table that is still open."""
    for table in tables[1:]:
        table.hanchan.update(state="abandoned")
    ann.reload()
    return tables[0]


@pytest.fixture
def held(ann: Page) -> list[Route]:
    """Hold back POST requests of the page, and return the list of held ones."""
    on_the_way: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            on_the_way.append(route)
        else:
            route.fallback()

    ann.route("**/night/", hold)
    return on_the_way


def wait_for_sheets(page: Page, held: list[Route], count: int) -> None:
    """Wait until at least this number of requests is held."""
    ends = time.monotonic() + PATIENT / 1000
    while len(held) < count:
        assert time.monotonic() < ends
        page.wait_for_timeout(20)


def first_scores(page: Page, table: TableSession, number: int) -> list[str]:
    """Return the values in the open sheet of this hanchan."""
    form = f"h{table.hanchan.get(round=number).pk}"
    return [page.locator(f"[name={form}-score_{seat}]").input_value() for seat in range(4)]


def test_keys_typed_while_the_only_table_is_saved_go_to_its_next_sheet(
    ann: Page, only: TableSession, held: list[Route]
) -> None:
    enter_table(Keyboard(ann), only, 1, ("412", "301", "187", "100"))
    ann.keyboard.type("388")
    ann.keyboard.press("Enter")
    ann.keyboard.type("-2")
    wait_for_sheets(ann, held, 1)
    held[0].fallback()
    until(ann, f"document.activeElement?.name === 'h{only.hanchan.get(round=2).pk}-score_1'")
    ann.keyboard.type("5")
    assert first_scores(ann, only, 2) == ["388", "-25", "", ""]
    seats = ResultSheet.objects.get().seats.order_by("seat")
    assert list(seats.values_list("score", flat=True)) == [41_200, 30_100, 18_700, 10_000]


def test_whole_sheets_can_be_typed_ahead(ann: Page, only: TableSession, held: list[Route]) -> None:
    keys = Keyboard(ann)
    enter_table(keys, only, 1, ("412", "301", "187", "100"))
    keys.enter(("388", "300", "212", "100"))
    keys.type("377")
    wait_for_sheets(ann, held, 1)
    held[0].fallback()
    wait_for_sheets(ann, held, 2)
    held[1].fallback()
    until(ann, f"document.activeElement?.name === 'h{only.hanchan.get(round=3).pk}-score_0'")
    assert first_scores(ann, only, 3) == ["377", "", "", ""]
    assert ResultSheet.objects.count() == 2


def test_scores_typed_ahead_wait_beside_a_refused_sheet(ann: Page, only: TableSession, held: list[Route]) -> None:
    enter_table(Keyboard(ann), only, 1, ("412", "301", "187", "99"))
    ann.keyboard.type("388")
    wait_for_sheets(ann, held, 1)
    held[0].fallback()
    expect(ann.locator(".card.refused .ahead input")).to_have_value("388")
    assert first_scores(ann, only, 1) == ["412", "301", "187", "99"]
    ann.locator(".card.refused [data-role=score]").nth(3).fill("100")
    ann.locator(".card.refused [data-role=score]").nth(3).press("Shift+Enter")
    wait_for_sheets(ann, held, 2)
    held[1].fallback()
    expect(ann.locator(f"[name=h{only.hanchan.get(round=2).pk}-score_0]")).to_have_value("388")
