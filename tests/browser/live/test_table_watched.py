"""Other views of a live table: players' phones, the staff's sheet, the public page and the broadcast overlay."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from knox.models import get_token_model
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import Competition, ResultSheet, Role, TableSession
from league.services.competitions.schedule import hold_back
from league.services.live.log import NewEvent, append_events
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.browser.phones import SMALL, Opens, begun, first_of, play_through, record
from tests.browser.staff import sign_in
from tests.factories import SYSTEM
from tests.league.tables import DRAW, RON, entered, event, write

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)
LAST_HAND = {"type": "ruling", "reason": "as it stood", "goes_on": {"round": "S", "number": 4, "honba": 0}}
MANGAN = {"type": "ron", "loser": 0, "wins": [{"seat": 2, "value": {"limit": "mangan"}}]}


def in_last_hand(table: TableSession) -> TableSession:
    """Put the table into the last kyoku, with one player leading by a mangan ron."""
    entries = [NewEvent(f"e{number}", "entry", {"entry": entry}) for number, entry in enumerate((MANGAN, LAST_HAND))]
    append_events(hanchan=first_of(table), events=[NewEvent("begin", "start", {}), *entries], after=0, by=SYSTEM)
    return table


def test_a_result_counts_once_each_player_has_agreed_on_their_phone(phone: Opens, table: TableSession) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.PLAYERS)
    scorer = begun(phone(table))
    people = [seat.entrant for seat in first_of(table).seats.order_by("seat")]
    phones = [phone(table, entrant=entrant) for entrant in people]
    phones[0].sees("#confirm", "No result has been handed in")
    play_through(scorer)
    scorer.tap("submit")
    scorer.sees(".state-waiting", "Handed in")
    for device in phones[:3]:
        device.page.locator("button.yes").tap()
        device.sees("#confirm .note", "You have agreed")
    assert not ResultSheet.objects.counting().exists()
    phones[3].page.locator("button.yes").tap()
    phones[3].sees("#confirm .note", "confirmed")
    scorer.sees(".state-confirmed", "confirmed")
    assert ResultSheet.objects.counting().filter(hanchan=first_of(table)).exists()


def test_a_player_can_reject_a_result_with_a_reason(phone: Opens, table: TableSession) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.PLAYERS)
    scorer = begun(phone(table))
    player = phone(table, entrant=first_of(table).seats.get(seat=2).entrant)
    play_through(scorer)
    scorer.tap("submit")
    player.page.locator("button.no").tap()
    player.page.locator("#why").fill("East 3 was a tsumo")
    player.page.locator("button.no").tap()
    player.sees("#confirm .note", "East 3 was a tsumo")
    scorer.sees(".state-rejected", "East 3 was a tsumo")


def test_staff_see_the_conditions_of_the_last_kyoku_and_a_scorers_link_does_not(
    phone: Opens, table: TableSession, page: Page, live_server: LiveServer
) -> None:
    scorer = phone(in_last_hand(table))
    scorer.sees(".kyoku", "South 4")
    expect(scorer.page.locator(".advice")).to_have_count(0)
    sign_in(page, factories.user("boss", Role.DIRECTOR, table.competition))
    page.set_viewport_size(SMALL)
    page.goto(f"/tables/{table.pk}/sheet/?lang=en")
    panel = page.locator(".advice")
    expect(panel.locator("h3")).to_have_count(4)
    expect(panel.locator("[data-seat='1']")).to_contain_text("to win the game")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    panel.locator("summary").first.click()
    scorer.tap("act-riichi", "seat-1")
    expect(page.locator("[data-seat='1'] .mark-of").first).to_be_visible()
    expect(panel.locator("h3").first).not_to_be_visible()


def test_the_overlay_shows_the_conditions_of_the_last_kyoku_to_staff_unless_hidden(
    table: TableSession, page: Page, live_server: LiveServer
) -> None:
    in_last_hand(table)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"/overlay/{table.pk}/?lang=en")
    expect(page.locator(".player")).to_have_count(4)
    expect(page.locator(".goal")).to_have_count(0)
    sign_in(page, factories.user("broadcast", Role.READER, table.competition))
    page.goto(f"/overlay/{table.pk}/")
    expect(page.locator(".goal").first).to_contain_text("to win the game")
    page.goto(f"/overlay/{table.pk}/?hide=advice")
    expect(page.locator(".player")).to_have_count(4)
    expect(page.locator(".goal")).to_have_count(0)


def test_the_public_live_page_updates_itself(phone: Opens, table: TableSession, page: Page) -> None:
    scorer = begun(phone(table))
    page.goto(f"/c/final/hanchan/{first_of(table).pk}/live/?lang=en")
    expect(page.locator("#kyoku")).to_contain_text("East 1")
    scorer.tap("act-ron", "seat-1", "seat-3", "mangan")
    record(scorer)
    expect(page.locator("#kyoku")).to_contain_text("East 2")
    expect(page.locator(".places li").first).to_contain_text("33,000")
    expect(page.locator(".scoregraph polyline")).to_have_count(4)


def test_the_public_live_page_keeps_the_focus_and_says_the_next_hand_once(table: TableSession, page: Page) -> None:
    hanchan = first_of(table)
    write(hanchan, event("start"), *entered(RON))
    page.goto(f"/c/final/hanchan/{hanchan.pk}/live/?lang=en")
    expect(page.locator("#kyoku")).to_contain_text("East 2")
    focused = page.locator("#now [tabindex='0']").first
    focused.focus()
    write(hanchan, *entered(DRAW))
    expect(page.locator("#said")).to_contain_text("East 3")
    expect(focused).to_be_focused()
    expect(page.locator("#now [aria-live]")).to_have_count(0)


def test_the_public_live_page_updates_itself_after_a_result_of_another_table(
    transactional_db: None, page: Page
) -> None:
    competition = factories.league()
    followed, other = (factories.table(competition.blocks.get(key=key)) for key in ("A", "B"))
    write(first_of(followed), event("start"))
    page.goto(f"/c/spring/hanchan/{first_of(followed).pk}/live/?lang=en")
    expect(page.locator("#kyoku")).to_contain_text("East 1")
    write(first_of(followed), *entered(RON))
    expect(page.locator("#kyoku")).to_contain_text("East 2")
    factories.play(first_of(other))
    publish_standings(competition.pk)
    expect(page.locator(".livemark")).to_contain_text("Updated.")
    write(first_of(followed), *entered(DRAW))
    expect(page.locator("#kyoku")).to_contain_text("East 3")


def test_public_pages_take_away_what_comes_under_embargo_until_it_is_released(table: TableSession, page: Page) -> None:
    write(first_of(table), event("start"), *entered(RON))
    address = f"/c/final/hanchan/{first_of(table).pk}/"
    pages = {f"{address}live/?lang=en": page, f"{address}?lang=en": page.context.new_page()}
    for opened, at in pages.items():
        at.goto(opened)
        expect(at.locator("main")).to_contain_text("Player final1")
    for until in (timezone.now() + dt.timedelta(days=1), None):
        hold_back(table_session=table, until=until, by=SYSTEM)
        for at in pages.values():
            expect(at.locator("main")).to_contain_text("not public at the moment" if until else "Player final1")
            assert until is None or "Player final1" not in at.locator("main").inner_text()
            expect(at.locator(".livemark.lost")).to_have_count(0)


def test_the_overlay_keeps_its_last_state_while_offline(phone: Opens, table: TableSession, page: Page) -> None:
    scorer = begun(phone(table))
    scorer.tap("act-riichi", "seat-1")
    scorer.settles()
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"/overlay/{table.pk}/?theme=dark&place=top&lang=en")
    expect(page.locator(".player").nth(1)).to_contain_text("24,000")
    expect(page.locator(".player.riichi")).to_have_count(1)
    expect(page.locator("html[data-theme='dark'][data-place='top']")).to_have_count(1)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    scorer.tap("act-ron", "seat-2", "seat-1", "haneman")
    record(scorer)
    expect(page.locator(".player").nth(2)).to_contain_text("38,000")
    page.context.set_offline(True)
    expect(page.locator(".stale")).to_have_count(1)
    expect(page.locator(".player").nth(2)).to_contain_text("38,000")
    page.context.set_offline(False)
    expect(page.locator(".stale")).to_have_count(0)


def test_the_overlay_of_a_table_under_embargo_needs_a_staff_token(table: TableSession, page: Page) -> None:
    TableSession.objects.update(is_released=False, public_at=timezone.now() + dt.timedelta(days=1))
    page.goto(f"/overlay/{table.pk}/?lang=en")
    expect(page.locator(".told")).to_contain_text("token")
    staff = factories.user("broadcast", Role.READER, table.competition)
    _row, token = get_token_model().objects.create(user=staff)
    page.goto("about:blank")
    page.goto(f"/overlay/{table.pk}/?lang=en#token={token}")
    expect(page.locator(".told")).to_contain_text("has not begun")
