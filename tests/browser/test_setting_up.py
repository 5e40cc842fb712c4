"""Setting up a league by keyboard: from an empty database to a published schedule in few actions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import Change, Competition, HanchanSeat, Player, RulesInForce
from rulesets import loader
from tests import factories
from tests.browser.staff import sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)
ROSTER = "氏名\tふりがな\tローマ字\t所属\n" + "\n".join(
    f"選手{letter}\tせんしゅ{letter}\tPlayer {letter}\t荘{number % 4}"
    for number, letter in enumerate("甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳")
)
MOST_ACTIONS = 25
SET_UP = "/admin/league/competition/set-up/?format=open-play"
LONGEST_WAY = 60
"""Maximum number of Tab presses to reach a field."""


class Keyboard:
    """A keyboard user whose actions are counted: a field typed, a button or a link pressed.

    Tab presses are not counted, as mouse movements would not be.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0

    def go_to(self, selector: str) -> None:
        """Press Tab until the field, the button or the link has the focus."""
        target = self.page.locator(selector).first
        for _step in range(LONGEST_WAY):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no way by keyboard to {selector}")

    def type(self, selector: str, text: str) -> None:
        """Fill in a field."""
        self.go_to(selector)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)
        self.actions += 1

    def press(self, selector: str) -> None:
        """Press a button or follow a link, and wait for the page."""
        self.go_to(selector)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")
        self.actions += 1

    def paste(self, selector: str, text: str) -> None:
        """Paste a text (the roster), which is not counted."""
        self.go_to(selector)
        self.page.keyboard.insert_text(text)


@pytest.fixture
def keyboard(page: Page, live_server: LiveServer, settings: LazySettings) -> Keyboard:
    """Return an English keyboard user at the login page; the database holds only their account."""
    factories.user("director", is_staff=True, is_superuser=True)
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "en", "url": live_server.url}])
    page.goto("/admin/")
    return Keyboard(page)


