"""Tests of chairs and the waiting list in mid-sitting: swaps, moves, stand-ins for one game, parties, waits."""

from __future__ import annotations

from functools import partial

import pytest

from league.models import Change, Competition, SeatResult, Sitting, SittingSeat, WaitingGuest
from league.platform.errors import ConflictError, RuleViolationError
from league.selectors.parlour.board import open_sittings, running, waiting_list
from league.selectors.parlour.waits import waits_of
from league.services.parlour.chairs import move_guest, swap_guests
from league.services.parlour.people import add_guest, add_waiting, seat_waiting
from league.services.parlour.sittings import (
    Guest,
    close_sitting,
    join,
    leave,
    mark_last_game,
    reopen_sitting,
    set_stand_in,
)
from scoring.waits import Wait
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlours import at, house
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db
NAMES = parlours.THREE


@pytest.fixture(scope="module")
def seated(opened: Competition) -> Sitting:
    """Seat the first three of five guests at table 1 at eight in the evening."""
    return parlours.sitting(opened, parlours.guests(opened, 5)[:3], at=at(20))


def test_two_guests_who_swap_keep_time_and_marks_and_the_first_dealer_stays_the_same_person(table: Sitting) -> None:
    parlours.play(table, at=at(21))
    dealer = running(table).next_dealer
    assert dealer is not None
    person = parlours.chair(table, dealer).entrant
    other = parlours.chair(table, (dealer + 1) % 3)
    mark_last_game(seat=other, by=SYSTEM)
    swap_guests(one=parlours.chair(table, dealer), other=other, by=SYSTEM, at=at(21, 5))
    now = running(table)
    assert now.next_dealer == (dealer + 1) % 3
    assert parlours.chair(table, now.next_dealer).entrant == person
    moved = parlours.chair(table, dealer)
    assert (moved.entrant, moved.joined_at, moved.is_last_game) == (other.entrant, at(20), True)
    sheet = parlours.play(table, at=at(22))
    assert sheet.seats.get(seat=0).entrant == person
    assert Change.objects.filter(kind="sitting.moved", is_public=False).count() == 2


def test_a_game_from_before_a_swap_is_still_corrected_with_its_own_seats(table: Sitting) -> None:
    sheet = parlours.play(table, at=at(21))
    before = [row.entrant_id for row in sheet.seats.order_by("seat")]
    swap_guests(one=parlours.chair(table, 0), other=parlours.chair(table, 2), by=SYSTEM)
    last = running(table).last
    assert last is not None
    assert [row.entrant_id for row in last.results] == before
    assert last.dealer == 0


def test_a_chair_that_changed_hands_at_the_moment_of_the_close_is_the_last_guests_when_the_table_reopens(
    parlour: Competition, table: Sitting
) -> None:
    swap_guests(one=parlours.chair(table, 0), other=parlours.chair(table, 1), by=SYSTEM, at=at(21))
    leave(seat=parlours.chair(table, 2), by=SYSTEM, at=at(21))
    join(sitting=table, seat=2, guest=Guest(entrant=parlour.entrants.get(number=4)), by=SYSTEM, at=at(21))
    before = parlours.names(table)
    closed = close_sitting(sitting=table, by=SYSTEM, at=at(21))
    assert parlours.names(reopen_sitting(sitting=closed, by=SYSTEM)) == before


def test_neither_a_guest_nor_a_table_leaves_before_the_guest_sat_down(parlour: Competition, table: Sitting) -> None:
    leave(seat=parlours.chair(table, 0), by=SYSTEM, at=at(20))
    join(sitting=table, seat=0, guest=Guest(entrant=parlour.entrants.get(number=4)), by=SYSTEM, at=at(21))
    for refused in (
        partial(leave, seat=parlours.chair(table, 0), by=SYSTEM, at=at(20, 59)),
        partial(close_sitting, sitting=table, by=SYSTEM, at=at(20, 59)),
    ):
        with pytest.raises(RuleViolationError, match="Guests leave after they sat down"):
            refused()
    leave(seat=parlours.chair(table, 0), by=SYSTEM, at=at(21))


