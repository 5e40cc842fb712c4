"""The format builder in a browser: a format of one's own, tried out, kept and played, in few actions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.conf import LazySettings
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import Competition, FormatDraft, FormatRevision, Hanchan
from league.services.rulebooks.format_drafts import draft_text, start_draft
from rulesets.format_builder.continuations import consolation, double_elimination
from rulesets.format_builder.edits import new_draft
from rulesets.format_builder.rounds import add_part
from tests import factories
from tests.browser.staff import sign_in
from tests.browser.test_accessibility import AXE, serious
from tests.factories import SYSTEM
from tests.fuzz.examples import ASKED

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROSTER = "\n".join(f"選手{letter}" for letter in "甲乙丙丁戊己庚辛壬癸子丑寅卯辰")
MOST_ACTIONS = 40
WORDS = {
    "ja": ("準決勝", "毎回2人が抜け番", "決勝", "選手"),
    "en": ("Semifinal", "2 rest in each round", "Final", "Player"),
}
"""By language: the title of the second stage, who rests there, the title of the third, the champion."""
LANGUAGES = list(WORDS) if ASKED else ["ja"]
"""Japanese alone in the suite, both languages in `make fuzz`."""
LONGEST_WAY = 80


class Hand:
    """An organizer whose actions are counted: each click, each choice and each field filled in."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0

    def click(self, selector: str) -> None:
        """Click a link or a button."""
        self.page.locator(selector).first.click()
        self.actions += 1

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list."""
        self.page.locator(selector).select_option(value)
        self.actions += 1

    def fill(self, selector: str, text: str) -> None:
        """Fill in a field."""
        self.page.locator(selector).fill(text)
        self.actions += 1


@pytest.fixture
def organizer(page: Page, live_server: LiveServer, settings: LazySettings) -> Page:
    """Return the page of an organizer who has just signed in, in Japanese."""
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "ja", "url": live_server.url}])
    sign_in(page, factories.user("director", is_staff=True, is_superuser=True), "/admin/")
    return page


def in_language(page: Page, live_server: LiveServer, settings: LazySettings, language: str) -> None:
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}])


def newest_text() -> str:
    """Return the text of the draft that was changed last."""
    return draft_text(FormatDraft.objects.latest("updated_at"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_blocks_of_five_are_built_tried_out_and_published_in_at_most_40_actions(
    organizer: Page, live_server: LiveServer, settings: LazySettings, language: str
) -> None:
    page, hand = organizer, Hand(organizer)
    in_language(page, live_server, settings, language)
    page.reload()
    semifinal, resting, final, champion = WORDS[language]
    hand.click("#content a[href='/admin/league/competition/add/']")
    hand.click(".own-format a.button")
    hand.fill("#id_players", "15")
    hand.click(".begin button.default")
    expect(page.locator(".building .drawing .stage")).to_have_count(0)
    hand.choose("[name='s-stage1-blocks']", "3")
    expect(page.locator(".drawing rect.head")).to_have_count(3)
    hand.click("#stage-add")
    expect(page.locator("#stage-stage2 h2")).to_contain_text(semifinal)
    expect(page.locator("#stage-stage2 .note")).to_contain_text(resting)
    hand.click("#stage-add")
    expect(page.locator("#stage-stage3 h2")).to_contain_text(final)
    expect(page.locator(".acts .sound")).to_be_visible()
    hand.fill("[name='format-title']", "社内リーグ")
    hand.click("#trial")
    expect(page.locator(".champion strong")).to_contain_text(champion)
    hand.click("#again")
    expect(page).to_have_url(re.compile("seed=2"))
    hand.click("#back")
    hand.click("#keep")
    hand.click(".tools-of a.main")
    hand.fill("#id_name", "社内リーグ2026")
    hand.click(".submit-row button.default")
    hand.fill("#id_pasted", ROSTER)
    hand.click("button[name=look]")
    expect(page.locator("tr.new")).to_have_count(15)
    hand.click("button[name=enter]")
    hand.click("button[value=draw]")
    hand.click(".go a.button.default")
    hand.click("button[name=write]")
    hand.click(".submit-row button.default")
    expect(page.locator(".messagelist .success")).to_contain_text("社内リーグ2026")
    league = Competition.objects.get()
    revision = FormatRevision.objects.exclude(name="cinderella").get()
    assert (league.status, league.entrants.count()) == (Competition.Status.PUBLISHED, 15)
    assert Hanchan.objects.filter(block__competition=league, block__stage__order=1).count() == 30
    assert league.rules_in_force.get().format == revision
    assert not FormatDraft.objects.exists()
    assert hand.actions <= MOST_ACTIONS


def test_every_change_redraws_the_ladder_and_is_undone(organizer: Page, live_server: LiveServer) -> None:
    page = organizer
    draft = start_draft(by=SYSTEM, data=new_draft("built", 12))
    page.goto(f"/admin/league/formatrevision/drafts/{draft.pk}/")
    page.locator("[name='s-stage1-hanchan']").fill("7")
    page.locator("[name='s-stage1-sessions']").focus()
    expect(page.locator(".problem .fix").first).to_have_text("1節にする")
    # What is typed while the answer is on its way stays in its field, and so does the focus.
    expect(page.locator("[name='s-stage1-sessions']")).to_be_focused()
    page.locator(".problem .fix").first.click()
    expect(page.locator(".acts .sound")).to_be_visible()
    page.locator("#undo").click()
    expect(page.locator(".acts .open")).to_be_visible()
    page.locator("#undo").click()
    expect(page.locator("[name='s-stage1-hanchan']")).to_have_value("8")
    page.locator("#redo").click()
    expect(page.locator("[name='s-stage1-hanchan']")).to_have_value("7")
    assert "hanchan = 7" in newest_text()
    page.locator("#keep").click()
    expect(page.locator(".errornote")).to_contain_text("まだ版として保存できません")


def test_the_focus_stays_on_a_pressed_button_or_near_it(organizer: Page) -> None:
    page = organizer
    draft = start_draft(by=SYSTEM, data=new_draft("built", 16))
    page.goto(f"/admin/league/formatrevision/drafts/{draft.pk}/")
    page.locator("button[value='part-add stage1']").press("Enter")
    expect(page.locator("button[value^='part-remove']").first).to_be_visible()
    expect(page.locator("button[value='part-add stage1'], #stage-add").and_(page.locator(":focus"))).to_have_count(1)


def test_the_field_in_use_stays_in_place_on_a_phone_when_the_picture_above_it_grows(organizer: Page) -> None:
    page = organizer
    page.set_viewport_size({"width": 390, "height": 800})
    draft = start_draft(by=SYSTEM, data=new_draft("built", 16))
    page.goto(f"/admin/league/formatrevision/drafts/{draft.pk}/")
    field = page.locator("#id_s-stage1-blocks")
    field.focus()
    place = "element => element.getBoundingClientRect().top"
    before = field.evaluate(place)
    field.press("4")
    expect(page.locator(".drawing rect.head")).to_have_count(4)
    expect(field).to_be_focused()
    assert abs(field.evaluate(place) - before) < 2


def test_the_builder_is_worked_by_keyboard_alone(organizer: Page) -> None:
    page = organizer
    draft = start_draft(by=SYSTEM, data=new_draft("built", 12))
    page.goto(f"/admin/league/formatrevision/drafts/{draft.pk}/")
    for wanted, key in (("id_s-stage1-blocks", "2"), ("stage-add", "Enter"), ("trial", "Enter")):
        for _step in range(LONGEST_WAY):
            if page.evaluate("document.activeElement.id") == wanted:
                break
            page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == wanted
        page.keyboard.press(key)
        if wanted == "id_s-stage1-blocks":
            expect(page.locator(".drawing rect.head")).to_have_count(2)
        if wanted == "stage-add":
            expect(page.locator("#stage-stage2")).to_be_visible()
    expect(page.locator(".champion")).to_be_visible()


@pytest.mark.parametrize("language", ["ja", "en"])
def test_pages_of_formats_have_no_serious_axe_findings_and_fit_a_phone(
    organizer: Page, live_server: LiveServer, settings: LazySettings, language: str
) -> None:
    page = organizer
    page.add_init_script(AXE)
    in_language(page, live_server, settings, language)
    # With an end from each button and a part of the rounds by the standing.
    built = consolation(double_elimination(add_part(new_draft("built", 16), "stage1"), "stage1", 8), "stage1")
    draft = start_draft(by=SYSTEM, data=built)
    start = "/admin/league/formatrevision/"
    for address in ("", "build/", f"drafts/{draft.pk}/", f"drafts/{draft.pk}/text/", f"drafts/{draft.pk}/trial/"):
        page.goto(start + address)
        assert serious(page) == [], address
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, address
        page.set_viewport_size({"width": 1280, "height": 900})
