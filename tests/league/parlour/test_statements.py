"""Settling up with guests: statements, payments, the account, other items, and the close of the till."""

from __future__ import annotations

import datetime as dt

import pytest

from league.models import Competition, Entrant, Extra, GuestTerms, Parlour, Payment, Role, Sitting, Statement, TillClose
from league.platform.errors import (
    ConflictError,
    PermissionRefusedError,
    RuleViolationError,
    ServiceError,
    WarningsNotAcceptedError,
)
from league.selectors.parlour.board import running
from league.selectors.parlour.days import day_sheet
from league.selectors.parlour.dues import Kind, due_of, dues_of
from league.selectors.parlour.reports import Period, visits_of
from league.selectors.parlour.till import Till, till_closed, till_of
from league.services.parlour.chairs import swap_guests
from league.services.parlour.days import close_day, reopen_day
from league.services.parlour.games import take_back_last_game
from league.services.parlour.people import merge_players
from league.services.parlour.sittings import Guest, close_sitting, join, leave, reopen_sitting, set_house
from league.services.parlour.statements import add_extra, cancel_extra, cancel_statement, pay_account, settle
from league.services.parlour.terms import set_terms
from scoring.charges import Rate
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlours import UNSETTLED, at, house
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db

DAY = dt.date(2026, 11, 20)
LEADER, OTHER = 600, 400
"""Fees of a game of banchi3: each guest 400, the leader 200 more."""


@pytest.fixture(scope="module")
def opened(shared_rows: None) -> Competition:
    """Open a table under banchi3 with five guests."""
    competition = parlours.parlour()
    parlours.guests(competition, 5)
    return competition


@pytest.fixture
def open_table(opened: Competition) -> Competition:
    """Return it."""
    return fresh(opened)


@pytest.fixture
def parlour(open_table: Competition) -> Parlour:
    """Return its parlour."""
    return house(open_table)


@pytest.fixture
def people(open_table: Competition) -> list[Entrant]:
    """Return its five guests."""
    return list(open_table.entrants.order_by("number"))


@pytest.fixture
def table(open_table: Competition, people: list[Entrant]) -> Sitting:
    """Return a sitting of the first three guests, with one game that the first of them won."""
    sitting = parlours.sitting(open_table, people[:3], at=at(18))
    parlours.play(sitting, at=at(19))
    return sitting


def code_of(error: ServiceError) -> str:
    """Return the code of the first finding."""
    return error.findings[0].code


@pytest.mark.usefixtures("table")
def test_a_guest_who_settles_up_pays_each_game_and_leaves(parlour: Parlour, people: list[Entrant]) -> None:
    due = due_of(parlour, people[0].player, at(19, 5))
    assert (due.games, due.money, due.total) == (1, LEADER, LEADER)
    statement = settle(parlour=parlour, player=people[0].player, by=SYSTEM, at=at(19, 5), expected=LEADER)
    assert statement is not None
    assert (statement.number, statement.money, statement.day) == (1, LEADER, DAY)
    line = statement.lines.get()
    assert (line.kind, line.money, line.detail["place"], line.detail["top"]) == (Kind.GAME, LEADER, 1, 200)
    assert set(line.amounts) == {"g"}
    assert people[0].player_id not in dues_of(parlour)
    assert till_of(parlour, DAY).cash == LEADER
    assert not people[0].sitting_seats.filter(left_at=None).exists()


def test_a_total_other_than_the_clerk_saw_is_refused(parlour: Parlour, table: Sitting, people: list[Entrant]) -> None:
    parlours.play(table, at=at(19, 40))
    with pytest.raises(ConflictError) as refused:
        settle(parlour=parlour, player=people[0].player, by=SYSTEM, expected=LEADER, at=at(19, 45))
    assert code_of(refused.value) == "total_changed"
    assert not Statement.objects.exists()
    assert people[0].sitting_seats.filter(left_at=None).exists()


@pytest.mark.usefixtures("table")
def test_what_is_put_on_account_is_paid_later_and_never_more_of_it(parlour: Parlour, people: list[Entrant]) -> None:
    player = people[1].player
    settle(parlour=parlour, player=player, by=SYSTEM, is_paid=False, at=at(19, 5))
    assert due_of(parlour, player).on_account == OTHER
    till = till_of(parlour, DAY)
    assert (till.on_account, till.cash, till.settled.money) == (OTHER, 0, OTHER)
    for money in (0, OTHER + 1, -1):
        with pytest.raises(RuleViolationError):
            pay_account(parlour=parlour, player=player, money=money, by=SYSTEM, at=at(20))
    pay_account(parlour=parlour, player=player, money=100, by=SYSTEM, at=at(20))
    assert due_of(parlour, player).on_account == OTHER - 100
    assert till_of(parlour, DAY).cash == 100


