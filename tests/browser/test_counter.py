"""The parlour's counter in a browser, operated by keyboard with few key presses."""

from __future__ import annotations

import re
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import Competition, Membership, ParlourTable, ResultSheet, Role, Sitting, SittingSeat, Statement
from league.selectors.parlour.board import running
from league.selectors.parlour.following import code_of
from league.services.parlour.people import add_guest
from league.services.parlour.sittings import leave
from tests import factories
from tests.browser.phones import Opens, record
from tests.browser.staff import sign_in
from tests.factories import SYSTEM
from tests.league import parlours
from tests.replayed import replayed

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)
FEWER_THAN = 15
MOST_FOR_THE_FIRST_GAME = 40
NEAR = 60
"""Maximum distance in pixels between a list and its form."""


@pytest.fixture
def table(live_server: LiveServer) -> Sitting:
    """Return a sitting of three guests under the ruleset banchi3 at table 1; two more guests exist."""
    return sitting_of_three()


@replayed
def sitting_of_three() -> Sitting:
    """Open a table for three of five guests."""
    parlour = parlours.parlour()
    return parlours.sitting(parlour, parlours.guests(parlour, 5)[:3])


@pytest.fixture
def parlour(table: Sitting) -> Competition:
    """Return the open table to which that sitting belongs."""
    return table.table_session.competition


@pytest.fixture
def counter(page: Page, table: Sitting, live_server: LiveServer) -> Page:
    """Return the counter page of that sitting, in English, with its clerk logged in."""
    competition = table.table_session.competition
    clerk = factories.user("clerk", Role.SCORER, competition, is_staff=True)
    page.context.add_cookies([{"name": "jantaku_language", "value": "en", "url": live_server.url}])
    sign_in(page, clerk, f"/p/{competition.slug}/sittings/{table.pk}/")
    return page


class Keys:
    """A keyboard that counts the keys pressed."""

    def __init__(self, page: Page) -> None:
        self.page, self.pressed = page, 0

    def type(self, text: str, *, counts: bool = True) -> None:
        """Type a text, key by key."""
        self.page.keyboard.type(text)
        self.pressed += len(text) if counts else 0

    def press(self, key: str) -> None:
        """Press a key; a chord counts each of its keys."""
        self.page.keyboard.press(key)
        self.pressed += len(key.split("+"))


def counting() -> list[dict[str, list[int]]]:
    """Return scores and chips of the confirmed games, starting with the first dealer."""
    return [
        {"scores": list(sheet.seats.order_by("seat").values_list("score", flat=True)), **sheet.facts["carried"]}
        for sheet in ResultSheet.objects.counting().order_by("hanchan__round")
    ]


def test_a_game_of_three_with_chips_needs_fewer_than_fifteen_keys_beyond_the_scores(counter: Page) -> None:
    keys = Keys(counter)
    for score in ("62", "33", "10"):
        keys.type(score, counts=False)
        keys.press("Enter")
    for amount in ("12", "-4"):
        keys.type(amount)
        keys.press("Enter")
    expect(counter.locator("[data-role=carried_g]").nth(2)).to_have_value("-8")
    expect(counter.locator("[data-shows=sum]")).to_have_text("105,000 OK")
    expect(counter.locator("[data-shows=place]")).to_have_text(["1st", "2nd", "3rd"])
    expect(counter.locator("[data-total=g]")).to_have_text(["+4,000", "-1,200", "-2,800"])
    expect(counter.locator("[data-fee]")).to_have_text(["¥600", "¥400", "¥400"])
    with counter.expect_navigation():
        keys.press("Shift+Enter")
    expect(counter.locator(".said li")).to_have_text("Game 1 is in.")
    assert keys.pressed < FEWER_THAN, keys.pressed
    assert counting() == [{"scores": [62000, 33000, 10000], "g": [1200, -400, -800]}]


def test_the_form_of_the_next_game_starts_with_its_first_dealer(counter: Page) -> None:
    keys = Keys(counter)
    for text in ("62", "33", "10"):
        keys.type(text)
        keys.press("Enter")
    with counter.expect_navigation():
        keys.press("Shift+Enter")
    expect(counter.locator("table.entry tbody th[scope=row]")).to_have_text(
        [re.compile(parlours.THREE[1]), re.compile(parlours.THREE[2]), re.compile(parlours.THREE[0])]
    )
    expect(counter.locator("[data-role=score]").first).to_be_focused()
    for text in ("50", "45", "10"):
        keys.type(text)
        keys.press("Enter")
    with counter.expect_navigation():
        keys.press("Shift+Enter")
    assert [game["scores"] for game in counting()] == [[62000, 33000, 10000], [50000, 45000, 10000]]


