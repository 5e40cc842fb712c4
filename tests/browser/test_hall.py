"""The hall of an event in a browser: clock and call on a phone, the state of the tables on the desk, all up to date."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import Competition, Player, RefereeCall, Role, TableLink, TableSession
from league.services.competitions.announcements import announce, set_timer
from league.services.live.links import make_link
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.browser.staff import sign_in
from tests.factories import SYSTEM

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.django_db(transaction=True)
WIDTHS_OF_SLIDES = """() => {
  const slides = [...document.querySelectorAll(".slide")];
  return slides.map(shown => {
    slides.forEach(each => each.classList.toggle("current", each === shown));
    return document.documentElement.scrollWidth;
  });
}"""


def table_of_final() -> tuple[Competition, TableSession]:
    final = factories.final_table()
    return final, factories.table(final.blocks.get())


def test_a_call_from_a_phone_appears_on_the_open_floor_and_goes_when_it_is_answered(
    browser_context: BrowserContext, live_server: LiveServer
) -> None:
    final, table = table_of_final()
    set_timer(session=table.session, ends_at=timezone.now() + dt.timedelta(minutes=30), by=SYSTEM)
    referee = factories.user("referee", Role.REFEREE, final, is_staff=True)
    link = make_link(table_session=table, kind=TableLink.Kind.SCORER, by=SYSTEM)
    desk, phone, night = (browser_context.new_page() for _page in range(3))
    phone.set_viewport_size({"width": 390, "height": 844})
    sign_in(desk, referee, f"/admin/league/session/{table.session_id}/floor/")
    expect(desk.locator(".floor li")).to_have_count(1)
    night.goto(f"{live_server.url}/admin/league/session/{table.session_id}/night/")
    expect(night.locator(".night .card")).to_have_count(1)
    expect(desk.locator(".clock .left")).to_contain_text(":")
    desk.locator(".clock .sound").click()
    phone.goto(f"{live_server.url}/t/{link.token}/")
    expect(phone.locator(".hallbar .left")).to_contain_text(":")
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    phone.locator(".hallbar .button").click()
    phone.locator("[name=about]").fill("手牌が倒れた")
    phone.locator("button.main").click()
    expect(phone.locator(".note")).to_contain_text("手牌が倒れた")
    expect(desk.locator(".referee-calls li")).to_contain_text("手牌が倒れた")
    expect(desk.locator("#said")).to_contain_text("審判")
    expect(night.locator("#night-called")).to_contain_text("審判")
    expect(desk.locator(".clock .sound")).to_be_focused()
    desk.locator(".referee-calls button").click()
    expect(desk.locator(".referee-calls")).to_have_count(0)
    assert RefereeCall.objects.get().answered_by
    phone.goto(f"{live_server.url}/tables/{table.pk}/call/")
    expect(phone.locator("[name=about]")).to_be_visible()


def test_the_clock_counts_down_and_calls_when_time_is_up(
    browser_context: BrowserContext, live_server: LiveServer
) -> None:
    final, table = table_of_final()
    set_timer(session=table.session, ends_at=timezone.now() + dt.timedelta(seconds=8), by=SYSTEM)
    page = browser_context.new_page()
    page.goto(f"{live_server.url}/c/{final.slug}/sessions/1/clock/")
    expect(page.locator(".clock .left")).to_contain_text("0:0")
    sound = page.locator(".clock .sound")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".clock .call")).to_have_text("時間です。審判の指示に従ってください。")
    expect(page.locator(".clock .left")).to_have_text("時間切れ")


def test_a_name_of_sixty_letters_hides_no_scores_on_the_front_page_and_on_the_screen(
    page: Page, live_server: LiveServer
) -> None:
    final, table = table_of_final()
    who = factories.seated(table.hanchan.get(round=1))[0].player
    Player.objects.filter(pk=who.pk).update(name="Alexandria Konstantinopoulou-Featherstonehaugh-Montgomeryshire")
    factories.play(table.hanchan.get(round=1))
    publish_standings(final.pk)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{live_server.url}/c/final/projector/")
    assert set(page.evaluate(WIDTHS_OF_SLIDES)) == {1280}
    page.goto(f"{live_server.url}/c/final/")
    cards = page.locator(".board").first
    assert cards.evaluate("one => [...one.querySelectorAll('*')].every(each => each.scrollWidth <= one.clientWidth)")


def test_long_names_and_an_announcement_leave_every_slide_of_the_screen_within_the_screen(
    page: Page, live_server: LiveServer
) -> None:
    final, table = table_of_final()
    for each in factories.seated(table.hanchan.get(round=1)):
        long = f"{each.player.name} Konstantinopoulou-Featherstonehaugh-Montgomeryshire"
        Player.objects.filter(pk=each.player_id).update(name=long)
    factories.play(table.hanchan.get(round=1))
    set_timer(session=table.session, ends_at=timezone.now() + dt.timedelta(minutes=50), by=SYSTEM)
    announce(
        session=table.session,
        text="会場の駐車場は二十二時に閉まります。お車の方は必ず移動してください。" * 2,
        by=SYSTEM,
    )
    publish_standings(final.pk)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{live_server.url}/c/final/projector/")
    for number in (1, 2, 3):
        expect(page.locator(".count")).to_have_text(f"{number} / 3")
        expect(page.locator(".slide.current")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollHeight") == 720, number
        page.keyboard.press("ArrowRight")
