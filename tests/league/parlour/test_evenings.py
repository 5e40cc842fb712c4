"""Four evenings of a parlour, from the first guest to the till, through the services: every figure to the yen."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from django.db import transaction

from league.models import (
    Competition,
    Entrant,
    Hanchan,
    Parlour,
    ResultSheet,
    Sitting,
    SittingSeat,
    Statement,
    StatementLine,
    TillClose,
)
from league.selectors.parlour.board import result_of, running, table_rules
from league.selectors.parlour.charges import Charges, charges_of_days
from league.selectors.parlour.dues import Due, amounts_of, as_line, dues_of
from league.selectors.parlour.till import Till, till_of
from league.services.parlour.days import close_day
from league.services.parlour.games import GameEntry, record_game
from league.services.parlour.people import add_guest, merge_players
from league.services.parlour.sittings import Guest, SittingPlan, close_sitting, join, leave, open_sitting
from league.services.parlour.statements import settle
from league.services.parlour.tariffs import TariffPlan, set_tariff
from league.services.parlour.terms import set_terms
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import record_result
from scoring.charges import Rate
from scoring.settlement import LineCause
from scoring.settlement import settle as settle_game
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlour.evening import NAMES, OPENS, Evening, Toml, Walk

pytestmark = pytest.mark.django_db

ALL = ("extreme_score", "same_result_twice", "unusual_score", "seats_other_people")
PARTS = {
    "superbingo": {"chips_end": LineCause.PLACE_PAYMENT, "chips_bust": LineCause.TOBI},
    "banchi3": {},
    "kansai3": {"uma": LineCause.SINKING_UMA, "tobi_points": LineCause.TOBI},
    "boo": {"units_gross": LineCause.TOP_PAYMENT},
}
IN_POINTS = 1000
"""Parts of Kansai's points are written in table points, its totals in thousands."""


