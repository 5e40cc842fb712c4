"""Schedules improved step by step: no step is worse than the one before, and what was given stays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise

import pytest

from scoring.seating import Constraints, seating, with_rests
from scoring.seating.balance import Pair, Schedule
from scoring.seating.improving import SearchStep, improving, step_of
from scoring.seating.search import APART

FEW = 1_000
"""Exchanges of a first schedule that has room for improvement."""


def clubs(players: int, size: int) -> dict[Pair, int]:
    """Return the pairs within clubs of a number of players, with the price of a meeting."""
    return {pair: APART for pair in combinations(range(players), 2) if pair[0] // size == pair[1] // size}


def present(schedule: Schedule) -> list[set[int]]:
    """Return the players of each round."""
    return [{player for table in each for player in table} for each in schedule]


@pytest.fixture(params=["clubs and absences", "rests"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@cache
def case_of(name: str) -> tuple[Schedule, int, Constraints]:
    """Return a first schedule with its number of players and its requirements."""
    if name == "rests":
        return with_rests(22, 4, moves=FEW), 22, Constraints()
    late = Constraints(apart=clubs(24, 4), absent={0: frozenset({0, 1, 2, 3})})
    return seating(24, 4, constraints=late, moves=FEW), 24, late


@cache
def steps_of(name: str) -> list[SearchStep]:
    """Return the first steps from that schedule."""
    schedule, players, constraints = case_of(name)
    return list(improving(schedule, players, constraints, seed=1, steps=2))


@pytest.mark.slow
def test_steps_improve_the_schedule_and_never_make_it_worse(name: str) -> None:
    case, steps = case_of(name), steps_of(name)
    keys = [step_of(*case).key, *(step.key for step in steps)]
    assert keys[-1] < keys[0]
    assert all(later <= sooner for sooner, later in pairwise(keys))
    assert [(step.done, step.of) for step in steps] == [(1, 2), (2, 2)]


@pytest.mark.slow
def test_every_player_stays_in_the_rounds_given(name: str) -> None:
    for step in steps_of(name):
        assert present(step.schedule) == present(case_of(name)[0])
        assert all(len(table) == 4 for each in step.schedule for table in each)


def test_the_counts_of_a_step_are_those_of_its_schedule(name: str) -> None:
    _schedule, players, constraints = case_of(name)
    for step in steps_of(name):
        assert step == step_of(step.schedule, players, constraints, step.done, step.of)


@pytest.mark.slow
def test_a_search_carried_on_takes_the_same_steps(name: str) -> None:
    (_schedule, players, constraints), steps = case_of(name), steps_of(name)
    assert list(improving(steps[0].schedule, players, constraints, seed=1, steps=2, done=1)) == steps[1:]


def first_and_second_half() -> Iterator[Schedule]:
    """Yield the first rounds of a schedule, and the others."""
    whole = seating(16, 6, moves=FEW)
    yield from (whole[:3], whole[3:])


@pytest.mark.slow
def test_rounds_already_played_count_and_stay() -> None:
    played, left = first_and_second_half()
    constraints = Constraints(played=played)
    [last] = improving(left, 16, constraints, seed=2, steps=1)
    assert len(last.schedule) == 3
    assert last.figures.rounds == 6
    assert last.key <= step_of(left, 16, constraints).key


def test_a_single_table_is_left_as_it_is() -> None:
    [step] = improving((((0, 1, 2, 3),),), 4, steps=1)
    assert [set(table) for table in step.schedule[0]] == [{0, 1, 2, 3}]
    assert step.figures.least_links is None
