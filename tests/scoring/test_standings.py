"""Standings: totals, ranks, tie-breaks and rulings, and the explanation of each pair of neighbours."""

import pytest

from scoring.standings import Decision, Played, Row, Withdrawal, rank
from scoring.tiebreak import TOTAL_ONLY
from tests.scoring.tables import BACK_TRACKING, points, row


def order(*rows: Row) -> list[list[object]]:
    """Return the ranking; entrants who share a rank are in one list."""
    levels: dict[int, list[object]] = {}
    for each in rank(rows, BACK_TRACKING).ranked:
        levels.setdefault(each.rank, []).append(each.entrant)
    return list(levels.values())


@pytest.mark.clause("cinderella", "CL-003", "CL-027")
def test_a_higher_total_ranks_higher() -> None:
    assert order(points("hana", -50), points("yuki", 120), points("rin", 0)) == [["yuki"], ["rin"], ["hana"]]


def test_points_carried_in_and_adjusted_count_like_points_won() -> None:
    standings = rank(
        [row("hana", (100, 1, 40000), carried=50, adjustment=-30), row("yuki", (110, 1, 41000))], BACK_TRACKING
    )
    assert [(each.entrant, each.total) for each in standings.ranked] == [("hana", 120), ("yuki", 110)]


def test_a_row_gives_total_places_and_number_of_hanchan() -> None:
    (line,) = rank([row("hana", (484, 1, 38400), (-396, 4, 10400), (500, 1, 40000))], BACK_TRACKING).ranked
    assert (line.position, line.rank, line.total, line.places, line.played) == (1, 1, 588, (2, 0, 0, 1), 3)
    assert not line.tied


def test_a_table_of_three_has_three_places() -> None:
    (line,) = rank([row("hana", (10, 3, 20000))], BACK_TRACKING, places=3).ranked
    assert line.places == (0, 0, 1)


@pytest.mark.clause("cinderella", "CL-022")
def test_of_two_players_with_equal_totals_the_better_last_hanchan_ranks_higher() -> None:
    assert order(points("hana", 300, -100), points("yuki", -100, 300)) == [["yuki"], ["hana"]]


@pytest.mark.clause("cinderella", "CL-022")
def test_a_decision_names_hanchan_criterion_both_results_and_clause() -> None:
    standings = rank([points("hana", 300, -100), points("yuki", -100, 300)], BACK_TRACKING)
    assert standings.decisions == (
        Decision(
            above="yuki",
            below="hana",
            criterion="points",
            number=2,
            above_value=300,
            below_value=-100,
            above_ref="yuki:2",
            below_ref="hana:2",
            clause="CL-022",
        ),
    )


@pytest.mark.clause("cinderella", "CL-023")
def test_equal_last_hanchan_are_decided_by_the_hanchan_before() -> None:
    standings = rank([points("hana", 50, 10, 83), points("yuki", 10, 50, 83)], BACK_TRACKING)
    (decision,) = standings.decisions
    assert (decision.above, decision.number, decision.clause) == ("yuki", 2, "CL-023")


@pytest.mark.clause("cinderella", "CL-025")
def test_third_with_10000_beats_fourth_with_20000_although_both_are_30_points_down() -> None:
    standings = rank([row("hana", (-300, 4, 20000)), row("yuki", (-300, 3, 10000))], BACK_TRACKING)
    (decision,) = standings.decisions
    assert (decision.above, decision.criterion) == ("yuki", "place")
    assert (decision.above_value, decision.below_value, decision.clause) == (3, 4, "CL-025")


@pytest.mark.clause("cinderella", "CL-024", "CL-027")
def test_equal_points_and_places_are_decided_by_the_final_score() -> None:
    standings = rank([row("hana", (86, 1, 38600)), row("yuki", (86, 1, 78600))], BACK_TRACKING)
    (decision,) = standings.decisions
    assert (decision.above, decision.criterion, decision.above_value) == ("yuki", "score", 78600)
    assert decision.clause == "CL-027"


