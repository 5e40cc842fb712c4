"""Test awards by their four figures, with minimum hanchan and shared places, and the duty to replace members."""

from __future__ import annotations

from fractions import Fraction

import pytest

from scoring.format.team import Award, AwardBy, Replacement
from scoring.teams.awards import awards
from scoring.teams.replacement import ReplacementDue, TeamSeason, replacement
from scoring.tiebreak import Played, Row


def row(name: str, *games: tuple[int, int, int], adjustment: int = 0) -> Row:
    played = (Played(number, *game) for number, game in enumerate(games, start=1))
    return Row(name, tuple(played), adjustment=adjustment)


ROWS = [
    row("a", (500, 1, 45000), (-300, 4, 9000)),
    row("b", (200, 2, 31000), (100, 2, 30000), (-100, 3, 25000)),
    row("c", (700, 1, 62000), adjustment=-200),
    row("d"),
    row("e", (-300, 4, 9000), (500, 1, 62000)),
]


def places(by: AwardBy, least: int | None = None) -> list[tuple[object, int]]:
    found = awards(ROWS, Award(key="it", stage="regular", by=by, least_hanchan=least))
    return [(line.entrant, line.rank) for line in found.lines]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (AwardBy.TOTAL, [("c", 1), ("a", 2), ("b", 2), ("e", 2)]),
        (AwardBy.AVERAGE, [("c", 1), ("a", 2), ("e", 2), ("b", 4)]),
        (AwardBy.BEST_SCORE, [("c", 1), ("e", 1), ("a", 3), ("b", 4)]),
        (AwardBy.FOURTHS_SHARE, [("b", 1), ("c", 1), ("a", 3), ("e", 3)]),
    ],
)
def test_level_figures_share_the_place(by: AwardBy, expected: list[tuple[object, int]]) -> None:
    assert sorted(places(by), key=lambda each: (each[1], str(each[0]))) == expected


def test_people_with_too_few_hanchan_do_not_compete_and_are_named() -> None:
    award = Award(key="it", stage="regular", by=AwardBy.FOURTHS_SHARE, least_hanchan=2)
    found = awards(ROWS, award)
    assert found.holders == ("b",)
    assert found.too_few == (("c", 1),)
    assert found.lines[1].value == Fraction(1, 2)
    assert (found.lines[1].counted, found.lines[1].hanchan, found.lines[1].is_shared) == (1, 2, True)


def test_the_last_place_of_three_counts_where_three_play() -> None:
    award = Award(key="it", stage="regular", by=AwardBy.FOURTHS_SHARE)
    found = awards([row("x", (0, 3, 0)), row("y", (0, 2, 0))], award, players=3)
    assert [(line.entrant, line.value) for line in found.lines] == [("y", Fraction(0)), ("x", Fraction(1))]


RULE = Replacement(stage="semi", missed_in_a_row=2, least=1)


def season(reached: str, renewed: str = "", teams: str = "ABC") -> TeamSeason:
    return TeamSeason(frozenset(teams), frozenset(reached), frozenset(renewed))


def test_a_team_that_misses_the_stage_twice_in_a_row_replaces_members() -> None:
    assert replacement([season("AB"), season("A")], RULE) == (ReplacementDue("C", 2, 1),)
    assert replacement([season("AB"), season("AC")], RULE) == ()
    assert replacement([], RULE) == ()


def test_new_members_start_the_count_again() -> None:
    assert replacement([season("AB"), season("AB"), season("AB", renewed="C")], RULE) == ()
    assert replacement([season("AB"), season("AB", renewed="C"), season("AB")], RULE) == (ReplacementDue("C", 2, 1),)


def test_a_season_without_the_team_ends_the_row() -> None:
    assert replacement([season("A"), season("A", teams="AB"), season("AB")], RULE) == ()