def test_the_games_of_a_sitting_stand_in_columns(counter: Page, table: Sitting) -> None:
    parlours.play(table, (62000, 33000, 10000))
    parlours.play(table, (50000, 5000, 50000))
    counter.reload()
    edges = counter.locator(".played tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('b')].map(each => each.getBoundingClientRect().right))"
    )
    assert edges[0] == edges[1]


def test_the_form_of_the_waiting_list_joins_the_list(counter: Page) -> None:
    counter.goto("/p/banchi3/board/")
    waiting, form = counter.locator(".sheet.waiting").bounding_box(), counter.locator("form.waits").bounding_box()
    assert waiting
    assert form
    assert form["x"] >= waiting["x"]
    assert 0 <= form["y"] - (waiting["y"] + waiting["height"]) < NEAR


def test_letter_keys_act_on_the_row_and_typed_scores_are_kept(counter: Page, table: Sitting) -> None:
    counter.keyboard.type("62")
    with counter.expect_navigation():
        counter.keyboard.press("l")
    expect(counter.locator("[data-role=score]").first).to_have_value("62")
    assert [seat.is_last_game for seat in running(table).seated] == [True, False, False]
    expect(counter.locator(".mark-last")).to_have_count(1)
    counter.locator("[data-role=score]").nth(1).focus()
    counter.keyboard.press("e")
    expect(counter.locator("[data-shows=wind]")).to_have_text(["East", "South", "West"])
    expect(counter.locator("table.entry th[scope=row]").first).to_contain_text(parlours.THREE[1])
    counter.keyboard.type("33")
    counter.keyboard.press("Enter")
    counter.keyboard.type("10")
    with counter.expect_navigation():
        counter.keyboard.press("Shift+Enter")
    assert counting()[0]["scores"] == [33000, 10000, 62000]
    assert running(table).empty_chairs == (0,)


def test_letter_keys_that_are_switched_off_do_nothing_and_are_letters(counter: Page, table: Sitting) -> None:
    keys = counter.get_by_role("checkbox", name="Letters and digits act as keys")
    keys.uncheck()
    counter.reload()
    expect(keys).not_to_be_checked()
    counter.keyboard.press("l")
    counter.keyboard.press("u")
    expect(counter.locator("[data-role=score]").first).to_have_value("lu")
    counter.goto("/p/banchi3/board/")
    counter.keyboard.press("1")
    expect(counter.locator(".runs.chosen")).to_have_count(0)
    keys.check()
    counter.reload()
    counter.keyboard.press("1")
    expect(counter.locator(".runs.chosen")).to_have_count(1)


def test_a_known_guest_is_seated_by_typing_a_few_letters(counter: Page, table: Sitting) -> None:
    leave(seat=parlours.chair(table, 2), by=SYSTEM)
    counter.reload()
    expect(counter.locator("form.join [data-role=guest]")).to_be_focused()
    counter.keyboard.type("ハグ")
    with counter.expect_navigation():
        counter.keyboard.press("Enter")
    assert parlours.names(table)[2] == parlours.THREE[3]


def test_a_new_guest_is_added_while_being_seated(counter: Page, table: Sitting) -> None:
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    counter.reload()
    counter.keyboard.type("夜風 しの")
    expect(counter.locator(".found li")).to_have_text("Add “夜風 しの” as a new guest")
    with counter.expect_navigation():
        counter.keyboard.press("Enter")
    assert parlours.names(table)[1] == "夜風 しの"


def test_a_stand_in_is_named_with_one_key_and_a_name(counter: Page, table: Sitting) -> None:
    counter.keyboard.press("d")
    expect(counter.locator("[data-at='0'] [data-role=guest]")).to_be_focused()
    counter.keyboard.type("むろ")
    with counter.expect_navigation():
        counter.keyboard.press("Enter")
    seat = SittingSeat.objects.get(sitting=table, seat=0)
    assert seat.stand_in is not None
    assert seat.stand_in.name == parlours.THREE[4]


