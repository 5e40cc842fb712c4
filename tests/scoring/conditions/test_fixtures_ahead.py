"""Bounds before the last hanchan of a block whose fixtures are known, against every way to play them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from scoring.conditions import BlockSituation, Profile, Span, Word, ahead_of, proof
from scoring.tiebreak import TOTAL_ONLY, Entrant, Played, Row

# Places bring nothing here, so that every split of the points at a table can be enumerated.
PLAIN = Profile(
    players=3,
    unit=1,
    total=0,
    per_unit=1,
    bonus={Span(place): 0 for place in (1, 2, 3)},
    has_ties=False,
    gives_deposits=True,
)
REACH = 6


def situation(totals: dict[str, int], fixtures: Sequence[str], *, unscheduled: str = "") -> BlockSituation:
    """Return a block of tables of three with these hanchan to come; `unscheduled` lack one more each."""
    left: dict[Entrant, int] = {
        who: sum(who in fixture for fixture in fixtures) + (who in unscheduled) for who in totals
    }
    return BlockSituation(
        rows={who: Row(who, (Played(1, total, 1, 0),)) for who, total in totals.items()},
        left=left,
        tables=(),
        profile=PLAIN,
        tiebreak=TOTAL_ONLY,
        players=3,
        deducts=False,
        fixtures=tuple(map(tuple, fixtures)),
    )


def endings(totals: dict[str, int], fixtures: Sequence[str]) -> Iterator[dict[str, int]]:
    """Yield the totals after every way to split the points of each hanchan, each at most `REACH` to a player."""
    splits = [
        (one, other, -one - other)
        for one, other in product(range(-REACH, REACH + 1), repeat=2)
        if abs(one + other) <= REACH
    ]
    for ways in product(splits, repeat=len(fixtures)):
        end = dict(totals)
        for fixture, way in zip(fixtures, ways, strict=True):
            for who, points in zip(fixture, way, strict=True):
                end[who] += points
        yield end


@pytest.mark.parametrize(
    ("totals", "fixtures"),
    [
        # One hanchan of three, while two rest: its players cannot all end above 2.
        ({"a": 2, "b": 1, "c": 1, "d": -3, "e": 5}, ["bcd"]),
        ({"a": 0, "b": 1, "c": 1, "d": -3, "e": -1}, ["bcd"]),
        # Two hanchan that share a player form one company, and two that share none are two.
        ({"a": 0, "b": 1, "c": 0, "d": -1, "e": 0, "f": -2}, ["bcd", "def"]),
        ({"a": 0, "b": 1, "c": 0, "d": -2, "e": 2, "f": -2, "g": -1}, ["bcd", "efg"]),
        ({"a": 0, "b": 2, "c": 0, "d": -2, "e": 2, "f": -1, "g": -1}, ["bcd", "efg"]),
    ],
)
def test_the_number_who_can_still_pass_a_finished_player_is_that_of_all_endings(
    totals: dict[str, int], fixtures: list[str]
) -> None:
    above, level = [], []
    for end in endings(totals, fixtures):
        above.append(sum(end[who] > end["a"] for who in totals if who != "a"))
        level.append(sum(end[who] >= end["a"] for who in totals if who != "a"))
    assert ahead_of(situation(totals, fixtures), "a") == (min(above), max(level))


def test_a_team_that_rests_is_through_once_the_last_fixtures_of_others_cannot_all_lift_them() -> None:
    totals = {"a": 10, "b": 9, "c": 8, "d": -12, "e": 9, "f": 8, "g": -12}
    known = situation(totals, ["bcd", "efg"])
    assert ahead_of(known, "a") == (0, 4)
    assert (proof(known, "a", 5), proof(known, "a", 4)) == (Word.CERTAIN, Word.OPEN)


def test_teams_whose_fixtures_are_not_all_set_may_still_meet_one_another() -> None:
    totals = {"a": 10, "b": 9, "c": 8, "d": -12, "e": 9, "f": 8, "g": -12}
    # All six have one more hanchan, and it is open who meets whom.
    known = situation(totals, ["bcd", "efg"], unscheduled="bcdefg")
    assert [len(group.entrants) for group in known.groups] == [6]
    assert ahead_of(known, "a") == (0, 5)


def test_a_fixture_with_a_team_that_holds_no_rank_proves_nothing() -> None:
    totals = {"a": 10, "b": 0, "c": 0}
    known = situation(totals, ["bcx"])
    assert ahead_of(known, "a") == (0, 2)