@dataclass
class ServiceCounter:
    """A clerk who calls the services; keeps what was seen on the way."""

    evening: Evening
    competition: Competition
    entrants: dict[str, Entrant] = field(default_factory=dict)
    games: dict[int, Hanchan] = field(default_factory=dict)
    seen: dict[tuple[int, int], ResultSheet] = field(default_factory=dict)
    """The result sheets by number and version of the game."""
    statements: list[Statement] = field(default_factory=list)
    next_dealers: dict[tuple[int, int], int | None] = field(default_factory=dict)
    """The seat of a game that deals first in the next one by the rule book, by number and version of the game."""
    till: Till | None = None
    dues: Mapping[int, Due] = field(default_factory=dict)
    """The till and what is due when the house closes."""
    closed: TillClose | None = None

    @classmethod
    def of(cls, evening: Evening) -> ServiceCounter:
        """Return the counter of a house with this rule book, its options and its fees."""
        competition = parlours.parlour(evening.name, name=evening.place, options=evening.options, day_starts_at=OPENS)
        counter = cls(evening, competition)
        set_tariff(parlour=counter.house, plan=TariffPlan(from_day=evening.day, tariff=evening.tariff), by=SYSTEM)
        return counter

    @property
    def house(self) -> Parlour:
        """Return the house."""
        assert self.competition.parlour is not None
        return self.competition.parlour

    @property
    def sitting(self) -> Sitting:
        """Return the only sitting of the evening."""
        return Sitting.objects.select_related("table_session__competition").get(
            table_session__competition=self.competition
        )

    def person(self, guest: str) -> int:
        """Return the player that a guest has in the end."""
        return self.entrants[self.evening.kept(guest)].player_id

    def version(self, line: StatementLine) -> tuple[int, int]:
        """Return the number and the version of a line's game."""
        return next(key for key, sheet in self.seen.items() if sheet.pk == line.sheet_id)

    def enter(self, entry: str, at: dt.datetime) -> None:
        """Add a guest to the house's list, with the rate and the stamp card."""
        there = self.evening.entries[entry]
        added = add_guest(competition=self.competition, name=there["name"], name_kana=there["kana"], by=SYSTEM)
        self.entrants[entry] = added
        rate, stamps = self.evening.terms(entry)
        if rate is not Rate.ORDINARY or stamps is not None:
            set_terms(
                parlour=self.house, player=added.player, rate=rate, stamps=stamps, day=self.evening.day, by=SYSTEM
            )

    def sit(self, entry: str, chair: int, at: dt.datetime) -> None:
        """Seat a guest; the first one opens the table."""
        if not Sitting.objects.filter(table_session__competition=self.competition).exists():
            plan = SittingPlan(table=self.evening.table, at=at)
            open_sitting(competition=self.competition, plan=plan, by=SYSTEM)
        join(sitting=self.sitting, seat=chair, guest=Guest(entrant=self.entrants[entry]), by=SYSTEM, at=at)

    def free(self, chair: int, at: dt.datetime) -> None:
        """Free a chair."""
        leave(seat=parlours.chair(self.sitting, chair), by=SYSTEM, at=at)

    def game(self, game: Toml, first: int, at: dt.datetime) -> None:
        """Record a game and look at the first dealer of the next one."""
        entry = GameEntry(
            scores=tuple(game["scores"]),
            first_dealer=first,
            kyoutaku=game.get("deposits", 0),
            carried=self.evening.carried(game),
            tobi=self.evening.tobi(game),
            forced_top=game.get("forced_top"),
            entrants=tuple(self.entrants[one].pk for one in game["seats"]),
        )
        sheet = record_game(sitting=self.sitting, game=entry, by=SYSTEM, accept=ALL, at=at)
        self.games[game["n"]] = sheet.hanchan
        self.seen[game["n"], 1] = sheet
        dealer = running(self.sitting).next_dealer
        players = len(game["seats"])
        self.next_dealers[game["n"], 1] = None if dealer is None else (dealer - first) % players

    def correct(self, game: Toml, reason: str, at: dt.datetime) -> None:
        """Correct a game."""
        seats = [
            SeatEntry(self.entrants[one].pk, self.entrants[one].player_id, score)
            for one, score in zip(game["seats"], game["scores"], strict=True)
        ]
        entry = SheetEntry(
            seats=tuple(seats),
            kyoutaku=game.get("deposits", 0),
            carried=self.evening.carried(game),
            tobi=self.evening.tobi(game),
            forced_top=game.get("forced_top"),
        )
        self.seen[game["n"], game["version"]] = record_result(
            hanchan=self.games[game["n"]], entry=entry, by=SYSTEM, accept=ALL, corrects=1, reason=reason
        )

    def leave(self, entry: str, chair: int, at: dt.datetime) -> None:
        """Settle up with a guest who leaves; the one pays at once, the next has it on account."""
        player, is_paid = self.entrants[entry].player, len(self.statements) % 2 == 0
        statement = settle(parlour=self.house, player=player, by=SYSTEM, is_paid=is_paid, at=at)
        assert statement is not None
        self.statements.append(statement)

    def merge(self, keep: str, drop: str, reason: str, at: dt.datetime) -> None:
        """Merge two entries."""
        merge_players(duplicate=self.entrants[drop].player, keep=self.entrants[keep].player, by=SYSTEM, reason=reason)

    def close(self, at: dt.datetime) -> None:
        """Look at the till, then close the table and the day; only differences are open, which need no assent."""
        self.till = till_of(self.house, self.evening.day, dues_of(self.house, at))
        self.dues = dues_of(self.house, at)
        close_sitting(sitting=self.sitting, by=SYSTEM, at=at)
        self.closed = close_day(parlour=self.house, day=self.evening.day, by=SYSTEM, at=at)


@pytest.fixture(scope="module", params=NAMES)
def counter(request: Any, django_db_setup: None, django_db_blocker: Any) -> Iterator[ServiceCounter]:
    """Return the counter after the whole evening; rolled back after its tests."""
    with django_db_blocker.unblock(), transaction.atomic():
        counter = ServiceCounter.of(Evening.read(request.param))
        Walk(counter.evening, counter).run()
        yield counter
        transaction.set_rollback(True)


