"""Criteria for entrants whom neither the total nor going back separates."""

import pytest

from scoring.further import NOTHING_GIVEN, GivenOrders
from scoring.seating.draws import lot
from scoring.standings import Decision, Played, Row, rank
from scoring.tiebreak import Entrant, Further, TieBreak


def rule(*criteria: str) -> TieBreak:
    return TieBreak(then=tuple(map(Further, criteria)))


def row(name: str, *results: tuple[int, int, int], table: str = "") -> Row:
    """A row whose hanchan have these points, places and final scores; `table` names the table of the first one."""
    played = tuple(
        Played(number, points, place, score, f"{table}{number}" if table else None)
        for number, (points, place, score) in enumerate(results, start=1)
    )
    return Row(name, played)


LEVEL = [
    row("A", (300, 1, 41000), (-300, 4, 9000)),
    row("B", (100, 2, 31000), (-100, 3, 24000)),
    row("C", (250, 1, 44000), (-250, 4, 12000)),
]


def order(rows: list[Row], tiebreak: TieBreak, given: GivenOrders = NOTHING_GIVEN) -> list[tuple[int, object]]:
    return [(each.rank, each.entrant) for each in rank(rows, tiebreak, given=given).ranked]


def test_without_further_criteria_level_entrants_share_the_rank() -> None:
    assert order(LEVEL, rule()) == [(1, "A"), (1, "B"), (1, "C")]


def test_more_first_places_rank_above_and_the_decision_names_the_place() -> None:
    standings = rank(LEVEL, rule("places"))
    assert [each.entrant for each in standings.ranked] == ["A", "C", "B"]
    assert standings.decisions == (Decision("C", "B", "places", 1, 1, 0, None, None, None),)
    assert standings.unbroken == (("A", "C"),)


def test_the_next_criterion_is_asked_for_those_still_level() -> None:
    standings = rank(LEVEL, rule("places", "best_score"))
    assert [each.entrant for each in standings.ranked] == ["C", "A", "B"]
    assert [(each.criterion, each.above_value, each.below_value) for each in standings.decisions] == [
        ("best_score", 44000, 41000),
        ("places", 1, 0),
    ]


def test_a_best_score_is_compared_only_once_all_have_played() -> None:
    assert order([*LEVEL[:1], Row("D", ())], rule("best_score")) == [(1, "A"), (1, "D")]


def test_points_against_one_another_count_only_where_all_of_them_sat_together() -> None:
    met = [row("A", (-10, 3, 0), (10, 2, 0), table="x"), row("B", (20, 2, 0), (-20, 3, 0), table="x")]
    apart = [row("C", (0, 3, 0), table="y")]
    assert order(met, rule("head_to_head")) == [(1, "A"), (1, "B")], "both hanchan were played against one another"
    once = [row("A", (-10, 3, 0), table="x"), Row("B", (Played(1, 20, 2, 0, "x1"), Played(2, -30, 4, 0, "z")))]
    standings = rank(once, rule("head_to_head"))
    assert [each.entrant for each in standings.ranked] == ["B", "A"]
    assert (standings.decisions[0].above_value, standings.decisions[0].below_value) == (20, -10)
    assert order(met + apart, rule("head_to_head")) == [(1, "A"), (1, "B"), (1, "C")], "C met neither"


def test_an_earlier_order_decides_if_all_of_them_stand_in_it() -> None:
    assert order(LEVEL, rule("prior"), GivenOrders(prior=("C", "A", "B"))) == [(1, "C"), (2, "A"), (3, "B")]
    assert order(LEVEL, rule("prior"), GivenOrders(prior=("C", "A"))) == [(1, "A"), (1, "B"), (1, "C")]
    assert order(LEVEL, rule("prior")) == [(1, "A"), (1, "B"), (1, "C")]


def test_the_lower_seed_ranks_above_and_the_decision_states_both() -> None:
    standings = rank(LEVEL, rule("seed"), given=GivenOrders(seeds={"A": 7, "B": 2, "C": 5}))
    assert [each.entrant for each in standings.ranked] == ["B", "C", "A"]
    assert [(each.above_value, each.below_value) for each in standings.decisions] == [(2, 5), (5, 7)]


def test_lots_follow_from_the_published_seed_and_the_numbers_of_the_seeds() -> None:
    seeds: dict[Entrant, int] = {"A": 1, "B": 2, "C": 3}
    found = order(LEVEL, rule("lot"), GivenOrders(seeds=seeds, lot="spring-2026"))
    assert [who for _, who in found] == sorted(seeds, key=lambda who: lot("spring-2026", seeds[who]))
    assert [rank for rank, _ in found] == [1, 2, 3]
    others = {tuple(order(LEVEL, rule("lot"), GivenOrders(seeds=seeds, lot=f"{n}"))) for n in range(40)}
    assert len(others) == 6, "every order comes up"
    assert order(LEVEL, rule("lot"), GivenOrders(seeds=seeds)) == [(1, "A"), (1, "B"), (1, "C")]


def test_going_back_decides_before_further_criteria_and_a_ruling_after_them() -> None:
    back = TieBreak.model_validate_json('{"back_tracking": [{"by": "points"}], "then": ["places"]}')
    assert order(LEVEL, back) == [(1, "B"), (2, "C"), (3, "A")]
    standings = rank(LEVEL, rule("places"), [("C", "A")])
    assert [(each.entrant, each.rank) for each in standings.ranked] == [("C", 1), ("A", 2), ("B", 3)]
    assert [each.criterion for each in standings.decisions] == ["ruling", "places"]
    assert order(LEVEL, rule("places").by_hanchan) == [(1, "A"), (1, "B"), (1, "C")]


@pytest.mark.parametrize("criteria", [["seed", "places"], ["lot", "prior"], ["seed", "lot"], ["places", "places"]])
def test_a_list_that_cannot_be_followed_is_refused(criteria: list[str]) -> None:
    with pytest.raises(ValueError, match=r"must be the last one|may stand here once"):
        rule(*criteria)
