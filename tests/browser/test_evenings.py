"""The four evenings of a parlour typed through its pages: every settlement and the till to the yen."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.forms.results.entry import typed_score
from league.models import Competition, Hanchan, Parlour, Player, Role, Sitting, SittingSeat
from league.services.parlour.tariffs import TariffPlan, set_tariff
from scoring.charges import Rate
from tests import factories
from tests.browser.staff import sign_in
from tests.factories import SYSTEM
from tests.fuzz.examples import ASKED
from tests.league import parlours
from tests.league.parlour.evening import NAMES, TOKYO, Evening, Toml, Walk

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.django_db(transaction=True)
EVENINGS = NAMES if ASKED else ("boo", "kansai3")
"""One with a guest by the hour and one with a difference after leaving in the suite; all in `make fuzz`.

The suite checks the numbers of all four with the services (`tests/league/parlour/test_evenings.py`).
"""
NUMBER = re.compile(r"[-−+]?[\d,]+(?:\.\d+)?")


def number_in(text: str) -> Decimal:
    """Return the only number in a text, such as "¥1,700" or "-70 chips"."""
    (found,) = NUMBER.findall(text.replace("-¥", "¥-").replace("−¥", "¥-"))
    return Decimal(found.replace(",", "").replace("−", "-"))


@dataclass
class PageCounter:
    """A clerk who types the evening into the pages; games are entered now, only hours are typed."""

    page: Page
    evening: Evening
    competition: Competition
    players: dict[str, int] = field(default_factory=dict)
    statements: int = 0

    @property
    def house(self) -> Parlour:
        """Return the house."""
        assert self.competition.parlour is not None
        return self.competition.parlour

    @property
    def sitting(self) -> Sitting:
        """Return the only sitting."""
        return Sitting.objects.get(table_session__competition=self.competition)

    def goes(self, path: str) -> None:
        """Open a page of the house, unless it is open already."""
        address = f"/p/{self.house.slug}/{path}"
        if self.page.url.partition("?")[0].endswith(address):
            return
        response = self.page.goto(address)
        assert response is not None
        assert response.ok, (path, response.status)

    def submits(self, button: Locator, key: str = "Enter") -> None:
        """Press a button that leads to the next page."""
        with self.page.expect_navigation():
            button.press(key)

    def enter(self, entry: str, at: dt.datetime) -> None:
        """Guests are entered when they sit down."""

    def sit(self, entry: str, chair: int, at: dt.datetime) -> None:
        """Open the table for the first guest, then type the guest on the chair, with the reading if new."""
        if not Sitting.objects.filter(table_session__competition=self.competition).exists():
            self.goes("board/open/")
            self.page.locator("[name=table]").fill(self.evening.table)
            self.submits(self.page.locator("form.sitting-form button.main"))
        self.goes(f"sittings/{self.sitting.pk}/")
        there, is_new = self.evening.entries[entry], entry not in self.players
        form = self.page.locator(f"[data-at='{chair}'] form.join")
        text = f"{there['name']}/{there['kana']}" if is_new else there["name"]
        form.locator("[data-role=guest]").fill(text)
        self.submits(form.get_by_role("button", name="Sits down"))
        question = self.page.locator(f"[data-at='{chair}'] .question")
        if question.count():
            answer = "new" if is_new else str(self.players[entry])
            question.locator(f"input[value='{answer}']").check()
            self.submits(form.get_by_role("button", name="Sits down"))
        if is_new:
            self.players[entry] = Player.objects.get(name=there["name"]).pk
            rate, stamps = self.evening.terms(entry)
            if rate is not Rate.ORDINARY or stamps is not None:
                self.terms(entry, rate, stamps)

    def terms(self, entry: str, rate: Rate, stamps: int | None) -> None:
        """Type the rate and the stamps of a guest."""
        self.goes(f"guests/{self.players[entry]}/settle/")
        form = self.page.locator("form:has([name=rate])")
        form.locator("[name=rate]").select_option(rate.value)
        form.locator("[name=stamps]").fill("" if stamps is None else str(stamps))
        self.submits(form.get_by_role("button", name="Save"))

    def free(self, chair: int, at: dt.datetime) -> None:
        """Let a guest leave the chair without settling."""
        self.goes(f"sittings/{self.sitting.pk}/")
        self.submits(self.page.locator(f"[data-at='{chair}'] button[value=leave]"))

    def game(self, game: Toml, first: int, at: dt.datetime) -> None:
        """Type a game."""
        self.goes(f"sittings/{self.sitting.pk}/")
        page, players = self.page, len(game["seats"])
        page.locator("[name=dealer]").select_option(str(first))
        for seat, score in enumerate(game["scores"]):
            page.locator(f"[name=score_{(first + seat) % players}]").fill(typed_score(score, self.evening.rules))
        for ledger, amounts in self.evening.carried(game).items():
            for seat, amount in enumerate(amounts):
                page.locator(f"[name=carried_{ledger}_{(first + seat) % players}]").fill(str(amount))
        self.marks(game, first)
        self.submits(page.locator("#game button.main"))
        self.accepts("#game", page.locator("#game button.main"))
        expect(page.locator(".said li")).to_have_text(f"Game {game['n']} is in.")

    def marks(self, game: Toml, first: int) -> None:
        """Type what a game has besides scores and chips: busts, sticks left, an instant top."""
        page, players, kyoutaku = self.page, len(game["seats"]), self.evening.rules.settlement.kyoutaku
        for bust, receiver in self.evening.tobi(game):
            name = f"[name=tobi_{(first + bust) % players}][value='{(first + receiver) % players}']"
            page.locator(name).check()
        if game.get("deposits") and kyoutaku is not None:
            page.locator("[name=sticks]").fill(str(game["deposits"] // kyoutaku.unit))
        if "forced_top" in game:
            page.locator("[name=forced_top]").select_option(str((first + game["forced_top"]) % players))

    def accepts(self, where: str, button: Locator, key: str = "Enter") -> None:
        """Accept the warnings about an odd result, if there are any."""
        boxes = self.page.locator(f"{where} [name$=accept][type=checkbox]")
        if boxes.count():
            for box in boxes.all():
                box.check()
            self.submits(button, key)

    def correct(self, game: Toml, reason: str, at: dt.datetime) -> None:
        """Correct an older game on the director's entry screen."""
        hanchan = Hanchan.objects.get(block__competition=self.competition, round=game["n"])
        self.page.goto(f"/admin/league/tablesession/{hanchan.table_session_id}/entry/")
        panel = self.page.locator(f"#hanchan-{hanchan.pk}")
        panel.get_by_text("Correct...").click()
        form = panel.locator("form.sheet-form")
        for seat, score in enumerate(game["scores"]):
            form.locator(f"[name$=-score_{seat}]").fill(typed_score(score, self.evening.rules))
        receivers = dict(self.evening.tobi(game))
        for seat in range(len(game["seats"])):
            field = form.locator(f"[name$=-tobi_{seat}]")
            if field.count():
                field.select_option(str(receivers[seat]) if seat in receivers else "")
        form.locator("[name$=-reason]").fill(reason)
        self.submits(form.locator("[name$=-reason]"), "Shift+Enter")
        self.accepts(f"#hanchan-{hanchan.pk}", form.locator("[name$=-reason]"), "Shift+Enter")
        expect(self.page.locator(f"#hanchan-{hanchan.pk}")).to_contain_text("revision 2")

    def leave(self, entry: str, chair: int, at: dt.datetime) -> None:
        """Settle up with a guest and compare the statement."""
        self.goes(f"guests/{self.players[entry]}/settle/")
        expected = self.evening.statement(self.statements)
        if "hours" in expected:
            seat = SittingSeat.objects.get(entrant__player=self.players[entry], left_at=None)
            # Games are typed in seconds: the guest leaves now and sat down that long ago.
            left = timezone.now().replace(second=0, microsecond=0)
            seat.joined_at = left - dt.timedelta(minutes=expected["hours"]["minutes"])
            seat.save(update_fields=["joined_at"])
            self.page.get_by_text("Other leaving time").click()
            self.page.locator("[name=at]").fill(f"{left.astimezone(TOKYO):%H:%M}")
        # Every other guest has it on account.
        action = "paid" if self.statements % 2 == 0 else "account"
        self.submits(self.page.locator(f"button[value={action}]"))
        self.statements += 1
        self.check_statement(expected)

    def check_statement(self, expected: Toml) -> None:
        """Compare the statement on the page with the one expected."""
        slip = self.page.locator("section.receipt")
        assert number_in(slip.locator("[data-total]").inner_text()) == expected["yen_owed"], expected["guest"]
        rows = slip.locator("details.played tbody tr")
        fees = [number_in(each.split()[-1]) for each in rows.locator("td:last-child").all_text_contents()]
        assert fees == [line["fee_yen"] for line in expected["lines"]], expected["guest"]
        assert self.figures(slip) == [Decimal(expected["totals"][ledger]) for ledger in self.ledgers]

    @property
    def ledgers(self) -> list[str]:
        """Return the ledgers as the slip shows them, the ranking one first."""
        own = [each for each in self.evening.rules.ledgers if each.key in self.evening.ledgers]
        return [each.key for each in sorted(own, key=lambda each: not each.ranks)]

    def figures(self, slip: Locator) -> list[Decimal]:
        """Return the sums of the ledgers on a slip."""
        found = slip.locator(".fig3 dd:not(.places)").all_text_contents()
        return [number_in(each) for each in found]

    def merge(self, keep: str, drop: str, reason: str, at: dt.datetime) -> None:
        """Merge two entries after a look at what they have."""
        self.goes("guests/merge/")
        guests = self.page.locator("form.sitting-form [data-role=guest]")
        guests.nth(0).fill(self.evening.entries[drop]["name"])
        guests.nth(1).fill(self.evening.entries[keep]["name"])
        self.page.locator("[name=reason]").fill(reason)
        self.submits(self.page.get_by_role("button", name="Show what will be merged"))
        self.submits(self.page.get_by_role("button", name="Merge", exact=True))

    def close(self, at: dt.datetime) -> None:
        """Compare what is due and the till, then close the table and the day."""
        self.check_late()
        self.check_till()
        self.goes(f"sittings/{self.sitting.pk}/")
        self.submits(self.page.get_by_role("button", name="Close the table"))
        day = self.sitting.table_session.session.day
        self.goes(f"days/{day}/")
        self.submits(self.page.get_by_role("button", name="Close the day"))
        expect(self.page.locator("h1 .chip.done")).to_have_text("closed")

    def check_late(self) -> None:
        """Compare the differences of guests who had settled before."""
        for late in self.evening.document.get("late", ()):
            self.goes(f"guests/{self.players[self.evening.kept(late['guest'])]}/settle/")
            slip = self.page.locator("section.slip")
            (line,) = slip.locator(".lines .late dd").all_text_contents()
            assert number_in(line) == late["yen_owed"]
            assert self.figures(slip) == [Decimal(late["differences"].get(key, 0)) for key in self.ledgers]

    def check_till(self) -> None:
        """Compare today's takings."""
        self.goes("board/")
        rows = self.page.locator("dl.till > div")
        till = {row.locator("dt").inner_text(): number_in(row.locator("dd").inner_text()) for row in rows.all()}
        stated = self.evening.document["till"]
        assert till["Takings"] == stated["closing"]["yen"]
        # What the house still owes after a correction is in the takings, and due when the day closes.
        assert till["Unpaid"] == 0
        paid = sum(each["yen_owed"] for each in self.evening.document["statement"][::2])
        assert till["Cash in the till"] == paid
        assert till["Change on account"] == stated["settled"]["yen"] - paid


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_typed_through_the_pages_ends_as_stated(page: Page, live_server: LiveServer, name: str) -> None:
    evening = Evening.read(name)
    # The business day began six hours ago, so that a guest's hours end in it.
    starts = (timezone.now().astimezone(TOKYO) - dt.timedelta(hours=6)).replace(minute=0).time()
    competition = parlours.parlour(name, name=evening.place, options=evening.options, day_starts_at=starts)
    assert competition.parlour is not None
    plan = TariffPlan(from_day=dt.date(2026, 1, 1), tariff=evening.tariff)
    set_tariff(parlour=competition.parlour, plan=plan, by=SYSTEM)
    clerk = factories.user("clerk", Role.DIRECTOR, competition, is_staff=True)
    page.context.add_cookies([{"name": "jantaku_language", "value": "en", "url": live_server.url}])
    sign_in(page, clerk, f"/p/{competition.parlour.slug}/board/")
    counter = PageCounter(page, evening, competition)
    Walk(evening, counter).run()
    assert counter.statements == len(evening.document["statement"])