def part(sheet: ResultSheet, cause: LineCause, times: int = 1) -> list[int]:
    """Return the sum of the lines of one cause by seat, multiplied."""
    sums = [
        sum(Fraction(line["amount"]) for line in row.lines if line["cause"] == cause) * times
        for row in sheet.seats.order_by("seat")
    ]
    assert all(amount.denominator == 1 for amount in map(Fraction, sums))
    return [int(amount) for amount in sums]


@pytest.fixture
def charges(counter: ServiceCounter) -> Charges:
    """Return the charges of the day by the results that count in the end."""
    return charges_of_days(counter.house, [counter.evening.day])


def test_every_game_is_charged_as_stated(counter: ServiceCounter, charges: Charges) -> None:
    evening, number = counter.evening, {hanchan.pk: n for n, hanchan in counter.games.items()}
    fees: dict[int, dict[int, int]] = {}
    free: dict[int, set[str]] = {}
    for own in (game for games in charges.games.values() for game in games):
        game = number[own.played.hanchan]
        fees.setdefault(game, {})[own.played.seat] = own.charge.total
        if own.charge.is_free:
            free.setdefault(game, set()).add(evening.right(game)["seats"][own.played.seat])
    for game in number.values():
        expected = evening.right(game)["expect"]
        assert [fee for _, fee in sorted(fees[game].items())] == expected["fee_yen"], game
        assert free.get(game, set()) == set(expected.get("free", ())), game


def test_every_statement_has_the_lines_and_the_sum_stated(counter: ServiceCounter) -> None:
    evening = counter.evening
    for statement, expected in zip(counter.statements, evening.document["statement"], strict=True):
        lines = list(statement.lines.order_by("pk"))
        games = [line for line in lines if line.kind == StatementLine.Kind.GAME]
        found = [(*counter.version(line), dict(line.amounts), line.money) for line in games]
        stated = [(line["game"], line["version"], evening.amounts(line), line["fee_yen"]) for line in expected["lines"]]
        assert found == stated, expected["guest"]
        assert not any(line.is_late for line in lines)
        check_hours([line for line in lines if line.kind == StatementLine.Kind.HOURS], expected.get("hours"), evening)
        sums = amounts_of([as_line(line) for line in lines])
        assert {ledger: amount for (_, ledger), amount in sums.items()} == evening.amounts(expected["totals"])
        assert statement.money == expected["yen_owed"]
        assert (statement.at, statement.day) == (evening.moment(expected["at"]), evening.day)


def check_hours(lines: list[StatementLine], expected: Toml | None, evening: Evening) -> None:
    """Check the line of a guest by the hour; the others have none."""
    if expected is None:
        assert not lines
        return
    (line,) = lines
    assert (line.detail["minutes"], line.detail["units"], line.money) == (
        expected["minutes"],
        expected["units"],
        expected["yen"],
    )
    times = [evening.moment(expected[key]) for key in ("sat", "left")]
    assert [dt.datetime.fromisoformat(line.detail[key]) for key in ("from", "to")] == times


def test_a_correction_after_settling_is_due_with_the_difference(counter: ServiceCounter) -> None:
    evening, late = counter.evening, {}
    for person, due in counter.dues.items():
        for line in due.lines:
            assert line.is_late
            late[person, line.hanchan] = (line.money, dict(line.amounts))
    assert late == {
        (counter.person(row["guest"]), counter.games[row["game"]].pk): (
            row["yen_owed"],
            evening.amounts(row["differences"]),
        )
        for row in evening.document.get("late", ())
    }


def test_statements_and_differences_make_the_guests_evening(counter: ServiceCounter, charges: Charges) -> None:
    evening = counter.evening
    for total in evening.document["total"]:
        person = counter.person(total["guest"])
        held = [as_line(line) for one in counter.statements if one.player.kept_id == person for line in one.lines.all()]
        lines = [*held, *(counter.dues[person].lines if person in counter.dues else ())]
        assert sum(line.money for line in lines) == total["yen"]
        assert {key: amount for (_, key), amount in amounts_of(lines).items()} == evening.amounts(total["totals"])
        assert len(charges.games[person]) == total["games"]


