"""Settlement of league results, clause by clause, and the explanation of every line."""

from fractions import Fraction

import pytest

from rulesets import loader
from scoring.ruleset import Ruleset
from scoring.settlement import HanchanResult, InvalidResultError, LineCause, Settlement, settle

CINDERELLA = loader.load("cinderella")


def points(settlement: Settlement) -> list[str]:
    return [CINDERELLA.ranking_ledger.text(total) for total in settlement.totals["points"]]


def amounts(settlement: Settlement, cause: LineCause) -> dict[int, Fraction]:
    return {line.seat: line.amount for line in settlement.lines if line.cause is cause}


@pytest.mark.clause("cinderella", "CL-030", "CL-035", "CL-036", "CL-037")
def test_points_are_the_score_against_30000_with_the_bonus_of_the_place() -> None:
    settled = settle(HanchanResult((38400, 21700, 29500, 10400)), CINDERELLA)
    assert settled.places == (1, 3, 2, 4)
    assert points(settled) == ["48.4", "-18.3", "9.5", "-39.6"]
    assert amounts(settled, LineCause.RETURN)[3] == Fraction(-196, 10)
    assert amounts(settled, LineCause.OKA) == {0: 20}
    assert amounts(settled, LineCause.UMA) == {0: 20, 1: -10, 2: 10, 3: -20}


def test_a_ruleset_may_give_the_oka_to_no_player() -> None:
    data = CINDERELLA.data()
    data["settlement"]["oka"]["receiver"] = "nobody"
    settled = settle(HanchanResult((38400, 21700, 29500, 10400)), Ruleset.model_validate(data, strict=False))
    assert points(settled) == ["28.4", "-18.3", "9.5", "-39.6"]


def test_every_line_names_its_ledger_and_a_clause() -> None:
    settled = settle(HanchanResult((27600, 31900, 24300, 15200), kyoutaku=1000, chonbo=(0, 1, 0, 0)), CINDERELLA)
    assert {line.ledger for line in settled.lines} == {"points"}
    assert {line.clause for line in settled.lines} == {"CL-030", "CL-036", "CL-037", "CL-056", "CL-082"}


@pytest.mark.clause("cinderella", "CL-036", "CL-038")
def test_tied_leaders_share_the_oka_and_the_uma_of_their_places() -> None:
    settled = settle(HanchanResult((33200, 12400, 33200, 21200)), CINDERELLA)
    assert points(settled) == ["28.2", "-37.6", "28.2", "-18.8"]
    shared = [line for line in settled.lines if line.cause in (LineCause.OKA, LineCause.UMA) and line.seat == 0]
    assert [line.amount for line in shared] == [10, 15]
    assert all(line.clause == "CL-038" for line in shared)
    assert all(line.params == {"place": 1, "level": 2} for line in shared)


@pytest.mark.clause("cinderella", "CL-039")
def test_a_third_is_rounded_to_the_nearest_tenth_alike_for_all_three() -> None:
    settled = settle(HanchanResult((30200, 30200, 9400, 30200)), CINDERELLA)
    assert points(settled) == ["13.5", "13.5", "-40.6", "13.5"]
    assert amounts(settled, LineCause.ROUNDING) == dict.fromkeys((0, 1, 3), Fraction(-1, 30))


@pytest.mark.clause("cinderella", "CL-039")
def test_a_negative_third_is_rounded_the_same_way() -> None:
    settled = settle(HanchanResult((46000, 18000, 18000, 18000)), CINDERELLA)
    assert points(settled) == ["56.0", "-18.7", "-18.7", "-18.7"]


@pytest.mark.clause("cinderella", "CL-039")
@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((30200, 30200, 9400, 30200), ["13.6", "13.5", "-40.6", "13.5"]),
        ((46000, 18000, 18000, 18000), ["56.0", "-18.6", "-18.7", "-18.7"]),
    ],
)
def test_a_house_may_give_the_odd_tenth_to_the_seat_nearest_the_first_dealer(
    scores: tuple[int, ...], expected: list[str]
) -> None:
    rules = CINDERELLA.with_options({"rounding": "odd_to_first_seats"})
    assert points(settle(HanchanResult(scores), rules)) == expected


@pytest.mark.clause("cinderella", "CL-039")
def test_two_odd_tenths_go_to_the_two_seats_nearest_the_first_dealer() -> None:
    data = CINDERELLA.with_options({"rounding": "odd_to_first_seats"}).data()
    data["settlement"]["uma"]["amounts"] = [30, 10, -10, -30]
    settled = settle(HanchanResult((30000, 10000, 30000, 30000)), Ruleset.model_validate(data, strict=False))
    assert points(settled) == ["16.7", "-50.0", "16.7", "16.6"]


@pytest.mark.clause("cinderella", "CL-039")
def test_a_house_may_keep_exact_thirds() -> None:
    rules = CINDERELLA.with_options({"rounding": "exact"})
    settled = settle(HanchanResult((30200, 30200, 9400, 30200)), rules)
    assert settled.totals["points"] == (406, 406, -1218, 406)
    assert rules.ranking_ledger.text(406) == "203/15"
    assert sum(settled.totals["points"]) == 0


