"""Seating schedules: how often pairs meet, the distribution of seats, and the balance report."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import combinations, islice, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.seating import (
    Constraints,
    SeatingError,
    bounds_for,
    draw_order,
    figures_of,
    in_order_of_lots,
    lot,
    rotate_seats,
    seating,
    staying,
    with_winds,
)
from scoring.seating.balance import Schedule, least_squares, pairs_again, starts_of
from scoring.seating.draws import stream
from scoring.seating.search import APART, SearchState
from tests.fuzz.examples import times
from tests.scoring.seating.counts import meetings_within

PERFECT = [(8, 8), (12, 11), (16, 5), (16, 15), (32, 7), (40, 13), (16, 7), (8, 7), (20, 5), (28, 7), (44, 11)]


EVEN = {"excess", "squares", "most_meetings", "wind_gap", "wind_off"}
"""Figures of meetings and winds."""


def proved(schedule: Schedule, players: int) -> frozenset[str]:
    """Return the figures in which no schedule can be better."""
    return bounds_for(schedule, players).reached(figures_of(schedule, players))


def spread_of_starts(schedule: Schedule, players: int) -> tuple[int, int]:
    """Return the least and the most starts of a player from a wind."""
    counts = [count for row in starts_of(schedule, players) for count in row]
    return min(counts), max(counts)


def all_players_once(schedule: Schedule, players: int) -> bool:
    """Tell if each round seats every player at exactly one table."""
    return all(sorted(player for table in each for player in table) == list(range(players)) for each in schedule)


@pytest.mark.parametrize(("players", "rounds"), PERFECT)
def test_a_known_perfect_design_is_used(players: int, rounds: int) -> None:
    schedule = seating(players, rounds)
    assert all_players_once(schedule, players)
    assert proved(schedule, players) >= EVEN


def test_eight_players_in_eight_hanchan_meet_three_or_four_times_and_start_twice_in_each_wind() -> None:
    schedule = seating(8, 8)
    assert set(meetings(schedule, 8)) == {3, 4}
    assert starts_of(schedule, 8) == [[2, 2, 2, 2]] * 8


@pytest.mark.parametrize(("players", "rounds"), [(20, 8), (24, 12)])
def test_a_shipped_plan_reaches_the_theoretical_bound(players: int, rounds: int) -> None:
    assert proved(seating(players, rounds), players) >= EVEN


@pytest.mark.parametrize(("players", "rounds"), [(16, 5), (28, 9), (40, 13), (52, 17), (64, 21)])
def test_in_a_resolvable_design_every_pair_meets_once(players: int, rounds: int) -> None:
    schedule = seating(players, rounds)
    assert all_players_once(schedule, players)
    assert set(meetings(schedule, players)) == {1}


@pytest.mark.parametrize(("players", "rounds"), [(8, 7), (12, 11), (20, 19)])
def test_in_as_many_rounds_as_a_player_has_opponents_every_pair_meets_three_times(players: int, rounds: int) -> None:
    schedule = seating(players, rounds)
    assert all_players_once(schedule, players)
    assert set(meetings(schedule, players)) == {3}


def test_a_plan_longer_than_any_that_is_shipped_begins_again() -> None:
    schedule = seating(8, 21, moves=20_000)
    assert all_players_once(schedule, 8)
    assert set(meetings(schedule, 8)) == {9}


def meetings(schedule: Schedule, players: int) -> list[int]:
    found = Counter(frozenset(pair) for each in schedule for table in each for pair in combinations(table, 2))
    return [found[frozenset(pair)] for pair in combinations(range(players), 2)]


@settings(max_examples=times(20))
@given(size=st.sampled_from([3, 4]), tables=st.integers(1, 4), rounds=st.integers(1, 9), seed=st.integers(0, 99))
def test_winds_can_be_assigned_so_that_starts_differ_by_at_most_one(
    size: int, tables: int, rounds: int, seed: int
) -> None:
    players = size * tables
    lots = [draw_order(players, f"{seed}/{number}") for number in range(rounds)]
    company = tuple(tuple(lot[first : first + size] for first in range(0, players, size)) for lot in lots)
    seated = with_winds(company, size)
    assert [[set(table) for table in each] for each in seated] == [[set(table) for table in each] for each in company]
    for row in starts_of(seated, players):
        assert max(row) - min(row) <= 1
    for player in range(players):
        places = [table.index(player) for each in seated for table in each if player in table]
        runs = [places[first : first + size] for first in range(0, rounds, size)]
        assert all(len(run) == len(set(run)) for run in runs)


def test_three_player_tables_are_scheduled_too() -> None:
    schedule = seating(9, 4, size=3, moves=20_000)
    assert all_players_once(schedule, 9)
    assert set(meetings(schedule, 9)) == {1}


def test_equal_arguments_give_equal_schedules_and_another_seed_another_one() -> None:
    late = Constraints(absent={0: frozenset(range(4))})
    one, same, other = (seating(12, 4, constraints=late, moves=20_000, seed=seed) for seed in (4, 4, 5))
    assert one == same != other


def test_players_of_one_club_are_kept_apart_where_possible() -> None:
    club = dict.fromkeys(combinations(range(3), 2), APART)
    schedule = seating(12, 4, constraints=Constraints(apart=club))
    assert meetings_within(club, schedule, 12) == 0


def test_absent_players_are_not_seated() -> None:
    absent = {0: frozenset({3, 5, 7, 11})}
    schedule = seating(12, 3, constraints=Constraints(absent=absent), moves=20_000)
    assert {player for table in schedule[0] for player in table} == set(range(12)) - absent[0]
    assert sum(starts_of(schedule, 12)[3]) == 2


def test_rounds_already_played_count_for_meetings_and_winds() -> None:
    whole = seating(8, 8, moves=20_000)
    rest = seating(8, 5, constraints=Constraints(played=whole[:3]), moves=20_000)
    together = (*whole[:3], *rest)
    assert "squares" in proved(together, 8)
    assert spread_of_starts(together, 8) in {(2, 2), (1, 3)}


def test_after_played_rounds_no_reseated_table_would_balance_starts_better() -> None:
    played = (((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11)),) * 3
    company = tuple(
        tuple(order[first : first + 4] for first in range(0, 12, 4))
        for order in (draw_order(12, f"lots/{number}") for number in range(5))
    )
    seated = with_winds(company, 4, played)
    starts = Counter(
        place
        for each in (*played, *seated)
        for table in each
        for place in ((who, seat) for seat, who in enumerate(table))
    )
    for table in (table for each in seated for table in each):
        here = Counter((who, seat) for seat, who in enumerate(table))
        before = sum(count * count for count in starts.values())
        for order in permutations(table):
            after = starts - here + Counter((who, seat) for seat, who in enumerate(order))
            assert sum(count * count for count in after.values()) >= before


def test_rounds_with_rests_force_the_pairs_among_players_who_cannot_rest_in_both() -> None:
    whole, partial = ((0, 1, 2, 3), (4, 5, 6, 7)), ((0, 1, 2, 3),)
    assert pairs_again((whole, partial), 8) == 2
    assert pairs_again((partial, partial), 8) == 0
    assert pairs_again((whole, whole), 8) == 4


@pytest.mark.parametrize(("turns", "starts"), [((4, 4), (2, 2)), ((3, 3, 2), (2, 2)), ((2, 2, 2), (1, 2))])
def test_groups_stay_together_for_a_turn_and_start_evenly(turns: tuple[int, ...], starts: tuple[int, int]) -> None:
    schedule = staying(8, turns)
    assert all_players_once(schedule, 8)
    assert len(schedule) == sum(turns)
    first = 0
    for games in turns:
        companies = [[frozenset(table) for table in each] for each in schedule[first : first + games]]
        assert all(each == companies[0] for each in companies)
        first += games
    assert spread_of_starts(schedule, 8) == starts


def test_eight_players_in_two_rounds_have_the_minimum_of_four_repeated_pairs() -> None:
    schedule = seating(8, 2)
    assert (figures_of(schedule, 8).pairs_again, figures_of(schedule, 8).most_meetings) == (4, 2)
    assert proved(schedule, 8) >= EVEN


@settings(max_examples=times(20))
@given(tables=st.integers(1, 5), resting=st.integers(0, 4), rounds=st.integers(1, 5), seed=st.integers(0, 99))
def test_no_schedule_is_more_even_than_its_bound(tables: int, resting: int, rounds: int, seed: int) -> None:
    players = 4 * tables + resting
    lots = [draw_order(players, f"{seed}/{number}") for number in range(rounds)]
    schedule = tuple(tuple(order[first : first + 4] for first in range(0, 4 * tables, 4)) for order in lots)
    figures, bounds = figures_of(schedule, players), bounds_for(schedule, players)
    for name in ("excess", "squares", "most_meetings", "table_most", "unlinked"):
        assert getattr(figures, name) >= getattr(bounds, name)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((9, 1), "tables_not_full", "In round 1 there are 9 players, which tables of 4 do not take evenly."),
        ((3, 1), "too_few_players", "3 players do not fill a table of 4."),
        ((8, 0), "no_rounds", "not 0"),
        ((7, 1, {"absent": {0: frozenset(range(4))}}), "too_few_players", "3 players do not fill a table of 4."),
        ((8, 2, {"tables": {1: 0}}), "no_tables", "In round 2 there is no table. Check the absences"),
        ((30, 2), "tables_not_full", "Let 2 more play, or 2 fewer."),
    ],
)
def test_an_impossible_schedule_is_refused_with_the_numbers(arguments: tuple[Any, ...], code: str, words: str) -> None:
    players, rounds, *asked = arguments
    with pytest.raises(SeatingError) as refused:
        seating(players, rounds, constraints=Constraints(**asked[0]) if asked else Constraints())
    assert refused.value.code == code
    assert words in str(refused.value)


def test_a_constraint_on_an_unknown_player_is_refused() -> None:
    with pytest.raises(SeatingError, match="There is no player 8"):
        seating(8, 1, constraints=Constraints(apart={(0, 8): APART}))


@pytest.mark.parametrize(("size", "games"), [(4, 8), (3, 3), (4, 3)])
def test_players_who_stay_at_a_table_rotate_through_the_seats(size: int, games: int) -> None:
    turns = rotate_seats(size, games)
    assert len(turns) == games
    assert all(sorted(turn) == list(range(size)) for turn in turns)
    for player in range(size):
        run = [turn.index(player) for turn in turns[:size]]
        assert len(run) == len(set(run))


def test_in_a_rotation_each_player_sits_once_directly_after_each_other() -> None:
    after = Counter((turn[seat], turn[seat + 1]) for turn in rotate_seats(4, 4) for seat in range(3))
    assert set(after.values()) == {1}
    assert len(after) == 12


def test_lots_are_determined_by_their_seed() -> None:
    assert draw_order(8, "spring") == draw_order(8, "spring")
    assert sorted(draw_order(8, "spring")) == list(range(8))
    assert draw_order(8, "spring") != draw_order(8, "autumn")


def test_a_lot_is_the_sha256_of_seed_and_number() -> None:
    assert lot("spring", 3) == hashlib.sha256(b"spring:3").hexdigest()
    assert in_order_of_lots([7, 3, 5], "spring") == tuple(sorted([3, 5, 7], key=lambda number: lot("spring", number)))


def test_a_random_stream_repeats_with_its_seed() -> None:
    assert list(islice(stream(7), 5)) == list(islice(stream(7), 5))
    assert next(stream(0)) == 0xE220A8397B1DCDAF


@given(total=st.integers(0, 200), parts=st.integers(1, 12))
def test_the_least_sum_of_squares_is_that_of_an_even_share(total: int, parts: int) -> None:
    even = [total // parts + (place < total % parts) for place in range(parts)]
    assert least_squares(total, parts) == sum(count * count for count in even)


def test_an_empty_schedule_is_balanced() -> None:
    assert figures_of((), 0).squares == bounds_for((), 0).squares == 0
    assert proved((), 0) >= EVEN


def test_the_predicted_cost_of_a_swap_equals_the_new_cost() -> None:
    state = SearchState.of([[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 4, 5]], 8, {(0, 4): APART})
    change = state.change_of(state.tables[0], state.tables[1], 3, 6)
    moved = SearchState.of([[0, 1, 2, 6], [4, 5, 3, 7], [0, 1, 4, 5]], 8, {(0, 4): APART})
    assert state.cost + change == moved.cost
    state.swap(state.tables[0], state.tables[1], 3, 6)
    assert state.met == moved.met
