"""Tests of a parlour's reports: games and table use by hour, visits, waiting times, income, and their files."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest

from league.models import Competition, Entrant, Sitting, WaitingGuest
from league.selectors.parlour.reports import HOUR, Period, Use, Waits, play_of, visits_of, waits_of
from league.services.parlour.games import correct_last_game, take_back_last_game
from league.services.parlour.people import merge_players
from league.services.parlour.sittings import Guest, close_sitting
from league.services.results.entry import SheetEntry
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlours import at

pytestmark = pytest.mark.django_db
DAY = dt.date(2026, 11, 20)
THAT_DAY = Period(DAY, DAY)
WAITED = (10, 5, 30, -15, 20)


@pytest.fixture
def parlour() -> Competition:
    """Return an open table for three players under Banchi's ruleset."""
    return parlours.parlour()


def evening(parlour: Competition, people: list[Entrant], table: str = "1", day: int = 20) -> Sitting:
    """Play two games at a table from 20:00 to 22:30; they end at 21:10 and 22:20."""
    sitting = parlours.sitting(parlour, people, table=table, at=at(20, day=day))
    for hour, minute in ((21, 10), (22, 20)):
        parlours.play(sitting, at=at(hour, minute, day), accept={"same_result_twice"})
    close_sitting(sitting=sitting, by=SYSTEM, at=at(22, 30, day))
    return sitting


