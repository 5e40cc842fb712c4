"""Tests of sittings: opening, games, guests who join and leave, and refused actions."""

from __future__ import annotations

import datetime as dt

import pytest

from league.models import (
    Change,
    Competition,
    Hanchan,
    ResultSheet,
    Role,
    SeatResult,
    Session,
    Sitting,
    SittingSeat,
)
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError, WarningsNotAcceptedError
from league.selectors.parlour.board import business_day, running
from league.services.competitions.setup import new_player
from league.services.parlour.games import GameEntry, correct_last_game, record_game, take_back_last_game
from league.services.parlour.sittings import (
    Guest,
    close_sitting,
    join,
    leave,
    mark_last_game,
    set_stand_in,
)
from league.services.results.entry import SheetEntry
from league.services.results.results import record_result
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlours import at

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(parlour: Competition) -> Sitting:
    """Return table 1 with three guests."""
    return parlours.sitting(parlour, parlours.guests(parlour))


def codes(error: pytest.ExceptionInfo[RuleViolationError]) -> list[tuple[str, str]]:
    """Return the codes and pointers of a refusal."""
    return [(finding.code, finding.pointer) for finding in error.value.findings]


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (at(5, 59), dt.date(2026, 11, 19)),
        (at(6, 0), dt.date(2026, 11, 20)),
        (at(23, 59), dt.date(2026, 11, 20)),
        (at(2, 30, day=21), dt.date(2026, 11, 20)),
    ],
)
def test_before_the_changeover_hour_the_business_day_is_the_day_before(
    parlour: Competition, moment: dt.datetime, day: dt.date
) -> None:
    assert business_day(parlour, moment) == day
    assert business_day(parlour, moment.astimezone(dt.UTC)) == day


def test_tables_opened_on_the_same_business_day_share_a_session(parlour: Competition) -> None:
    people = parlours.guests(parlour, 5)
    first = parlours.sitting(parlour, people[:2], at=at(23))
    second = parlours.sitting(parlour, people[2:4], table="2", at=at(3, day=21))
    third = parlours.sitting(parlour, people[4:], table="3", at=at(7, day=21))
    days = [row.table_session.session.day for row in (first, second, third)]
    assert days == [dt.date(2026, 11, 20), dt.date(2026, 11, 20), dt.date(2026, 11, 21)]
    assert Session.objects.filter(competition=parlour).count() == 2


def test_a_parlour_is_visible_to_staff_only_by_default(parlour: Competition) -> None:
    assert parlour.audience == "staff"


def test_the_first_dealer_takes_the_first_chair(parlour: Competition) -> None:
    people = parlours.guests(parlour)
    table = parlours.sitting(parlour, people, first_dealer=1)
    assert parlours.names(table) == [parlours.THREE[1], parlours.THREE[2], parlours.THREE[0]]
    assert running(table).next_dealer == 0


@pytest.mark.parametrize(
    ("ruleset", "players", "chair"), [("banchi3", 3, 1), ("banchi4", 4, 1), ("boo", 4, 2), ("kansai3", 3, None)]
)
def test_the_next_first_dealer_follows_the_ruleset(ruleset: str, players: int, chair: int | None) -> None:
    parlour = parlours.parlour(ruleset, f"other-{ruleset}")
    table = parlours.sitting(parlour, parlours.guests(parlour, players))
    top = sorted(parlours.SCORES[ruleset])
    parlours.play(table, tuple(top[index] for index in {3: (0, 1, 2), 4: (0, 1, 3, 2)}[players]))
    assert running(table).next_dealer == chair


def test_seats_are_counted_from_the_first_dealer_in_every_game(table: Sitting) -> None:
    people = [seat.entrant_id for seat in running(table).seated]
    sheets = [parlours.play(table) for _ in range(2)]
    assert [row.entrant_id for row in sheets[1].seats.order_by("seat")] == [*people[1:], people[0]]
    assert running(table).next_dealer == 2
    assert [sheet.hanchan.round for sheet in sheets] == [1, 2]


def test_a_game_is_confirmed_at_once_and_settles_the_fee(table: Sitting) -> None:
    sheet = parlours.play(table, carried={"g": (500, -200, -300)})
    assert sheet.state == ResultSheet.State.CONFIRMED
    first = sheet.seats.get(seat=0)
    assert first.totals["fee"] == -600
    assert sheet.hanchan.table_session.session.day == running(table).day


