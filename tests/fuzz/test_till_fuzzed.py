"""State machine of a parlour's money: any step in any order; statements, dues, payments and results agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from league.models import (
    Audience,
    Competition,
    Extra,
    GuestTerms,
    Hanchan,
    Parlour,
    Payment,
    Player,
    ResultSheet,
    SeatResult,
    Sitting,
    SittingSeat,
    Statement,
    StatementLine,
    TillClose,
)
from league.selectors.parlour.board import business_day, open_sittings, running
from league.selectors.parlour.charges import charges_of_days
from league.selectors.parlour.dues import balances_of, dues_of
from league.selectors.parlour.till import till_of
from league.services.parlour.days import close_day, reopen_day
from league.services.parlour.games import take_back_last_game
from league.services.parlour.people import merge_players
from league.services.parlour.sittings import Guest, close_sitting, join, set_house
from league.services.parlour.statements import add_extra, cancel_extra, cancel_statement, pay_account, settle
from league.services.parlour.tariffs import TariffPlan, set_tariff
from league.services.parlour.terms import set_terms
from league.services.results.entry import SheetEntry
from league.services.results.results import record_result
from scoring.charges import Rate, Tariff
from tests.factories import SYSTEM
from tests.fuzz.machine import HUGE, Machine, picks, reasons, try_anything, with_people
from tests.league import parlours
from tests.league.parlours import house

pytestmark = pytest.mark.django_db

FEES = Tariff(
    per_game=300, student_per_game=200, top=100, stamps_for_a_free_game=3, hour_unit_minutes=30, hour_unit=250
)
ALL = ("extreme_score", "same_result_twice", "unusual_score", "seats_other_people", "guests_unsettled")
Kind = StatementLine.Kind


@pytest.fixture(scope="module")
def parlour(shared_rows: None) -> Competition:
    """Return the book of a house with fees, six guests, one running table and one game."""
    competition = parlours.parlour(audience=Audience.STAFF)
    plan = TariffPlan(from_day=business_day(competition), tariff=FEES)
    set_tariff(parlour=house(competition), plan=plan, by=SYSTEM)
    people = parlours.guests(competition, 5)
    parlours.play(parlours.sitting(competition, people[:3]))
    with_people(competition)
    return competition


def test_the_money_of_a_parlour_agrees_whatever_steps_are_taken(parlour: Competition) -> None:
    try_anything(Money, parlour)


class Money(Machine):
    """Rules for every step that moves money; each is accepted or refused."""

    @property
    def parlour(self) -> Parlour:
        """Return the house."""
        return house(self.competition)

    def guest(self, number: int) -> Player:
        """Return a player of the house, merged ones included."""
        found: Player = self.one(Player.objects.filter(entrants__competition=self.competition_id), number)
        return found

    @rule(which=picks, who=picks, swapped=st.booleans())
    def play(self, which: int, who: int, swapped: bool) -> None:
        """Fill the chairs of the table and play a game."""
        tables = open_sittings([self.competition])
        sitting = tables[0].sitting if tables else parlours.sitting(self.competition, [], table=str(which))
        for place in running(sitting).empty_chairs:
            here = SittingSeat.objects.filter(left_at=None).values("entrant__player")
            free = Player.objects.filter(merged_into=None).exclude(pk__in=here)
            entrants = self.competition.entrants.filter(player__in=free, merged_into=None)
            guest = Guest(entrant=self.one(entrants, which + place))
            self.attempt(lambda place=place, guest=guest: join(sitting=sitting, seat=place, guest=guest, by=SYSTEM))  # type: ignore[misc]
        scores = (10000, 33000, 62000) if swapped else (62000, 33000, 10000)
        self.attempt(lambda: parlours.play(sitting, scores, by=self.actor(who), accept=ALL))

    @rule(which=picks, who=picks, first=st.integers(0, 2), reason=reasons)
    def correct(self, which: int, who: int, first: int, reason: str) -> None:
        """Exchange two scores of any game of an open day."""
        sheets = ResultSheet.objects.counting().filter(hanchan__block__competition=self.competition_id)
        sheet = self.one(sheets, which)
        if sheet is None or self.is_closed:
            return
        entry = SheetEntry.of_sheet(sheet)
        scores = [seat.score for seat in entry.seats]
        scores[first], scores[first - 1] = scores[first - 1], scores[first]
        seats = tuple(replace(seat, score=score) for seat, score in zip(entry.seats, scores, strict=True))
        self.attempt(
            lambda: record_result(
                hanchan=Hanchan.objects.get(pk=sheet.hanchan_id),
                entry=replace(entry, seats=seats),
                by=self.actor(who),
                accept=ALL,
                corrects=sheet.revision,
                reason=reason,
            )
        )

    @rule(which=picks, who=picks, reason=reasons)
    def take_back(self, which: int, who: int, reason: str) -> None:
        """Take back the last game of a table."""
        sitting = self.one(Sitting.objects.filter(table_session__competition=self.competition_id), which)
        self.attempt(lambda: take_back_last_game(sitting=sitting, by=self.actor(who), reason=reason))

    @rule(which=picks, who=picks, is_paid=st.booleans(), leaves=st.booleans(),
          expected=st.sampled_from((None, None, None, 0, 300, *HUGE)))  # fmt: skip
    def settles(self, which: int, who: int, is_paid: bool, leaves: bool, expected: int | None) -> None:
        """Settle up with a guest."""
        self.attempt(
            lambda: settle(
                parlour=self.parlour, player=self.guest(which), by=self.actor(who), is_paid=is_paid, leaves=leaves,
                expected=expected,
            )
        )  # fmt: skip

    @rule(which=picks, who=picks, reason=reasons)
    def cancel(self, which: int, who: int, reason: str) -> None:
        """Cancel a statement."""
        found = self.one(Statement.objects.filter(parlour=self.parlour), which)
        if found is not None:
            self.attempt(lambda: cancel_statement(statement=found, by=self.actor(who), reason=reason))

    @rule(which=picks, who=picks, money=st.sampled_from((300, -300, 100, 0, 600, *HUGE)), deed=st.integers(0, 2),
          label=st.sampled_from(("お茶", "", "x" * 200, "\0", "\ud800")))  # fmt: skip
    def pay(self, which: int, who: int, money: int, deed: int, label: str) -> None:
        """Pay on account, add another item, or take one off."""
        item = self.one(Extra.objects.filter(parlour=self.parlour), which)
        player, by = self.guest(which), self.actor(who)
        deeds: tuple[Callable[[], object], ...] = (
            lambda: pay_account(parlour=self.parlour, player=player, money=money, by=by),
            lambda: add_extra(parlour=self.parlour, player=player, label=label, money=money, by=by),
            lambda: cancel_extra(extra=item, by=by) if item else None,
        )
        self.attempt(deeds[deed])

    @rule(which=picks, who=picks, rate=st.sampled_from((Rate.ORDINARY, Rate.STUDENT, Rate.HOUR)),
          stamps=st.sampled_from((None, 0, 2, 3, 9, -1, *HUGE)))  # fmt: skip
    def terms(self, which: int, who: int, rate: Rate, stamps: int | None) -> None:
        """Give a guest another rate or card."""
        self.attempt(
            lambda: set_terms(
                parlour=self.parlour, player=self.guest(which), rate=rate, stamps=stamps, by=self.actor(who)
            )
        )

    @rule(which=picks, who=picks, is_house=st.booleans())
    def plays_for_the_house(self, which: int, who: int, is_house: bool) -> None:
        """Mark that a person plays for the house, or not."""
        seat = self.one(SittingSeat.objects.filter(sitting__table_session__competition=self.competition_id), which)
        self.attempt(lambda: set_house(seat=seat, by=self.actor(who), is_house=is_house))

    @rule(who=picks, one=picks, other=picks)
    def merge(self, who: int, one: int, other: int) -> None:
        """Merge two guests."""
        self.attempt(
            lambda: merge_players(duplicate=self.guest(one), keep=self.guest(other), by=self.actor(who), reason="twice")
        )

    @rule(who=picks, accepts=st.booleans(), closes=st.booleans())
    def day_ends(self, who: int, accepts: bool, closes: bool) -> None:
        """Close or reopen the day."""
        day, by = business_day(self.competition), self.actor(who)
        if not closes:
            self.attempt(lambda: reopen_day(parlour=self.parlour, day=day, by=by, reason="a slip"))
            return
        for table in open_sittings([self.competition]):
            self.attempt(lambda table=table: close_sitting(sitting=table.sitting, by=SYSTEM))  # type: ignore[misc]
        self.attempt(lambda: close_day(parlour=self.parlour, day=day, by=by, accept=ALL if accepts else ()))

    @property
    def is_closed(self) -> bool:
        """Return True while the till is closed."""
        return TillClose.objects.filter(parlour=self.parlour, ended_at=None).exists()

    def lines(self) -> Iterator[tuple[int, Any]]:
        """Yield the lines of statements and dues, each with its person."""
        held = StatementLine.objects.filter(statement__parlour=self.parlour, statement__cancelled_at=None)
        for row in held.select_related("statement__player"):
            yield row.statement.player.kept_id, row
        for person, due in dues_of(self.parlour).items():
            for line in due.guest_lines:
                yield person, line

    def rebuilt(self) -> Mapping[int, int]:
        """Return the fees of the games by person, from results and terms alone."""
        rows = SeatResult.objects.filter(sheet__in=ResultSheet.objects.counting(), block__competition=self.competition)
        seats = SittingSeat.objects.filter(is_house=True).select_related("entrant__player", "sitting")
        staff = {(seat.sitting.table_session_id, seat.entrant.player.kept_id) for seat in seats}
        terms: dict[int, GuestTerms] = {}
        # The kept entry's own terms, if there are any, hold before those of its duplicates.
        given = GuestTerms.objects.filter(parlour=self.parlour, from_day__lte=business_day(self.competition))
        ordered = given.select_related("player").order_by("from_day", "pk")
        for row in sorted(ordered, key=lambda each: each.player.merged_into_id is None):
            terms[row.player.kept_id] = row
        cards = {person: row.stamps for person, row in terms.items() if row.stamps is not None}
        owed: defaultdict[int, int] = defaultdict(int)
        for seat in rows.select_related("entrant__player", "sheet__hanchan").order_by("sheet__hanchan", "seat"):
            person = seat.entrant.player.kept_id
            if (seat.sheet.hanchan.table_session_id, person) in staff:
                continue
            rate = terms[person].rate if person in terms else Rate.ORDINARY.value
            fee = {"ordinary": FEES.per_game, "student": 200, "hour": 0}[rate]
            if fee and person in cards:
                is_free = cards[person] >= FEES.stamps_for_a_free_game
                cards[person] += -FEES.stamps_for_a_free_game if is_free else 1
                fee = 0 if is_free else fee
            owed[person] += fee + (FEES.top if seat.place == 1 else 0)
        return {person: money for person, money in owed.items() if money}

    @invariant()
    def statements_and_dues_are_the_fees_of_the_results(self) -> None:
        """Each person's game lines add up to the fees computed from the results."""
        found: Counter[int] = Counter()
        for person, line in self.lines():
            if line.kind == Kind.GAME:
                found[person] += line.money
        assert {person: money for person, money in found.items() if money} == self.rebuilt()

    @invariant()
    def the_till_is_the_sum_of_its_lines(self) -> None:
        """The closing of the day is everything that statements and dues hold of it."""
        day = business_day(self.competition)
        lines = [line for _, line in self.lines()]
        till = till_of(self.parlour, day)
        assert till.closing.money == sum(line.money for line in lines if line.day == day)
        assert sum(till.earned.values()) == till.closing.money

    @invariant()
    def balances_are_statements_less_payments(self) -> None:
        """The balance on account is the sum of the statements less the payments."""
        own: Counter[int] = Counter()
        for row in Statement.objects.filter(parlour=self.parlour, cancelled_at=None).select_related("player"):
            assert row.money == sum(row.lines.values_list("money", flat=True))
            own[row.player.kept_id] += row.money
        for paid in Payment.objects.filter(parlour=self.parlour).select_related("player"):
            own[paid.player.kept_id] -= paid.money
        balances = balances_of(self.parlour)
        assert {who: money for who, money in own.items() if money} == {
            who: money for who, money in balances.items() if money
        }
        numbers = Statement.objects.filter(parlour=self.parlour).order_by("number").values_list("number", flat=True)
        assert list(numbers) == list(range(1, len(numbers) + 1))

    @invariant()
    def no_game_is_lost_in_a_merge(self) -> None:
        """Every seat of every game belongs to one person who is in use."""
        charges = charges_of_days(self.parlour, [business_day(self.competition)])
        counting = SeatResult.objects.filter(
            sheet__in=ResultSheet.objects.counting(), block__competition=self.competition_id
        )
        assert sum(len(games) for games in charges.games.values()) == counting.count()
        assert not Player.objects.filter(pk__in=charges.games).exclude(merged_into=None).exists()
