"""Placement: ties shared or broken by seat, and a top forced by a yakuman."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.placement import groups, places
from scoring.ruleset.settling import Ties

scores = st.lists(st.integers(-50, 50).map(lambda n: n * 100), min_size=3, max_size=4)


@pytest.mark.clause("cinderella", "CL-038")
def test_level_players_share_the_better_place() -> None:
    grouped = groups((18000, 23500, 35000, 23500), Ties.SHARED)
    assert grouped == ((2,), (1, 3), (0,))
    assert places(grouped) == (4, 2, 1, 2)


@pytest.mark.clause("banchi4", "B4-073")
@pytest.mark.clause("superbingo", "SB-032")
def test_with_ties_broken_by_seat_the_player_nearer_to_the_first_dealer_places_higher() -> None:
    grouped = groups((26000, 30000, 30000, 14000), Ties.BY_SEAT)
    assert grouped == ((1,), (2,), (0,), (3,))
    assert places(grouped) == (3, 1, 2, 4)


@pytest.mark.clause("boo", "BOO-101")
def test_a_forced_top_is_first_whatever_the_scores() -> None:
    assert places(groups((2500, 2400, 2100, 1000), Ties.BY_SEAT, forced_top=3)) == (2, 3, 4, 1)


def test_a_forced_top_does_not_share_its_place() -> None:
    assert groups((2500, 2500, 2100), Ties.SHARED, forced_top=1) == ((1,), (0,), (2,))


@given(scores, st.randoms())
def test_shared_places_follow_the_players_when_seats_change(table: list[int], random: Random) -> None:
    order = list(range(len(table)))
    random.shuffle(order)
    before = places(groups(table, Ties.SHARED))
    after = places(groups([table[seat] for seat in order], Ties.SHARED))
    assert after == tuple(before[seat] for seat in order)


@given(scores)
def test_with_ties_broken_by_seat_every_place_is_taken_once(table: list[int]) -> None:
    assert sorted(places(groups(table, Ties.BY_SEAT))) == list(range(1, len(table) + 1))


@given(scores, st.sampled_from(Ties))
def test_a_higher_score_never_places_lower(table: list[int], ties: Ties) -> None:
    placed = places(groups(table, ties))
    for one, score in enumerate(table):
        for other, less in enumerate(table):
            assert score <= less or placed[one] < placed[other]