def test_a_guest_moves_to_an_empty_chair_of_another_table(parlour: Competition, table: Sitting) -> None:
    other = parlours.sitting(parlour, [], table="2", at=at(21))
    seat = parlours.chair(table, 1)
    moved = move_guest(seat=seat, sitting=other, chair=2, by=SYSTEM)
    assert parlours.names(table) == [NAMES[0], "-", NAMES[2]]
    assert parlours.names(other) == ["-", "-", NAMES[1]]
    assert moved.joined_at == at(20)
    with pytest.raises(ConflictError) as refused:
        move_guest(seat=parlours.chair(table, 0), sitting=other, chair=2, by=SYSTEM)
    assert refused.value.findings[0].code == "chair_taken"
    with pytest.raises(RuleViolationError):
        move_guest(seat=parlours.chair(table, 0), sitting=other, chair=3, by=SYSTEM)
    with pytest.raises(ConflictError):
        move_guest(seat=seat, sitting=other, chair=0, by=SYSTEM)


def test_changes_of_chairs_leave_no_gap_in_the_numbers_of_changes(parlour: Competition, table: Sitting) -> None:
    boo = parlours.parlour("boo", parlour=house(parlour))
    others = [parlours.sitting(book, [], table=name, at=at(21)) for book, name in ((parlour, "2"), (boo, "3"))]
    swap_guests(one=parlours.chair(table, 0), other=parlours.chair(table, 1), by=SYSTEM)
    for seat, other in enumerate(others):
        move_guest(seat=parlours.chair(table, seat), sitting=other, chair=0, by=SYSTEM)
    for book in (parlour, boo):
        book.refresh_from_db()
        numbers = list(book.changes.order_by("n").values_list("n", flat=True))
        assert numbers == list(range(1, book.version + 1))


def test_guests_of_two_tables_swap_and_those_who_stay_are_not_touched(parlour: Competition, table: Sitting) -> None:
    late = add_guest(competition=parlour, name="遅番 さん", by=SYSTEM)
    other = parlours.sitting(parlour, [late], table="2", at=at(21))
    swap_guests(one=parlours.chair(table, 0), other=parlours.chair(other, 0), by=SYSTEM)
    assert parlours.names(table) == ["遅番 さん", NAMES[1], NAMES[2]]
    assert parlours.names(other)[0] == NAMES[0]
    with pytest.raises(RuleViolationError):
        swap_guests(one=parlours.chair(table, 0), other=parlours.chair(table, 0), by=SYSTEM)


def test_a_game_ends_several_stand_ins_and_lets_a_guest_leave_at_once(table: Sitting, parlour: Competition) -> None:
    staff = [add_guest(competition=parlour, name=name, by=SYSTEM).player for name in ("Staff", "Owner")]
    for number, player in enumerate(staff):
        set_stand_in(seat=parlours.chair(table, number), player=player, by=SYSTEM)
    mark_last_game(seat=parlours.chair(table, 1), by=SYSTEM)
    parlours.play(table, at=at(21))
    assert parlours.names(table) == [NAMES[0], "-", NAMES[2]]
    assert parlours.chair(table, 0).stand_in is None
    numbers = Change.objects.filter(competition=parlour).order_by("n").values_list("n", flat=True)
    assert list(numbers) == list(range(1, fresh(parlour).version + 1))


def test_a_stand_in_for_a_turn_ends_after_the_game_and_one_until_back_stays(
    parlour: Competition, table: Sitting
) -> None:
    staff = add_guest(competition=parlour, name="店員 いち", by=SYSTEM).player
    owner = add_guest(competition=parlour, name="店員 に", by=SYSTEM).player
    set_stand_in(seat=parlours.chair(table, 0), player=staff, by=SYSTEM)
    set_stand_in(seat=parlours.chair(table, 1), player=owner, by=SYSTEM, stays=True)
    sheet = parlours.play(table, at=at(21))
    assert [row.player.name for row in sheet.seats.order_by("seat")][:2] == [staff.name, owner.name]
    assert [row.entrant.player.name for row in sheet.seats.order_by("seat")][:2] == list(NAMES[:2])
    assert [seat.stand_in for seat in running(table).seated] == [None, owner, None]
    parlours.play(table, (50000, 45000, 10000), at=at(22))
    set_stand_in(seat=parlours.chair(table, 1), player=None, by=SYSTEM)
    parlours.play(table, (51000, 44000, 10000), at=at(23))
    assert SeatResult.objects.filter(player=owner).count() == 2