@pytest.mark.both_databases
@pytest.mark.usefixtures("table")
def test_the_till_counts_money_taken_for_an_account_as_a_change_on_account(
    parlour: Parlour, people: list[Entrant]
) -> None:
    player = people[1].player
    settle(parlour=parlour, player=player, by=SYSTEM, is_paid=False, at=at(19, 5))
    pay_account(parlour=parlour, player=player, money=OTHER - 100, by=SYSTEM, at=at(20))
    till = till_of(parlour, DAY)
    assert (till.settled.money, till.cash, till.on_account) == (OTHER, OTHER - 100, 100)
    pay_account(parlour=parlour, player=player, money=100, by=SYSTEM, at=at(20) + dt.timedelta(days=1))
    later = till_of(parlour, DAY + dt.timedelta(days=1))
    assert (later.settled.money, later.cash, later.on_account) == (0, 100, -100)


@pytest.mark.both_databases
@pytest.mark.usefixtures("table")
def test_a_cancelled_statement_opens_its_lines_again_and_gives_the_money_back(
    parlour: Parlour, people: list[Entrant]
) -> None:
    statement = settle(parlour=parlour, player=people[0].player, by=SYSTEM, leaves=False)
    assert statement is not None
    with pytest.raises(RuleViolationError):
        cancel_statement(statement=statement, by=SYSTEM, reason=" ")
    cancel_statement(statement=statement, by=SYSTEM, reason="wrong guest")
    assert due_of(parlour, people[0].player).total == LEADER
    assert [row.money for row in Payment.objects.order_by("pk")] == [LEADER, -LEADER]
    with pytest.raises(ConflictError):
        cancel_statement(statement=statement, by=SYSTEM, reason="again")


@pytest.mark.usefixtures("table")
def test_a_statement_with_a_line_of_a_closed_day_is_cancelled_only_once_that_day_is_reopened(
    parlour: Parlour, people: list[Entrant]
) -> None:
    statement = settle(parlour=parlour, player=people[0].player, by=SYSTEM, at=at(7, day=21))
    assert statement is not None
    close_sitting(sitting=Sitting.objects.get(), by=SYSTEM, at=at(8, day=21))
    close_day(parlour=parlour, day=DAY, by=SYSTEM, accept=UNSETTLED, at=at(8, day=21))
    with pytest.raises(ConflictError) as refused:
        cancel_statement(statement=statement, by=SYSTEM, reason="The wrong guest.")
    assert code_of(refused.value) == "day_closed"
    reopen_day(parlour=parlour, day=DAY, by=SYSTEM, reason="The wrong guest.")
    cancel_statement(statement=statement, by=SYSTEM, reason="The wrong guest.")
    assert due_of(parlour, people[0].player, at(9, day=21)).money == LEADER


def test_a_game_taken_back_after_its_statement_is_a_difference(
    parlour: Parlour, table: Sitting, people: list[Entrant]
) -> None:
    first = settle(parlour=parlour, player=people[0].player, by=SYSTEM, leaves=False, at=at(19, 5))
    assert first is not None
    take_back_last_game(sitting=table, by=SYSTEM, reason="not played")
    due = due_of(parlour, people[0].player)
    assert [(line.money, line.is_late) for line in due.lines] == [(-LEADER, True)]
    assert set(dues_of(parlour)) == {people[0].player_id}
    late = settle(parlour=parlour, player=people[0].player, by=SYSTEM, leaves=False, at=at(19, 20))
    assert late is not None
    with pytest.raises(ConflictError) as refused:
        cancel_statement(statement=first, by=SYSTEM, reason="first")
    assert code_of(refused.value) == "settled_further"
    till = till_of(parlour, DAY)
    assert (till.settled.money, till.late.money, till.closing.money, till.cash) == (LEADER, -LEADER, 0, 0)


