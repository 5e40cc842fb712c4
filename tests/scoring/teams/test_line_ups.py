"""Test faults of line-ups, and the range of appearances against all ways to play the rest of a stage."""

from __future__ import annotations

from itertools import product

from hypothesis import assume, given
from hypothesis import strategies as st

from rulesets.formats import load_format
from scoring.teams.line_ups import Appearance, LineUpCode, appearances, limit_in, line_up_faults

MEMBERS = {"T1": ["P1", "P2"], "T2": ["P3", "P4"], "T3": ["P5", "P6"], "T4": ["P7", "P8"]}
NAMED = {"T1": "P1", "T2": "P3", "T3": "P5", "T4": "P7"}
NO_LIMIT = Appearance()


def codes(named: dict[str, str], limit: Appearance = NO_LIMIT, played: dict[str, int] | None = None) -> list[str]:
    left = dict.fromkeys(named, 6)
    return sorted(map(str, line_up_faults(named, MEMBERS, limit, played or {}, left)))


def test_one_member_of_each_team_has_no_fault() -> None:
    assert codes(NAMED) == []


def test_one_person_for_two_teams_is_named_once_for_each() -> None:
    assert codes({**NAMED, "T2": "P1"}) == ["not_a_member:P1", "twice_at_table:P1", "twice_at_table:P1"]


def test_a_table_of_three_is_complete_where_three_play() -> None:
    three = {team: NAMED[team] for team in ("T1", "T2", "T3")}
    assert codes(three) == ["teams_at_table:3"]
    assert line_up_faults(three, MEMBERS, NO_LIMIT, {}, {}, seats=3) == ()


def test_a_member_who_cannot_reach_the_least_in_any_case_is_not_warned_of_again() -> None:
    limit = Appearance(least=10)
    (fault,) = line_up_faults({"T1": "P1"}, MEMBERS, limit, {"P1": 12, "P2": 4}, {"T1": 6}, seats=1)
    assert (fault.code, fault.player) == (LineUpCode.CANNOT_REACH_LEAST, "P2")
    assert fault.code.is_warning
    assert fault.numbers == {"played": 4, "left": 6, "reach": 9, "least": 10}
    assert line_up_faults({"T1": "P1"}, MEMBERS, limit, {"P1": 12, "P2": 3}, {"T1": 6}, seats=1) == ()


def test_the_strictest_limits_of_a_stage_count() -> None:
    found = load_format("mleague-2019")
    assert limit_in(found, "regular") == Appearance(10, 45)
    assert limit_in(found, "final") == NO_LIMIT


counts = st.lists(st.integers(0, 4), min_size=2, max_size=3)


@given(counts, st.integers(0, 5), st.integers(0, 5), st.integers(1, 8))
def test_the_range_of_appearances_is_that_of_all_ways_to_play_on(
    played: list[int], left: int, least: int, most: int
) -> None:
    chosen = product(range(len(played)), repeat=left)
    ends = [tuple(count + each.count(who) for who, count in enumerate(played)) for each in chosen]
    ways = [totals for totals in ends if all(least <= total <= most for total in totals)]
    assume(ways)
    found = appearances(range(len(played)), Appearance(least, most), dict(enumerate(played)), left)
    assert not found.is_short
    assert [(each.fewest, each.highest) for each in found.members] == [
        (min(own), max(own)) for own in zip(*ways, strict=True)
    ]
