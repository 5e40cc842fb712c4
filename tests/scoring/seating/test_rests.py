"""Schedules in which some players rest: equal numbers of hanchan, rests apart, even meetings and winds."""

from __future__ import annotations

from functools import partial

import pytest

from scoring.seating import Constraints, SeatingError, bounds_for, figures_of, with_rests
from scoring.seating.balance import Schedule, starts_of
from scoring.seating.search import APART
from tests.scoring.seating.counts import meetings_within

rested = partial(with_rests, moves=10_000)


def longest_rests(schedule: Schedule, players: int) -> set[int]:
    """Return the longest run of rounds without a hanchan of each player."""
    found = set()
    for one in range(players):
        text = "".join("x" if any(one in table for table in each) else "." for each in schedule)
        found.add(max(map(len, text.split("x"))))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "turns", "tables", "rounds"),
    [(6, 16, None, 24), (10, 8, 2, 10), (5, 4, None, 5), (15, 8, None, 10), (10, 120, None, 150), (12, 4, 2, 6)],
)
def test_all_players_play_equally_often_and_no_player_rests_twice_in_a_row(
    players: int, turns: int, tables: int | None, rounds: int
) -> None:
    schedule = rested(players, turns, tables=tables)
    assert len(schedule) == rounds
    assert set(map(sum, starts_of(schedule, players))) == {turns}
    assert all(len({one for table in each for one in table}) == 4 * len(each) for each in schedule)
    assert longest_rests(schedule, players) == {1}
    assert figures_of(schedule, players).wind_gap <= 1


@pytest.mark.slow
def test_meetings_are_as_even_as_counting_allows_where_that_is_known_to_be_possible() -> None:
    for players, turns in ((6, 16), (10, 8), (5, 16)):
        schedule = with_rests(players, turns, moves=60_000)
        assert figures_of(schedule, players).squares == bounds_for(schedule, players).squares


def test_where_rests_are_longer_than_turns_no_player_waits_much_longer_than_the_others() -> None:
    schedule = rested(10, 8, tables=1)
    assert len(schedule) == 20
    assert max(longest_rests(schedule, 10)) <= 3


def test_those_who_stay_play_a_turn_together_and_start_once_from_each_wind() -> None:
    schedule = rested(6, 4, games=4)
    assert len(schedule) == 24
    assert all(len({frozenset(each[0]) for each in schedule[turn : turn + 4]}) == 1 for turn in range(0, 24, 4))
    assert starts_of(schedule, 6) == [[4, 4, 4, 4]] * 6
    pairs = rested(6, 8, games=2)
    assert all(set(pairs[turn][0]) == set(pairs[turn + 1][0]) for turn in range(0, 24, 2))
    assert figures_of(pairs, 6).wind_gap <= 1


@pytest.mark.parametrize(
    ("players", "turns", "code", "words"),
    [
        (10, 7, "hanchan_fill_no_tables", "10 players x 7 hanchan do not fill tables of 4: take 6 or 8 hanchan."),
        (15, 3, "too_few_hanchan", "15 players x 3 hanchan do not fill tables of 4: take 4 hanchan."),
        (3, 4, "too_few_players", "3 players do not fill a table of 4."),
        (6, 0, "no_rounds", "A schedule has at least one round, not 0."),
    ],
)
def test_hanchan_that_fill_no_tables_are_refused_with_the_numbers_that_do(
    players: int, turns: int, code: str, words: str
) -> None:
    with pytest.raises(SeatingError) as refused:
        rested(players, turns)
    assert (refused.value.code, str(refused.value)) == (code, words)


def test_absent_players_do_not_play_in_that_round_and_make_up_for_it_later() -> None:
    absent = {0: frozenset({1, 2}), 1: frozenset({1})}
    schedule = rested(10, 8, constraints=Constraints(absent=absent))
    for number, missing in absent.items():
        assert not missing & {one for table in schedule[number] for one in table}
    assert set(map(sum, starts_of(schedule, 10))) == {8}


def test_absences_that_leave_too_few_for_a_table_in_the_end_are_refused() -> None:
    absent = dict.fromkeys(range(6), frozenset({0, 1}))
    with pytest.raises(SeatingError) as refused:
        rested(6, 2, constraints=Constraints(absent=absent))
    assert refused.value.code == "too_many_absences"


def test_absences_that_leave_a_round_without_a_table_are_refused() -> None:
    with pytest.raises(SeatingError) as refused:
        rested(9, 4, constraints=Constraints(absent={1: frozenset(range(6))}))
    assert (refused.value.code, refused.value.params) == ("no_tables", {"round": 2})


@pytest.mark.slow
def test_equal_arguments_give_equal_schedules_and_pairs_are_kept_apart() -> None:
    apart = Constraints(apart={(0, 1): APART})
    schedule = rested(10, 8, constraints=apart)
    assert schedule == rested(10, 8, constraints=apart)
    assert meetings_within([(0, 1)], schedule, 10) < meetings_within([(0, 1)], rested(10, 8), 10)


def test_where_a_plan_leaves_room_no_pair_meets_twice_although_some_rest() -> None:
    late = Constraints(absent={0: frozenset(range(3))}, tables=dict.fromkeys((5, 6), 14))
    schedule = rested(62, 8, constraints=late)
    figures = figures_of(schedule, 62)
    assert (figures.excess, len(schedule[0]), len(schedule[5])) == (0, 14, 14)
    assert set(map(sum, starts_of(schedule, 62))) == {8}
