"""The live score sheet on a phone: entry by touch, and every question that a ruleset asks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from league.models import ResultSheet, RulesetRevision, TableEvent, TableSession
from league.selectors.live.log import log_of
from league.services.live.log import NewEvent, append_events
from league.services.rulebooks.revisions import keep
from tests import factories
from tests.browser.phones import PHONE, SMALL, Opens, begun, first_of, kyoku_of, play_through, record
from tests.factories import SYSTEM
from tests.league import parlours

pytestmark = pytest.mark.django_db(transaction=True)
TOUCHABLE = 48
MOST_TAPS = 8


def parlour_table(ruleset: str, players: int) -> TableSession:
    """Return a table of a parlour under another ruleset."""
    competition = parlours.parlour(ruleset)
    people = parlours.guests(competition, players)
    return factories.table(competition.blocks.get(), people, numbers=(1,))


def test_a_whole_east_round_is_entered_by_touch(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("act-riichi", "seat-2", "act-ron", "seat-2", "seat-0", "han-3", "fu-40")
    device.sees(".said", "5,200")
    record(device)
    device.sees(".kyoku", "East 2")
    device.tap("act-tsumo", "seat-1", "han-2", "fu-30")
    record(device)
    device.sees(".honba", "1")
    device.tap("act-draw", "tenpai-1", "rest-noten")
    record(device)
    device.sees(".kyoku", "East 3")
    device.tap("act-ron", "seat-3", "seat-1", "mangan")
    device.sees(".said", "8,600")
    record(device)
    device.sees(".kyoku", "East 4")
    device.tap("act-penalty", "chonbo", "seat-0", "go-on", "false_win_shown")
    record(device)
    device.page.wait_for_selector(".on-table")
    device.settles()
    device.tap("act-tsumo", "seat-0", "yakuman-1")
    record(device)
    device.sees(".kyoku", "South 1")
    device.settles()
    assert kyoku_of(table) == [
        (-5200, 0, 5200, 0),
        (-1000, 3000, -1000, -1000),
        (-1000, 3000, -1000, -1000),
        (0, -8600, 0, 8600),
        (0, 0, 0, 0),
        (32000, -8000, -8000, -16000),
    ]
    assert log_of(first_of(table)).state.chonbo == (1, 0, 0, 0)


def test_the_signal_of_the_clock_is_entered_and_the_last_hand_is_shown(phone: Opens, table: TableSession) -> None:
    rules = first_of(table).rules
    limit = '\n[end.time]\nminutes = 90\nlast = "one_more_hand"\nclauses = ["CL-001"]\n'
    rules.ruleset = keep(RulesetRevision, rules.ruleset.name, rules.ruleset.text + limit)
    rules.save()
    device = begun(phone(table))
    device.tap("act-time")
    record(device)
    device.sees(".time-up", "one more hand after this one")
    device.tap("act-draw", "rest-noten")
    record(device)
    device.sees(".time-up", "the last hand")
    device.tap("act-draw", "rest-noten")
    record(device)
    device.page.get_by_text("Time is up, and the last hand is over.").first.wait_for()


def test_a_common_ron_needs_at_most_eight_taps(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("act-ron", "seat-1", "seat-3", "han-2", "fu-30")
    record(device)
    device.sees(".kyoku", "East 2")
    assert device.taps <= MOST_TAPS
    assert kyoku_of(table) == [(0, 2000, 0, -2000)]


def test_a_reload_continues_an_unfinished_entry(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("act-riichi", "seat-2")
    device.sees(".mark-of", "Riichi")
    device.tap("act-ron", "seat-2", "seat-0", "han-3")
    device.page.reload()
    device.tap("fu-40")
    device.sees(".said", "5,200")
    device.page.reload()
    record(device)
    device.sees(".kyoku", "East 2")
    assert device.scores() == ["19,800", "25,000", "30,200", "25,000"]
    assert TableEvent.objects.count() == 3


def test_a_win_is_entered_as_tiles(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("act-riichi", "seat-2")
    device.settles()
    device.tap("act-ron", "seat-2", "seat-0", "as-tiles")
    for code in ["2p", "3p", "4p", "6s", "7s", "8s", "7p", "8p", "9p", "5z", "5z", "5z", "9s", "9s"]:
        device.page.locator(f'[data-tile="{code}"]').tap()
    device.sees(".valuing .note", "Haku")
    device.page.locator("[name=ippatsu]").check()
    device.sees(".valuing .note", "3 han 40 fu")
    device.tap("take-tiles")
    device.sees(".said", "5,200")
    record(device)
    device.sees(".kyoku", "East 2")
    assert kyoku_of(table) == [(-5200, 0, 5200, 0)]


def test_correcting_an_earlier_entry_updates_all_later_scores(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    for loser in ("seat-0", "seat-2"):
        device.tap("act-ron", "seat-3", loser, "han-1", "fu-30")
        record(device)
        device.page.wait_for_selector(".on-table")
    device.settles()
    device.tap("log", "entry-0", "edit", "crumb-2", "han-2", "fu-30")
    device.sees(".said", "2,000")
    record(device)
    device.settles()
    device.tap("back")
    assert device.scores() == ["23,000", "25,000", "24,000", "28,000"]
    device.tap("undo")
    device.settles()
    expect(device.page.locator("[data-seat='0'] .score")).to_have_text("24,000")
    device.tap("redo")
    device.settles()
    expect(device.page.locator("[data-seat='0'] .score")).to_have_text("23,000")


def test_a_winner_in_riichi_is_offered_no_value_below_a_riichi(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("act-riichi", "seat-2", "act-tsumo", "seat-2")
    device.sees(".hans [data-key=han-2]", "2")
    expect(device.page.locator("[data-key=han-1]")).to_have_count(0)
    device.tap("han-2")
    # Two han of riichi and self-draw leave 30 fu and more; 25 fu need seven pairs, two han more.
    device.sees(".fus [data-key=fu-30]", "30")
    expect(device.page.locator("[data-key=fu-25]")).to_have_count(0)


def test_a_double_riichi_is_entered_with_the_win_and_can_be_taken_back(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("act-riichi", "seat-2", "act-tsumo", "seat-2", "double-riichi")
    device.sees(".hans [data-key=han-3]", "3")
    expect(device.page.locator("[data-key=han-2]")).to_have_count(0)
    device.tap("han-3", "fu-30")
    record(device)
    device.settles()
    assert TableEvent.objects.latest("id").payload["entry"]["win"]["double_riichi"] is True
    device.tap("log", "entry-1", "edit", "crumb-1")
    expect(device.page.locator("[data-key=double-riichi]")).to_have_attribute("aria-pressed", "true")
    device.tap("double-riichi")
    device.sees(".hans [data-key=han-2]", "2")


def test_every_possible_number_of_yakuman_has_a_button(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("act-tsumo", "seat-2")
    device.sees("[data-key=yakuman-4]", "4")
    device.tap("yakuman-4")
    device.sees(".outlook", "128,000")


def test_a_three_player_table_asks_the_questions_of_its_ruleset(phone: Opens) -> None:
    table = parlour_table("banchi3", 3)
    device = begun(phone(table))
    expect(device.page.locator(".table [data-seat]")).to_have_count(3)
    device.tap("act-riichi", "seat-1", "riichi-open", "act-ron", "seat-1", "seat-0", "haneman")
    device.sees(".questions", "Ippatsu")
    device.tap("ippatsu", "ura-more", "ura-more", "forced")
    device.sees(".outlook", "32,000")
    device.tap("robbed", "red-more")
    device.sees(".changes", "+800")
    record(device)
    device.sees(".kyoku", "East 2")
    assert kyoku_of(table) == [(-12000, 12000, 0)]
    carried = log_of(first_of(table)).state.carried["g"]
    assert carried == (-800, 800, 0)


def test_the_dealer_of_the_last_kyoku_is_asked_whether_the_game_ends(phone: Opens) -> None:
    table = parlour_table("banchi3", 3)
    haneman = {"type": "ron", "loser": 0, "wins": [{"seat": 2, "value": {"limit": "haneman"}}]}
    entries = [haneman, *({"type": "draw"} for _deal in range(4))]
    events = [NewEvent(f"e{number}", "entry", {"entry": entry}) for number, entry in enumerate(entries)]
    append_events(hanchan=first_of(table), events=[NewEvent("begin", "start", {}), *events], after=0, by=SYSTEM)
    device = phone(table)
    device.sees(".kyoku", "South 3")
    device.tap("act-tsumo", "seat-2", "han-1", "fu-40")
    device.sees(".questions", "Does the dealer end the game?")
    device.tap("stops")
    device.sees(".next.over", "The game is over")
    record(device)
    device.sees("div.over", "The game is over")
    assert log_of(first_of(table)).state.ends[0].reason == "agari_yame"


def test_a_boo_table_asks_only_for_what_its_ruleset_has(phone: Opens) -> None:
    table = parlour_table("boo", 4)
    device = begun(phone(table))
    device.tap("act-riichi", "seat-2")
    device.sees("[data-seat='2'] .mark-of", "Riichi")
    expect(device.page.locator(".declared")).to_have_count(0)
    device.tap("act-legality")
    expect(device.page.locator("[data-key='seat-2']")).to_have_accessible_name(re.compile("Riichi"))
    device.tap("seat-2", "seat-0")
    device.sees(".legality", re.compile(r"1,980"))
    device.tap("back", "back", "act-ron", "seat-2", "seat-0", "han-2", "fu-30")
    device.sees(".said", "780")
    device.tap("dora-more")
    device.sees(".said", "880")
    record(device)
    device.sees(".kyoku", "East 2")
    device.tap("act-draw")
    expect(device.page.locator(".tenpai")).to_have_count(0)
    record(device)
    device.sees(".kyoku", "East 3")
    assert kyoku_of(table) == [(-880, 0, 880, 0), (0, 0, 0, 0)]


def test_the_end_of_the_game_is_shown_with_its_clause_and_the_result_is_submitted(
    phone: Opens, table: TableSession
) -> None:
    device = begun(phone(table))
    play_through(device)
    device.sees(".over", "The game is over")
    expect(device.page.locator("div.over a.clause").first).to_have_attribute("href", re.compile("rules/cinderella"))
    device.sees(".settled", "+")
    other = phone(table)
    other.sees(".over", "The game is over")
    other.tap("log", "entry-7", "edit")
    other.sees(".what", "Exhaustive draw")
    device.tap("submit")
    device.sees(".state-confirmed", "confirmed")
    assert ResultSheet.objects.counting().filter(hanchan=first_of(table)).count() == 1


def test_only_the_scores_of_a_kyoku_can_be_entered(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("act-scores", "won-1")
    for seat, score in enumerate(("230", "290", "250", "230")):
        device.page.locator(f'[data-key="score-{seat}"]').fill(score)
    record(device)
    device.sees(".kyoku", "East 2")
    assert device.scores() == ["23,000", "29,000", "25,000", "23,000"]


def test_the_sheets_text_follows_the_readers_text_size_within_the_window(phone: Opens, table: TableSession) -> None:
    page = phone(table).page
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 24}})
    expect(page.locator("body")).to_have_css("font-size", "24px")
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_the_sheet_is_operated_by_keyboard(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    for key in ("o", "2", "1"):
        device.page.keyboard.press(key)
    expect(device.page.locator(".prompt")).to_have_text("How much?")
    device.page.keyboard.press("Escape")
    expect(device.page.locator(".on-table")).to_have_count(1)


def test_letter_and_digit_keys_that_are_switched_off_in_the_log_do_nothing(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("log", "letters", "back")
    device.page.keyboard.press("o")
    device.page.reload()
    device.page.keyboard.press("o")
    expect(device.page.locator(".on-table")).to_have_count(1)
    device.tap("log", "letters", "back")
    device.page.keyboard.press("o")
    expect(device.page.locator(".prompt")).to_be_visible()


def test_every_button_is_large_enough_for_touch_and_nothing_scrolls_sideways(phone: Opens, table: TableSession) -> None:
    device = phone(table, language="ja")
    screens = [
        (("start",), ".on-table"),
        (("act-ron",), ".prompt"),
        (("seat-2", "seat-0"), "[data-key=han-3]"),
        (("han-3",), "[data-key=fu-30]"),
        (("fu-30",), "[data-key=record]:enabled"),
        (("back", "act-draw"), "[data-key=rest-noten]"),
        (("back", "log"), "[data-key=back]"),
    ]
    for keys, then in screens:
        device.tap(*keys)
        expect(device.page.locator(then).first).to_be_visible()
        for size in (SMALL, PHONE):
            device.page.set_viewport_size(size)
            small = device.page.evaluate(
                "(least) => [...document.querySelectorAll('#sheet button')].filter((one) => {"
                " const box = one.getBoundingClientRect();"
                " return box.width < least - 0.5 || box.height < least - 0.5; }).map((one) => one.innerText)",
                TOUCHABLE,
            )
            assert small == [], (keys, size)
            assert device.page.evaluate("document.documentElement.scrollWidth") <= size["width"], (keys, size)


def test_the_sheet_without_scripts_says_that_it_needs_javascript(phone: Opens, table: TableSession) -> None:
    device = phone(table, java_script_enabled=False)
    expect(device.page.locator(".nojs")).to_contain_text("needs JavaScript")