def test_a_guest_with_a_last_game_mark_leaves_after_it_and_the_next_game_needs_a_newcomer(table: Sitting) -> None:
    mark_last_game(seat=parlours.chair(table, 2), by=SYSTEM)
    parlours.play(table)
    assert parlours.names(table)[2] == "-"
    with pytest.raises(ConflictError) as refused:
        parlours.play(table)
    assert refused.value.findings[0].code == "chair_empty"
    newcomer = parlours.guests(table.table_session.competition, 4)[3]
    join(sitting=table, seat=2, guest=Guest(entrant=newcomer), by=SYSTEM)
    assert running(table).next_dealer == 1
    sheet = parlours.play(table)
    assert [row.entrant.player.name for row in sheet.seats.order_by("seat")][1] == parlours.THREE[3]


def test_a_last_game_mark_can_be_removed(table: Sitting) -> None:
    mark_last_game(seat=parlours.chair(table, 0), by=SYSTEM)
    mark_last_game(seat=parlours.chair(table, 0), by=SYSTEM, is_last=False)
    parlours.play(table)
    assert "-" not in parlours.names(table)


@pytest.mark.both_databases
def test_a_stand_in_plays_and_the_guest_gets_the_result(table: Sitting) -> None:
    staff = new_player(name="店番", by=SYSTEM)
    seat = parlours.chair(table, 1)
    set_stand_in(seat=seat, player=staff, by=SYSTEM)
    sheet = parlours.play(table)
    row = sheet.seats.get(seat=1)
    assert (row.entrant_id, row.player_id) == (seat.entrant_id, staff.pk)
    set_stand_in(seat=parlours.chair(table, 1), player=None, by=SYSTEM)
    again = parlours.play(table)
    assert {row.player_id for row in again.seats.all()} == {row.entrant.player_id for row in again.seats.all()}


def test_a_guest_can_join_only_on_an_existing_empty_chair(table: Sitting) -> None:
    others = parlours.guests(table.table_session.competition, 2)
    with pytest.raises(ConflictError):
        join(sitting=table, seat=0, guest=Guest(entrant=others[0]), by=SYSTEM)
    leave(seat=parlours.chair(table, 0), by=SYSTEM)
    join(sitting=table, seat=0, guest=Guest(entrant=others[0]), by=SYSTEM)
    with pytest.raises(RuleViolationError) as refused:
        join(sitting=table, seat=7, guest=Guest(entrant=others[1]), by=SYSTEM)
    assert codes(refused) == [("no_such_chair", "/seat")]


def test_a_guest_cannot_sit_at_two_tables(table: Sitting) -> None:
    seated = parlours.chair(table, 0).entrant
    with pytest.raises(RuleViolationError) as refused:
        parlours.sitting(table.table_session.competition, [seated], table="2")
    assert codes(refused) == [("sits_elsewhere", "/people/0")]


def test_all_errors_of_a_new_table_are_reported_at_once(table: Sitting) -> None:
    parlour = table.table_session.competition
    extra = parlours.guests(parlour, 4)
    with pytest.raises(RuleViolationError) as refused:
        parlours.sitting(parlour, [*extra[:3], extra[0]], table="1", options={"nope": 1}, first_dealer=9)
    assert codes(refused) == [
        ("option_unknown", "/options/nope"),
        ("table_open", "/table"),
        ("too_many_people", "/people"),
        ("first_dealer_unknown", "/first_dealer"),
        ("seated_twice", "/people/3"),
    ]
    with pytest.raises(RuleViolationError) as refused:
        parlours.sitting(parlour, extra[:3], table=" ")
    assert codes(refused) == [("table_needed", "/table")]
    with pytest.raises(RuleViolationError) as refused:
        parlours.sitting(parlour, extra[:3], table="x" * 33)
    assert codes(refused) == [("table_too_long", "/table")]


def test_three_scores_for_four_players_are_rejected_and_nothing_is_written() -> None:
    parlour = parlours.parlour("banchi4")
    table = parlours.sitting(parlour, parlours.guests(parlour, 4))
    with pytest.raises(RuleViolationError) as refused:
        parlours.play(table, (50000, 30000, 20000))
    assert codes(refused) == [("score_count", "/scores")]
    assert not Hanchan.objects.exists()
    assert not SeatResult.objects.exists()


def test_a_ledger_that_does_not_sum_to_zero_is_rejected(table: Sitting) -> None:
    with pytest.raises(RuleViolationError) as refused:
        parlours.play(table, carried={"g": (500, -200, -200)})
    assert codes(refused) == [("ledger_sum", "/carried/g")]
    assert not Hanchan.objects.exists()


