"""The live score sheet under one thumb: a phone's screen, touch, a line that breaks, devices side by side."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from knox.models import get_token_model
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import Competition, Entrant, Hanchan, ResultSheet, Role, TableEvent, TableLink, TableSession
from league.selectors.live_log import log_of
from league.services.table_links import make_link
from league.services.table_log import NewEvent, append_events
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route, ViewportSize

pytestmark = pytest.mark.django_db(transaction=True)
PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 360, "height": 640}
TOUCHABLE = 48
MOST_TAPS = 8
SOON = 6_000


@dataclass
class Device:
    """A phone with the sheet open; it counts how often it is touched."""

    page: Page
    taps: int = 0

    @property
    def context(self) -> BrowserContext:
        """The browser of this device."""
        return self.page.context

    def tap(self, *keys: str) -> None:
        """Touch what has these names, one after the other."""
        for key in keys:
            self.page.locator(f'[data-key="{key}"]').first.tap()
            self.taps += 1

    def sees(self, selector: str, text: str | re.Pattern[str]) -> None:
        """The text appears soon."""
        expect(self.page.locator(selector).first).to_contain_text(text, timeout=SOON)

    def scores(self) -> list[str]:
        """What lies in front of the seats, first dealer first."""
        seats = self.page.locator(".table [data-seat]").all()
        shown = {seat.get_attribute("data-seat"): seat.locator(".score").inner_text() for seat in seats}
        return [shown[str(number)] for number in range(len(seats))]

    def settles(self) -> None:
        """Everything entered is in."""
        expect(self.page.locator(".line")).to_have_class(re.compile("sent"), timeout=SOON)


Opens = Callable[..., Device]


@pytest.fixture
def phone(chromium: Browser, live_server: LiveServer, faults: list[str]) -> Iterator[Opens]:
    """Phones that come in by a link, by default the scorer's; their faults fail the test."""
    contexts: list[BrowserContext] = []

    def console(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            faults.append(message.text)

    def opens(
        table: TableSession, entrant: Entrant | None = None, viewport: ViewportSize = PHONE, **more: Any
    ) -> Device:
        language = more.pop("language", "en")
        context = chromium.new_context(
            base_url=live_server.url, viewport=viewport, has_touch=True, is_mobile=True, **more
        )
        context.set_default_timeout(10_000)
        context.add_cookies([{"name": "jantaku_language", "value": language, "url": live_server.url}])
        context.on("console", console)
        context.on("weberror", lambda error: faults.append(str(error.error)))
        contexts.append(context)
        kind = TableLink.Kind.PLAYER if entrant else TableLink.Kind.SCORER
        link = make_link(table_session=table, kind=kind, by=SYSTEM, entrant=entrant)
        page = context.new_page()
        page.goto(f"/t/{link.token}/")
        return Device(page)

    yield opens
    for context in contexts:
        context.close()
    assert not faults, "\n".join(faults)


@pytest.fixture
def league(live_server: LiveServer) -> Competition:
    """Four players at one table under the Cinderella League's book."""
    return factories.final_table()


@pytest.fixture
def table(league: Competition) -> TableSession:
    """Their table, two hanchan."""
    return factories.table(league.blocks.get(), numbers=(1, 2))


def parlour_table(ruleset: str, players: int) -> TableSession:
    """A table under another book."""
    competition = parlours.parlour(ruleset)
    people = parlours.guests(competition, players)
    return factories.table(competition.blocks.get(), people, numbers=(1,))


def begun(device: Device) -> Device:
    """The hanchan has begun."""
    device.tap("start")
    device.page.wait_for_selector(".on-table")
    device.taps = 0
    return device


def first_of(table: TableSession) -> Hanchan:
    """The table's first hanchan."""
    return table.hanchan.order_by("round").first()  # type: ignore[return-value]


def kyoku_of(table: TableSession) -> list[tuple[int, ...]]:
    """What each kyoku in the log changed."""
    return [result.changes() for result in log_of(first_of(table)).game.kyoku]


def record(device: Device) -> None:
    """Record what is under review, once it was checked."""
    expect(device.page.locator("[data-key=record]")).to_be_enabled(timeout=SOON)
    device.tap("record")


def play_through(device: Device) -> None:
    """Eight draws with nobody tenpai: the deal goes round twice."""
    for _kyoku in range(8):
        device.tap("act-draw", "rest-noten")
        record(device)
        device.page.wait_for_selector(".on-table")
        device.settles()


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


def test_a_common_ron_takes_no_more_than_eight_taps(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("act-ron", "seat-1", "seat-3", "han-2", "fu-30")
    record(device)
    device.sees(".kyoku", "East 2")
    assert device.taps <= MOST_TAPS
    assert kyoku_of(table) == [(0, 2000, 0, -2000)]


def test_a_reload_in_the_middle_asks_on_where_one_was(phone: Opens, table: TableSession) -> None:
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


def test_entries_wait_for_a_lost_connection_and_go_in_once(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.context.set_offline(True)
    device.tap("act-riichi", "seat-1")
    device.sees(".line", "waiting")
    device.tap("act-ron", "seat-1", "seat-2", "han-3", "fu-30")
    device.sees(".note", "checked once the connection is back")
    device.tap("record")
    device.tap("act-riichi", "seat-3")
    device.sees(".line", "3 waiting")
    assert TableEvent.objects.filter(kind="entry").count() == 0
    device.context.set_offline(False)
    device.settles()
    device.sees(".kyoku", "East 2")
    assert kyoku_of(table) == [(0, 3900, -3900, 0)]
    assert [event.payload["entry"]["type"] for event in TableEvent.objects.filter(kind="entry")] == [
        "riichi",
        "ron",
        "riichi",
    ]


def test_an_answer_that_is_lost_on_its_way_doubles_nothing(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    lost: list[str] = []

    def loses_the_first(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().text())
        route.abort()

    device.page.route("**/sheet/events/", loses_the_first)
    device.tap("act-riichi", "seat-0")
    device.sees(".mark-of", "Riichi")
    device.settles()
    assert len(lost) == 1
    assert TableEvent.objects.filter(kind="entry").count() == 1


def test_what_waits_survives_a_reload(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.page.route("**/sheet/events/", lambda route: route.abort())
    device.tap("act-riichi", "seat-0")
    device.sees(".line", "waiting")
    device.page.reload()
    device.sees(".line", "waiting")
    device.page.unroute("**/sheet/events/")
    device.settles()
    assert TableEvent.objects.filter(kind="entry").count() == 1


def test_a_reload_without_a_connection_shows_the_sheet_again_and_loses_nothing(
    phone: Opens, table: TableSession
) -> None:
    device = begun(phone(table))
    device.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    device.page.wait_for_function(
        "async () => (await (await caches.open('jantaku-sheet')).keys()).some((one) => one.url.endsWith('/screens.js'))"
    )
    device.context.set_offline(True)
    device.tap("act-riichi", "seat-0")
    device.sees(".line", "waiting")
    device.page.reload()
    device.sees(".line", "1 waiting")
    device.tap("act-ron", "seat-0", "seat-1", "mangan", "record")
    device.sees(".line", "2 waiting")
    device.context.set_offline(False)
    device.settles()
    assert kyoku_of(table) == [(12000, -12000, 0, 0)]


def test_a_win_is_tapped_as_tiles(phone: Opens, table: TableSession) -> None:
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


def test_two_devices_at_one_table_stay_in_step(phone: Opens, table: TableSession) -> None:
    mine = begun(phone(table))
    yours = phone(table)
    yours.page.wait_for_selector(".on-table")
    mine.tap("act-riichi", "seat-2")
    yours.sees("[data-seat='2'] .mark-of", "Riichi")
    yours.sees(".note", "From another device")
    yours.tap("act-ron", "seat-2", "seat-3", "haneman")
    record(yours)
    mine.sees(".kyoku", "East 2")
    assert mine.scores() == ["25,000", "25,000", "37,000", "13,000"]


def test_of_two_entries_at_once_the_later_is_kept_and_shown_beside_the_first(phone: Opens, table: TableSession) -> None:
    mine = begun(phone(table))
    yours = phone(table)
    yours.page.wait_for_selector(".on-table")
    yours.context.set_offline(True)
    yours.tap("act-riichi", "seat-0")
    yours.sees(".line", "waiting")
    mine.tap("act-riichi", "seat-1")
    mine.settles()
    yours.context.set_offline(False)
    yours.sees(".alarm", "Another device was quicker")
    yours.sees(".alarm .came", "final2")
    yours.sees(".alarm", "final1")
    yours.tap("again")
    yours.settles()
    mine.sees("[data-seat='0'] .mark-of", "Riichi")
    assert [event.payload["entry"]["seat"] for event in TableEvent.objects.filter(kind="entry")] == [1, 0]


def test_an_entry_that_cannot_be_says_why_and_can_be_looked_at_again(phone: Opens, table: TableSession) -> None:
    mine = begun(phone(table))
    mine.context.set_offline(True)
    mine.tap("act-riichi", "seat-1")
    mine.tap("act-riichi")
    mine.page.keyboard.press("2")
    mine.sees(".line", "2 waiting")
    mine.context.set_offline(False)
    mine.sees(".alarm", "riichi")
    mine.tap("drop")
    mine.settles()
    assert TableEvent.objects.filter(kind="entry").count() == 1


def test_an_earlier_entry_is_put_right_and_everything_after_it_moves(phone: Opens, table: TableSession) -> None:
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


def test_three_players_are_asked_what_their_book_has(phone: Opens) -> None:
    table = parlour_table("banchi3", 3)
    device = begun(phone(table))
    expect(device.page.locator(".table [data-seat]")).to_have_count(3)
    device.tap("act-riichi", "seat-1", "riichi-open", "act-ron", "seat-1", "seat-0", "han-3", "fu-40")
    device.sees(".questions", "Ippatsu")
    device.tap("ippatsu", "ura-more", "ura-more", "forced")
    device.sees(".outlook", "32,000")
    device.tap("forced", "red-more")
    device.sees(".changes", "+800")
    record(device)
    device.sees(".kyoku", "East 2")
    assert kyoku_of(table) == [(-6000, 6000, 0)]
    carried = log_of(first_of(table)).state.carried["g"]
    assert carried == (-800, 800, 0)


def test_the_dealer_of_the_last_hand_is_asked_whether_the_game_ends(phone: Opens) -> None:
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


def test_boo_is_asked_for_its_own_value_and_for_nothing_it_does_not_have(phone: Opens) -> None:
    table = parlour_table("boo", 4)
    device = begun(phone(table))
    device.tap("act-riichi", "seat-2")
    device.sees("[data-seat='2'] .mark-of", "Riichi")
    expect(device.page.locator(".declared")).to_have_count(0)
    device.tap("act-legality", "seat-2", "seat-0")
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


def test_the_end_is_told_with_its_reason_and_the_result_handed_in(phone: Opens, table: TableSession) -> None:
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


def test_the_table_is_read_off_where_there_is_no_time_for_more(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    device.tap("act-scores", "won-1")
    for seat, score in enumerate(("230", "290", "250", "230")):
        device.page.locator(f'[data-key="score-{seat}"]').fill(score)
    record(device)
    device.sees(".kyoku", "East 2")
    assert device.scores() == ["23,000", "29,000", "25,000", "23,000"]


def test_the_keys_do_what_the_thumb_does(phone: Opens, table: TableSession) -> None:
    device = begun(phone(table))
    for key in ("o", "2", "1"):
        device.page.keyboard.press(key)
    expect(device.page.locator(".prompt")).to_have_text("How much?")
    device.page.keyboard.press("Escape")
    expect(device.page.locator(".on-table")).to_have_count(1)


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["390", "360"])
def test_every_button_is_wide_enough_for_a_thumb_and_nothing_scrolls_sideways(
    phone: Opens, table: TableSession, size: ViewportSize
) -> None:
    device = phone(table, language="ja", viewport=size)
    screens = [
        ("start",),
        ("act-ron",),
        ("seat-2", "seat-0"),
        ("han-3",),
        ("fu-30",),
        ("back", "act-draw"),
        ("back", "log"),
    ]
    for keys in screens:
        device.tap(*keys)
        device.page.wait_for_timeout(300)
        small = device.page.evaluate(
            "(least) => [...document.querySelectorAll('#sheet button')].filter((one) => {"
            " const box = one.getBoundingClientRect();"
            " return box.width < least - 0.5 || box.height < least - 0.5; }).map((one) => one.innerText)",
            TOUCHABLE,
        )
        assert small == [], keys
        assert device.page.evaluate("document.documentElement.scrollWidth") <= size["width"], keys


def test_without_scripts_the_page_says_so(phone: Opens, table: TableSession) -> None:
    device = phone(table, java_script_enabled=False)
    expect(device.page.locator(".nojs")).to_contain_text("needs JavaScript")


def test_each_player_says_yes_on_their_own_phone_and_then_it_counts(phone: Opens, table: TableSession) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.PLAYERS)
    scorer = begun(phone(table))
    people = [seat.entrant for seat in first_of(table).seats.order_by("seat")]
    phones = [phone(table, entrant=entrant) for entrant in people]
    phones[0].sees("#confirm", "No result has been handed in")
    play_through(scorer)
    scorer.tap("submit")
    scorer.sees(".state-waiting", "Handed in")
    for device in phones[:3]:
        device.page.locator("button.yes").tap(timeout=SOON)
        device.sees("#confirm .note", "You have agreed")
    assert not ResultSheet.objects.counting().exists()
    phones[3].page.locator("button.yes").tap(timeout=SOON)
    phones[3].sees("#confirm .note", "confirmed")
    scorer.sees(".state-confirmed", "confirmed")
    assert ResultSheet.objects.counting().filter(hanchan=first_of(table)).exists()


def test_a_player_who_does_not_agree_says_why(phone: Opens, table: TableSession) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.PLAYERS)
    scorer = begun(phone(table))
    player = phone(table, entrant=first_of(table).seats.get(seat=2).entrant)
    play_through(scorer)
    scorer.tap("submit")
    player.page.locator("button.no").tap(timeout=SOON)
    player.page.locator("#why").fill("East 3 was a tsumo")
    player.page.locator("button.no").tap()
    player.sees("#confirm .note", "East 3 was a tsumo")
    scorer.sees(".state-rejected", "East 3 was a tsumo")


LAST_HAND = {"type": "ruling", "reason": "as it stood", "goes_on": {"round": "S", "number": 4, "honba": 0}}
MANGAN = {"type": "ron", "loser": 0, "wins": [{"seat": 2, "value": {"limit": "mangan"}}]}


def in_last_hand(table: TableSession) -> TableSession:
    """Somebody leads by a mangan's ron, and the last hand is played."""
    entries = [NewEvent(f"e{number}", "entry", {"entry": entry}) for number, entry in enumerate((MANGAN, LAST_HAND))]
    append_events(hanchan=first_of(table), events=[NewEvent("begin", "start", {}), *entries], after=0, by=SYSTEM)
    return table


def signed_in(page: Page, user: User, live_server: LiveServer) -> None:
    """The page's browser is this user's from now on."""
    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])


def test_staff_see_what_the_last_hand_needs_and_a_scorers_link_never_does(
    phone: Opens, table: TableSession, page: Page, live_server: LiveServer
) -> None:
    scorer = phone(in_last_hand(table))
    scorer.sees(".kyoku", "South 4")
    expect(scorer.page.locator(".advice")).to_have_count(0)
    signed_in(page, factories.user("boss", Role.DIRECTOR, table.competition), live_server)
    page.set_viewport_size(SMALL)
    page.goto(f"/tables/{table.pk}/sheet/?lang=en")
    panel = page.locator(".advice")
    expect(panel.locator("h3")).to_have_count(4, timeout=SOON)
    expect(panel.locator("[data-seat='1']")).to_contain_text("to win the game")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    panel.locator("summary").first.click()
    scorer.tap("act-riichi", "seat-1")
    expect(page.locator("[data-seat='1'] .mark-of").first).to_be_visible(timeout=SOON)
    expect(panel.locator("h3").first).not_to_be_visible()


def test_the_overlay_tells_staff_what_the_last_hand_needs_unless_asked_not_to(
    table: TableSession, page: Page, live_server: LiveServer
) -> None:
    in_last_hand(table)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"/overlay/{table.pk}/?lang=en")
    expect(page.locator(".player")).to_have_count(4, timeout=SOON)
    expect(page.locator(".need")).to_have_count(0)
    signed_in(page, factories.user("broadcast", Role.READER, table.competition), live_server)
    page.goto(f"/overlay/{table.pk}/")
    expect(page.locator(".need").first).to_contain_text("to win the game", timeout=SOON)
    page.goto(f"/overlay/{table.pk}/?hide=advice")
    expect(page.locator(".player")).to_have_count(4, timeout=SOON)
    expect(page.locator(".need")).to_have_count(0)