def test_typed_scores_survive_a_reload_and_are_deleted_once_saved(counter: Page) -> None:
    for text in ("62", "33"):
        counter.keyboard.type(text)
        counter.keyboard.press("Enter")
    counter.reload()
    expect(counter.locator("#notice")).to_contain_text("Restored")
    expect(counter.locator("[data-role=score]").nth(1)).to_have_value("33")
    counter.locator("[data-role=score]").nth(2).fill("10")
    with counter.expect_navigation():
        counter.keyboard.press("Shift+Enter")
    expect(counter.locator("[data-role=score]").nth(0)).to_have_value("")
    assert counter.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('jantaku:'))") == []


def test_errors_are_shown_while_typing(counter: Page) -> None:
    for text in ("62", "33", "9"):
        counter.keyboard.type(text)
        counter.keyboard.press("Enter")
    expect(counter.locator("[data-shows=sum]")).to_have_text("1,000 missing")
    counter.locator("[data-role=score]").nth(2).fill("10")
    expect(counter.locator("[data-shows=sum]")).to_have_text("105,000 OK")
    counter.locator("[data-role=carried_g]").nth(0).fill("5")
    expect(counter.locator("tr.messages:not([hidden])")).to_contain_text("add up to 500")
    with counter.expect_navigation():
        counter.keyboard.press("Shift+Enter")
    expect(counter.locator("[data-role=carried_g]").nth(0)).to_have_value("5")
    assert not ResultSheet.objects.exists()


def test_a_refused_game_says_which_scores_are_missing_until_one_is_typed(counter: Page) -> None:
    counter.locator("[data-role=score]").first.fill("62")
    with (
        counter.expect_response(lambda answer: answer.request.method == "POST" and "preview" not in answer.url),
        counter.expect_response("**/preview/"),
    ):
        counter.keyboard.press("Shift+Enter")
    expect(counter.locator("[data-shows=sum]")).to_have_text("62,000 so far")
    told = counter.locator("tr.messages:not([hidden])")
    expect(told).to_have_count(2)
    expect(told.first).to_contain_text("Enter this player's score.")
    counter.locator("[data-role=score]").nth(1).fill("33")
    expect(told).to_have_count(0)


def test_the_last_game_is_opened_for_correction_with_one_key(counter: Page) -> None:
    for text in ("62", "33", "10"):
        counter.keyboard.type(text)
        counter.keyboard.press("Enter")
    with counter.expect_navigation():
        counter.keyboard.press("Shift+Enter")
    counter.locator("[data-role=score]").first.wait_for()
    with counter.expect_navigation():
        counter.keyboard.press("u")
    expect(counter.locator("[data-role=score]").first).to_have_value("62")
    counter.locator("[data-role=score]").nth(0).fill("52")
    counter.locator("[data-role=score]").nth(1).fill("43")
    with counter.expect_navigation():
        counter.keyboard.press("Shift+Enter")
    assert [game["scores"] for game in counting()] == [[52000, 43000, 10000]]


def test_a_table_is_opened_by_keyboard(counter: Page, parlour: Competition) -> None:
    counter.goto("/p/banchi3/board/open/")
    counter.keyboard.type("はぐ")
    counter.keyboard.press("Enter")
    expect(counter.locator("[name=guest_1]")).to_be_focused()
    counter.keyboard.type("新しい人")
    counter.keyboard.press("Enter")
    expect(counter.locator("[name=guest_1] ~ .found li")).to_have_text("Add “新しい人” as a new guest")
    counter.keyboard.press("Enter")
    expect(counter.locator("[name=guest_2]")).to_be_focused()
    with counter.expect_navigation():
        counter.locator("button.main").click()
    opened = Sitting.objects.latest("pk")
    assert opened.table_session.table == "2"
    assert parlours.names(opened) == [parlours.THREE[3], "新しい人", "-"]


def test_known_and_new_guests_are_seated_by_enter_alone_without_waiting_for_suggestions(counter: Page) -> None:
    counter.goto("/p/banchi3/board/open/")
    expect(counter.locator("[name=guest_0]")).to_be_focused()
    for text in ("４", "005", "夜風 しの/よかぜ しの"):
        counter.keyboard.type(text)
        with counter.expect_navigation() if "/" in text else nullcontext():
            counter.keyboard.press("Enter")
    assert parlours.names(Sitting.objects.latest("pk")) == [parlours.THREE[3], parlours.THREE[4], "夜風 しの"]


