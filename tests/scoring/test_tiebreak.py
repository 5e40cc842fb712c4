"""Tie-breaks for players with different numbers of hanchan, and the tie-break model."""

import pytest
from pydantic import ValidationError

from scoring.standings import Played, Row, rank
from scoring.tiebreak import STRENGTH, Criterion, TieBreak
from tests.scoring.tables import BACK_TRACKING, points


def ranking(*rows: Row) -> list[object]:
    return [each.entrant for each in rank(rows, BACK_TRACKING).ranked]


def test_each_criterion_prefers_the_better_result() -> None:
    better, worse = Played(1, 90, 1, 40000), Played(1, 80, 2, 30000)
    assert all(STRENGTH[criterion](better) > STRENGTH[criterion](worse) for criterion in Criterion)


def test_with_unequal_counts_the_latest_hanchan_that_both_have_played_decides() -> None:
    ahead, behind = points("hana", 10, 20, 30), points("yuki", 5, 55)
    standings = rank([ahead, behind], BACK_TRACKING)
    (decision,) = standings.decisions
    assert (decision.above, decision.number, decision.clause) == ("yuki", 2, "CL-022")


def test_an_unplayed_hanchan_does_not_count_as_zero() -> None:
    lost, waiting = points("hana", 40, 10, -50), points("yuki", -20, 20)
    assert ranking(lost, waiting) == ["yuki", "hana"]


def test_unequal_counts_with_equal_common_hanchan_share_the_rank() -> None:
    standings = rank([points("hana", 30, 0), points("yuki", 30)], BACK_TRACKING)
    assert standings.unbroken == (("hana", "yuki"),)


def test_before_the_first_hanchan_all_share_the_first_rank() -> None:
    standings = rank([points("rin"), points("hana"), points("yuki")], BACK_TRACKING)
    assert [(each.entrant, each.rank) for each in standings.ranked] == [("hana", 1), ("rin", 1), ("yuki", 1)]


def test_still_tied_players_are_compared_by_further_common_hanchan() -> None:
    one, two, three = points("hana", 20, 40), points("yuki", 20, 25, 15), points("rin", 20, 25, 15)
    four = points("mei", 20, 25, 10, 5)
    standings = rank([one, two, three, four], BACK_TRACKING)
    assert [(each.entrant, each.rank) for each in standings.ranked] == [
        ("hana", 1),
        ("rin", 2),
        ("yuki", 2),
        ("mei", 4),
    ]
    assert [(each.above, each.below, each.number) for each in standings.decisions] == [
        ("hana", "rin", 2),
        ("yuki", "mei", 3),
    ]


def test_cyclic_pairs_are_compared_by_the_hanchan_that_all_have_played() -> None:
    """By common hanchan of each pair, b ranks above c (hanchan 3), c above a and a above b (hanchan 2)."""
    a, b, c = points("a", 15, 5), points("b", 7, 4, 9), points("c", 13, 6, 1)
    assert ranking(b, c) == ["b", "c"]
    assert ranking(c, a) == ["c", "a"]
    assert ranking(a, b) == ["a", "b"]
    assert ranking(a, b, c) == ranking(c, b, a) == ranking(b, c, a) == ["c", "a", "b"]


def test_a_missing_hanchan_in_the_middle_is_left_out_for_all_tied_players() -> None:
    gap = Row("hana", (Played(1, 10, 1, 30000), Played(3, 20, 1, 30000)))
    full = Row("yuki", (Played(1, 20, 1, 30000), Played(2, -10, 1, 30000), Played(3, 20, 1, 30000)))
    (decision,) = rank([gap, full], BACK_TRACKING).decisions
    assert (decision.above, decision.number) == ("yuki", 1)


def test_looking_up_an_unplayed_hanchan_raises_an_error() -> None:
    with pytest.raises(KeyError):
        points("hana", 10).hanchan(2)


def test_a_house_may_choose_criteria_and_their_order() -> None:
    place_first = TieBreak.model_validate_json('{"back_tracking": [{"by": "place"}, {"by": "points"}]}')
    lower_place = Row("hana", (Played(1, 90, 2, 39000),))
    better_place = Row("yuki", (Played(1, 80, 1, 38000),), adjustment=10)
    (decision,) = rank([lower_place, better_place], place_first).decisions
    assert (decision.above, decision.criterion, decision.clause) == ("yuki", "place", None)
    assert ranking(lower_place, better_place) == ["hana", "yuki"]


def test_a_repeated_criterion_in_a_tie_break_is_refused() -> None:
    with pytest.raises(ValidationError, match="place: each criterion may stand here once"):
        TieBreak.model_validate_json('{"back_tracking": [{"by": "place"}, {"by": "place"}]}')