@pytest.mark.clause("cinderella", "CL-023", "CL-025")
def test_a_decision_by_place_in_an_earlier_hanchan_cites_the_clause_of_places() -> None:
    rows = [row("hana", (-300, 4, 20000), (50, 2, 35000)), row("yuki", (-300, 3, 10000), (50, 2, 35000))]
    (decision,) = rank(rows, BACK_TRACKING).decisions
    assert (decision.above, decision.number, decision.criterion, decision.clause) == ("yuki", 1, "place", "CL-025")


@pytest.mark.clause("cinderella", "CL-026")
def test_hanchan_are_compared_by_the_players_own_number_on_any_table_or_day() -> None:
    late = Row("hana", (Played(2, 100, 1, 40000, "monday"), Played(1, 50, 2, 30000, "friday")))
    early = Row("yuki", (Played(1, 100, 1, 40000, "friday"), Played(2, 50, 2, 30000, "monday")))
    (decision,) = rank([late, early], BACK_TRACKING).decisions
    assert (decision.above, decision.number, decision.above_ref) == ("hana", 2, "monday")


@pytest.mark.clause("cinderella", "CL-028")
def test_three_tied_players_are_compared_together_and_the_remaining_tie_separately() -> None:
    rows = [points("hana", 0, 80, -20), points("yuki", 0, -455, 515), points("rin", 80, 0, -20)]
    standings = rank(rows, BACK_TRACKING)
    assert [each.entrant for each in standings.ranked] == ["yuki", "hana", "rin"]
    assert [(each.above, each.below, each.number) for each in standings.decisions] == [
        ("yuki", "hana", 3),
        ("hana", "rin", 2),
    ]


@pytest.mark.clause("cinderella", "CL-028")
def test_four_tied_players_may_split_into_pairs_that_are_compared_separately() -> None:
    rows = [points("a", 1, 2, 9), points("b", 2, 1, 9), points("c", 4, 4, 4), points("d", 5, 3, 4)]
    standings = rank(rows, BACK_TRACKING)
    assert [each.entrant for each in standings.ranked] == ["a", "b", "c", "d"]
    assert [each.number for each in standings.decisions] == [2, 3, 2]


@pytest.mark.clause("cinderella", "CL-029")
def test_completely_equal_results_share_the_rank_and_need_a_ruling() -> None:
    standings = rank([points("rin", 5), points("yuki", 9, 0), points("hana", 9, 0), points("mei", 20)], BACK_TRACKING)
    assert [(each.entrant, each.position, each.rank, each.tied) for each in standings.ranked] == [
        ("mei", 1, 1, False),
        ("hana", 2, 2, True),
        ("yuki", 3, 2, True),
        ("rin", 4, 4, False),
    ]
    assert standings.unbroken == (("hana", "yuki"),)
    assert standings.decisions == ()


@pytest.mark.clause("cinderella", "CL-029")
def test_a_ruling_orders_a_tie_and_is_named_as_the_criterion() -> None:
    tied = [points("rin", 9, 0), points("yuki", 9, 0), points("hana", 9, 0)]
    standings = rank(tied, BACK_TRACKING, rulings=[("yuki", "rin", "hana")])
    assert [(each.entrant, each.rank, each.tied) for each in standings.ranked] == [
        ("yuki", 1, False),
        ("rin", 2, False),
        ("hana", 3, False),
    ]
    assert standings.unbroken == ()
    assert [(each.criterion, each.number, each.above_value, each.below_value) for each in standings.decisions] == [
        ("ruling", None, 1, 2),
        ("ruling", None, 2, 3),
    ]
    assert {each.clause for each in standings.decisions} == {"CL-029"}


def test_of_two_rulings_on_one_tie_the_later_applies() -> None:
    tied = [points("yuki", 9), points("hana", 9)]
    standings = rank(tied, BACK_TRACKING, rulings=[("yuki", "hana"), ("hana", "yuki")])
    assert [each.entrant for each in standings.ranked] == ["hana", "yuki"]


def test_a_ruling_that_omits_a_tied_player_has_no_effect() -> None:
    tied = [points("rin", 9), points("yuki", 9), points("hana", 9)]
    assert rank(tied, BACK_TRACKING, rulings=[("yuki", "rin")]).unbroken == (("hana", "rin", "yuki"),)


def test_a_ruling_has_no_effect_where_results_decide() -> None:
    rows = [points("yuki", 9), points("hana", 8)]
    assert rank(rows, BACK_TRACKING, rulings=[("hana", "yuki")]) == rank(rows, BACK_TRACKING)