@pytest.mark.both_databases
def test_games_count_in_the_hour_in_which_they_end(parlour: Competition) -> None:
    evening(parlour, parlours.guests(parlour))
    play = play_of([parlour], THAT_DAY)
    assert play.hours == (20, 21, 22)
    assert play.by_hour() == {20: Use(0, HOUR), 21: Use(1, HOUR), 22: Use(1, HOUR // 2)}
    assert play.by_table() == {"1": Use(2, 9000)}
    assert play.by_book() == {parlour.pk: Use(2, 9000)}
    assert play.by_table()["1"].games_per_hour == Fraction(4, 5)


@pytest.mark.both_databases
def test_a_corrected_game_counts_once_in_the_hour_of_its_first_entry(parlour: Competition) -> None:
    sitting = parlours.sitting(parlour, parlours.guests(parlour), at=at(20))
    sheet = parlours.play(sitting, at=at(21))
    right = SheetEntry(seats=tuple(reversed(SheetEntry.of_sheet(sheet).seats)))
    correct_last_game(sitting=sitting, entry=right, corrects=1, by=SYSTEM, reason="slip")
    assert play_of([parlour], THAT_DAY, at(22)).by_hour() == {20: Use(0, HOUR), 21: Use(1, HOUR)}
    take_back_last_game(sitting=sitting, by=SYSTEM, reason="not played")
    assert play_of([parlour], THAT_DAY, at(22)).by_hour() == {20: Use(0, HOUR), 21: Use(0, HOUR)}


def test_a_game_entered_after_its_table_closed_counts_in_the_hour_of_the_close(parlour: Competition) -> None:
    sitting = parlours.sitting(parlour, parlours.guests(parlour), at=at(20))
    parlours.play(sitting, at=at(23, 50))
    close_sitting(sitting=sitting, by=SYSTEM, at=at(21, 30))
    assert play_of([parlour], THAT_DAY).by_hour() == {20: Use(0, HOUR), 21: Use(1, HOUR // 2)}


def test_table_use_is_the_share_of_the_time_from_the_first_table_to_the_last(parlour: Competition) -> None:
    people = parlours.guests(parlour, 5)
    evening(parlour, people[:3])
    late = parlours.sitting(parlour, people[3:], table="2", at=at(22))
    close_sitting(sitting=late, by=SYSTEM, at=at(1, day=21))
    play = play_of([parlour], THAT_DAY)
    use = play.by_table()
    assert [play.share(use[table].seconds) for table in "12"] == [Fraction(1, 2), Fraction(3, 5)]
    assert play.share(play.by_table_and_hour()["1", 22].seconds, 22) == Fraction(1, 2)
    assert play.hours == (20, 21, 22, 23, 0)
    assert play.share(1, 12) is None


def test_two_sittings_that_overlap_at_one_table_count_each_minute_once(parlour: Competition) -> None:
    people = parlours.guests(parlour, 3)
    first = parlours.sitting(parlour, [], at=at(20))
    close_sitting(sitting=first, by=SYSTEM, at=at(23))
    second = parlours.sitting(parlour, people, at=at(22))
    close_sitting(sitting=second, by=SYSTEM, at=at(23, 30))
    play = play_of([parlour], THAT_DAY)
    assert play.by_table() == {"1": Use(0, 7 * HOUR // 2)}
    assert play.share(play.by_table()["1"].seconds) == 1


def test_a_period_counts_in_business_days(parlour: Competition) -> None:
    sitting = parlours.sitting(parlour, parlours.guests(parlour), at=at(2, day=21))
    close_sitting(sitting=sitting, by=SYSTEM, at=at(3, day=21))
    assert play_of([parlour], THAT_DAY).by_hour() == {2: Use(0, HOUR)}
    assert play_of([parlour], Period(at(0, day=21).date(), at(0, day=22).date())).cells == {}


# Visits


@pytest.mark.both_databases
def test_visits_count_days_games_and_time_of_each_guest(parlour: Competition) -> None:
    people = parlours.guests(parlour, 4)
    evening(parlour, people[:3])
    evening(parlour, people[1:], day=21)
    rows = visits_of([parlour], Period(DAY, DAY + dt.timedelta(days=1)))
    found = {row.player: (len(row.days), row.games, row.seconds, row.is_new) for row in rows}
    assert found == {
        people[0].player_id: (1, 2, 9000, True),
        people[1].player_id: (2, 4, 18000, True),
        people[2].player_id: (2, 4, 18000, True),
        people[3].player_id: (1, 2, 9000, True),
    }
    second = visits_of([parlour], Period(DAY + dt.timedelta(days=1), DAY + dt.timedelta(days=1)))
    assert {row.player: row.is_new for row in second} == {
        people[1].player_id: False,
        people[2].player_id: False,
        people[3].player_id: True,
    }
    assert {row.last for row in second} == {DAY + dt.timedelta(days=1)}


@pytest.mark.both_databases
def test_visits_of_two_merged_entries_are_one_guests(parlour: Competition) -> None:
    people = parlours.guests(parlour, 4)
    evening(parlour, people[:3])
    evening(parlour, [people[3], *people[1:3]])
    merge_players(duplicate=people[3].player, keep=people[0].player, by=SYSTEM)
    rows = {row.player: row for row in visits_of([parlour], THAT_DAY)}
    assert set(rows) == {person.player_id for person in people[:3]}
    assert (len(rows[people[0].player_id].days), rows[people[0].player_id].games) == (1, 4)


@pytest.mark.both_databases
def test_staff_who_play_for_the_house_are_no_visitors(parlour: Competition) -> None:
    people = parlours.guests(parlour)
    seats = [Guest(entrant=people[0]), Guest(entrant=people[1]), Guest(entrant=people[2], is_house=True)]
    parlours.play(parlours.sitting(parlour, [], people=seats, at=at(20)), at=at(21))
    rows = visits_of([parlour], THAT_DAY, at(22))
    assert {row.player for row in rows} == {people[0].player_id, people[1].player_id}
    assert [(row.games, row.seconds) for row in rows] == [(1, 2 * HOUR)] * 2


# Waiting


@pytest.mark.both_databases
def test_waits_are_counted_by_the_hour_in_which_they_began(parlour: Competition) -> None:
    people = parlours.guests(parlour, 5)
    times = (at(20), at(20, 30), at(20, 50), at(21), at(2, day=21))
    for person, since, minutes in zip(people, times, WAITED, strict=True):
        end = since + dt.timedelta(minutes=abs(minutes))
        WaitingGuest.objects.create(
            competition=parlour,
            player=person.player,
            since=since,
            seated_at=end if minutes > 0 else None,
            gone_at=end if minutes < 0 else None,
        )
    found = waits_of([parlour], THAT_DAY)
    assert list(found) == [20, 21, 2]
    assert found[20] == Waits(parties=3, people=3, gone=0, minutes=(5, 10, 30))
    assert (found[20].median, found[20].longest, found[20].seated) == (10, 30, 3)
    assert (found[21].gone, found[21].median, found[21].longest) == (1, None, None)
    assert waits_of([parlour], Period(DAY + dt.timedelta(days=1), DAY + dt.timedelta(days=1))) == {}
