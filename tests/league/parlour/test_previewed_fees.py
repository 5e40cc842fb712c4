"""Tests of the house's fees that the counter shows while a game is typed."""

from __future__ import annotations

import datetime as dt

import pytest

from league.models import Competition, Entrant, Sitting
from league.selectors.parlour.board import running
from league.selectors.parlour.charges import charges_of_days
from league.selectors.parlour.previewed_fees import previewed_charges, tariff_of_table
from league.services.parlour.sittings import Guest, join, leave, set_house
from league.services.parlour.tariffs import TariffPlan, set_tariff
from league.services.parlour.terms import set_terms
from scoring.charges import Charge, Rate, Tariff
from tests.factories import SYSTEM
from tests.league import parlours

pytestmark = pytest.mark.django_db
DAY = dt.date(2026, 11, 20)
TARIFF = Tariff(per_game=300, student_per_game=200, top=100, stamps_for_a_free_game=2)


@pytest.fixture(scope="module")
def book(shared_rows: None) -> Competition:
    """Return a Kansai book whose house has a student rate, a top's share and stamp cards."""
    made = parlours.parlour("kansai3")
    set_tariff(parlour=parlours.house(made), plan=TariffPlan(from_day=DAY, tariff=TARIFF), by=SYSTEM)
    return made


@pytest.fixture(scope="module")
def people(book: Competition) -> list[Entrant]:
    """Return an ordinary guest, a student, and a guest with one stamp on the card."""
    guests = parlours.guests(book)
    for guest, rate, stamps in ((guests[1], Rate.STUDENT, None), (guests[2], Rate.ORDINARY, 1)):
        set_terms(parlour=parlours.house(book), player=guest.player, rate=rate, stamps=stamps, day=DAY, by=SYSTEM)
    return guests


def test_the_preview_knows_rates_the_tops_share_and_cards_as_the_books_do_later(
    book: Competition, people: list[Entrant]
) -> None:
    table = parlours.sitting(book, people, at=parlours.at(19))
    own = [one.pk for one in people]
    seen = []
    for hour, places in ((20, (1, 2, 3)), (21, (3, 2, 1)), (22, (1, 2, 3))):
        seen.append(previewed_charges(running(table), own, places, DAY))
        scores = {1: 62000, 2: 33000, 3: 10000}
        parlours.play(
            table,
            [scores[place] for place in places],
            first_dealer=0,
            at=parlours.at(hour),
            accept=("same_result_twice", "same_scores_elsewhere"),
        )
    assert seen == [
        (Charge(300, 100), Charge(200, 0), Charge(300, 0)),
        (Charge(300, 0), Charge(200, 0), Charge(0, 100, is_free=True)),
        (Charge(300, 100), Charge(200, 0), Charge(300, 0)),
    ]
    charged = charges_of_days(parlours.house(book), [DAY]).games
    for seat, one in enumerate(people):
        assert [game.charge for game in charged[one.player_id]] == [charges[seat] for charges in seen]


def test_a_correction_keeps_a_free_game_and_moves_the_tops_share(book: Competition, people: list[Entrant]) -> None:
    table = parlours.sitting(book, people, at=parlours.at(19))
    parlours.play(table, first_dealer=0, at=parlours.at(20))
    sheet = parlours.play(table, first_dealer=0, at=parlours.at(21), accept=("same_result_twice",))
    own = [one.pk for one in people]
    assert previewed_charges(running(table), own, (2, 3, 1), DAY, sheet.hanchan) == (
        Charge(300, 0),
        Charge(200, 0),
        Charge(0, 100, is_free=True),
    )


def test_a_correction_knows_who_played_the_game_for_the_house_after_the_chairs_changed(
    book: Competition, people: list[Entrant]
) -> None:
    table = parlours.sitting(book, people, at=parlours.at(19))
    set_house(seat=parlours.chair(table, 0), by=SYSTEM, is_house=True)
    sheet = parlours.play(table, first_dealer=0, at=parlours.at(20))
    own = [one.pk for one in people]
    leave(seat=parlours.chair(table, 0), by=SYSTEM, at=parlours.at(20, 5))
    leave(seat=parlours.chair(table, 1), by=SYSTEM, at=parlours.at(20, 5))
    join(sitting=table, seat=0, guest=Guest(entrant=people[1], is_house=True), by=SYSTEM, at=parlours.at(20, 10))
    fees = previewed_charges(running(table), own, (1, 2, 3), DAY, sheet.hanchan)
    assert fees == (Charge(0, 0), Charge(200, 0), Charge(300, 0))


def test_players_of_the_house_and_set_tables_pay_for_no_game(book: Competition, people: list[Entrant]) -> None:
    table = parlours.sitting(book, people, at=parlours.at(19))
    set_house(seat=parlours.chair(table, 0), by=SYSTEM, is_house=True)
    own = [one.pk for one in people]
    assert previewed_charges(running(table), own, (1, 2, 3), DAY)[0] == Charge(0, 0)
    Sitting.objects.filter(pk=table.pk).update(kind=Sitting.Kind.SET)
    table.refresh_from_db()
    assert tariff_of_table(running(table), DAY) == Tariff()


def test_a_book_of_a_house_without_fees_costs_nothing() -> None:
    book = parlours.parlour("superbingo")
    people = parlours.guests(book)
    table = running(parlours.sitting(book, people))
    assert previewed_charges(table, [one.pk for one in people], (1, 2, 3), DAY) == (Charge(0, 0),) * 3
    assert not tariff_of_table(table, DAY).is_per_game