def test_the_till_is_as_stated(counter: ServiceCounter) -> None:
    evening, till = counter.evening, counter.till
    assert till is not None
    for key in ("settled", "late", "closing"):
        stated, sums = evening.document["till"][key], getattr(till, key)
        found = {ledger: sums.amounts.get((counter.competition.pk, ledger), 0) for ledger in evening.ledgers}
        assert (sums.money, found) == (stated["yen"], evening.amounts(stated)), key
    assert till.unsettled.money == 0
    assert not any(till.unsettled.amounts.values())


def test_the_close_counts_every_difference_as_settled(counter: ServiceCounter) -> None:
    before, row = counter.till, counter.closed
    assert before is not None
    assert row is not None
    kept = Till.of_json(row.day, row.till)
    assert kept.closing == before.closing
    assert kept.unsettled.money == 0
    late = StatementLine.objects.filter(is_late=True, statement__parlour=counter.house)
    assert sum(late.values_list("money", flat=True)) == before.late.money
    assert all(not due.lines for due in dues_of(counter.house).values())


def test_the_cash_is_what_was_paid_and_the_rest_is_on_account(counter: ServiceCounter) -> None:
    till = counter.till
    assert till is not None
    paid = sum(one.money for one in counter.statements[::2])
    assert (till.cash, till.on_account) == (paid, sum(one.money for one in counter.statements[1::2]))
    assert sum(due.on_account for due in counter.dues.values()) == till.on_account


def test_every_card_ends_with_the_stamps_stated(counter: ServiceCounter, charges: Charges) -> None:
    evening = counter.evening
    stamps = {total["guest"]: total["stamps_after"] for total in evening.document["total"] if "stamps_after" in total}
    ends = {counter.person(guest): left for guest, left in stamps.items()}
    assert dict(charges.stamps_after) == ends


def check_top(counter: ServiceCounter, game: Toml, sheet: ResultSheet) -> None:
    """Check the top of a game of boo, its fee in units, and the first dealer of the next game."""
    expected = game["expect"]
    settled = settle_game(result_of(sheet, list(sheet.seats.order_by("seat"))), table_rules(sheet.rules, sheet.options))
    assert settled.floating is not None
    floating = settled.floating
    assert (settled.top, floating.top_type.value) == (expected["top"], expected["top_type"])
    assert (floating.gentsuu, list(floating.seats)) == (expected["gentsuu"], expected["floating"])
    assert -sum(part(sheet, LineCause.TOP_FEE)) == expected["house_fee"]
    assert settled.next_first_dealer == expected["next_starting_dealer"]
    if (game["n"], game.get("version", 1)) in counter.next_dealers:
        assert counter.next_dealers[game["n"], 1] == expected["next_starting_dealer"]


def test_every_game_is_settled_as_stated(counter: ServiceCounter) -> None:
    evening = counter.evening
    for game in evening.document["game"]:
        sheet = counter.seen[game["n"], game.get("version", 1)]
        rows = list(sheet.seats.order_by("seat"))
        expected, at = game["expect"], f"game {game['n']} version {game.get('version', 1)}"
        if "placement" in expected:
            assert [row.place for row in rows] == expected["placement"], at
        if "final_scores" in expected:
            assert [row.final_score for row in rows] == expected["final_scores"], at
        for ledger in evening.ledgers:
            amounts = [evening.amount(ledger, amount) for amount in expected[ledger]]
            assert [row.totals[ledger] for row in rows] == amounts, (at, ledger)
        for key, cause in PARTS[evening.name].items():
            times = IN_POINTS if evening.name == "kansai3" else 1
            assert part(sheet, cause, times) == expected[key], (at, key)
        if "g_points" in expected:
            without = [row.totals["g"] - prize for row, prize in zip(rows, part(sheet, LineCause.CHIPS), strict=True)]
            assert without == expected["g_points"], at
        if "top_type" in expected:
            check_top(counter, game, sheet)


def test_a_merged_guest_has_no_chair_and_one_entry(counter: ServiceCounter) -> None:
    evening = counter.evening
    assert not SittingSeat.objects.filter(left_at=None, sitting=counter.sitting).exists()
    for entry, entrant in counter.entrants.items():
        entrant.refresh_from_db()
        kept = evening.kept(evening.guest_of(entry))
        assert entrant.merged_into_id == (None if kept == entry else counter.entrants[kept].pk)
