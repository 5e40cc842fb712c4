"""Byes: who sits out, and what that is worth."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.format.policies import OddBy
from scoring.seating.byes import average_worth, byes


def test_the_lowest_ranked_of_those_with_the_fewest_byes_sit_out() -> None:
    standing = [[each] for each in range(14)]
    assert byes(standing, {13: 1, 12: 1}, OddBy.BYES).sit_out == {11, 10}
    assert byes(standing, dict.fromkeys(range(1, 14), 1), OddBy.BYES).sit_out == {0, 13}
    assert byes(standing[:12], {}, OddBy.BYES).sit_out == frozenset()


def test_before_the_first_round_the_lot_decides() -> None:
    drawn = {byes([range(15)], {}, OddBy.BYES, seed=str(number)).sit_out for number in range(5)}
    assert len(drawn) == 5
    assert byes([range(15)], {}, OddBy.BYES, seed="1") == byes([range(14, -1, -1)], {}, OddBy.BYES, seed="1")


def test_house_players_fill_the_last_table_and_no_entrant_sits_out() -> None:
    assert [byes([range(count)], {}, OddBy.SUBSTITUTES).substitutes for count in (12, 13, 14, 15)] == [0, 3, 2, 1]
    assert byes([range(14)], {}, OddBy.SUBSTITUTES, size=3).substitutes == 1


def test_a_number_that_fills_no_tables_is_refused_if_the_format_says_so() -> None:
    with pytest.raises(ValueError, match="14 entrants do not fill tables of 4"):
        byes([range(14)], {}, OddBy.REFUSE)
    assert byes([range(16)], {}, OddBy.REFUSE).sit_out == frozenset()


@given(points=st.lists(st.integers(-900, 900), max_size=9))
def test_a_bye_counts_the_mean_and_half_a_unit_goes_to_the_smaller_number(points: list[int]) -> None:
    worth = average_worth(points)
    if not points:
        assert worth == 0
    else:
        assert -Fraction(1, 2) <= worth - Fraction(sum(points), len(points)) < Fraction(1, 2)
