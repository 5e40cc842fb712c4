"""Problems of an invalid result: code, pointer, level and a sentence that says what to do."""

import pytest

from rulesets import loader
from scoring.problems import SENTENCES, ResultProblem, Severity
from scoring.ruleset import Ruleset
from scoring.settlement import BustPayment, HanchanResult, problems, settle

CINDERELLA, KANSAI3 = loader.load("cinderella"), loader.load("kansai3")
SUPERBINGO, BOO, BANCHI4 = loader.load("superbingo"), loader.load("boo"), loader.load("banchi4")
LEVEL = (25000, 25000, 25000, 25000)


def only(result: HanchanResult, rules: Ruleset = CINDERELLA) -> ResultProblem:
    """Return the only problem of a result."""
    (problem,) = problems(result, rules)
    return problem


def found(result: HanchanResult, rules: Ruleset = CINDERELLA) -> set[tuple[str, str]]:
    return {(problem.code, problem.pointer) for problem in problems(result, rules)}


def test_a_valid_result_has_no_problems() -> None:
    assert problems(HanchanResult(LEVEL), CINDERELLA) == ()


def test_three_scores_are_refused_by_a_four_player_ruleset() -> None:
    problem = only(HanchanResult((30000, 30000, 40000)))
    assert (problem.code, problem.level, problem.pointer) == ("score_count", Severity.ERROR, "scores")
    assert str(problem) == "There are 3 scores; this ruleset has 4 players. Enter 4."


def test_a_score_that_is_not_a_multiple_is_reported_with_the_nearest_multiples() -> None:
    problem = problems(HanchanResult((24950, 25050, 25000, 25000)), CINDERELLA)[0]
    assert (problem.code, problem.pointer) == ("score_not_multiple", "scores/0")
    assert (problem.params["lower"], problem.params["upper"]) == (24900, 25000)


@pytest.mark.clause("boo", "BOO-109")
def test_scores_must_be_multiples_of_the_smallest_stick() -> None:
    scores = (2010, 1990, 2000, 2000)
    assert problems(HanchanResult(scores), BOO) == ()
    assert found(HanchanResult(scores), BOO.with_options({"min_stick": 20})) == {
        ("score_not_multiple", "scores/0"),
        ("score_not_multiple", "scores/1"),
    }


@pytest.mark.parametrize(
    ("scores", "kyoutaku", "sentence"),
    [
        ((24800, 25000, 25000, 25000), 0, "add up to 99800 points; with 0 in deposits"),
        ((24800, 25000, 25000, 25000), 0, "must hold 100000 (200 missing)"),
        ((26000, 25000, 25000, 25000), 2000, "must hold 98000 (3000 too many)"),
    ],
)
def test_no_point_may_be_missing_from_the_table(scores: tuple[int, ...], kyoutaku: int, sentence: str) -> None:
    problem = only(HanchanResult(scores, kyoutaku=kyoutaku))
    assert (problem.code, problem.pointer) == ("table_sum", "")
    assert sentence in str(problem)


def test_a_wrong_sum_names_no_deposits_under_rules_without_them() -> None:
    (problem,) = problems(HanchanResult((4200, 2100, 1000, 900)), BOO)
    assert str(problem) == (
        "The scores add up to 8200 points; the players must hold 8000 (200 too many). Check the scores."
    )
    assert "kyoutaku" not in problem.params


def test_an_unusual_score_is_a_warning_and_still_settles() -> None:
    result = HanchanResult((-50000, 50000, 50000, 50000))
    problem = only(result)
    assert (problem.code, problem.level, problem.pointer) == ("extreme_score", Severity.WARNING, "scores/0")
    assert settle(result, CINDERELLA).places == (4, 1, 1, 1)


@pytest.mark.parametrize(
    ("kyoutaku", "scores", "code"),
    [
        (-1000, (26000, 25000, 25000, 25000), "kyoutaku_negative"),
        (500, (24500, 25000, 25000, 25000), "kyoutaku_not_multiple"),
    ],
)
def test_deposits_are_whole_sticks(kyoutaku: int, scores: tuple[int, ...], code: str) -> None:
    assert found(HanchanResult(scores, kyoutaku=kyoutaku)) == {(code, "kyoutaku")}


@pytest.mark.clause("boo", "BOO-066")
def test_deposits_are_refused_where_riichi_has_no_stake() -> None:
    assert found(HanchanResult((1000, 2000, 2000, 2000), kyoutaku=1000), BOO) == {("kyoutaku_unused", "kyoutaku")}


def test_chonbo_need_a_count_for_every_seat_and_are_never_negative() -> None:
    assert found(HanchanResult(LEVEL, chonbo=(0, 0, -1, 0))) == {("chonbo_negative", "chonbo/2")}
    assert found(HanchanResult(LEVEL, chonbo=(0, 0))) == {("chonbo_count", "chonbo")}


@pytest.mark.clause("banchi4", "B4-047")
def test_a_chonbo_is_refused_where_it_is_paid_at_the_table() -> None:
    assert found(HanchanResult(LEVEL, chonbo=(0, 1, 0, 0)), BANCHI4) == {("chonbo_unused", "chonbo/1")}