def test_the_question_about_an_unknown_name_takes_one_more_enter(counter: Page) -> None:
    counter.goto("/p/banchi3/board/open/")
    counter.keyboard.type("4")
    counter.keyboard.press("Enter")
    expect(counter.locator("[name=guest_0]")).to_have_value(parlours.THREE[3])
    counter.locator("[name=guest_1]").fill("夜風 しの")
    with counter.expect_navigation():
        counter.locator("button.main").click()
    expect(counter.locator(".question input")).to_be_checked()
    expect(counter.locator(".question input")).to_be_focused()
    with counter.expect_navigation():
        counter.keyboard.press("Enter")
    assert parlours.names(Sitting.objects.latest("pk")) == [parlours.THREE[3], "夜風 しの", "-"]


def test_a_screen_reader_follows_the_arrow_keys_through_the_guests_found(counter: Page, table: Sitting) -> None:
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    counter.reload()
    counter.keyboard.type(parlours.THREE[3])
    picker, chosen = counter.get_by_role("combobox", expanded=True), counter.locator(".found [aria-selected=true]")
    expect(picker).to_have_accessible_name("Who sits down: Chair 2")
    expect(chosen).to_contain_text(parlours.THREE[3])
    counter.keyboard.press("ArrowDown")
    expect(chosen).to_contain_text("as a new guest")
    expect(picker).to_have_attribute("aria-activedescendant", str(chosen.get_attribute("id")))
    counter.keyboard.press("Escape")
    expect(picker).to_have_count(0)


def test_enter_takes_no_guest_from_a_list_that_escape_has_closed(counter: Page, table: Sitting) -> None:
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    add_guest(competition=table.table_session.competition, name="羽黒 まゆ", name_kana="はぐろ まゆ", by=SYSTEM)
    counter.reload()
    counter.keyboard.type("羽黒")
    expect(counter.locator(".found [aria-selected=true]")).to_contain_text("羽黒")
    counter.keyboard.press("Escape")
    with counter.expect_navigation():
        counter.keyboard.press("Enter")
    expect(counter.get_by_role("group", name="Which guest is it?")).to_be_visible()
    assert parlours.names(table)[1] == "-"


def test_escape_closes_first_the_guests_found_and_then_the_fold_of_the_stand_in(counter: Page) -> None:
    counter.keyboard.press("d")
    expect(counter.locator("[data-at='0'] [data-role=guest]")).to_be_focused()
    counter.keyboard.type("むろ")
    expect(counter.locator("[data-at='0'] .found")).to_be_visible()
    counter.keyboard.press("Escape")
    expect(counter.locator("[data-at='0'] .found")).to_be_hidden()
    expect(counter.locator("[data-at='0'] [data-role=guest]")).to_be_focused()
    counter.keyboard.press("Escape")
    expect(counter.locator("[data-at='0'] summary").first).to_be_focused()
    expect(counter.locator("details.standin[open]")).to_have_count(0)


def test_two_guests_change_chairs_by_keyboard(counter: Page, table: Sitting) -> None:
    expect(counter.locator("[data-role=score]").first).to_be_focused()
    counter.keyboard.press("m")
    expect(counter.locator("[data-at='0'] [name=place]")).to_be_focused()
    counter.keyboard.press("ArrowDown")
    counter.keyboard.press("Tab")
    with counter.expect_navigation():
        counter.keyboard.press("Enter")
    assert parlours.names(table) == [parlours.THREE[2], parlours.THREE[1], parlours.THREE[0]]


def test_from_the_board_to_the_first_game_with_chips_in_at_most_forty_keys(page: Page, live_server: LiveServer) -> None:
    competition = parlours.parlour("kansai3")
    for name, number in (("湯川 みなと", "101"), ("小滝 あおい", "102"), ("沢渡 りく", "103")):
        add_guest(competition=competition, name=name, number=number, by=SYSTEM)
    clerk = factories.user("clerk", Role.SCORER, competition, is_staff=True)
    page.context.add_cookies([{"name": "jantaku_language", "value": "en", "url": live_server.url}])
    sign_in(page, clerk, "/p/kansai3/board/")
    keys = Keys(page)
    with page.expect_navigation():
        keys.press("o")
    expect(page.locator("[name=guest_0]")).to_be_focused()
    for number in ("101", "102"):
        keys.type(number)
        keys.press("Enter")
    keys.type("103")
    with page.expect_navigation():
        keys.press("Enter")
    expect(page.locator("[data-role=score]").first).to_be_focused()
    for score in ("62", "33"):
        keys.type(score)
        keys.press("Enter")
    expect(page.locator("[data-role=score]").nth(2)).to_have_value("10")
    keys.press("Enter")
    for chips in ("5", "-2"):
        keys.type(chips)
        keys.press("Enter")
    with page.expect_navigation():
        keys.press("Shift+Enter")
    assert keys.pressed <= MOST_FOR_THE_FIRST_GAME, keys.pressed
    assert [(game["scores"], game["p"]) for game in counting()] == [([62000, 33000, 10000], [500, -200, -300])]


