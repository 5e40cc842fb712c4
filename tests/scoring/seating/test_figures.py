"""Figures and bounds of seating plans, against plain counting."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.seating.balance import Round, Schedule
from scoring.seating.draws import draw_order
from scoring.seating.figures import Figures, bounds_of, figures_of
from tests.fuzz.examples import times

SIZES = [(8, 2), (8, 5), (12, 4), (16, 3), (20, 6), (24, 7), (32, 2), (40, 3)]


def drawn(players: int, rounds: int, seed: str) -> Schedule:
    """Return rounds with the players in the order of lots."""
    orders = [draw_order(players, f"{seed}:{number}") for number in range(rounds)]
    return tuple(tuple(order[first : first + 4] for first in range(0, players, 4)) for order in orders)


def first_rounds(players: int) -> list[Round]:
    """Return every division of the players into fours."""

    def divide(left: tuple[int, ...]) -> list[Round]:
        if not left:
            return [()]
        return [
            ((left[0], *three), *rest)
            for three in combinations(left[1:], 3)
            for rest in divide(tuple(one for one in left[1:] if one not in three))
        ]

    return divide(tuple(range(players)))


@settings(max_examples=times(10), deadline=None)
@given(size=st.sampled_from(SIZES), seed=st.text("01", max_size=3))
def test_figures_are_those_of_plain_counting(size: tuple[int, int], seed: str) -> None:
    players, rounds = size
    schedule = drawn(players, rounds, seed)
    met = Counter(frozenset(pair) for each in schedule for table in each for pair in combinations(table, 2))
    near = {one: {other for pair in met if one in pair for other in pair - {one}} for one in range(players)}
    apart = [
        len(near[one] & near[other])
        for one, other in combinations(range(players), 2)
        if not met[frozenset((one, other))]
    ]
    visits = Counter((player, place) for each in schedule for place, table in enumerate(each) for player in table)
    starts = {
        (player, wind): sum(table[wind] == player for each in schedule for table in each)
        for player, wind in product(range(players), range(4))
    }
    even, most = rounds // 4, -(-rounds // 4)
    assert figures_of(schedule, players) == Figures(
        players=players,
        rounds=rounds,
        tables=players // 4,
        pairs_again=sum(count > 1 for count in met.values()),
        excess=sum(met.values()) - len(met),
        squares=sum(count**2 for count in met.values()),
        most_meetings=max(met.values()),
        table_most=max(visits.values()),
        table_over=sum(count > -(-rounds // (players // 4)) for count in visits.values()),
        wind_off=sum(not even <= count <= most for count in starts.values()),
        wind_gap=max(
            max(starts[player, wind] for wind in range(4)) - min(starts[player, wind] for wind in range(4))
            for player in range(players)
        ),
        least_links=min(apart, default=None),
        pairs_at_least=apart.count(min(apart)) if apart else 0,
        unlinked=apart.count(0),
    )


@settings(max_examples=times(20), deadline=None)
@given(size=st.sampled_from(SIZES), seed=st.text("01", max_size=3))
def test_no_schedule_beats_a_bound(size: tuple[int, int], seed: str) -> None:
    players, rounds = size
    figures, bounds = figures_of(drawn(players, rounds, seed), players), bounds_of(players, rounds)
    assert figures.excess >= bounds.excess
    assert figures.squares >= bounds.squares
    assert figures.most_meetings >= bounds.most_meetings
    assert figures.table_most >= bounds.table_most
    assert figures.unlinked >= bounds.unlinked
    assert figures.wind_gap >= bounds.wind_gap


@pytest.mark.parametrize("players", [8, 12])
def test_two_rounds_reach_the_bound_of_repeated_meetings_and_no_two_rounds_beat_it(players: int) -> None:
    first, *others = ({pair for table in each for pair in combinations(table, 2)} for each in first_rounds(players))
    fewest = min(len(first & other) for other in others)
    # A pair that meets twice counts four times.
    assert 2 * len(first) + 2 * fewest == bounds_of(players, 2).squares


def test_twenty_players_cannot_play_six_rounds_without_a_repeat() -> None:
    bounds = bounds_of(20, 6)
    assert (bounds.excess, bounds.squares) == (1, 182)


def test_a_player_who_rests_is_measured_by_the_hanchan_played() -> None:
    schedule: Schedule = (((0, 1, 2, 3),), ((3, 4, 0, 1),), ((4, 3, 2, 0),))
    figures = figures_of(schedule, 6)
    # Five players play at the one table; player 5 never plays, so is no stranger to the others.
    assert (figures.table_over, figures.unlinked, figures.least_links) == (0, 0, None)
    # Players 0 (E, W, N), 1 (S, N) and 2 (W, W) have two or three hanchan: only player 2 starts twice from a wind.
    assert (figures.wind_off, figures.wind_gap) == (1, 2)
