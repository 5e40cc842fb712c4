"""Tests of a parlour's reports: games and table use by hour, visits, waiting times, income, and their files."""

from __future__ import annotations

import datetime as dt
import html
from dataclasses import replace
from fractions import Fraction

import pytest
import time_machine
from django.test import Client

from league.files.spreadsheets import sheet_rows
from league.forms.parlour.reports import READY
from league.models import Competition, Entrant, HouseTariff, Parlour, Player, Sitting, WaitingGuest
from league.selectors.parlour.income import Income, Source, income_of, money_of_guests
from league.selectors.parlour.reports import HOUR, Period, Use, Waits, play_of, visits_of, waits_of
from league.selectors.parlour.till import till_of
from league.services.parlour.chairs import move_guest
from league.services.parlour.games import correct_last_game, take_back_last_game
from league.services.parlour.people import add_waiting, merge_players, seat_waiting
from league.services.parlour.sittings import Guest, close_sitting
from league.services.parlour.statements import add_extra, cancel_statement, settle
from league.services.results.entry import SheetEntry
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlours import at

pytestmark = pytest.mark.django_db
DAY = dt.date(2026, 11, 20)
THAT_DAY = Period(DAY, DAY)
WAITED = (10, 5, 30, -15, 20)


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


@pytest.mark.parametrize("is_other_table", [False, True])
def test_the_time_of_a_guest_who_changes_chairs_counts_once(parlour: Competition, is_other_table: bool) -> None:
    one, other = parlours.guests(parlour, 2)
    table = parlours.sitting(parlour, [one], at=at(20))
    second = parlours.sitting(parlour, [other], table="2", at=at(20, 30))
    move_guest(
        seat=parlours.chair(table, 0), sitting=second if is_other_table else table, chair=2, by=SYSTEM, at=at(21)
    )
    close_sitting(sitting=second if is_other_table else table, by=SYSTEM, at=at(22))
    times = {row.player: row.seconds for row in visits_of([parlour], THAT_DAY, at(22))}
    assert times == {one.player_id: 2 * HOUR, other.player_id: 3 * HOUR // 2}


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


def test_a_party_seated_one_by_one_is_one_party_until_its_last_guest_sits(parlour: Competition) -> None:
    one, other, third = parlours.guests(parlour, 3)
    add_waiting(competition=parlour, player=one.player, party=3, by=SYSTEM, at=at(20))
    table = parlours.sitting(parlour, [one], at=at(20, 10))
    assert waits_of([parlour], THAT_DAY) == {20: Waits(parties=1, people=3)}
    for chair, guest, minute in ((1, other, 20), (2, third, 40)):
        row = WaitingGuest.objects.get(seated_at=None)
        with time_machine.travel(at(20, minute), tick=False):
            seat_waiting(waiting=row, sitting=table, seat=chair, player=guest.player, by=SYSTEM)
    assert waits_of([parlour], THAT_DAY) == {20: Waits(parties=1, people=3, minutes=(40,))}


# Income


def tariff(parlour: Competition, **fees: int) -> None:
    """Set a tariff of the house from long ago on."""
    HouseTariff.objects.create(parlour=house(parlour), from_day=dt.date(2026, 1, 1), **fees)


def income(parlour: Competition, period: Period = THAT_DAY) -> Income:
    """Return the income of the parlour's house."""
    return income_of(house(parlour), [parlour], period)


def house(parlour: Competition) -> Parlour:
    """Return the house of the open table."""
    assert parlour.parlour is not None
    return parlour.parlour


@pytest.mark.both_databases
def test_income_counts_settled_and_open_fees_by_source_and_hour(parlour: Competition) -> None:
    tariff(parlour, per_game=500, top=200)
    people = parlours.guests(parlour)
    evening(parlour, people)
    settle(parlour=house(parlour), player=people[0].player, by=SYSTEM, at=at(22, 40))
    found = income(parlour)
    assert found.total() == {Source.GAMES: 3000, Source.TOP: 400}
    assert (sum(found.total().values()), found.total().open) == (3400, 2200)
    hours = {hour: (dict(row), row.open) for hour, row in found.by_hour().items()}
    assert hours == {
        21: ({Source.GAMES: 500, Source.TOP: 200}, 0),
        22: ({Source.GAMES: 500}, 0),
        None: ({Source.GAMES: 2000, Source.TOP: 200}, 2200),
    }
    assert {book: sum(row.values()) for book, row in found.by_book().items()} == {parlour.pk: 3400}
    assert list(found.by_day()) == [DAY]
    assert list(found.by_month()) == [DAY.replace(day=1)]
    assert sorted(money_of_guests(house(parlour), THAT_DAY).values()) == [1000, 1200, 1200]


@pytest.mark.both_databases
def test_the_income_of_a_day_equals_its_till_after_a_correction_and_other_items(parlour: Competition) -> None:
    tariff(parlour, per_game=500, top=200)
    people = parlours.guests(parlour)
    sitting = parlours.sitting(parlour, people, at=at(20))
    sheet = parlours.play(sitting, at=at(21))
    add_extra(parlour=house(parlour), player=people[1].player, label="お茶", money=300, by=SYSTEM, at=at(21, 5))
    settle(parlour=house(parlour), player=people[0].player, by=SYSTEM, leaves=False, at=at(21, 10))
    seats = SheetEntry.of_sheet(sheet).seats
    # The first and the last change their scores, so the top is another guest.
    right = SheetEntry(
        seats=tuple(replace(seat, score=other.score) for seat, other in zip(seats, seats[::-1], strict=True))
    )
    correct_last_game(sitting=sitting, entry=right, corrects=1, by=SYSTEM, reason="slip")
    total = income(parlour).total()
    assert total == {Source.GAMES: 1500, Source.TOP: 400, Source.EXTRAS: 300, Source.LATE: -200}
    assert sum(total.values()) == sum(till_of(house(parlour), DAY).earned.values())


def test_a_cancelled_statement_leaves_its_amounts_open(parlour: Competition) -> None:
    tariff(parlour, per_game=500)
    people = parlours.guests(parlour)
    evening(parlour, people)
    statement = settle(parlour=house(parlour), player=people[0].player, by=SYSTEM, at=at(22, 40))
    assert statement is not None
    assert income(parlour).total().open == 2000
    cancel_statement(statement=statement, by=SYSTEM, reason="slip")
    assert (sum(income(parlour).total().values()), income(parlour).total().open) == (3000, 3000)


# Pages and files


def read(client: Client, address: str, status: int = 200) -> str:
    """Return the text of a page or file."""
    answer = client.get(address)
    assert answer.status_code == status
    return html.unescape(answer.getvalue().decode())


QUERY = "first=2026-11-20&last=2026-11-20"
PAGES = ("", "guests/", "waiting/", "income/")


@pytest.mark.parametrize("page", PAGES)
def test_a_period_without_play_says_so_and_offers_other_days(director: Client, page: str) -> None:
    text = read(director, f"/p/banchi3/reports/{page}?{QUERY}")
    assert "Nothing in this period." in text
    assert "?period=yesterday" in text


def test_the_pages_show_what_was_played_and_earned(parlour: Competition, director: Client) -> None:
    tariff(parlour, per_game=500, top=200)
    evening(parlour, parlours.guests(parlour))
    play, guests, _waiting, income_page = (read(director, f"/p/banchi3/reports/{page}?{QUERY}") for page in PAGES)
    assert '<td class="num">2:30</td><td class="num">0.80</td>' in play
    assert '<td class="num heat4">100%</td>' in play
    assert "<svg" in play
    assert "湯川 みなと" in guests
    assert '<td class="num">¥1,200</td>' in guests
    assert "¥3,400" in income_page


def test_money_is_for_directors_alone(parlour: Competition, clerk: Client) -> None:
    tariff(parlour, per_game=500, top=200)
    evening(parlour, parlours.guests(parlour))
    assert "¥" not in read(clerk, f"/p/banchi3/reports/guests/?{QUERY}")
    assert "money" not in read(clerk, f"/p/banchi3/reports/guests.csv?{QUERY}&lang=en")
    assert "reports/income/" not in read(clerk, "/p/banchi3/reports/")
    read(clerk, f"/p/banchi3/reports/income/?{QUERY}", 403)
    read(clerk, f"/p/banchi3/reports/income/days.csv?{QUERY}", 403)


def test_reports_are_never_public(parlour: Competition) -> None:
    assert Client().get("/p/banchi3/reports/").status_code == 302
    stranger = Client()
    stranger.force_login(factories.user("stranger"))
    read(stranger, "/p/banchi3/reports/", 404)
    read(stranger, "/p/banchi3/reports/guests.csv", 404)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("first=2026-11-20", "Give both days."),
        ("first=2026-11-21&last=2026-11-20", "The first day is after the last one."),
        ("first=1999-12-31&last=2026-11-20", "These days are too far away."),
        ("first=2026-11-20&last=9999-12-31", "These days are too far away."),
        ("first=2020-01-01&last=2026-11-20", "A report covers 400 days at most."),
        ("first=x&last=2026-11-20", "Enter a valid date."),
        ("period=century", "Select a valid choice."),
    ],
)
def test_a_refused_period_is_shown_with_what_was_typed(director: Client, query: str, message: str) -> None:
    text = read(director, f"/p/banchi3/reports/?{query}", 422)
    assert message in text
    if "first=" in query:
        assert f'name="first" value="{query.split("=")[1].split("&", maxsplit=1)[0]}"' in text
    read(director, f"/p/banchi3/reports/hours.csv?{query}", 404)


