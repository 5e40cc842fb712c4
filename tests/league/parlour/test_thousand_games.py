"""A day of games, a thousand in `make fuzz`, with corrections and merges: close, settlements and a rebuild agree."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from django.db import connection, transaction

from league.models import (
    Competition,
    Entrant,
    Hanchan,
    Parlour,
    Player,
    ResultSheet,
    SeatResult,
    Sitting,
    Statement,
    StatementLine,
)
from league.selectors.parlour.board import running
from league.selectors.parlour.dues import balances_of, dues_of
from league.selectors.parlour.till import Till, till_of
from league.services.parlour.days import close_day
from league.services.parlour.people import add_guest, enter_guest, merge_players
from league.services.parlour.sittings import Guest, SittingPlan, close_sitting, join, open_sitting
from league.services.parlour.statements import settle
from league.services.parlour.tariffs import TariffPlan, set_tariff
from league.services.parlour.terms import set_terms
from league.services.results.batches import Incoming, take_results
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import record_result
from scoring.charges import Rate, Tariff
from tests.factories import SYSTEM
from tests.fuzz.examples import times
from tests.league import parlours

pytestmark = pytest.mark.django_db

GAMES = min(times(100), 1000)
BOOKS = ("banchi3", "kansai3")
TABLES, SHIFTS, PLAYERS = min(times(4), 8), 5, 3
PEOPLE = 3 * TABLES * PLAYERS
CORRECTIONS = 20
DUPLICATES = {PEOPLE - 3: 0, PEOPLE - 2: 1, PEOPLE - 1: 2}
"""Guests of the third shift who were entered as new: they had played in the first one, and come back in the fourth."""
DAY = dt.date(2026, 11, 20)
OPENS = parlours.at(9)
FEE, STUDENT, TOP, STAMPS = 300, 200, 100, 10
FEES = Tariff(
    per_game=FEE,
    student_per_game=STUDENT,
    top=TOP,
    stamps_for_a_free_game=STAMPS,
    hour_unit_minutes=30,
    hour_unit=250,
)


@dataclass
class House:
    """A parlour with two rule books, where five shifts of guests play a day's games."""

    random: Random = field(default_factory=lambda: Random(20261120))
    books: list[Competition] = field(default_factory=list)
    people: list[Player] = field(default_factory=list)
    rates: dict[int, Rate] = field(default_factory=dict)
    cards: dict[int, int] = field(default_factory=dict)
    """The stamps before the day, by player."""
    sittings: list[Sitting] = field(default_factory=list)
    played: list[Hanchan] = field(default_factory=list)

    def open(self) -> None:
        """Set the fees, enter all guests with their terms, open all tables."""
        self.books = [parlours.parlour(BOOKS[0])]
        self.books.append(parlours.parlour(BOOKS[1], parlour=self.house))
        set_tariff(parlour=self.house, plan=TariffPlan(from_day=DAY, tariff=FEES), by=SYSTEM)
        self.people = [add_guest(competition=self.books[0], name=f"客{n}", by=SYSTEM).player for n in range(PEOPLE)]
        for number, player in enumerate(self.people):
            if number % 3 == 0 and number not in DUPLICATES:
                self.rates[player.pk] = [Rate.ORDINARY, Rate.STUDENT, Rate.HOUR][number // 3 % 3]
                self.cards[player.pk] = number % STAMPS
                set_terms(
                    parlour=self.house,
                    player=player,
                    rate=self.rates[player.pk],
                    stamps=self.cards[player.pk],
                    day=DAY,
                    by=SYSTEM,
                )
        self.sittings = [
            open_sitting(competition=self.book(table), plan=SittingPlan(table=str(table), at=OPENS), by=SYSTEM)
            for table in range(TABLES)
        ]

    @property
    def house(self) -> Parlour:
        """Return the parlour."""
        assert self.books[0].parlour is not None
        return self.books[0].parlour

    def book(self, table: int) -> Competition:
        """Return the rule book of a table."""
        return self.books[table % len(self.books)]

    def on_chair(self, shift: int, table: int, chair: int) -> Player:
        """Return the guest on a chair in a shift; a third of them comes back later."""
        return self.people[(shift * TABLES * PLAYERS + table * PLAYERS + chair) % PEOPLE]

    def at(self, shift: int, minutes: int = 0) -> dt.datetime:
        """Return a moment of a shift; each lasts two hours."""
        return OPENS + dt.timedelta(hours=2 * shift, minutes=minutes)

    def play_shift(self, shift: int) -> None:
        """Seat the shift's guests, play their games, and let them leave."""
        for table, sitting in enumerate(self.sittings):
            for chair in range(PLAYERS):
                player = self.on_chair(shift, table, chair)
                entrant = enter_guest(competition=self.book(table), player=player, by=SYSTEM)
                join(sitting=sitting, seat=chair, guest=Guest(entrant=entrant), by=SYSTEM, at=self.at(shift))
        for book in self.books:
            tables = [sitting for table, sitting in enumerate(self.sittings) if self.book(table) == book]
            self.play(book, tables)
        for sitting in self.sittings:
            for seat in running(sitting).seated:
                # A few stay without settling until the till is closed.
                if shift < SHIFTS - 1 or seat.seat:
                    settle(
                        parlour=self.house,
                        player=seat.entrant.player,
                        by=SYSTEM,
                        is_paid=seat.entrant_id % 4 > 0,
                        at=self.at(shift, 110),
                    )

    def play(self, book: Competition, tables: Sequence[Sitting]) -> None:
        """Record this shift's games of a rule book, all in one batch."""
        here = [running(sitting) for sitting in tables]
        number = Hanchan.objects.filter(block__competition=book).count()
        rows = [
            Hanchan(
                table_session=table.sitting.table_session,
                block_id=table.sitting.table_session.block_id,
                round=table.next_round + game,
                number=number + place * (GAMES // TABLES // SHIFTS) + game + 1,
                rules=table.in_force,
            )
            for place, table in enumerate(here)
            for game in range(GAMES // TABLES // SHIFTS)
        ]
        Hanchan.objects.bulk_create(rows)
        seated = {table.sitting.table_session_id: [seat.entrant for seat in table.seated] for table in here}
        ledger = here[0].rules.entered_ledgers[0].key
        incoming = [Incoming(row, self.entry(seated[row.table_session_id], row.round, ledger)) for row in rows]
        take_results(competition=book, incoming=incoming, by=SYSTEM)
        self.played += rows
        # Without statistics PostgreSQL joins these rows, which no other transaction sees yet, in quadratic time.
        # Tables are named one by one: the server's shared catalogs would wait for the other worker's transaction.
        with connection.cursor() as cursor:
            for table in connection.introspection.django_table_names(only_existing=True):
                cursor.execute(f"ANALYZE {connection.ops.quote_name(table)}")

    def entry(self, people: Sequence[Entrant], first: int, ledger: str) -> SheetEntry:
        """Return a random result; the first dealer moves on by one chair a game."""
        scores = [self.random.randrange(1, 60) * 1000, self.random.randrange(1, 40) * 1000]
        chips = [self.random.randrange(-20, 20) * 100, self.random.randrange(-20, 20) * 100]
        seats = [people[(first + seat) % PLAYERS] for seat in range(PLAYERS)]
        return SheetEntry(
            seats=tuple(
                SeatEntry(each.pk, each.player_id, score)
                for each, score in zip(seats, (*scores, 105000 - sum(scores)), strict=True)
            ),
            carried={ledger: (*chips, -sum(chips))},
        )

    def correct(self, hanchan: Hanchan) -> None:
        """Correct a game: the scores of the first two seats were typed the wrong way round."""
        sheet = ResultSheet.objects.counting().get(hanchan=hanchan)
        entry = SheetEntry.of_sheet(sheet)
        first, second, third = entry.seats
        seats = (replace(first, score=second.score), replace(second, score=first.score), third)
        record_result(
            hanchan=hanchan,
            entry=replace(entry, seats=seats),
            by=SYSTEM,
            accept=("same_result_twice", "unusual_score", "extreme_score", "seats_other_people"),
            corrects=sheet.revision,
            reason="the wrong way round",
        )

    def merge(self) -> None:
        """Merge the guests that were entered twice."""
        for duplicate, kept in DUPLICATES.items():
            merge_players(duplicate=self.people[duplicate], keep=self.people[kept], by=SYSTEM, reason="entered twice")


@pytest.fixture(scope="module")
def house(shared_rows: None) -> House:
    """Return the house after its day: corrections in the middle and at the end, merges after the fourth shift."""
    house = House()
    house.open()
    for shift in range(SHIFTS):
        house.play_shift(shift)
        if shift in {1, SHIFTS - 1}:
            for hanchan in house.random.sample(house.played, CORRECTIONS // 2):
                house.correct(hanchan)
        if shift == SHIFTS - 2:
            house.merge()
    return house


@dataclass
class Owed:
    """The debt of a person for the day, computed from the results alone."""

    money: int = 0
    amounts: Counter[tuple[int, str]] = field(default_factory=Counter)


def rebuilt(house: House) -> Mapping[int, Owed]:
    """Return what each person owes for the games of the day, without the selectors of the till."""
    owed: defaultdict[int, Owed] = defaultdict(Owed)
    kept = {house.people[duplicate].pk: house.people[one].pk for duplicate, one in DUPLICATES.items()}
    cards = dict(house.cards)
    rows = SeatResult.objects.filter(sheet__in=ResultSheet.objects.counting()).order_by("sheet__hanchan", "seat")
    for row in rows.select_related("block"):
        person = kept.get(row.player_id, row.player_id)
        rate = house.rates.get(person, Rate.ORDINARY)
        fee = {Rate.ORDINARY: FEE, Rate.STUDENT: STUDENT, Rate.HOUR: 0}[rate]
        if fee and person in cards:
            is_free = cards[person] >= STAMPS
            cards[person] += -STAMPS if is_free else 1
            fee = 0 if is_free else fee
        owed[person].money += fee + (TOP if row.place == 1 else 0)
        for ledger, amount in row.totals.items():
            if ledger != "fee":
                owed[person].amounts[row.block.competition_id, ledger] += amount
    return owed


def held_and_due(house: House) -> Mapping[int, Owed]:
    """Return what statements and dues say of each person's games."""
    owed: defaultdict[int, Owed] = defaultdict(Owed)
    kept = {house.people[duplicate].pk: house.people[one].pk for duplicate, one in DUPLICATES.items()}
    for row in StatementLine.objects.filter(kind=StatementLine.Kind.GAME).select_related("statement"):
        own = owed[kept.get(row.statement.player_id, row.statement.player_id)]
        own.money += row.money
        own.amounts.update({(row.detail["book"], ledger): amount for ledger, amount in row.amounts.items()})
    for person, due in dues_of(house.house, house.at(SHIFTS)).items():
        for line in due.lines:
            if line.kind == StatementLine.Kind.GAME:
                owed[person].money += line.money
                owed[person].amounts.update({(line.book or 0, key): amount for key, amount in line.amounts.items()})
    return owed


def test_statements_and_dues_of_each_guest_are_the_rebuild_from_the_results(house: House) -> None:
    right, found = rebuilt(house), held_and_due(house)
    assert {person: own.money for person, own in found.items()} == {person: own.money for person, own in right.items()}
    for person, own in right.items():
        assert dict(found[person].amounts) == dict(own.amounts)


def test_the_till_is_the_sum_of_the_settlements_and_of_the_rebuild(house: House) -> None:
    till = till_of(house.house, DAY, dues_of(house.house, house.at(SHIFTS)))
    hours = sum(StatementLine.objects.filter(kind=StatementLine.Kind.HOURS).values_list("money", flat=True))
    assert till.closing.money - till.earned["hours"] == sum(own.money for own in rebuilt(house).values())
    assert set(till.closing.amounts.values()) == {0}
    assert till.late.money != 0
    assert till.earned["hours"] >= hours > 0


def test_the_close_is_the_sum_of_all_settlements(house: House) -> None:
    before = till_of(house.house, DAY, dues_of(house.house, house.at(SHIFTS)))
    with transaction.atomic():
        for sitting in house.sittings:
            close_sitting(sitting=sitting, by=SYSTEM, at=house.at(SHIFTS))
        row = close_day(parlour=house.house, day=DAY, by=SYSTEM, at=house.at(SHIFTS), accept=("guests_unsettled",))
        kept = Till.of_json(row.day, row.till)
        statements = Statement.objects.filter(parlour=house.house)
        assert kept.closing == before.closing
        assert kept.closing.money == sum(statements.values_list("money", flat=True))
        assert kept.unsettled.money == 0
        assert sum(balances_of(house.house).values()) == kept.closing.money - kept.cash
        found, right = held_and_due(house), rebuilt(house)
        assert {who: own.money for who, own in found.items()} == {who: own.money for who, own in right.items()}
        transaction.set_rollback(True)