@pytest.mark.usefixtures("table")
def test_a_drink_and_a_discount_are_lines_and_an_item_taken_off_is_due_back(
    parlour: Parlour, people: list[Entrant]
) -> None:
    player = people[1].player
    tea = add_extra(parlour=parlour, player=player, label="お茶", money=300, by=SYSTEM, at=at(19))
    add_extra(parlour=parlour, player=player, label="値引き", money=-200, by=SYSTEM, at=at(19))
    for label, money in ((" ", 100), ("x", 0)):
        with pytest.raises(RuleViolationError):
            add_extra(parlour=parlour, player=player, label=label, money=money, by=SYSTEM, at=at(19))
    assert due_of(parlour, player).total == OTHER + 300 - 200
    settle(parlour=parlour, player=player, by=SYSTEM, leaves=False, at=at(19, 5))
    cancel_extra(extra=tea, by=SYSTEM)
    assert [(line.kind, line.money) for line in due_of(parlour, player).lines] == [(Kind.EXTRA, -300)]
    with pytest.raises(ConflictError):
        cancel_extra(extra=Extra.objects.get(pk=tea.pk), by=SYSTEM)


def test_an_item_taken_off_after_its_statement_is_due_back_on_a_day_without_a_table(
    parlour: Parlour, people: list[Entrant]
) -> None:
    extra = add_extra(parlour=parlour, player=people[0].player, label="Tea", money=300, by=SYSTEM, at=at(12))
    settle(parlour=parlour, player=people[0].player, by=SYSTEM, at=at(12))
    cancel_extra(extra=extra, by=SYSTEM)
    assert due_of(parlour, people[0].player, at(13)).money == -300


def test_the_guest_in_the_first_chair_of_a_set_table_pays_its_hours(
    open_table: Competition, parlour: Parlour, people: list[Entrant]
) -> None:
    table = parlours.sitting(open_table, people[:3], kind=Sitting.Kind.SET, yen_per_hour=1200, at=at(18))
    parlours.play(table, at=at(18, 40))
    assert {person: due.money for person, due in dues_of(parlour, at(19)).items()} == {
        people[0].player_id: 1200, people[1].player_id: 0, people[2].player_id: 0
    }  # fmt: skip
    settle(parlour=parlour, player=people[0].player, by=SYSTEM, at=at(19))
    assert due_of(parlour, people[1].player, at(19, 30)).money == 600
    close_sitting(sitting=table, by=SYSTEM, at=at(20))
    due = due_of(parlour, people[1].player, at(23))
    assert [(line.kind, line.money, line.is_late) for line in due.lines if line.money] == [(Kind.SET, 1200, False)]


def test_a_guest_by_the_hour_pays_from_sitting_down_to_leaving_and_a_second_time_apart(
    open_table: Competition, parlour: Parlour, people: list[Entrant]
) -> None:
    parlours.tariff(parlour, per_game=400, hour_unit_minutes=30, hour_unit=300)
    set_terms(parlour=parlour, player=people[0].player, rate=Rate.HOUR, by=SYSTEM, day=DAY)
    table = parlours.sitting(open_table, people[:3], at=at(18))
    parlours.play(table, at=at(18, 40))
    due = due_of(parlour, people[0].player, at(18, 59))
    assert [(line.kind, line.money, line.detail.get("units")) for line in due.lines] == [
        (Kind.GAME, 0, None), (Kind.HOURS, 600, 2)
    ]  # fmt: skip
    settle(parlour=parlour, player=people[0].player, by=SYSTEM, at=at(18, 59))
    assert due_of(parlour, people[0].player, at(20)).lines == ()
    join(sitting=table, seat=0, guest=Guest(entrant=people[0]), by=SYSTEM, at=at(20))
    assert due_of(parlour, people[0].player, at(20, 31)).money == 600


def test_settled_hours_are_given_back_to_a_guest_who_pays_by_the_game_after_all_that_day(
    parlour: Parlour, people: list[Entrant], open_table: Competition
) -> None:
    guest = people[0].player
    parlours.tariff(parlour, per_game=400, hour_unit_minutes=60, hour_unit=500)
    set_terms(parlour=parlour, player=guest, rate=Rate.HOUR, by=SYSTEM, day=DAY)
    table = parlours.sitting(open_table, people[:3], at=at(18))
    parlours.play(table, at=at(19))
    first = settle(parlour=parlour, player=guest, by=SYSTEM, at=at(20))
    assert first is not None
    assert first.money == 2 * 500
    set_terms(parlour=parlour, player=guest, rate=Rate.ORDINARY, by=SYSTEM, day=DAY)
    lines = due_of(parlour, guest, at(21)).lines
    assert {(line.kind, line.money, line.is_late) for line in lines} == {
        (Kind.HOURS, -2 * 500, True), (Kind.GAME, 400, True)
    }  # fmt: skip
    back = settle(parlour=parlour, player=guest, by=SYSTEM, at=at(21))
    assert back is not None
    assert back.money == 400 - 2 * 500
    assert due_of(parlour, guest, at(22)).lines == ()
    with pytest.raises(ConflictError, match="corrects lines of this one"):
        cancel_statement(statement=first, by=SYSTEM, reason="mistake")
    # By the hour again: the same hours are due again, and the game is given back.
    set_terms(parlour=parlour, player=guest, rate=Rate.HOUR, by=SYSTEM, day=DAY)
    assert due_of(parlour, guest, at(22)).money == 2 * 500 - 400


