"""Tests of the fees of a parlour: the row that holds for a book, a table and a day."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Competition, HouseTariff, Parlour
from league.selectors.parlour.tariffs import tariff_of, tariffs_of
from scoring.charges import Tariff
from tests.league import parlours

pytestmark = pytest.mark.django_db
MONDAY, TUESDAY = dt.date(2026, 11, 23), dt.date(2026, 11, 24)
OF_BANCHI = Tariff(per_game=400, top=200)


@pytest.fixture
def banchi() -> Competition:
    """Return the book of a house that plays Banchi's rules, which name fees."""
    book = parlours.parlour()
    if book.parlour is None:
        book.parlour = Parlour.objects.create(slug="house", name="雀荘")
        book.save(update_fields=["parlour"])
    return book


def house_of(book: Competition) -> Parlour:
    """Return the parlour of a book."""
    assert book.parlour is not None
    return book.parlour


def test_without_a_row_the_fees_of_the_rule_book_hold(banchi: Competition) -> None:
    assert tariff_of(house_of(banchi), banchi, "1", MONDAY) == OF_BANCHI


def test_a_book_in_another_currency_names_no_fees(banchi: Competition) -> None:
    house = house_of(banchi)
    house.currency = "EUR"
    assert tariff_of(house, banchi, "1", MONDAY) == Tariff()


def test_the_narrowest_scope_holds_then_the_latest_day_then_the_newest_row(banchi: Competition) -> None:
    house = house_of(banchi)

    def row(per_game: int, day: dt.date = MONDAY, **scope: object) -> None:
        HouseTariff.objects.create(parlour=house, from_day=day, per_game=per_game, **scope)

    row(500)
    row(600, book=banchi)
    row(700, table="3")
    row(800, table="3", book=banchi)
    row(550, TUESDAY)
    row(650, TUESDAY, book=banchi)
    row(660, TUESDAY, book=banchi)
    row(1, MONDAY, book=banchi)
    found = tariffs_of(house)
    other = banchi.pk + 1

    def fee(book: int, table: str, day: dt.date) -> int:
        return found.at(book, table, day).per_game

    assert [fee(banchi.pk, "1", day) for day in (MONDAY, TUESDAY)] == [1, 660]
    assert [fee(other, "1", day) for day in (MONDAY, TUESDAY)] == [500, 550]
    assert [fee(other, "3", TUESDAY), fee(banchi.pk, "3", TUESDAY)] == [700, 800]


def test_a_row_holds_from_its_day_on(banchi: Competition) -> None:
    house = house_of(banchi)
    HouseTariff.objects.create(parlour=house, from_day=TUESDAY, per_game=500, student_per_game=300, set_hour=1_200)
    found = tariffs_of(house)
    assert found.at(banchi.pk, "1", MONDAY) == OF_BANCHI
    assert found.at(banchi.pk, "1", TUESDAY) == Tariff(per_game=500, student_per_game=300, set_hour=1_200)


def test_all_tariffs_of_a_house_are_read_in_one_query(banchi: Competition) -> None:
    house = house_of(banchi)
    HouseTariff.objects.create(parlour=house, from_day=MONDAY, per_game=500)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        found = tariffs_of(house)
        for table in "123":
            found.at(banchi.pk, table, MONDAY)
    assert len(queries) == 1
