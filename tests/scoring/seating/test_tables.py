"""Table numbers: companies stay as they are, and players do not return to a table without need."""

from __future__ import annotations

import pytest

from scoring.seating.catalogue import shipped
from scoring.seating.figures import figures_of
from scoring.seating.tables import with_tables
from tests.fuzz.examples import times


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rounds"), [(64, 5), (100, 8)])
def test_in_a_large_hall_nobody_returns_to_a_table(players: int, rounds: int) -> None:
    plan = shipped(players, rounds)
    assert plan is not None
    in_one_place = tuple(tuple(sorted(each)) for each in plan)
    seated = with_tables(in_one_place, players, moves=times(40_000))
    assert figures_of(seated, players).table_most == 1
    assert [sorted(each) for each in seated] == [sorted(each) for each in plan]


def test_tables_visited_in_played_rounds_are_avoided() -> None:
    company = ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11))
    played = (company,)
    seated = with_tables((company, company), 12, played)
    assert figures_of((*played, *seated), 12).table_most == 1


def test_at_one_table_there_is_nothing_to_choose() -> None:
    plan = (((0, 1, 2, 3),), ((3, 2, 1, 0),))
    assert with_tables(plan, 4) == plan


def test_without_rounds_there_are_no_tables() -> None:
    assert with_tables((), 8) == ()