def test_hours_of_a_cancelled_statement_are_due_again_also_before_hours_settled_later(
    open_table: Competition, parlour: Parlour, people: list[Entrant]
) -> None:
    guest = people[0].player
    parlours.tariff(parlour, hour_unit_minutes=60, hour_unit=500)
    set_terms(parlour=parlour, player=guest, rate=Rate.HOUR, by=SYSTEM, day=DAY)
    parlours.sitting(open_table, people[:3], at=at(18))
    first = settle(parlour=parlour, player=guest, by=SYSTEM, leaves=False, at=at(20))
    settle(parlour=parlour, player=guest, by=SYSTEM, at=at(21))
    assert first is not None
    cancel_statement(statement=first, by=SYSTEM, reason="paid by another guest")
    assert [(line.kind, line.money) for line in due_of(parlour, guest, at(22)).lines] == [(Kind.HOURS, 2 * 500)]


def test_the_time_between_two_business_days_that_are_open_is_not_charged(
    open_table: Competition, parlour: Parlour, people: list[Entrant]
) -> None:
    guest = people[0].player
    parlours.tariff(parlour, hour_unit_minutes=60, hour_unit=500)
    set_terms(parlour=parlour, player=guest, rate=Rate.HOUR, by=SYSTEM, day=DAY)
    table = parlours.sitting(open_table, people[:3], at=at(22))
    leave(seat=parlours.chair(table, 0), by=SYSTEM, at=at(23))
    parlours.sitting(open_table, people[:1], table="2", at=at(18, day=21))
    lines = [(line.day, line.money) for line in due_of(parlour, guest, at(20, day=21)).lines]
    assert lines == [(DAY, 500), (dt.date(2026, 11, 21), 2 * 500)]


def test_hours_through_the_changeover_are_settled_once_whichever_of_the_two_days_is_closed(
    open_table: Competition, parlour: Parlour, people: list[Entrant]
) -> None:
    guest = people[0].player
    parlours.tariff(parlour, per_game=400, hour_unit_minutes=60, hour_unit=500)
    set_terms(parlour=parlour, player=guest, rate=Rate.HOUR, by=SYSTEM, day=DAY)
    table = parlours.sitting(open_table, people[:3], at=at(22))
    settle(parlour=parlour, player=guest, by=SYSTEM, leaves=False, at=at(23))
    continued = parlours.play(table, at=at(7, day=21)).hanchan.table_session.sitting
    close_day(parlour=parlour, day=DAY, by=SYSTEM, accept=UNSETTLED, at=at(7, day=21))
    assert due_of(parlour, guest, at(7, day=21)).money == 8 * 500
    settle(parlour=parlour, player=guest, by=SYSTEM, at=at(8, day=21))
    close_sitting(sitting=continued, by=SYSTEM, at=at(8, day=21))
    close_day(parlour=parlour, day=dt.date(2026, 11, 21), by=SYSTEM, accept=UNSETTLED, at=at(9, day=21))
    reopen_day(parlour=parlour, day=DAY, by=SYSTEM, reason="A game was forgotten.")
    assert due_of(parlour, guest, at(9, day=21)).lines == ()


def test_games_for_the_house_charge_no_guest(open_table: Competition, parlour: Parlour, people: list[Entrant]) -> None:
    seated = [Guest(entrant=people[0], is_house=True), Guest(entrant=people[1]), Guest(entrant=people[2])]
    table = parlours.sitting(open_table, [], people=seated, at=at(18))
    parlours.play(table, at=at(19))
    assert due_of(parlour, people[0].player).money == 0
    assert settle(parlour=parlour, player=people[0].player, by=SYSTEM, at=at(19, 5)) is None
    assert running(table).empty_chairs == (0,)
    assert till_of(parlour, DAY).closing.money == 2 * OTHER


