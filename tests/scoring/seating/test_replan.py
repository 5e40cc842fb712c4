"""Replanning of a running event: what must not change, who moves, and the fewest repeats that are possible."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product

import pytest

from scoring.seating import seating
from scoring.seating.balance import Round, Schedule, meetings_of
from scoring.seating.replan import Aim, Changes, Replan, replan
from scoring.seating.search import APART

AIMS = list(Aim)
CHANGES = Changes(leaving={3, 11, 25, 38}, arriving={40, 41}, lost={6})


@pytest.fixture(scope="module")
def forty() -> Schedule:
    """Return a plan of 40 players and 6 rounds."""
    return seating(40, 6, moves=20_000)


@cache
def changed(forty: Schedule, aim: Aim) -> Replan:
    """Return the plan after two rounds: four players leave, two arrive, and a table is lost."""
    return replan(forty, 42, played=2, changes=CHANGES, aim=aim, moves=10_000)


@pytest.mark.parametrize("aim", AIMS)
def test_each_player_present_plays_or_rests_once_and_the_lost_table_is_empty(forty: Schedule, aim: Aim) -> None:
    found = changed(forty, aim)
    for number, each in enumerate(found.schedule[2:]):
        seated = Counter(one for table in each for one in table)
        assert set(seated.values()) == {1}
        assert not {3, 11, 25, 38} & set(seated)
        assert set(seated) | set(found.rests[number]) == set(range(42)) - {3, 11, 25, 38}
        assert {len(table) for table in each} == {0, 4}
        assert each[6] == ()


@pytest.mark.slow
@pytest.mark.parametrize("aim", AIMS)
def test_rounds_played_stay_the_same_objects_and_no_pair_meets_again(forty: Schedule, aim: Aim) -> None:
    found = changed(forty, aim)
    assert all(new is old for new, old in zip(found.schedule[:2], forty[:2], strict=True))
    assert found.before.excess == found.after.excess == found.forced == 0


def test_with_few_moves_only_the_players_of_dissolved_tables_and_few_others_move(forty: Schedule) -> None:
    few, best = changed(forty, Aim.FEW_MOVES), changed(forty, Aim.BEST_PLAN)
    assert few.staying_moves <= 4 * 6
    assert few.staying_moves <= best.staying_moves
    assert best.after.key <= few.after.key
    assert best.after.table_most <= few.after.table_most


def test_a_table_that_keeps_its_players_keeps_their_seats(forty: Schedule) -> None:
    found = changed(forty, Aim.FEW_MOVES)
    same = 0
    for old, new in zip(forty[2:], found.schedule[2:], strict=True):
        for before, after in zip(old, new, strict=False):
            if set(before) == set(after):
                same += 1
                assert after == before
    assert same >= 4 * 4


def test_every_move_is_listed_with_both_tables_and_no_other(forty: Schedule) -> None:
    found = changed(forty, Aim.BEST_PLAN)
    told = {(move.round, move.player): (move.before, move.after) for move in found.moves}
    assert len(told) == len(found.moves)
    for number in range(6):
        was, now = where(forty[number]), where(found.schedule[number])
        for one in range(42):
            place = (was.get(one), now.get(one))
            assert told.get((number, one), (was.get(one), was.get(one))) == place


def where(each: Round) -> dict[int, int]:
    """Return the table of each player of a round."""
    return {one: place for place, table in enumerate(each) for one in table}


def test_nothing_changed_leaves_the_plan_as_it_is(forty: Schedule) -> None:
    found = replan(forty, 40, played=2, changes=Changes())
    assert found.schedule == forty
    assert found.moves == ()
    assert found.before == found.after


@pytest.mark.slow
@pytest.mark.parametrize("aim", AIMS)
def test_the_same_seed_gives_the_same_plan(forty: Schedule, aim: Aim) -> None:
    assert replan(forty, 42, played=2, changes=CHANGES, aim=aim, moves=10_000) == changed(forty, aim)


@pytest.mark.slow
@pytest.mark.parametrize("leaving", [1, 3, 6])
@pytest.mark.parametrize("aim", AIMS)
def test_no_player_rests_twice_before_every_other_has_rested(forty: Schedule, leaving: int, aim: Aim) -> None:
    found = replan(forty, 40, played=1, changes=Changes(leaving=range(leaving)), aim=aim, moves=1_000)
    counts = Counter(one for each in found.rests for one in each)
    rests = [counts[one] for one in range(leaving, 40)]
    assert max(rests) - min(rests) <= 1


def test_a_player_who_rested_before_rests_again_only_after_the_others() -> None:
    old = seating(8, 3, moves=2_000)
    once = replan(old, 9, played=0, changes=Changes(arriving={8}), moves=2_000)
    again = replan(once.schedule, 9, played=1, changes=Changes(), moves=2_000)
    first = set(range(9)).difference(*once.schedule[0])
    assert not first & {one for each in again.rests for one in each}


def test_who_arrives_takes_the_seat_of_who_leaves_and_no_one_else_moves(forty: Schedule) -> None:
    found = replan(forty, 42, played=4, changes=Changes(leaving={5, 6}, arriving={40, 41}), moves=2_000)
    assert found.staying_moves == 0
    assert found.after.excess == found.forced


def test_clubmates_are_kept_apart_where_that_is_possible(forty: Schedule) -> None:
    club = list(combinations(range(6), 2))
    found = replan(
        forty, 40, played=3, changes=Changes(apart=[(pair, APART) for pair in club]), aim=Aim.BEST_PLAN, moves=10_000
    )
    met = meetings_of(found.schedule[3:], 40)
    assert sum(met[one][other] for one, other in club) == 0


def test_more_players_than_before_use_the_spare_tables(forty: Schedule) -> None:
    found = replan(forty, 44, played=3, changes=Changes(arriving=range(40, 44), spare={10}), moves=2_000)
    assert all(len(each[10]) == 4 for each in found.schedule[3:])
    assert found.rests == ((),) * 3


def plans(present: Sequence[int], resting: int) -> Iterator[Round]:
    """Yield every round of tables of four in which a number of the players rest."""
    for out in combinations(present, resting):
        yield from companies([one for one in present if one not in out])


def companies(left: Sequence[int]) -> Iterator[Round]:
    """Yield every division of the players into tables of four."""
    if not left:
        yield ()
        return
    first, *others = left
    for mates in combinations(others, 3):
        for more in companies([one for one in others if one not in mates]):
            yield ((first, *mates), *more)


def least_squares_of(old: Schedule, players: int, played: int, present: Sequence[int], resting: int) -> int:
    """Return the least sum of squared meetings of all plans in which rests differ by one at most."""
    every = list(plans(present, resting))
    pairs = [tuple(pair for table in each for pair in combinations(table, 2)) for each in every]
    met = meetings_of(old[:played], players)
    before = {(one, other): met[one][other] for one, other in combinations(range(players), 2)}
    fixed = sum(count * count for count in before.values())
    least = 10**9
    for choice in product(range(len(every)), repeat=len(old) - played):
        seats = Counter(one for which in choice for table in every[which] for one in table)
        if max(seats[one] for one in present) - min(seats[one] for one in present) > 1:
            continue
        counts = Counter(pair for which in choice for pair in pairs[which])
        total = fixed + sum(2 * before[pair] * more + more * more for pair, more in counts.items())
        least = min(least, total)
    return least


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "rounds", "played", "leaving"),
    [(8, 3, 1, 0), (9, 2, 1, 1), (12, 4, 3, 1), (12, 3, 2, 2), (12, 3, 2, 0)],
)
def test_no_plan_of_few_players_repeats_less(players: int, rounds: int, played: int, leaving: int) -> None:
    people = players + (-players % 4)
    old = tuple(
        tuple(tuple(one for one in table if one < players) for table in each if all(one < players for one in table))
        for each in seating(people, rounds, moves=3_000)
    )
    gone = random.Random(players).sample(range(players), leaving)
    present = [one for one in range(players) if one not in gone]
    changes = Changes(leaving=gone, arriving=present, spare=range(players // 4), rested=(0,) * players)
    found = replan(old, players, played=played, changes=changes, aim=Aim.BEST_PLAN, moves=10_000)
    resting = len(present) % 4
    assert all(len(each) == resting for each in found.rests)
    assert found.after.squares == least_squares_of(old, players, played, present, resting)
    assert found.forced <= found.after.excess