def test_the_pages_fit_a_phone(counter: Page, table: Sitting) -> None:
    Membership.objects.update(role=Role.DIRECTOR)
    parlours.play(table)
    day = running(table).day
    counter.set_viewport_size({"width": 360, "height": 740})
    for path in ("board/", "board/open/", "days/", "guests/merge/", f"sittings/{table.pk}/", f"days/{day}/"):
        counter.goto(f"/c/banchi3/{path}")
        assert counter.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_links_look_like_the_buttons_beside_them_and_codes_stand_in_the_middle(
    counter: Page, parlour: Competition
) -> None:
    Membership.objects.update(role=Role.DIRECTOR)
    row = counter.locator(".chairs li").first.locator("form.acts").first.locator("button, a")
    look = "all => all.map(each => [each.offsetHeight, getComputedStyle(each).fontWeight])"
    assert len({tuple(each) for each in row.evaluate_all(look)}) == 1
    counter.set_viewport_size({"width": 360, "height": 740})
    ParlourTable.objects.create(parlour=parlours.house(parlour), name="1", order=1)
    counter.goto("/p/banchi3/codes/")
    middle = "each => { const box = each.getBoundingClientRect(); return box.left + box.width / 2; }"
    assert counter.locator(".code svg").first.evaluate(middle) == counter.locator(".codes h2").first.evaluate(middle)


def counter_of(page: Page, ruleset: str, live_server: LiveServer, players: int = 3, **plan: Any) -> Sitting:
    """Open the counter of another ruleset with its clerk logged in, and return the sitting."""
    competition = parlours.parlour(ruleset)
    table = parlours.sitting(competition, parlours.guests(competition, players), **plan)
    other = factories.user("other", Role.SCORER, competition, is_staff=True)
    page.context.add_cookies([{"name": "jantaku_language", "value": "en", "url": live_server.url}])
    sign_in(page, other, f"/p/{competition.slug}/sittings/{table.pk}/")
    return table