@pytest.mark.clause("cinderella", "CL-056", "CL-059")
def test_leftover_deposits_go_to_the_leader_and_into_the_final_score() -> None:
    settled = settle(HanchanResult((22300, 36900, 25100, 13700), kyoutaku=2000), CINDERELLA)
    assert settled.final_scores == (22300, 38900, 25100, 13700)
    assert amounts(settled, LineCause.KYOUTAKU) == {1: 2}


@pytest.mark.clause("cinderella", "CL-057")
def test_of_tied_leaders_the_one_nearest_the_first_dealer_takes_the_deposits() -> None:
    settled = settle(HanchanResult((11800, 34600, 18000, 34600), kyoutaku=1000), CINDERELLA)
    assert settled.places == (4, 1, 3, 1)
    assert settled.top == 1
    assert points(settled) == ["-38.2", "30.6", "-22.0", "29.6"]


@pytest.mark.clause("cinderella", "CL-082")
def test_each_chonbo_costs_40_even_the_winner_and_no_player_gets_it() -> None:
    settled = settle(HanchanResult((35700, 8100, 40200, 16000), chonbo=(2, 0, 1, 0)), CINDERELLA)
    assert settled.places == (2, 4, 1, 3)
    assert points(settled) == ["-64.3", "-41.9", "10.2", "-24.0"]
    assert amounts(settled, LineCause.CHONBO) == {0: -80, 2: -40}


@pytest.mark.clause("cinderella", "CL-048")
def test_scores_below_zero_are_settled_as_they_are() -> None:
    settled = settle(HanchanResult((-4300, 52600, 31200, 20500)), CINDERELLA)
    assert points(settled) == ["-54.3", "62.6", "11.2", "-19.5"]


@pytest.mark.clause("cinderella", "CL-019")
def test_no_next_first_dealer_is_proposed_where_seats_are_drawn() -> None:
    assert settle(HanchanResult((25000,) * 4), CINDERELLA).next_first_dealer is None


def test_a_result_that_cannot_be_settled_is_refused_with_all_its_problems() -> None:
    with pytest.raises(InvalidResultError) as refused:
        settle(HanchanResult((38450, 21700, 29500, 10400), chonbo=(0, -1, 0, 0)), CINDERELLA)
    assert [problem.code for problem in refused.value.problems] == [
        "score_not_multiple",
        "table_sum",
        "chonbo_negative",
    ]
    assert "38400 or 38500" in str(refused.value)


@pytest.mark.clause("mleague", "ML-001", "ML-002", "ML-003", "ML-004", "ML-005")
def test_a_professional_league_pays_50_10_minus_10_minus_30() -> None:
    rules = loader.load("mleague")
    settled = settle(HanchanResult((38400, 2000, 42900, 15700), kyoutaku=1000, chonbo=(0, 0, 0, 1)), rules)
    assert settled.totals["points"] == (184, -580, 639, -443)
    level = settle(HanchanResult((40000, 20000, 20000, 20000)), rules)
    assert level.totals["points"] == (600, -200, -200, -200)


@pytest.mark.clause("mleague", "ML-004")
@pytest.mark.parametrize(
    ("scores", "left", "shared"),
    [
        ((30000, 30000, 30000, 9000), 1000, (30400, 30300, 30300, 9000)),
        ((29700, 29700, 29700, 8900), 2000, (30400, 30400, 30300, 8900)),
        ((9000, 30000, 30000, 30000), 1000, (9000, 30400, 30300, 30300)),
        ((24000, 25000, 25000, 25000), 1000, (24000, 25400, 25300, 25300)),
        ((24000, 24000, 24000, 24000), 4000, (25000, 25000, 25000, 25000)),
        ((40000, 30000, 20000, 9000), 1000, (41000, 30000, 20000, 9000)),
    ],
)
def test_leftover_deposits_are_shared_at_the_top_with_odd_hundreds_nearest_the_first_dealer(
    scores: tuple[int, ...], left: int, shared: tuple[int, ...]
) -> None:
    rules = loader.load("mleague")
    settled = settle(HanchanResult(scores, kyoutaku=left), rules)
    assert settled.final_scores == shared
    given = [line for line in settled.lines if line.cause is LineCause.KYOUTAKU]
    assert sum(line.amount for line in given) * 1000 == left
    assert {line.clause for line in given} == {"ML-004"}


@pytest.mark.clause("mleague", "ML-004")
def test_seats_matter_for_shared_deposits_only_where_they_do_not_divide() -> None:
    data = loader.load("mleague").data()
    data["settlement"]["rounding"]["policy"] = "nearest_alike"
    rules = Ruleset.model_validate(data, strict=False)
    assert rules.seat_order_matters((30000, 30000, 30000, 9000), 1000)
    assert not rules.seat_order_matters((29000, 29000, 29000, 10000), 3000)
    assert not rules.seat_order_matters((35000, 35000, 18000, 11000), 1000)
    assert not rules.seat_order_matters((35000, 33000, 20000, 11000), 1000)