def test_a_bust_with_a_positive_score_is_rejected() -> None:
    parlour = parlours.parlour("kansai3")
    table = parlours.sitting(parlour, parlours.guests(parlour))
    with pytest.raises(RuleViolationError) as refused:
        parlours.play(table, tobi=((2, 0),))
    assert codes(refused) == [("tobi_positive_score", "/tobi/0")]


def test_an_invalid_option_is_rejected_with_a_pointer_to_it() -> None:
    parlour = parlours.parlour("superbingo")
    people = parlours.guests(parlour)
    for options, code in (
        ({"dx": "yes"}, "option_value"),
        ({"chip_tiles": {"p": 9, "s": 1}}, "option_value"),
        ({"open_riichi": "adds"}, "option_fixed"),
        ({"tulip": True}, "option_unknown"),
    ):
        with pytest.raises(RuleViolationError) as refused:
            parlours.sitting(parlour, people, options=options)
        assert codes(refused) == [(code, f"/options/{next(iter(options))}")]
    table = parlours.sitting(parlour, people, options={"pocchi": True})
    with pytest.raises(RuleViolationError) as refused:
        parlours.play(table, options={"dx": 3})
    assert codes(refused) == [("option_value", "/options/dx")]
    sheet = parlours.play(table, options={"dx": True})
    assert sheet.options == {"pocchi": True, "dx": True}


def test_a_game_already_entered_by_another_request_is_not_entered_twice(table: Sitting) -> None:
    parlours.play(table, expected_round=1)
    with pytest.raises(ConflictError) as refused:
        parlours.play(table, expected_round=1)
    assert refused.value.findings[0].code == "game_entered_meanwhile"


def test_a_game_entered_for_outdated_seats_is_refused(table: Sitting) -> None:
    there = tuple(seat.entrant_id for seat in running(table).seated)
    with pytest.raises(ConflictError) as refused:
        parlours.play(table, entrants=(there[1], there[0], there[2]))
    assert refused.value.findings[0].code == "seats_changed"
    parlours.play(table, entrants=there)


def test_an_unknown_first_dealer_is_rejected_only_if_the_settlement_depends_on_it() -> None:
    parlour = parlours.parlour("kansai3")
    table = parlours.sitting(parlour, parlours.guests(parlour))
    parlours.play(table)
    parlours.play(table, (55000, 30000, 20000), first_dealer=None)
    with pytest.raises(RuleViolationError) as refused:
        parlours.play(table, (45000, 30000, 30000), first_dealer=None)
    assert codes(refused) == [("seat_order_needed", "/are_seats_known")]
    parlours.play(table, (45000, 30000, 30000), first_dealer=2)


def test_the_first_dealer_must_be_an_existing_chair(table: Sitting) -> None:
    with pytest.raises(RuleViolationError) as refused:
        parlours.play(table, first_dealer=3)
    assert codes(refused) == [("first_dealer_unknown", "/first_dealer")]


def test_a_sitting_that_passes_the_changeover_hour_continues_on_the_new_business_day(parlour: Competition) -> None:
    table = parlours.sitting(parlour, parlours.guests(parlour), at=at(22))
    parlours.play(table, at=at(23))
    sheet = parlours.play(table, at=at(7, day=21))
    table.refresh_from_db()
    assert table.closed_at == at(7, day=21)
    moved = sheet.hanchan.table_session.sitting
    assert (running(moved).day, sheet.hanchan.round) == (dt.date(2026, 11, 21), 1)
    assert {seat.joined_at for seat in running(moved).seated} == {at(22)}
    assert running(moved).next_dealer == 2


def test_a_game_recorded_in_the_morning_can_stay_on_last_nights_business_day(parlour: Competition) -> None:
    table = parlours.sitting(parlour, parlours.guests(parlour), at=at(22))
    sheet = parlours.play(table, at=at(7, day=21), day=dt.date(2026, 11, 20))
    assert sheet.hanchan.table_session.sitting == table


def test_a_clerk_can_correct_the_last_game_but_not_older_ones(table: Sitting) -> None:
    parlour = table.table_session.competition
    clerk = factories.actor(factories.user("clerk", Role.SCORER, parlour))
    first, second = parlours.play(table, by=clerk), parlours.play(table, by=clerk)
    entry = SheetEntry.of_sheet(second)
    right = SheetEntry(seats=tuple(reversed(entry.seats)), kyoutaku=0)
    fixed = correct_last_game(sitting=table, entry=right, corrects=1, by=clerk, reason="slip")
    assert (fixed.revision, fixed.hanchan) == (2, second.hanchan)
    with pytest.raises(PermissionRefusedError):
        record_result(hanchan=first.hanchan, entry=right, corrects=1, by=clerk, reason="slip")


