"""Tests of a parlour's day: day sheet, chips per sitting, set tables by the hour, waiting list, and guests."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from league.models import (
    Competition,
    DayClose,
    Entrant,
    Player,
    Role,
    SeatResult,
    Sitting,
    SittingAmount,
    SittingSeat,
    WaitingGuest,
)
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.parlour.board import business_day, running, waiting_list
from league.selectors.parlour.days import DaySheet, day_sheet, days_of, set_table_fee
from league.selectors.parlour.guests import find_guests
from league.services.parlour.chips import record_sitting_amounts
from league.services.parlour.days import close_day, reopen_day
from league.services.parlour.people import (
    add_guest,
    add_waiting,
    drop_waiting,
    enter_guest,
    merge_players,
    seat_waiting,
)
from league.services.parlour.sittings import Guest, close_sitting, leave
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlours import UNSETTLED, at, house

pytestmark = pytest.mark.django_db
DAY = dt.date(2026, 11, 20)


@pytest.fixture
def table(parlour: Competition) -> Sitting:
    """Return table 1 with three guests and chips counted per sitting."""
    return parlours.sitting(parlour, parlours.guests(parlour), chips=Sitting.Chips.PER_SITTING, at=at(20))


def play_day(table: Sitting, games: int = 2) -> None:
    """Play this number of games with equal scores on that day."""
    for _ in range(games):
        parlours.play(table, at=at(22), accept={"same_result_twice"})


def codes(error: pytest.ExceptionInfo[RuleViolationError]) -> list[tuple[str, str]]:
    """Return the codes and pointers of a refusal."""
    return [(finding.code, finding.pointer) for finding in error.value.findings]


# Chips once per sitting


def test_chips_counted_per_sitting_are_replaced_when_entered_again(table: Sitting) -> None:
    ids = [seat.entrant_id for seat in running(table).seated]
    for amounts in ((500, -500, 0), (1200, -400, -800)):
        record_sitting_amounts(sitting=table, ledger="g", amounts=dict(zip(ids, amounts, strict=True)), by=SYSTEM)
    standing = SittingAmount.objects.filter(ended_n=None).order_by("pk")
    assert [row.amount for row in standing] == [1200, -400, -800]
    assert SittingAmount.objects.count() == 6


def test_amounts_of_a_sitting_must_sum_to_zero_and_belong_to_its_guests(table: Sitting) -> None:
    ids = [seat.entrant_id for seat in running(table).seated]
    stranger = add_guest(competition=table.table_session.competition, name="通りすがり", by=SYSTEM)
    with pytest.raises(RuleViolationError) as refused:
        record_sitting_amounts(sitting=table, ledger="g", amounts={ids[0]: 550, ids[1]: -500}, by=SYSTEM)
    assert codes(refused) == [("ledger_not_multiple", f"/amounts/{ids[0]}"), ("ledger_sum", "/amounts")]
    with pytest.raises(RuleViolationError) as refused:
        record_sitting_amounts(sitting=table, ledger="g", amounts={ids[0]: 500, stranger.pk: -500}, by=SYSTEM)
    assert codes(refused) == [("did_not_sit_here", f"/amounts/{stranger.pk}")]
    with pytest.raises(RuleViolationError) as refused:
        record_sitting_amounts(sitting=table, ledger="fee", amounts={ids[0]: 500}, by=SYSTEM)
    assert codes(refused) == [("ledger_unknown", "/ledger")]
    assert not SittingAmount.objects.exists()


def test_chips_counted_per_game_cannot_be_entered_per_sitting(parlour: Competition) -> None:
    table = parlours.sitting(parlour, parlours.guests(parlour))
    with pytest.raises(ConflictError):
        record_sitting_amounts(sitting=table, ledger="g", amounts={}, by=SYSTEM)


# The day sheet


def test_the_day_sheet_contains_games_places_ledgers_and_fees(parlour: Competition, table: Sitting) -> None:
    play_day(table)
    ids = [seat.entrant_id for seat in running(table).seated]
    record_sitting_amounts(sitting=table, ledger="g", amounts=dict(zip(ids, (500, -200, -300), strict=True)), by=SYSTEM)
    sheet = day_sheet(parlour, DAY)
    points = {
        pk: sum(row.points for row in SeatResult.objects.filter(entrant=pk)) + chips
        for pk, chips in zip(ids, (500, -200, -300), strict=True)
    }
    assert sheet.games == 2
    assert {row.entrant: row.totals["g"] for row in sheet.players} == points
    assert sheet.totals == {"g": 0}
    assert sum(row.games for row in sheet.players) == 6
    assert [sum(row.places[place] for row in sheet.players) for place in range(3)] == [2, 2, 2]
    assert (sheet.guest_fees, sheet.house_fees, sheet.set_fees, sheet.fees) == (2800, 0, 0, 2800)
    assert [(row.games, row.fee) for row in sheet.tables] == [(2, 2800)]


def test_the_day_sheet_separates_games_of_staff_from_those_of_guests(parlour: Competition) -> None:
    people = parlours.guests(parlour)
    staff = Guest(entrant=people[2], is_house=True)
    table = parlours.sitting(parlour, [], people=[Guest(entrant=people[0]), Guest(entrant=people[1]), staff], at=at(20))
    parlours.play(table, at=at(21))
    sheet = day_sheet(parlour, DAY)
    own = next(row for row in sheet.players if row.entrant == people[2].pk)
    assert (own.games, own.house_games, own.fee, own.house_fee) == (0, 1, 0, 400)
    assert (sheet.guest_fees, sheet.house_fees) == (1000, 400)


@pytest.mark.parametrize(
    ("minutes", "yen_per_hour", "fee"), [(0, 2400, 0), (59, 2400, 2360), (60, 2400, 2400), (61, 2500, 2541)]
)
def test_a_set_table_pays_per_full_minute_rounded_down_to_whole_yen(
    parlour: Competition, minutes: int, yen_per_hour: int, fee: int
) -> None:
    table = parlours.sitting(
        parlour, parlours.guests(parlour), kind=Sitting.Kind.SET, yen_per_hour=yen_per_hour, at=at(18)
    )
    close_sitting(sitting=table, by=SYSTEM, at=at(18) + dt.timedelta(minutes=minutes, seconds=59))
    table.refresh_from_db()
    assert set_table_fee(table) == fee
    assert day_sheet(parlour, DAY).set_fees == fee


def test_games_of_a_set_table_have_no_game_fee(parlour: Competition) -> None:
    table = parlours.sitting(parlour, parlours.guests(parlour), kind=Sitting.Kind.SET, yen_per_hour=3000, at=at(18))
    parlours.play(table, at=at(19))
    close_sitting(sitting=table, by=SYSTEM, at=at(19))
    sheet = day_sheet(parlour, DAY)
    assert (sheet.games, sheet.guest_fees, sheet.set_fees) == (1, 0, 3000)


def test_a_closed_day_stores_its_sheet_without_names_and_accepts_no_more_games(
    parlour: Competition, table: Sitting
) -> None:
    play_day(table)
    with pytest.raises(ConflictError) as refused:
        close_day(parlour=house(parlour), day=DAY, by=SYSTEM, accept=UNSETTLED)
    assert refused.value.findings[0].code == "tables_open"
    close_sitting(sitting=table, by=SYSTEM, at=at(23), accept={"chips_not_counted"})
    close_day(parlour=house(parlour), day=DAY, by=SYSTEM, accept=UNSETTLED)
    row = DayClose.objects.get()
    assert DaySheet.of_json(row.sheet) == day_sheet(parlour, DAY)
    assert not any(name.split()[0] in str(row.sheet) for name in parlours.THREE)
    with pytest.raises(ConflictError) as refused:
        parlours.sitting(parlour, [], at=at(23))
    assert refused.value.findings[0].code == "day_closed"
    ids = list(SittingSeat.objects.values_list("entrant", flat=True))
    with pytest.raises(ConflictError):
        record_sitting_amounts(sitting=table, ledger="g", amounts=dict.fromkeys(ids, 0), by=SYSTEM)
    with pytest.raises(ConflictError):
        close_day(parlour=house(parlour), day=DAY, by=SYSTEM, accept=UNSETTLED)


def test_only_a_director_reopens_a_day_with_a_reason_and_closing_again_adds_a_row(
    parlour: Competition, table: Sitting
) -> None:
    close_sitting(sitting=table, by=SYSTEM, at=at(23))
    clerk = factories.actor(factories.user("clerk", Role.SCORER, parlour))
    close_day(parlour=house(parlour), day=DAY, by=clerk, accept=UNSETTLED)
    with pytest.raises(PermissionRefusedError):
        reopen_day(parlour=house(parlour), day=DAY, by=clerk, reason="forgot one")
    with pytest.raises(RuleViolationError):
        reopen_day(parlour=house(parlour), day=DAY, by=SYSTEM, reason=" ")
    reopen_day(parlour=house(parlour), day=DAY, by=SYSTEM, reason="forgot one")
    with pytest.raises(ConflictError):
        reopen_day(parlour=house(parlour), day=DAY, by=SYSTEM, reason="forgot one")
    close_day(parlour=house(parlour), day=DAY, by=clerk, accept=UNSETTLED)
    assert [row.ended_n is None for row in DayClose.objects.order_by("pk")] == [False, True]


def test_a_day_that_no_account_has_closed_says_only_when(
    parlour: Competition, table: Sitting, director: Client
) -> None:
    close_sitting(sitting=table, by=SYSTEM, at=at(23))
    close_day(parlour=house(parlour), day=DAY, by=SYSTEM, accept=UNSETTLED)
    page = director.get(f"/p/{house(parlour).slug}/days/{DAY}/").content.decode()
    assert "by –" not in page
    assert '<p class="quiet">Closed ' in page


def test_a_future_day_cannot_be_closed(parlour: Competition) -> None:
    with pytest.raises(RuleViolationError):
        close_day(parlour=house(parlour), day=business_day(parlour) + dt.timedelta(days=1), by=SYSTEM, accept=UNSETTLED)


@pytest.mark.both_databases
def test_days_are_listed_newest_first(parlour: Competition, table: Sitting) -> None:
    close_sitting(sitting=table, by=SYSTEM, at=at(23))
    close_day(parlour=house(parlour), day=DAY, by=SYSTEM, accept=UNSETTLED)
    parlours.sitting(parlour, [], at=at(20, day=21))
    listed = [(row.day.day, row.tables, row.open_tables, row.is_closed) for row in days_of([parlour])]
    assert listed == [(21, 1, 1, False), (20, 1, 0, True)]


# The waiting list


@pytest.mark.both_databases
def test_a_waiting_guest_is_seated_or_dropped(parlour: Competition) -> None:
    people = parlours.guests(parlour, 5)
    table = parlours.sitting(parlour, people[:2])
    rows = [add_waiting(competition=parlour, player=one.player, by=SYSTEM) for one in people[2:]]
    with pytest.raises(ConflictError):
        add_waiting(competition=parlour, player=people[2].player, by=SYSTEM)
    with pytest.raises(ConflictError):
        add_waiting(competition=parlour, player=people[0].player, by=SYSTEM)
    seat_waiting(waiting=rows[0], sitting=table, seat=2, by=SYSTEM)
    drop_waiting(waiting=rows[1], by=SYSTEM)
    assert [row.player for row in waiting_list([parlour])] == [people[4].player]
    for gone in rows[:2]:
        with pytest.raises(ConflictError):
            drop_waiting(waiting=gone, by=SYSTEM)


def test_a_waiting_guest_seated_at_a_new_table_leaves_the_waiting_list(parlour: Competition) -> None:
    people = parlours.guests(parlour)
    add_waiting(competition=parlour, player=people[0].player, by=SYSTEM)
    parlours.sitting(parlour, people)
    assert WaitingGuest.objects.get().seated_at is not None


# People


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("湯", ["湯川 みなと"]),
        ("ゆか", ["湯川 みなと"]),
        ("ユカ", ["湯川 みなと"]),
        ("ﾕｶ", ["湯川 みなと"]),
        ("みな ゆか", ["湯川 みなと"]),
        ("i", ["羽黒 ゆい"]),
        ("２", ["小滝 あおい"]),
        ("M-9", ["沢渡 りく"]),
        ("nobody", []),
        ("", []),
    ],
)
def test_guests_are_found_by_part_of_a_name_by_kana_and_by_number(
    parlour: Competition, typed: str, found: list[str]
) -> None:
    people = parlours.guests(parlour, 5)
    Player.objects.filter(pk=people[2].player_id).update(number="M-9")
    Player.objects.filter(pk=people[3].player_id).update(name_romaji="Haguro Yui")
    assert [guest.player.name for guest in find_guests(parlour.parlour_id, typed)] == found


@pytest.mark.both_databases
def test_a_number_found_exactly_comes_first(parlour: Competition) -> None:
    people = parlours.guests(parlour, 2)
    Player.objects.filter(pk=people[1].player_id).update(number="1")
    found = find_guests(parlour.parlour_id, "1")
    assert [guest.player.pk for guest in found] == [
        people[1].player_id,
        people[0].player_id,
    ]


def test_a_known_player_is_entered_at_another_open_table_once(parlour: Competition) -> None:
    other = parlours.parlour("boo")
    guest = parlours.guests(parlour, 1)[0]
    assert find_guests(other.parlour_id, "湯川")[0].entrant is None
    entered = enter_guest(competition=other, player=guest.player, by=SYSTEM)
    assert enter_guest(competition=other, player=guest.player, by=SYSTEM) == entered


def test_a_member_number_belongs_to_one_person(parlour: Competition) -> None:
    add_guest(competition=parlour, name="一人目", number="77", by=SYSTEM)
    with pytest.raises(ConflictError) as refused:
        add_guest(competition=parlour, name="二人目", number="77", by=SYSTEM)
    assert refused.value.findings[0].pointer == "/number"
    with pytest.raises(RuleViolationError):
        add_guest(competition=parlour, name=" ", by=SYSTEM)
    with pytest.raises(RuleViolationError):
        add_guest(competition=parlour, name="長" * 101, by=SYSTEM)


def test_merging_two_entries_of_one_person_keeps_their_results(parlour: Competition) -> None:
    people = parlours.guests(parlour, 5)
    table = parlours.sitting(parlour, people[:3], at=at(20))
    parlours.play(table, at=at(21))
    leave(seat=parlours.chair(table, 0), by=SYSTEM)
    other = parlours.sitting(parlour, [people[3]], table="2", at=at(22))
    merge_players(duplicate=people[0].player, keep=people[3].player, by=SYSTEM, reason="same person")
    first = Entrant.objects.get(pk=people[0].pk)
    assert first.merged_into == people[3]
    assert SeatResult.objects.filter(entrant=people[0]).count() == 1
    assert [row.entrant for row in day_sheet(parlour, DAY).players if row.games][-1] == people[3].pk
    assert people[0].player.pk not in [guest.player.pk for guest in find_guests(parlour.parlour_id, "湯川")]
    assert parlours.names(other)[0] == people[3].player.name
    with pytest.raises(RuleViolationError):
        merge_players(duplicate=people[0].player, keep=people[3].player, by=SYSTEM)


def test_a_seated_or_waiting_duplicate_continues_under_the_kept_entry(
    parlour: Competition,
) -> None:
    people = parlours.guests(parlour, 3)
    table = parlours.sitting(parlour, people)
    parlours.play(table)
    elsewhere = parlours.parlour("boo")
    known = add_guest(competition=elsewhere, name="同じ人", by=SYSTEM)
    add_waiting(competition=elsewhere, player=known.player, by=SYSTEM)
    merge_players(duplicate=people[1].player, keep=known.player, by=SYSTEM)
    kept = Entrant.objects.get(competition=parlour, player=known.player)
    assert kept in [seat.entrant for seat in running(table).seated]
    assert running(table).next_dealer == 1
    merge_players(
        duplicate=known.player, keep=add_guest(competition=elsewhere, name="本人", by=SYSTEM).player, by=SYSTEM
    )
    assert WaitingGuest.objects.get().player.name == "本人"
    assert Entrant.objects.get(pk=people[1].pk).merged_into == Entrant.objects.get(
        competition=parlour, player__name="本人"
    )


def test_two_players_who_sat_at_the_same_table_cannot_be_merged(parlour: Competition) -> None:
    people = parlours.guests(parlour, 4)
    table = parlours.sitting(parlour, people[:3])
    with pytest.raises(RuleViolationError) as refused:
        merge_players(duplicate=people[0].player, keep=people[1].player, by=SYSTEM)
    assert codes(refused) == [("both_sit", "/duplicate")]
    parlours.play(table)
    with pytest.raises(RuleViolationError) as refused:
        merge_players(duplicate=people[0].player, keep=people[1].player, by=SYSTEM)
    assert codes(refused) == [("two_people", "/duplicate")]
    with pytest.raises(RuleViolationError):
        merge_players(duplicate=people[0].player, keep=people[0].player, by=SYSTEM)


def test_a_clerk_cannot_merge_players(parlour: Competition) -> None:
    people = parlours.guests(parlour, 2)
    clerk = factories.actor(factories.user("clerk", Role.SCORER, parlour))
    with pytest.raises(PermissionRefusedError):
        merge_players(duplicate=people[0].player, keep=people[1].player, by=clerk)
    loose = Player.objects.create(key="loose", name="どこにもいない")
    with pytest.raises(RuleViolationError):
        merge_players(duplicate=loose, keep=people[1].player, by=clerk)
