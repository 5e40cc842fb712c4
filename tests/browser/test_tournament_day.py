"""An open tournament in the admin, from its creation to its champion: rounds by standing, a cut and a final."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import LazySettings
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import Block, Competition, Credit, Entrant, Hanchan, Outcome, Pairing, Session
from league.services.rulebooks.own_formats import keep_own_format
from tests import factories
from tests.browser.staff import sign_in
from tests.factories import SYSTEM

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)
ENTERED, ROUNDS = 31, 5
FORMAT = """
name = "club-open"
title = { ja = "クラブオープン", en = "Club open" }
players = 4
entrants = { least = 16, most = 64 }
champion = { block = "final" }
[tiebreak]
back_tracking = [{ by = "points" }, { by = "place" }, { by = "score" }]
then = ["places", "lot"]
[policies]
odd = { by = "substitutes", points = "-15.0" }
withdrawal = { ranked = true, results = "stay" }
[[stages]]
key = "main"
title = { ja = "予選", en = "Main rounds" }
hanchan = 5
sessions = 1
seating = "rounds"
assignment = "seeded"
carry_over = { kind = "none" }
rounds = [{ numbers = "1", by = "plan" }, { numbers = "2-5", by = "standing", avoid = ["met", "club"] }]
blocks = [{ key = "main", title = { ja = "予選", en = "Main rounds" }, entrants = [{ from = "seed:*" }] }]
[[stages]]
key = "sixteen"
title = { ja = "ベスト16", en = "Best sixteen" }
hanchan = 1
sessions = 1
seating = "stay"
assignment = "arranged"
arrange = "snake"
carry_over = { kind = "half", rounding = "up" }
entrants = [{ from = "main#1-16" }]
tables = { key = "sixteen", count = 4, title = { ja = "ベスト16 {n}卓", en = "Best sixteen, table {n}" } }
[[stages]]
key = "semifinal"
title = { ja = "準決勝", en = "Semifinal" }
hanchan = 1
sessions = 1
seating = "stay"
assignment = "arranged"
arrange = "crossed"
carry_over = { kind = "none" }
entrants = [{ from = "sixteen#1-2" }]
tables = { key = "semifinal", count = 2, title = { ja = "準決勝 {n}卓", en = "Semifinal, table {n}" } }
[[stages]]
key = "final"
title = { ja = "決勝", en = "Final" }
hanchan = 1
sessions = 1
seating = "stay"
assignment = "seeded"
carry_over = { kind = "none" }
blocks = [{ key = "final", title = { ja = "決勝", en = "Final" }, entrants = [{ from = "semifinal#1-2" }] }]
"""


class Desk:
    """An organizer's browser; pages are read in the language chosen last."""

    def __init__(self, page: Page, live_server: LiveServer, cookie: str) -> None:
        self.page, self.live_server, self.cookie = page, live_server, cookie

    @property
    def event(self) -> Competition:
        """Return the event as it is stored."""
        return Competition.objects.get()

    def speak(self, language: str) -> None:
        """Read pages in another language from now on."""
        self.page.context.add_cookies([{"name": self.cookie, "value": language, "url": self.live_server.url}])

    def open(self, place: str) -> None:
        """Open a page of the event in the admin."""
        self.page.goto(f"/admin/league/competition/{self.event.pk}/{place}/")

    def press(self, selector: str) -> None:
        """Press a button or a link that leads to another page."""
        with self.page.expect_navigation():
            self.page.locator(selector).first.click()

    def decide(self, reason: str) -> None:
        """Give a reason, and confirm the effect if the page shows one first."""
        self.page.fill("#id_reason", reason)
        self.press("form button.default")
        if not self.page.locator(".messagelist .success").count():
            self.press("form button.default")
        expect(self.page.locator(".messagelist .success")).to_be_visible()

    def bring_results(self, blocks: str, number: int) -> None:
        """Paste the results of a round, and write them after the preview; the first at a table always wins most."""
        games = Hanchan.objects.filter(block__key__startswith=blocks, number=number, table_session__is_cancelled=False)
        lines = ["節\t卓\t回戦\t東家の点\t南家の点\t西家の点\t北家の点"]
        for place, game in enumerate(games.select_related("table_session__session").order_by("pk")):
            scores = f"{400 + 7 * place}\t{310 - 2 * place}\t{190 - 3 * place}\t{100 - 2 * place}"
            table = game.table_session
            lines.append(f"{table.session.name}\t{table.table}\t{game.round}\t{scores}")
        self.open("results-in")
        self.page.fill("#id_pasted", "\n".join(lines))
        self.press("form button.default")
        for box in self.page.locator("[name=accept]").all():
            box.check()
        self.press("form button.default")
        expect(self.page.locator(".messagelist .success")).to_be_visible()