@pytest.mark.both_databases
def test_seating_one_of_a_party_keeps_the_rest_waiting_at_their_place(parlour: Competition, table: Sitting) -> None:
    people = [add_guest(competition=parlour, name=f"客 {number}", by=SYSTEM).player for number in range(3)]
    add_waiting(competition=parlour, player=people[0], party=3, wish=" 窓側 ", by=SYSTEM, at=at(20, 30))
    add_waiting(competition=parlour, player=people[1], by=SYSTEM, at=at(20, 40))
    leave(seat=parlours.chair(table, 0), by=SYSTEM)
    seat_waiting(waiting=waiting_list([parlour])[0], sitting=table, seat=0, by=SYSTEM)
    rows = [(row.player, row.party, row.wish, row.since) for row in waiting_list([parlour])]
    assert rows == [(people[0], 2, "窓側", at(20, 30)), (people[1], 1, "", at(20, 40))]
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    with pytest.raises(RuleViolationError):
        seat_waiting(waiting=waiting_list([parlour])[0], sitting=table, seat=1, by=SYSTEM)
    seat_waiting(waiting=waiting_list([parlour])[0], sitting=table, seat=1, by=SYSTEM, player=people[2])
    assert [(row.player, row.party) for row in waiting_list([parlour])] == [(people[0], 1), (people[1], 1)]


def test_a_guest_with_company_who_takes_a_chair_leaves_the_company_waiting(
    parlour: Competition, table: Sitting
) -> None:
    guest = add_guest(competition=parlour, name="客 一", by=SYSTEM)
    add_waiting(competition=parlour, player=guest.player, party=2, by=SYSTEM)
    leave(seat=parlours.chair(table, 0), by=SYSTEM)
    join(sitting=table, seat=0, guest=Guest(entrant=guest), by=SYSTEM)
    assert [row.party for row in waiting_list([parlour])] == [1]
    assert WaitingGuest.objects.exclude(seated_at=None).count() == 1


@pytest.mark.parametrize("party", [0, 21])
def test_a_party_has_a_sensible_number_of_people(parlour: Competition, party: int) -> None:
    guest = add_guest(competition=parlour, name="客 一", by=SYSTEM)
    with pytest.raises(RuleViolationError) as refused:
        add_waiting(competition=parlour, player=guest.player, party=party, by=SYSTEM)
    assert refused.value.findings[0].pointer == "/party"


def test_the_expected_wait_follows_the_pace_of_the_book_and_announced_last_games(
    parlour: Competition, table: Sitting
) -> None:
    people = [add_guest(competition=parlour, name=f"客 {number}", by=SYSTEM).player for number in range(2)]
    rows = [add_waiting(competition=parlour, player=player, by=SYSTEM, at=at(22)) for player in people]

    def waits() -> list[Wait]:
        found = waits_of(waiting_list([parlour]), open_sittings([parlour]), at(23, 10))
        return [found[row.pk] for row in rows]

    assert waits() == [Wait(None), Wait(None)]
    for top, hour, minute in ((60, 21, 0), (61, 21, 40), (62, 22, 10), (63, 23, 0)):
        sheet = parlours.play(table, (top * 1000, (95 - top) * 1000, 10000), at=at(hour, minute))
        sheet.entered_at = at(hour, minute)
        sheet.save(update_fields=["entered_at"])
    mark_last_game(seat=parlours.chair(table, 2), by=SYSTEM)
    assert waits() == [Wait(30, ("1",), 40), Wait(None, pace=40)]
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    assert waits() == [Wait(0, ("1",), 40), Wait(30, ("1",), 40)]
    assert SittingSeat.objects.filter(left_at=None).count() == 2