def test_staff_who_played_for_the_house_pay_once_they_come_back_as_guests(
    open_table: Competition, parlour: Parlour, people: list[Entrant]
) -> None:
    seated = [Guest(entrant=people[0], is_house=True), Guest(entrant=people[1]), Guest(entrant=people[2])]
    table = parlours.sitting(open_table, [], people=seated, at=at(18))
    parlours.play(table, at=at(19))
    leave(seat=parlours.chair(table, 0), by=SYSTEM, at=at(19, 10))
    join(sitting=table, seat=0, guest=Guest(entrant=people[0]), by=SYSTEM, at=at(20))
    second = parlours.play(table, at=at(21))
    due = due_of(parlour, people[0].player, at(22))
    assert [line.hanchan for line in due.guest_lines] == [second.hanchan_id]
    assert due.money == (LEADER if second.seats.get(entrant=people[0]).place == 1 else OTHER)
    own = next(row for row in day_sheet(open_table, DAY).players if row.entrant == people[0].pk)
    assert (own.games, own.house_games) == (1, 1)
    (visits,) = [row for row in visits_of([open_table], Period(DAY, DAY)) if row.player == people[0].player_id]
    assert visits.games == 1


def test_a_mark_for_the_house_is_taken_off_the_whole_stay_also_after_a_change_of_chairs(
    table: Sitting, parlour: Parlour, people: list[Entrant]
) -> None:
    set_house(seat=parlours.chair(table, 0), by=SYSTEM, is_house=True)
    swap_guests(one=parlours.chair(table, 0), other=parlours.chair(table, 1), by=SYSTEM, at=at(19, 5))
    assert due_of(parlour, people[0].player).money == 0
    set_house(seat=parlours.chair(table, 1), by=SYSTEM, is_house=False)
    assert due_of(parlour, people[0].player).money == LEADER


def test_closing_a_day_puts_what_is_open_on_account_once_it_is_accepted(
    parlour: Parlour, table: Sitting, people: list[Entrant]
) -> None:
    settle(parlour=parlour, player=people[0].player, by=SYSTEM, at=at(19, 5))
    close_sitting(sitting=table, by=SYSTEM, at=at(20), accept={"chips_not_counted"})
    with pytest.raises(WarningsNotAcceptedError) as warned:
        close_day(parlour=parlour, day=DAY, by=SYSTEM)
    assert code_of(warned.value) == "guests_unsettled"
    assert people[1].player.name in warned.value.findings[0].message
    row = close_day(parlour=parlour, day=DAY, by=SYSTEM, accept=UNSETTLED)
    till = Till.of_json(DAY, row.till)
    assert till == till_of(parlour, DAY)
    assert (till.closing.money, till.unsettled.money, till.cash) == (LEADER + 2 * OTHER, 0, LEADER)
    assert due_of(parlour, people[1].player).on_account == OTHER
    with pytest.raises(ConflictError):
        settle(parlour=parlour, player=people[1].player, by=SYSTEM, at=at(21))
    reopen_day(parlour=parlour, day=DAY, by=SYSTEM, reason="forgot a game")
    assert till_closed(parlour, DAY) is None
    assert due_of(parlour, people[1].player).lines == ()
    close_day(parlour=parlour, day=DAY, by=SYSTEM)
    assert [close.ended_at is None for close in TillClose.objects.order_by("pk")] == [False, True]


def test_a_clerk_settles_up_and_closes_but_a_reader_does_neither(
    open_table: Competition, parlour: Parlour, table: Sitting, people: list[Entrant]
) -> None:
    reader = factories.actor(factories.user("reader", Role.READER, open_table))
    with pytest.raises(PermissionRefusedError):
        settle(parlour=parlour, player=people[0].player, by=reader)
    close_sitting(sitting=table, by=SYSTEM, at=at(20))
    with pytest.raises(PermissionRefusedError):
        close_day(parlour=parlour, day=DAY, by=reader, accept=UNSETTLED)
    clerk = factories.actor(factories.user("clerk", Role.SCORER, open_table))
    close_day(parlour=parlour, day=DAY, by=clerk, accept=UNSETTLED)
    with pytest.raises(PermissionRefusedError):
        reopen_day(parlour=parlour, day=DAY, by=clerk, reason="mine")