def test_a_correction_of_a_game_that_is_no_longer_the_last_is_refused(table: Sitting) -> None:
    sheet = parlours.play(table)
    parlours.play(table)
    with pytest.raises(ConflictError) as refused:
        correct_last_game(
            sitting=table, entry=SheetEntry.of_sheet(sheet), corrects=1, by=SYSTEM, reason="x", expected_round=1
        )
    assert refused.value.findings[0].code == "not_the_last_game"


def test_voiding_the_last_game_restores_the_dealer_before_it(table: Sitting) -> None:
    parlours.play(table)
    parlours.play(table)
    take_back_last_game(sitting=table, by=SYSTEM, reason="wrong table")
    now = running(table)
    assert (now.games, now.next_dealer, now.next_round) == (1, 1, 3)
    take_back_last_game(sitting=table, by=SYSTEM, reason="wrong table")
    with pytest.raises(ConflictError):
        take_back_last_game(sitting=table, by=SYSTEM, reason="wrong table")


def test_a_closed_table_has_no_guests_and_accepts_no_games(table: Sitting) -> None:
    seat = parlours.chair(table, 0)
    close_sitting(sitting=table, by=SYSTEM)
    assert not SittingSeat.objects.filter(left_at=None).exists()
    for act in (
        lambda: parlours.play(table),
        lambda: close_sitting(sitting=table, by=SYSTEM),
        lambda: leave(seat=seat, by=SYSTEM),
    ):
        with pytest.raises(ConflictError) as refused:
            act()
        assert refused.value.findings[0].code == "sitting_closed"


def test_a_table_cannot_be_closed_before_its_opening_time(table: Sitting) -> None:
    with pytest.raises(RuleViolationError):
        close_sitting(sitting=table, by=SYSTEM, at=table.opened_at - dt.timedelta(minutes=1))


def test_closing_a_table_warns_about_uncounted_chips_per_sitting(parlour: Competition) -> None:
    table = parlours.sitting(parlour, parlours.guests(parlour), chips=Sitting.Chips.PER_SITTING)
    with pytest.raises(RuleViolationError) as refused:
        parlours.play(table, carried={"g": (500, -200, -300)})
    assert codes(refused) == [("chips_not_per_game", "/carried/g")]
    parlours.play(table)
    with pytest.raises(WarningsNotAcceptedError):
        close_sitting(sitting=table, by=SYSTEM)
    close_sitting(sitting=table, by=SYSTEM, accept={"chips_not_counted"})


def test_a_reader_cannot_use_the_counter(parlour: Competition, table: Sitting) -> None:
    reader = factories.actor(factories.user("reader", Role.READER, parlour))
    for act in (
        lambda: parlours.sitting(parlour, [], by=reader, table="2"),
        lambda: parlours.play(table, by=reader),
        lambda: leave(seat=parlours.chair(table, 0), by=reader),
        lambda: close_sitting(sitting=table, by=reader),
    ):
        with pytest.raises(PermissionRefusedError):
            act()


def test_a_league_has_no_sittings() -> None:
    league = factories.final_table()
    with pytest.raises(ConflictError) as refused:
        parlours.sitting(league, [])
    assert refused.value.findings[0].code == "not_open_play"


def test_actions_at_the_counter_are_recorded_and_never_public(table: Sitting) -> None:
    mark_last_game(seat=parlours.chair(table, 0), by=SYSTEM)
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    close_sitting(sitting=table, by=SYSTEM)
    kinds = dict(Change.objects.filter(kind__startswith="sitting.").values_list("kind", "is_public"))
    assert kinds == {
        "sitting.opened": False,
        "sitting.last_game": False,
        "sitting.left": False,
        "sitting.closed": False,
    }


def test_ledger_amounts_of_the_wrong_length_are_rejected(table: Sitting) -> None:
    game = GameEntry(scores=parlours.SCORES["banchi3"], first_dealer=0, carried={"g": (500, -500)})
    with pytest.raises(RuleViolationError) as refused:
        record_game(sitting=table, game=game, by=SYSTEM)
    assert codes(refused) == [("ledger_count", "/carried/g")]