def test_ledger_amounts_that_do_not_add_up_to_zero_are_refused() -> None:
    problem = only(HanchanResult(LEVEL, carried={"g": (1000, -500, 0, 0)}), BANCHI4)
    assert (problem.code, problem.pointer) == ("ledger_sum", "carried/g")
    assert str(problem) == "The amounts for g add up to 500; what players pay one another adds up to 0."


def test_amounts_of_a_ledger_are_multiples_of_its_smallest_prize() -> None:
    problem = problems(HanchanResult(LEVEL, carried={"g": (700, -700, 0, 0)}), BANCHI4)[0]
    assert (problem.code, problem.pointer) == ("ledger_not_multiple", "carried/g/0")
    assert (problem.params["lower"], problem.params["upper"]) == ("500", "1000")


def test_a_ledger_needs_one_amount_per_player() -> None:
    assert found(HanchanResult(LEVEL, carried={"g": (500, -500)}), BANCHI4) == {("ledger_count", "carried/g")}


@pytest.mark.parametrize("key", ["chips", "points"])
def test_unknown_and_computed_ledgers_are_refused(key: str) -> None:
    assert found(HanchanResult(LEVEL, carried={key: (0, 0, 0, 0)}), BANCHI4) == {("ledger_unknown", f"carried/{key}")}
    assert "none" in str(only(HanchanResult(LEVEL, carried={key: (0, 0, 0, 0)})))


@pytest.mark.clause("kansai3", "KS-021")
def test_a_player_with_points_left_is_not_bust() -> None:
    problem = only(HanchanResult((1000, 61000, 43000), tobi=((0, 1),)), KANSAI3)
    assert (problem.code, problem.pointer) == ("tobi_positive_score", "tobi/0")


@pytest.mark.clause("banchi4", "B4-019")
def test_exactly_zero_is_not_a_bust_where_play_goes_on_at_zero() -> None:
    scores = (0, 40000, 30000, 30000)
    assert found(HanchanResult(scores, tobi=((0, 1),)), BANCHI4) == {("tobi_positive_score", "tobi/0")}


def test_the_bust_prize_needs_another_player_of_the_table_as_receiver() -> None:
    scores = (0, 62000, 43000)
    assert found(HanchanResult(scores, tobi=((0, 3),)), KANSAI3) == {("tobi_unknown_seat", "tobi/0")}
    assert found(HanchanResult(scores, tobi=((0, 0),)), KANSAI3) == {("tobi_same_seat", "tobi/0")}


@pytest.mark.clause("kansai3", "KS-032")
@pytest.mark.clause("superbingo", "SB-217")
def test_two_prizes_for_one_bust_are_allowed_only_where_each_paid_player_gets_one() -> None:
    scores, twice = (0, 62000, 43000), ((0, 1), (0, 2))
    assert found(HanchanResult(scores, tobi=twice), KANSAI3) == {("tobi_twice", "tobi/1")}
    assert found(HanchanResult((0, 47000, 43000), tobi=twice), SUPERBINGO) == set()


def test_a_bust_without_a_receiver_is_a_warning() -> None:
    problem = only(HanchanResult((0, 62000, 43000)), KANSAI3)
    assert (problem.code, problem.level, problem.pointer) == ("tobi_missing", Severity.WARNING, "scores/0")
    payment = BustPayment(0, 2000, ((1, 2000),))
    assert problems(HanchanResult((0, 62000, 43000), bust_payments=(payment,)), KANSAI3) == ()


def test_a_receiver_is_refused_where_there_is_no_bust_prize() -> None:
    assert found(HanchanResult(LEVEL, tobi=((0, 1),))) == {("tobi_unused", "tobi")}


@pytest.mark.clause("boo", "BOO-101")
def test_a_forced_top_is_refused_where_it_is_not_played() -> None:
    scores = (2500, 2400, 2100, 1000)
    assert found(HanchanResult(scores, forced_top=1), BOO) == {("forced_top_unused", "forced_top")}
    assert found(HanchanResult(LEVEL, forced_top=1)) == {("forced_top_unused", "forced_top")}
    rules = BOO.with_options({"yakuman": "instant_a_top"})
    assert found(HanchanResult(scores, forced_top=4), rules) == {("forced_top_unknown_seat", "forced_top")}
    assert found(HanchanResult(scores, forced_top=0), rules) == set()


def test_problems_of_broken_results_have_complete_sentences() -> None:
    broken = (
        problems(HanchanResult((1,) * 4, kyoutaku=1, chonbo=(-1,), carried={"x": ()}, tobi=((9, 9),)), CINDERELLA),
        problems(HanchanResult((0, 105500, 50), tobi=((0, 0), (0, 9))), KANSAI3),
        problems(HanchanResult(LEVEL, chonbo=(1, 0, 0, 0), carried={"g": (1, 0, 0, 0)}), BANCHI4),
    )
    codes = {problem.code for each in broken for problem in each if str(problem)}
    assert codes <= set(SENTENCES)