@pytest.fixture
def desk(page: Page, live_server: LiveServer, settings: LazySettings) -> Desk:
    """Return the browser of a logged-in organizer who reads Japanese."""
    keep_own_format(text=FORMAT, by=SYSTEM)
    found = Desk(page, live_server, settings.LANGUAGE_COOKIE_NAME)
    found.speak("ja")
    sign_in(page, factories.user("director", is_staff=True, is_superuser=True))
    return found


def test_an_event_of_32_is_created_run_and_closed_with_a_late_arrival_and_a_withdrawal(desk: Desk) -> None:
    page = desk.page
    page.goto("/admin/league/competition/set-up/?format=club-open@1&entrants=32")
    page.fill("#id_name", "クラブオープン")
    page.select_option("#id_every", "0")
    desk.press(".submit-row button.default")
    page.fill("#id_pasted", "\n".join(f"選手{number:02}\t\t\tクラブ{number % 8}" for number in range(1, ENTERED + 1)))
    desk.press("button[name=look]")
    desk.press("button[name=enter]")
    desk.press("button[name=close]")
    assert Entrant.objects.filter(is_house=True).count() == 1
    desk.open("set-up-schedule")
    desk.press("button[name=write]")
    desk.press(".submit-row button.default")
    desk.bring_results("main", 1)
    late_arrival(desk)
    for number in range(2, ROUNDS + 1):
        if number == 4:
            desk.speak("en")
            withdrawal(desk)
        block = Block.objects.get(key="main")
        page.goto(f"/admin/league/block/{block.pk}/pair/")
        desk.press("form button.default")
        expect(page.locator(".messagelist .success")).to_be_visible()
        desk.bring_results("main", number)
    assert [pairing.number for pairing in Pairing.objects.standing()] == [2, 3, 4, 5]
    assert not any(pairing.broken.get("met") for pairing in Pairing.objects.standing())
    for place, stage in enumerate(("sixteen", "semifinal", "final"), start=2):
        session = Session.objects.get(number=place)
        page.goto(f"/admin/league/session/{session.pk}/draw-seats/")
        page.fill("#id_seed", f"dice {place}")
        desk.press("form .submit-row [type=submit]")
        desk.bring_results(stage, 1)
    outcome = Outcome.objects.filter(audience="staff").get()
    assert outcome.champion_state == "certain"
    assert outcome.champion is not None
    desk.open("close")
    desk.press("form .submit-row [type=submit]")
    assert desk.event.status == Competition.Status.CLOSED
    for language, words in (("ja", "優勝"), ("en", "champion")):
        desk.speak(language)
        page.goto(f"/c/{desk.event.slug}/")
        expect(page.locator("main")).to_contain_text(words, ignore_case=True)
        expect(page.locator("main")).to_contain_text(outcome.champion.player.name)
        page.goto(f"/c/{desk.event.slug}/blocks/main/pairings/3/")
        expect(page.locator("main table, main details").first).to_be_visible()


def late_arrival(desk: Desk) -> None:
    """Let a player join in the second round, from the page of the day."""
    desk.open("day")
    desk.press("a[href$='/late/']")
    desk.page.fill("#id_newcomer", "遅刻太郎")
    desk.decide("電車の遅れ")
    assert Credit.objects.standing().get().kind == Credit.Kind.LATE


def withdrawal(desk: Desk) -> None:
    """Let a player leave after the third round, from the page of the day."""
    desk.open("day")
    desk.page.goto(f"/admin/league/entrant/{Entrant.objects.get(number=7).pk}/withdraw/")
    desk.decide("Unwell")
