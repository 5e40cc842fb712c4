"""Rounds that differ in players and tables: rests as even as any choice makes them, and plans without earlier ones."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product

import pytest

from scoring.seating.balance import meetings_of
from scoring.seating.rounds import Attendance, Past, even_rests, plan_rounds
from tests.fuzz.examples import times

DRAWS = range(times(6))


def attendance(seed: int, players: int, rounds: int) -> list[Attendance]:
    """Return rounds in which players are absent at random."""
    draw = random.Random(seed)
    return [
        Attendance(tuple(one for one in range(players) if draw.random() < 0.8), tuple(range(draw.choice((1, 2)))))
        for _ in range(rounds)
    ]


@pytest.mark.parametrize("seed", DRAWS)
def test_no_choice_of_who_rests_is_more_even(seed: int) -> None:
    rounds = attendance(seed, 7, 4)
    rests = even_rests(rounds, 7)
    counts = Counter(one for each in rests for one in each)
    for each, resting in zip(rounds, rests, strict=True):
        assert resting <= set(each.players)
        assert len(resting) == len(each.players) - 4 * each.tables(4)
    choices = [list(combinations(each.players, len(resting))) for each, resting in zip(rounds, rests, strict=True)]
    least = min(
        sum(count * count for count in Counter(one for out in choice for one in out).values())
        for choice in product(*choices)
    )
    assert sum(count * count for count in counts.values()) == least


@pytest.mark.parametrize("seed", DRAWS)
def test_of_two_present_as_often_none_rests_twice_more(seed: int) -> None:
    rounds = [Attendance(tuple(range(22 + seed)), tuple(range(9)))] * 5
    counts = Counter(one for each in even_rests(rounds, 22 + seed) for one in each)
    rests = [counts[one] for one in range(22 + seed)]
    assert max(rests) - min(rests) <= 1


def test_rests_are_spread_over_the_rounds() -> None:
    rounds = [Attendance(tuple(range(6)), (0,))] * 6
    rests = even_rests(rounds, 6)
    assert {len(each) for each in rests} == {2}
    assert all(not rests[number] & rests[number + 1] for number in range(5))


def test_who_came_late_rests_after_the_others() -> None:
    everyone, late = tuple(range(9)), 8
    rounds = [Attendance(everyone[:8], (0, 1)), *[Attendance(everyone, (0, 1))] * 4]
    assert all(late not in each for each in even_rests(rounds, 9))


@pytest.mark.parametrize("seed", DRAWS)
def test_each_player_present_sits_or_rests_once(seed: int) -> None:
    rounds = attendance(seed, 11, 4)
    for each, tables in zip(rounds, plan_rounds(rounds, 11, moves=500, seed=seed), strict=True):
        seated = Counter(one for table in tables for one in table)
        assert set(seated.values()) <= {1}
        assert set(seated) <= set(each.players)
        assert len(seated) == 4 * each.tables(4)
        assert all(len(table) in (0, 4) and (not table or place in each.places) for place, table in enumerate(tables))


def test_without_an_earlier_plan_no_pair_meets_twice_where_that_is_easy() -> None:
    rounds = [Attendance(tuple(range(38)), tuple(range(9)))] * 4
    plan = plan_rounds(rounds, 38, moves=20_000)
    assert max(map(max, meetings_of(plan, 38))) == 1


def test_a_table_fewer_from_a_round_on_is_not_used_there() -> None:
    rounds = [Attendance(tuple(range(16)), tuple(range(4 - (number > 1)))) for number in range(4)]
    plan = plan_rounds(rounds, 16, moves=2_000)
    assert [sum(map(bool, each)) for each in plan] == [4, 4, 3, 3]


def test_the_company_of_a_lost_table_moves_together_to_a_free_one() -> None:
    earlier = (((0, 1, 2, 3), (4, 5, 6, 7)),)
    plan = plan_rounds([Attendance(tuple(range(8)), (1, 2))], 8, past=Past(earlier=earlier), moves=0)
    assert [set(table) for table in plan[0]] == [set(), {4, 5, 6, 7}, {0, 1, 2, 3}]


def test_rounds_played_count() -> None:
    first = plan_rounds([Attendance(tuple(range(16)), tuple(range(4)))] * 2, 16, moves=2_000)
    later = plan_rounds([Attendance(tuple(range(16)), tuple(range(4)))] * 3, 16, past=Past(played=first), moves=40_000)
    assert max(map(max, meetings_of((*first, *later), 16))) == 1