def test_two_ruled_ties_in_one_group_keep_the_decision_between_them() -> None:
    rows = [points("a", 1, 9), points("b", 1, 9), points("c", 6, 4), points("d", 6, 4)]
    standings = rank(rows, BACK_TRACKING, rulings=[("b", "a"), ("d", "c")])
    assert [each.entrant for each in standings.ranked] == ["b", "a", "d", "c"]
    assert [(each.criterion, each.above_value, each.below_value) for each in standings.decisions] == [
        ("ruling", 1, 2),
        ("points", 9, 4),
        ("ruling", 1, 2),
    ]


def test_open_play_ranks_by_the_total_alone() -> None:
    standings = rank([points("hana", 300, -100), points("yuki", -100, 300)], TOTAL_ONLY)
    assert standings.unbroken == (("hana", "yuki"),)


def test_entrants_who_share_a_rank_are_sorted_by_id_with_numbers_as_numbers() -> None:
    standings = rank([points(entrant, 5) for entrant in ("yuki", 10, 9)], BACK_TRACKING)
    assert [each.entrant for each in standings.ranked] == ["yuki", 9, 10]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([points("hana", 1), points("hana", 2)], "'hana' stands 2 times"),
        ([Row("hana", (Played(1, 1, 1, 1), Played(1, 2, 1, 1)))], "two results for one hanchan"),
        ([row("hana", (1, 5, 100))], "place outside 1 to 4"),
        ([row("hana", (1, 0, 100))], "place outside 1 to 4"),
    ],
)
def test_impossible_rows_are_refused(rows: list[Row], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rank(rows, BACK_TRACKING)


def withdrawn_order(withdrawal: Withdrawal) -> list[tuple[object, int, int, bool]]:
    """Rank four entrants of whom the first and the third withdrew; return entrant, position, rank and `is_ranked`."""
    rows = [points("hana", 300), points("yuki", 100), points("rin", 50), points("mei", 100)]
    standings = rank(rows, TOTAL_ONLY, leaving=dict.fromkeys(("hana", "rin"), withdrawal))
    return [(each.entrant, each.position, each.rank, each.is_ranked) for each in standings.ranked]


def test_an_entrant_who_withdrew_keeps_the_rank_of_the_results_by_default() -> None:
    expected = [("hana", 1, 1, True), ("mei", 2, 2, True), ("yuki", 3, 2, True), ("rin", 4, 4, True)]
    assert withdrawn_order(Withdrawal.KEPT) == expected


def test_entrants_who_withdrew_rank_behind_all_who_finished_where_the_format_says_so() -> None:
    expected = [("mei", 1, 1, True), ("yuki", 2, 1, True), ("hana", 3, 3, True), ("rin", 4, 4, True)]
    assert withdrawn_order(Withdrawal.LAST) == expected


def test_unranked_entrants_are_listed_last_and_lower_ranks_move_up() -> None:
    expected = [("mei", 1, 1, True), ("yuki", 2, 1, True), ("hana", 3, 3, False), ("rin", 4, 4, False)]
    assert withdrawn_order(Withdrawal.UNRANKED) == expected


def test_level_entrants_without_a_rank_share_nothing_and_need_no_decision() -> None:
    rows = [points("hana", 300, -100), points("yuki", -100, 300), points("rin", 10, 10)]
    standings = rank(rows, BACK_TRACKING, leaving=dict.fromkeys(("hana", "yuki"), Withdrawal.UNRANKED))
    assert [(each.entrant, each.rank, each.tied) for each in standings.ranked] == [
        ("rin", 1, False),
        ("yuki", 2, False),
        ("hana", 3, False),
    ]
    assert standings.decisions == ()
    assert standings.unbroken == ()


def test_no_tie_is_broken_between_an_entrant_who_withdrew_and_one_who_did_not() -> None:
    rows = [points("hana", -100, 300), points("yuki", 300, -100)]
    standings = rank(rows, BACK_TRACKING, leaving={"hana": Withdrawal.LAST})
    assert [each.entrant for each in standings.ranked] == ["yuki", "hana"]
    assert standings.decisions == ()