def test_the_receiver_of_the_bust_prize_is_chosen_with_one_key(page: Page, live_server: LiveServer) -> None:
    counter_of(page, "kansai3", live_server)
    for text in ("82", "33", "-10"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    expect(page.locator(".busted.shown")).to_have_count(1)
    expect(page.locator(".warnings li")).to_contain_text("no player is named who gets the prize")
    page.locator("[data-role=score]").nth(2).focus()
    page.keyboard.press("t")
    expect(page.locator("[name=tobi_2][value='0']")).to_be_checked()
    page.keyboard.press("t")
    expect(page.locator("[name=tobi_2][value='1']")).to_be_checked()
    expect(page.locator(".warnings li")).to_have_count(0)
    with page.expect_navigation():
        page.keyboard.press("Shift+Enter")
    assert ResultSheet.objects.get().facts["tobi"] == [[2, 1]]


def test_a_warning_is_accepted_by_keyboard(page: Page, live_server: LiveServer) -> None:
    counter_of(page, "kansai3", live_server)
    for text in ("82", "33", "-10"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    expect(page.locator(".warnings input")).to_have_count(1)
    page.locator(".warnings input").focus()
    page.keyboard.press("Space")
    with page.expect_navigation():
        page.keyboard.press("Shift+Enter")
    assert ResultSheet.objects.get().accepted_warnings == ["tobi_missing"]


def test_the_options_of_a_table_are_stored_with_its_games(page: Page, live_server: LiveServer) -> None:
    counter_of(page, "superbingo", live_server, options={"pocchi": True})
    for text in ("45", "30", "15"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    page.locator("#game summary").click()
    expect(page.locator("[name=option_pocchi]")).to_be_checked()
    page.locator("[name=option_dx]").check()
    page.locator("[name=option_chip_tiles]").fill("p=2 s=2")
    with page.expect_navigation():
        page.keyboard.press("Shift+Enter")
    expect(page.locator("ol.bars").first).to_be_visible()
    options = {"pocchi": True, "dx": True, "chip_tiles": {"p": 2, "s": 2}}
    assert ResultSheet.objects.get().options == options


def test_typed_scores_are_kept_while_offline(counter: Page, faults: list[str]) -> None:
    for text in ("62", "33"):
        counter.keyboard.type(text)
        counter.keyboard.press("Enter")
    expect(counter.locator("[data-shows=sum]")).to_have_text("105,000 OK")
    counter.context.set_offline(True)
    counter.keyboard.type("10")
    expect(counter.locator("#notice")).to_contain_text("No connection")
    counter.keyboard.press("Shift+Enter")
    expect(counter.locator("[data-role=score]").nth(2)).to_have_value("10")
    counter.context.set_offline(False)
    with counter.expect_navigation():
        counter.keyboard.press("Shift+Enter")
    assert [game["scores"] for game in counting()] == [[62000, 33000, 10000]]


def test_a_guest_settles_up_and_leaves_in_three_keys_from_the_counter(counter: Page, table: Sitting) -> None:
    parlours.play(table)
    counter.reload()
    keys = Keys(counter)
    keys.press("ArrowDown")
    with counter.expect_navigation():
        keys.press("s")
    expect(counter.locator("[data-total]")).to_have_text("¥400")
    with counter.expect_navigation():
        keys.press("Enter")
    expect(counter.locator(".receipt h1")).to_contain_text(parlours.THREE[2])
    assert keys.pressed == 3
    assert Statement.objects.get().money == 400
    assert [seat is None for seat in running(table).chairs] == [False, False, True]


def test_a_guest_settles_up_and_leaves_in_three_keys_from_the_board(counter: Page, table: Sitting) -> None:
    parlours.play(table)
    counter.goto("/p/banchi3/board/")
    keys = Keys(counter)
    keys.press("1")
    with counter.expect_navigation():
        keys.press("a")
    expect(counter.locator("[data-total]")).to_have_text("¥600")
    with counter.expect_navigation():
        keys.press("Enter")
    expect(counter.locator(".receipt h1")).to_contain_text(parlours.THREE[0])
    assert keys.pressed == 3


def test_guests_play_a_game_by_the_code_on_their_table_and_the_counter_confirms_it_with_enter(
    page: Page, live_server: LiveServer, phone: Opens
) -> None:
    competition = parlours.parlour("kansai3")
    table = parlours.sitting(competition, parlours.guests(competition, 3))
    label = ParlourTable.objects.create(parlour=parlours.house(competition), name="1", order=1)
    address = f"/t/{code_of(label)}/"
    device = phone(table.table_session, address=address)
    device.page.get_by_label(parlours.THREE[1]).check()
    device.page.get_by_role("button", name="Start the game").tap()
    device.page.wait_for_selector(".on-table")
    # The dealer wins by self-draw with two ura and all flowers: chips come from both others.
    device.tap("act-riichi", "seat-0")
    device.settles()
    device.tap("act-tsumo", "seat-0", "haneman", "ura-more", "ura-more", "flush")
    record(device)
    device.sees(".honba", "1")
    device.settles()
    device.tap("act-ron", "seat-2", "seat-1", "mangan")
    record(device)
    device.sees(".kyoku", "East 2")
    device.settles()
    # The time is up: the guests hand the game in.
    device.tap("log")
    device.page.get_by_text("Time is up", exact=True).tap()
    device.page.get_by_role("button", name="End this hanchan by time").tap()
    device.tap("submit")
    device.sees(".state-waiting", "It counts once it is confirmed.")
    assert running(table).games == 0
    clerk = factories.user("clerk", Role.SCORER, competition, is_staff=True)
    page.context.add_cookies([{"name": "jantaku_language", "value": "en", "url": live_server.url}])
    sign_in(page, clerk, f"/p/{parlours.house(competition).slug}/sittings/{table.pk}/")
    expect(page.locator("#followed h2")).to_have_text("Game 1 is finished at the table: check and confirm")
    expect(page.locator("#followed").get_by_role("button", name="Confirm")).to_be_focused()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator(".said li")).to_have_text("Game 1 is in.")
    sheet = ResultSheet.objects.counting().get()
    assert sheet.seats.get(seat=0).player.name == parlours.THREE[1]
    assert sum(sheet.facts["carried"]["p"]) == 0
    assert max(sheet.facts["carried"]["p"]) > 0
    device.page.goto(address)
    expect(device.page.get_by_role("button", name="Start the game")).to_be_visible()