def test_stamps_of_a_closed_day_begin_the_next_one(
    open_table: Competition, parlour: Parlour, table: Sitting, people: list[Entrant]
) -> None:
    parlours.tariff(parlour, per_game=400, stamps_for_a_free_game=3)
    for stamps in (-1, 1001):
        with pytest.raises(RuleViolationError):
            set_terms(parlour=parlour, player=people[0].player, rate=Rate.STUDENT, stamps=stamps, by=SYSTEM, day=DAY)
    set_terms(parlour=parlour, player=people[0].player, rate=Rate.STUDENT, stamps=1, by=SYSTEM, day=DAY)
    parlours.play(table, at=at(19, 40))
    close_sitting(sitting=table, by=SYSTEM, at=at(20))
    close_day(parlour=parlour, day=DAY, by=SYSTEM, accept=UNSETTLED)
    row = GuestTerms.objects.latest("pk")
    assert (row.from_day, row.rate, row.stamps) == (DAY + dt.timedelta(days=1), Rate.STUDENT, 3)
    later = parlours.sitting(open_table, people[:3], at=at(18, day=21))
    parlours.play(later, at=at(19, day=21))
    due = due_of(parlour, people[0].player)
    assert [(line.money, line.detail["is_free"]) for line in due.lines] == [(0, True)]


def test_closing_a_day_again_counts_its_stamps_again(parlour: Parlour, table: Sitting, people: list[Entrant]) -> None:
    parlours.tariff(parlour, per_game=400, stamps_for_a_free_game=10)
    set_terms(parlour=parlour, player=people[0].player, rate=Rate.ORDINARY, stamps=1, by=SYSTEM, day=DAY)
    close_sitting(sitting=table, by=SYSTEM, at=at(20))
    close_day(parlour=parlour, day=DAY, by=SYSTEM, accept=UNSETTLED)
    assert GuestTerms.objects.latest("pk").stamps == 2
    reopen_day(parlour=parlour, day=DAY, by=SYSTEM, reason="one more game")
    reopen_sitting(sitting=table, by=SYSTEM)
    parlours.play(table, at=at(20, 30))
    close_sitting(sitting=table, by=SYSTEM, at=at(21))
    close_day(parlour=parlour, day=DAY, by=SYSTEM, accept=UNSETTLED)
    assert GuestTerms.objects.latest("pk").stamps == 3


def test_the_top_share_is_due_once_where_two_share_the_first_place() -> None:
    book = parlours.parlour("cinderella")
    house_of = house(book)
    parlours.tariff(house_of, per_game=300, top=100)
    guests = parlours.guests(book, 4)
    table = parlours.sitting(book, guests, at=at(18))
    parlours.play(table, (33000, 17000, 33000, 17000), at=at(19))
    fees = [due_of(house_of, guest.player).money for guest in guests]
    assert fees == [400, 300, 300, 300]


@pytest.mark.both_databases
def test_merged_cards_add_their_stamps_and_both_accounts_are_one(
    open_table: Competition, parlour: Parlour, table: Sitting, people: list[Entrant]
) -> None:
    parlours.tariff(parlour, per_game=400, stamps_for_a_free_game=10)
    kept, twice = people[1].player, people[3].player
    set_terms(parlour=parlour, player=kept, rate=Rate.STUDENT, stamps=4, by=SYSTEM, day=DAY)
    set_terms(parlour=parlour, player=twice, rate=Rate.ORDINARY, stamps=5, by=SYSTEM, day=DAY)
    settle(parlour=parlour, player=kept, by=SYSTEM, is_paid=False, at=at(19, 5))
    join(sitting=table, seat=1, guest=Guest(entrant=people[3]), by=SYSTEM, at=at(19, 10))
    parlours.play(table, at=at(19, 40))
    leave(seat=parlours.chair(table, 1), by=SYSTEM, at=at(19, 45))
    settle(parlour=parlour, player=twice, by=SYSTEM, is_paid=False, at=at(19, 50))
    merge_players(duplicate=twice, keep=kept, by=SYSTEM)
    twice.refresh_from_db()
    row = GuestTerms.objects.filter(player=kept).latest("pk")
    # Each card earned a stamp in a game on the day of its terms, which is before the day of the merge.
    assert (row.rate, row.stamps) == (Rate.STUDENT, 4 + 1 + 5 + 1)
    assert due_of(parlour, kept).on_account == due_of(parlour, twice).on_account == 800
