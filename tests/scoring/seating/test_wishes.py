"""Pairs to be kept apart: whole players change numbers first, which costs nothing, then places in single rounds."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.seating import Constraints, draw_order, seating
from scoring.seating.balance import Pair, Schedule, meetings_of, starts_of, together_at_least
from scoring.seating.companies import Companies, spread
from scoring.seating.draws import stream
from scoring.seating.figures import figures_of
from scoring.seating.plan import COMPATRIOTS
from scoring.seating.relabelling import Counts, relabelled
from scoring.seating.search import APART
from tests.fuzz.examples import times
from tests.scoring.seating.counts import meetings_within

planned = partial(seating, moves=10_000)


def club_of(players: Iterable[int]) -> dict[Pair, int]:
    """Return the pairs of one club with their price."""
    return dict.fromkeys(combinations(sorted(players), 2), APART)


def prices_of(apart: dict[Pair, int], players: int) -> Counts:
    prices = np.zeros((players, players), dtype=np.int64)
    for (one, other), price in apart.items():
        prices[one, other] = prices[other, one] = price
    return prices


def price_of(schedule: Schedule, prices: Counts) -> int:
    return int((prices * np.array(meetings_of(schedule, len(prices)))).sum()) // 2


def random_schedule(players: int, rounds: int, seed: int) -> Schedule:
    lots = [draw_order(players, f"{seed}/{number}") for number in range(rounds)]
    return tuple(tuple(lot[first : first + 4] for first in range(0, players, 4)) for lot in lots)


@pytest.mark.slow
@settings(max_examples=times(15))
@given(tables=st.integers(2, 6), rounds=st.integers(1, 6), seed=st.integers(0, 99), clubs=st.integers(2, 6))
def test_exchanging_whole_players_changes_no_figure_and_brings_no_club_closer(
    tables: int, rounds: int, seed: int, clubs: int
) -> None:
    players = 4 * tables
    schedule = random_schedule(players, rounds, seed)
    prices = prices_of(
        {pair: APART for number in range(clubs) for pair in club_of(range(number, players, clubs))}, players
    )
    named = relabelled(schedule, prices, [0] * players, seed=seed)
    assert figures_of(named, players) == figures_of(schedule, players)
    assert price_of(named, prices) <= price_of(schedule, prices)


@settings(max_examples=times(15))
@given(tables=st.integers(2, 6), rounds=st.integers(1, 6), seed=st.integers(0, 99), club=st.integers(0, 12))
def test_exchanges_in_rounds_seat_each_player_once_and_never_raise_the_cost(
    tables: int, rounds: int, seed: int, club: int
) -> None:
    players = 4 * tables
    schedule = random_schedule(players, rounds, seed)
    prices = prices_of(club_of(range(min(club, players))), players)

    def cost(of: Schedule) -> int:
        return figures_of(of, players).squares + price_of(of, prices)

    def exchanged() -> Schedule:
        companies = Companies.of(schedule, prices)
        spread(companies, 60, stream(seed))
        return companies.schedule

    found = exchanged()
    assert all(sorted(one for table in each for one in table) == list(range(players)) for each in found)
    assert cost(found) <= cost(schedule)
    assert found == exchanged()


def test_only_players_of_one_class_exchange_their_numbers() -> None:
    schedule = (((0, 1, 2, 3), (4, 5, 6, 7)),)
    prices = prices_of(club_of((0, 1)), 8)
    assert relabelled(schedule, prices, ["a", "b", "a", "b", "c", "c", "c", "c"]) == schedule
    assert price_of(relabelled(schedule, prices, [0] * 8), prices) == 0


def test_one_step_exchanges_the_two_players_who_bring_most() -> None:
    schedule = (((0, 1, 2, 3), (4, 5, 6, 7)),)
    prices = prices_of({(0, 1): 5, (0, 4): 1}, 8)
    assert price_of(relabelled(schedule, prices, [0] * 8, steps=1), prices) == 0


def test_a_search_in_which_every_exchange_would_undo_a_recent_one_waits_and_keeps_the_best() -> None:
    # Two tables of two have three different rounds; each exchange is barred for longer than it takes to see them.
    prices = prices_of(dict.fromkeys(combinations(range(4), 2), 3) | {(0, 2): 2, (1, 3): 2}, 4)
    companies = Companies.of((((0, 1), (2, 3)),), prices)
    spread(companies, 40, stream(1))
    assert {frozenset(table) for table in companies.schedule[0]} == {frozenset({0, 2}), frozenset({1, 3})}
    assert companies.cost == 6


@pytest.mark.parametrize(
    ("players", "rounds", "clubs"), [(16, 5, 1), (64, 8, 8), (64, 8, 3), (100, 8, 10), (200, 8, 20)]
)
def test_clubs_meet_no_more_often_than_they_must_and_no_pair_meets_again(players: int, rounds: int, clubs: int) -> None:
    apart = {pair: APART for number in range(clubs) for pair in club_of(range(number, players, clubs))}
    schedule = planned(players, rounds, constraints=Constraints(apart=apart))
    tables = players // 4
    forced = sum(
        together_at_least(len(range(number, players, clubs)) * rounds, tables * rounds) for number in range(clubs)
    )
    assert meetings_within(apart, schedule, players) == forced
    assert figures_of(schedule, players).excess == 0


def test_a_club_larger_than_the_number_of_tables_must_meet() -> None:
    assert together_at_least(30 * 8, 16 * 8) == 14 * 8
    schedule = planned(64, 8, constraints=Constraints(apart=club_of(range(30))))
    assert meetings_within(club_of(range(30)), schedule, 64) == 14 * 8


def test_clubs_come_before_countries() -> None:
    club, country = club_of((0, 1)), dict.fromkeys(combinations((0, 2, 3, 4, 5, 6, 7), 2), COMPATRIOTS)
    schedule = planned(8, 3, constraints=Constraints(apart={**country, **club}))
    assert meetings_within(club, schedule, 8) == 0


def test_players_whom_rounds_already_played_brought_together_are_kept_apart_afterwards() -> None:
    played = planned(64, 3)
    rest = planned(64, 5, constraints=Constraints(played=played))
    assert figures_of((*played, *rest), 64).excess == 0


def test_club_members_who_come_late_stay_absent() -> None:
    absent = {0: frozenset({0, 1, 2, 3})}
    constraints = Constraints(apart=club_of(range(8)), absent=absent)
    schedule = planned(32, 4, constraints=constraints)
    assert not {one for table in schedule[0] for one in table} & absent[0]
    assert meetings_within(constraints.apart, schedule, 32) == 0


@settings(max_examples=times(6))
@given(
    players=st.integers(13, 30),
    late=st.integers(1, 6),
    tables=st.integers(2, 4),
    seed=st.integers(0, 9),
)
def test_with_absences_and_fewer_tables_those_present_rest_by_turns(
    players: int, late: int, tables: int, seed: int
) -> None:
    absent = {0: frozenset(range(late)), 1: frozenset(range(2))}
    most = dict.fromkeys(range(2, 5), tables)
    constraints = Constraints(absent=absent, tables=most)
    schedule = seating(players, 5, constraints=constraints, moves=2_000, seed=seed)
    for number, each in enumerate(schedule):
        seated = [one for table in each for one in table]
        assert len(seated) == len(set(seated))
        assert not absent.get(number, frozenset()) & set(seated)
        there = players - len(absent.get(number, ()))
        assert [len(table) for table in each] == [4] * min(there // 4, most.get(number, there // 4))
    # Players who were there in every round have as many rests, give or take one.
    rests = [5 - sum(row) for row in starts_of(schedule, players)[late:]]
    assert max(rests) - min(rests) <= 1


@pytest.mark.slow
def test_four_late_players_and_a_lost_table_at_a_perfect_plan_cost_no_repeat() -> None:
    absent = {0: frozenset({3, 50, 97, 140})}
    constraints = Constraints(absent=absent, tables=dict.fromkeys(range(5, 8), 39))
    figures = figures_of(seating(160, 8, constraints=constraints), 160)
    assert (figures.excess, figures.table_most) == (0, 1)
