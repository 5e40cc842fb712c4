"""Tests of the terms of guests: rates by day, stamp cards across days, merged entries, games for the house."""

from __future__ import annotations

import datetime as dt

import pytest

from league.models import Competition, Entrant, GuestTerms, HouseTariff, Parlour
from league.selectors.parlour.charges import charges_of_days
from league.services.parlour.people import add_guest, merge_players
from league.services.parlour.sittings import Guest, close_sitting
from scoring.charges import Rate
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlours import at

pytestmark = pytest.mark.django_db
MONDAY = 16
SCORES = ((62000, 33000, 10000), (61000, 33000, 11000), (60000, 33000, 12000), (59000, 33000, 13000))


@pytest.fixture(scope="module")
def opened(shared_rows: None) -> Competition:
    """Open the only book of a house: 300 yen a game, students 200, a free game for three stamps."""
    book = parlours.parlour()
    HouseTariff.objects.create(
        parlour=house_of(book),
        from_day=dt.date(2026, 1, 1),
        per_game=300,
        student_per_game=200,
        stamps_for_a_free_game=3,
    )
    return book


@pytest.fixture
def book(parlour: Competition) -> Competition:
    """Return the book."""
    return parlour


def house_of(book: Competition) -> Parlour:
    """Return the house of a book."""
    assert book.parlour is not None
    return book.parlour


def terms(book: Competition, guest: Entrant, day: int = MONDAY, **values: object) -> None:
    """Set the terms of a guest from a day of November on."""
    GuestTerms.objects.create(parlour=house_of(book), player=guest.player, from_day=dt.date(2026, 11, day), **values)


def play(book: Competition, people: list[Entrant], day: int, games: int = 2, is_house: bool = False) -> None:
    """Play this number of games on a day of November; the first guest's chair may be one of the house."""
    seats = [Guest(entrant=people[0], is_house=is_house), *(Guest(entrant=guest) for guest in people[1:])]
    table = parlours.sitting(book, [], people=seats, at=at(12, day=day))
    for game in range(games):
        parlours.play(table, SCORES[game], at=at(13 + game, day=day), accept={"same_result_twice"})
    close_sitting(sitting=table, by=SYSTEM, at=at(20, day=day))


def fees(book: Competition, guest: Entrant, *days: int) -> list[int]:
    """Return the fees of a guest's games of these days of November."""
    charges = charges_of_days(house_of(book), [dt.date(2026, 11, day) for day in days])
    return [game.charge.total for game in charges.games.get(guest.player_id, ())]


def test_a_rate_holds_from_its_day_on_until_the_next_one(book: Competition) -> None:
    people = parlours.guests(book)
    terms(book, people[0], 17, rate=Rate.STUDENT.value)
    terms(book, people[0], 18)
    for day in (16, 17, 18):
        play(book, people, day, games=1)
    assert fees(book, people[0], 16, 17, 18) == [300, 200, 300]


def test_of_two_terms_of_one_day_the_newer_one_holds(book: Competition) -> None:
    people = parlours.guests(book)
    terms(book, people[0], rate=Rate.STUDENT.value)
    terms(book, people[0])
    play(book, people, MONDAY, games=1)
    assert fees(book, people[0], MONDAY) == [300]


def test_a_card_is_followed_from_day_to_day(book: Competition) -> None:
    people = parlours.guests(book)
    terms(book, people[0], stamps=0)
    for day in (16, 17, 18):
        play(book, people, day)
    assert fees(book, people[0], 16, 17, 18) == [300, 300, 300, 0, 300, 300]
    assert fees(book, people[0], 17) == [300, 0]
    # A day between that is not asked for, because its books are closed, counts for the card too.
    assert fees(book, people[0], 16, 18) == [300, 300, 300, 300]
    charges = charges_of_days(house_of(book), [dt.date(2026, 11, 17)])
    assert (charges.stamps_before, charges.stamps_after) == ({people[0].player_id: 2}, {people[0].player_id: 0})


def test_a_day_between_that_is_not_asked_for_fills_the_card(book: Competition) -> None:
    people = parlours.guests(book)
    terms(book, people[0], stamps=1)
    play(book, people, 16, games=1)
    play(book, people, 17, games=1)
    play(book, people, 18, games=1)
    assert fees(book, people[0], 16, 18) == [300, 0]


def test_a_card_given_later_counts_the_days_after_it(book: Competition) -> None:
    people = parlours.guests(book)
    terms(book, people[0], 17, stamps=1)
    for day in (16, 17, 18, 19):
        play(book, people, day, games=1)
    assert fees(book, people[0], 16, 19) == [300, 0]


def test_games_for_the_house_cost_nothing_and_earn_no_stamp_on_any_day(book: Competition) -> None:
    people = parlours.guests(book)
    terms(book, people[0], stamps=1)
    play(book, people, 16, is_house=True)
    play(book, people, 17)
    assert fees(book, people[0], 16, 17) == [0, 0, 300, 300]
    assert fees(book, people[0], 17) == [300, 300]


def test_the_games_of_a_merged_entry_fill_the_kept_card_in_the_order_of_play(book: Competition) -> None:
    people = parlours.guests(book)
    again = add_guest(competition=book, name="湯川 港", by=SYSTEM)
    terms(book, people[0], stamps=1)
    play(book, people, 16, games=1)
    play(book, [again, *people[1:]], 17, games=2)
    merge_players(duplicate=again.player, keep=people[0].player, by=SYSTEM, reason="typed twice")
    assert fees(book, people[0], 16, 17) == [300, 300, 0]
    assert fees(book, again, 17) == []


def test_terms_of_a_merged_entry_hold_where_the_kept_one_has_none(book: Competition) -> None:
    people = parlours.guests(book)
    again = add_guest(competition=book, name="湯川 港", by=SYSTEM)
    terms(book, again, rate=Rate.STUDENT.value)
    play(book, [again, *people[1:]], 16, games=1)
    merge_players(duplicate=again.player, keep=people[0].player, by=SYSTEM, reason="typed twice")
    assert fees(book, people[0], 16) == [200]
    terms(book, people[0])
    assert fees(book, people[0], 16) == [300]


def test_games_of_a_guest_by_the_hour_cost_nothing_each(book: Competition) -> None:
    HouseTariff.objects.create(
        parlour=house_of(book), from_day=dt.date(2026, 11, 1), per_game=300, hour_unit_minutes=30, hour_unit=250
    )
    people = parlours.guests(book)
    terms(book, people[0], rate=Rate.HOUR.value)
    play(book, people, 16, games=1)
    assert fees(book, people[0], 16) == [0]
    assert fees(book, people[1], 16) == [300]