def test_ready_periods_count_from_the_business_day() -> None:
    today = dt.date(2026, 11, 26)
    days = {name: (period(today).first.isoformat(), period(today).last.isoformat()) for name, period in READY.items()}
    assert days == {
        "today": ("2026-11-26", "2026-11-26"),
        "yesterday": ("2026-11-25", "2026-11-25"),
        "week": ("2026-11-23", "2026-11-26"),
        "month": ("2026-11-01", "2026-11-26"),
        "last_month": ("2026-10-01", "2026-10-31"),
        "year": ("2026-01-01", "2026-11-26"),
    }


def test_files_hold_plain_numbers_and_no_formulas(parlour: Competition, director: Client) -> None:
    tariff(parlour, per_game=500, top=200)
    people = parlours.guests(parlour)
    Player.objects.filter(pk=people[0].player_id).update(name="=1+1", name_romaji="=1+1")
    evening(parlour, people)
    guests = read(director, f"/p/banchi3/reports/guests.csv?{QUERY}&lang=en")
    assert guests.startswith("\ufeffguest,visits,games,minutes,money,last_visit,is_new\r\n")
    assert guests.splitlines()[1] == "'=1+1,1,2,150,1200,2026-11-20,new"
    hours = read(director, f"/p/banchi3/reports/hours.csv?{QUERY}&lang=ja")
    assert "21:00,1,60,1.00,1.00\r\n" in hours
    days = read(director, f"/p/banchi3/reports/income/days.csv?{QUERY}&lang=en")
    assert days.splitlines()[1] == "2026-11-20,3000,400,0,0,0,0,3400,3400"
    packed = director.get(f"/p/banchi3/reports/income/books.xlsx?{QUERY}")
    assert packed["Content-Disposition"] == 'attachment; filename="banchi3-income-books-2026-11-20-2026-11-20.xlsx"'
    assert sheet_rows(packed.getvalue())[1] == ["banchi3卓", "3000", "400", "0", "0", "0", "0", "3400", "3400"]


def test_an_unknown_file_is_not_found(director: Client) -> None:
    for name in ("hours.json", "nowhere.csv", "income/guests.csv"):
        read(director, f"/p/banchi3/reports/{name}", 404)
