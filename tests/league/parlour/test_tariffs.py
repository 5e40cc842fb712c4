"""Tests of the fees of a parlour: the row that holds for a book, a table and a day."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Change, Competition, HouseTariff, Parlour, Role
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.access.actors import Actor
from league.selectors.parlour.tariffs import tariff_of, tariffs_of
from league.services.parlour.days import close_day
from league.services.parlour.tariffs import TariffPlan, set_tariff
from scoring.charges import Tariff
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlours import UNSETTLED, house

pytestmark = pytest.mark.django_db
MONDAY, TUESDAY = dt.date(2026, 11, 23), dt.date(2026, 11, 24)
OF_BANCHI = Tariff(per_game=400, top=200)


@pytest.fixture
def banchi(parlour: Competition) -> Competition:
    """Return the book of a house that plays Banchi's rules, which name fees."""
    return parlour


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


def test_fees_are_set_from_a_day_on_and_logged_in_each_book_concerned(banchi: Competition) -> None:
    house = house_of(banchi)
    row = set_tariff(parlour=house, plan=TariffPlan(from_day=TUESDAY, tariff=Tariff(per_game=500)), by=SYSTEM)
    assert tariff_of(house, banchi, "1", TUESDAY) == Tariff(per_game=500)
    logged = Change.objects.get(competition=banchi, kind="tariff.set")
    assert logged.after is not None
    assert (logged.subject_id, logged.after["per_game"], logged.is_public) == (str(row.pk), 500, False)


def test_the_fees_of_a_closed_day_do_not_change(banchi: Competition) -> None:
    close_day(parlour=house(banchi), day=MONDAY, by=SYSTEM, accept=UNSETTLED)
    fees = Tariff(per_game=500)
    with pytest.raises(ConflictError, match="closed") as refused:
        set_tariff(parlour=house_of(banchi), plan=TariffPlan(from_day=MONDAY, tariff=fees), by=SYSTEM)
    assert refused.value.findings[0].pointer == "/from_day"
    set_tariff(parlour=house_of(banchi), plan=TariffPlan(from_day=TUESDAY, tariff=fees), by=SYSTEM)


def test_fees_of_another_house_and_odd_fees_are_refused(banchi: Competition) -> None:
    other = parlours.parlour("boo")
    for plan, code in (
        (TariffPlan(from_day=MONDAY, tariff=Tariff(), book=other), "not_of_this_parlour"),
        (TariffPlan(from_day=MONDAY, tariff=Tariff(top=-1)), "fee_negative"),
        (TariffPlan(from_day=MONDAY, tariff=Tariff(hour_unit=300)), "unit_needed"),
        (TariffPlan(from_day=MONDAY, tariff=Tariff(hour_unit_minutes=1441)), "unit_too_long"),
        (TariffPlan(from_day=MONDAY, tariff=Tariff(), table="x" * 33), "too_long"),
    ):
        with pytest.raises(RuleViolationError) as refused:
            set_tariff(parlour=house_of(banchi), plan=plan, by=SYSTEM)
        assert refused.value.findings[0].code == code


def test_only_directors_set_fees(banchi: Competition) -> None:
    clerk = factories.user(role=Role.SCORER, competition=banchi)
    with pytest.raises(PermissionRefusedError):
        set_tariff(
            parlour=house_of(banchi),
            plan=TariffPlan(from_day=MONDAY, tariff=Tariff()),
            by=Actor(user=clerk, door=SYSTEM.door),
        )