def test_a_league_of_sixteen_with_its_schedule_is_published_in_at_most_25_actions(keyboard: Keyboard) -> None:
    page = keyboard.page
    keyboard.type("#id_username", "director")
    keyboard.type("#id_password", "correct horse")
    keyboard.press("#login-form [type=submit]")
    keyboard.press("#content a[href='/admin/league/competition/add/']")
    keyboard.press("a.button[href='?format=cinderella']")
    keyboard.type("#id_name", "春季シンデレラ杯")
    keyboard.type("#id_venue", "麻雀サロン灯火")
    keyboard.press(".submit-row button.default")
    keyboard.paste("#id_pasted", ROSTER)
    keyboard.press("button[name=look]")
    expect(page.locator("tr.new")).to_have_count(16)
    keyboard.press("button[name=enter]")
    keyboard.press("button[value=draw]")
    keyboard.press(".go a.button.default")
    expect(page.locator(".bounds").first).to_contain_text("No plan repeats fewer meetings")
    keyboard.press("button[name=write]")
    keyboard.press(".submit-row button.default")
    league = Competition.objects.get()
    assert (league.status, league.entrants.count(), league.slug) == (Competition.Status.PUBLISHED, 16, free_slug())
    assert league.table_sessions.count() == 12
    assert HanchanSeat.objects.filter(hanchan__block__competition=league).count() == 4 * 32
    assert Change.objects.filter(kind="schedule.written").count() == 1
    assert keyboard.actions <= MOST_ACTIONS
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(page.locator("#share-address")).to_have_value(re.compile(rf"/c/{league.slug}/$"))
    page.locator(".share button.copy").first.click()
    expect(page.locator(".share .address [role=status]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").endswith(f"/c/{league.slug}/")
    expect(page.locator(".share .errornote")).to_contain_text("this machine only")
    expect(page.locator(".share a[href$='/night/']")).to_be_visible()
    page.goto(f"/c/{league.slug}/")
    expect(page.locator("h1")).to_have_text("春季シンデレラ杯: now and next")


def free_slug() -> str:
    """Return the slug proposed for 春季シンデレラ杯."""
    year = Competition.objects.values_list("created_at__year", flat=True).get()
    return f"spring-cinderella-cup-{year}"


def test_a_roster_with_doubtful_names_is_kept_until_the_user_decides(keyboard: Keyboard) -> None:
    page = keyboard.page
    Player.objects.create(name="髙橋 花", name_kana="たかはし はな", key="demo-hana", affiliation="灯台会")
    league = factories.league(status=None)
    keyboard.type("#id_username", "director")
    keyboard.type("#id_password", "correct horse")
    keyboard.press("#login-form [type=submit]")
    page.goto(f"/admin/league/competition/{league.pk}/set-up-players/")
    keyboard.paste("#id_pasted", "高橋花\n林 薫\n林　薫\n,やまだ")
    keyboard.press("button[name=look]")
    expect(page.locator("tr.similar select")).to_have_value("")
    expect(page.locator("tr.double")).to_contain_text("as in line 2")
    wide = page.viewport_size
    assert wide is not None
    page.set_viewport_size({"width": 390, "height": 844})
    for fault in page.locator("table.roster .fault").all():
        box = fault.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390, fault.inner_text()
    page.set_viewport_size(wide)
    keyboard.press("button[name=enter]")
    expect(page.locator(".errorlist").first).to_contain_text("Line 1: say who it is.")
    expect(page.locator("#id_pasted")).to_have_value("高橋花\n林 薫\n林　薫\n,やまだ")
    assert Player.objects.count() == 17
    keyboard.go_to("tr.similar select")
    page.keyboard.type("known")
    page.locator("#id_pasted").fill("高橋花\n林 薫\n林　薫")
    keyboard.press("button[name=look]")
    keyboard.go_to("tr.similar select")
    page.keyboard.type("known")
    keyboard.press("button[name=enter]")
    assert Player.objects.count() == 18
    assert league.entrants.filter(player__key="demo-hana").exists()


def test_a_browser_submits_the_first_form_under_any_ruleset(keyboard: Keyboard, live_server: LiveServer) -> None:
    """Submit under one ruleset; `test_any_ruleset_can_be_submitted_unchanged_with_its_default_options` has all."""
    page = keyboard.page
    sign_in(page, User.objects.get(), SET_UP)
    page.locator("#id_name").fill("League boo 1")
    for ruleset in sorted(loader.names(), key="boo".__eq__):
        page.locator("#id_ruleset").select_option(ruleset)
        expect(page.locator("[name=options_of]")).to_have_value(ruleset)
        assert page.locator("#league-form").evaluate("form => form.checkValidity()"), ruleset
    expect(page.locator("#id_name")).to_have_value("League boo 1")
    expect(page.locator("#proposed-address output")).to_have_text(re.compile("/c/league-boo-1/$"))
    browser = page.context.browser
    assert browser is not None
    state = page.context.storage_state()
    with browser.new_context(base_url=live_server.url, storage_state=state, java_script_enabled=False) as plain:
        unscripted = plain.new_page()
        unscripted.goto(SET_UP)
        unscripted.locator("#id_name").fill("League boo 1")
        unscripted.locator("#id_ruleset").select_option("boo")
        for each in (page, unscripted):
            each.locator(".submit-row button.default").click()
            expect(each.locator("#id_pasted")).to_be_visible()
    assert [rules.ruleset.name for rules in RulesInForce.objects.filter(options={})] == ["boo", "boo"]


def test_the_set_up_works_without_scripts_on_a_narrow_screen(keyboard: Keyboard, live_server: LiveServer) -> None:
    keyboard.type("#id_username", "director")
    keyboard.type("#id_password", "correct horse")
    keyboard.press("#login-form [type=submit]")
    browser = keyboard.page.context.browser
    assert browser is not None
    plain = browser.new_context(
        base_url=live_server.url,
        storage_state=keyboard.page.context.storage_state(),
        java_script_enabled=False,
        viewport={"width": 390, "height": 844},
    )
    page = plain.new_page()
    page.goto("/admin/league/competition/set-up/?format=single-table-final")
    page.locator("#id_name").fill("Winter Final")
    page.locator(".submit-row button.default").click()
    page.locator("#id_pasted").fill("甲\n乙\n丙\n丁")
    page.locator("button[name=look]").click()
    page.locator("button[name=enter]").click()
    page.locator("button[value=snake]").click()
    page.locator(".go a.button.default").click()
    page.locator("button[name=write]").click()
    page.locator(".submit-row button.default").click()
    plain.close()
    assert Competition.objects.get().status == Competition.Status.PUBLISHED
    assert HanchanSeat.objects.count() == 16