def test_the_public_page_follows_by_itself(phone: Opens, table: TableSession, page: Page) -> None:
    scorer = begun(phone(table))
    page.goto(f"/c/final/hanchan/{first_of(table).pk}/live/?lang=en")
    expect(page.locator("#kyoku")).to_contain_text("East 1")
    scorer.tap("act-ron", "seat-1", "seat-3", "mangan")
    record(scorer)
    expect(page.locator("#kyoku")).to_contain_text("East 2", timeout=15_000)
    expect(page.locator(".places li").first).to_contain_text("33,000")
    expect(page.locator(".scoregraph polyline")).to_have_count(4)


def test_the_overlay_keeps_its_last_picture_without_a_line(phone: Opens, table: TableSession, page: Page) -> None:
    scorer = begun(phone(table))
    scorer.tap("act-riichi", "seat-1")
    scorer.settles()
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"/overlay/{table.pk}/?theme=dark&place=top&lang=en")
    expect(page.locator(".player").nth(1)).to_contain_text("24,000", timeout=SOON)
    expect(page.locator(".player.riichi")).to_have_count(1)
    expect(page.locator("body")).to_have_class("dark top")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    scorer.tap("act-ron", "seat-2", "seat-1", "haneman")
    record(scorer)
    expect(page.locator(".player").nth(2)).to_contain_text("38,000", timeout=SOON)
    page.context.set_offline(True)
    expect(page.locator(".stale")).to_have_count(1, timeout=20_000)
    expect(page.locator(".player").nth(2)).to_contain_text("38,000")
    page.context.set_offline(False)
    expect(page.locator(".stale")).to_have_count(0, timeout=20_000)


def test_the_overlay_of_a_table_held_back_needs_a_token_that_may_read_it(table: TableSession, page: Page) -> None:
    TableSession.objects.update(is_released=False, public_at=timezone.now() + dt.timedelta(days=1))
    page.goto(f"/overlay/{table.pk}/?lang=en")
    expect(page.locator(".told")).to_contain_text("token", timeout=SOON)
    staff = factories.user("broadcast", Role.READER, table.competition)
    _row, token = get_token_model().objects.create(user=staff)
    page.goto("about:blank")
    page.goto(f"/overlay/{table.pk}/?lang=en#token={token}")
    expect(page.locator(".told")).to_contain_text("has not begun", timeout=SOON)
