"""Tests of the demo parlour: its content, loading it once, and its complete removal."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine

from league.models import Competition, DayClose, Player, Sitting, TillClose, WaitingGuest
from league.selectors.parlour.board import open_sittings
from league.selectors.parlour.dues import dues_of
from league.selectors.parlour.houses import books_of, house_day
from league.selectors.parlour.income import Source, income_of
from league.selectors.parlour.reports import Period, play_of
from league.selectors.parlour.till import till_of
from league.services.operations.demo import remove_demo
from league.services.operations.demo_parlour import load_demo_parlour
from league.services.parlour.people import merge_players
from tests.factories import SYSTEM

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)


@pytest.fixture(scope="module")
def parlours(shared_rows: None) -> list[Competition]:
    """Return the books of the demo, loaded once for all tests."""
    return load_demo_parlour(by=SYSTEM)


@pytest.mark.both_databases
def test_the_demo_has_a_closed_day_and_running_tables(parlours: list[Competition]) -> None:
    assert [parlour.slug for parlour in parlours] == ["demo-sanma", "demo-boo"]
    tables = open_sittings(parlours)
    assert [(table.competition.slug, table.table, table.games) for table in tables] == [
        ("demo-sanma", "1", 3),
        ("demo-sanma", "2", 0),
        ("demo-boo", "A", 3),
    ]
    assert [seat.is_last_game for seat in tables[0].seated] == [False, False, True]
    assert tables[1].empty_chairs == (2,)
    close = DayClose.objects.filter(competition__slug="demo-sanma").latest("day")
    assert (close.sheet["games"], close.sheet["set_fees"]) == (6, 7600)
    assert WaitingGuest.objects.count() == 2


def test_the_demo_has_settled_open_and_free_games(parlours: list[Competition]) -> None:
    house = parlours[0].parlour
    assert house is not None
    today = house_day(house)
    till = till_of(house, today)
    assert till.settled.money == 1900
    assert till.unsettled.money > 0
    by_name = {Player.objects.get(pk=pk).key: due for pk, due in dues_of(house).items()}
    free = [line.detail["is_free"] for line in by_name["demo-kazahaya"].lines if line.kind == "game"]
    assert free == [False, True, False]
    assert by_name["demo-komorebi"].on_account > 0
    period = Period(today - 2 * DAY, today)
    income = income_of(house, books_of(house), period)
    assert set(income.total()) == {Source.GAMES, Source.TOP, Source.HOURS, Source.SET, Source.EXTRAS}
    assert len(income.by_day()) == 3
    assert len(play_of(books_of(house), period).hours) > 3


@pytest.mark.parametrize("clock", ["05:59", "06:00"])
def test_the_demo_loads_at_any_hour_of_the_day(clock: str) -> None:
    remove_demo(by=SYSTEM)
    with time_machine.travel(f"2026-11-21T{clock}:00+09:00", tick=True):
        parlours = load_demo_parlour(by=SYSTEM)
        assert len(open_sittings(parlours)) == 3
        assert TillClose.objects.count() == 2


@pytest.mark.usefixtures("parlours")
def test_a_second_load_does_nothing() -> None:
    assert load_demo_parlour(by=SYSTEM) == []


@pytest.mark.both_databases
@pytest.mark.usefixtures("parlours")
def test_the_demo_is_removed_completely_even_after_guests_were_merged() -> None:
    one, kept = (Player.objects.get(key=key) for key in ("demo-minamo", "demo-yuunagi"))
    merge_players(duplicate=one, keep=kept, by=SYSTEM)
    assert remove_demo(by=SYSTEM) == 2
    assert not Competition.objects.exists()
    assert not Sitting.objects.exists()
    assert not Player.objects.exists()
