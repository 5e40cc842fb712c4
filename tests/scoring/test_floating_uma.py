"""Uma by the number of floating players: the row, the line, level players, deposits, three players, loader errors."""

import random
from typing import Any

import pytest

from scoring.odds.outcomes import outcomes_of
from scoring.ruleset import Fault, OptionError, Ruleset
from scoring.ruleset.faults import faults_of
from scoring.ruleset.paths import put
from scoring.settlement import HanchanResult, LineCause, Settlement, settle
from tests.scoring.uma_rules import naive_points, trial, trial_data, trial_of_three

RULES = trial()


def tenths(*scores: int, rules: Ruleset = RULES, kyoutaku: int = 0) -> tuple[int, ...]:
    return settle(HanchanResult(scores, kyoutaku), rules).totals["points"]


def uma_of(settled: Settlement) -> list[tuple[int, str, object]]:
    """Return seat, clause and the number of floating players of each line of the uma."""
    return [(each.seat, each.clause, each.params["floating"]) for each in settled.lines if each.cause is LineCause.UMA]


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ((37_000, 29_000, 28_000, 26_000), (190, -20, -50, -120)),
        ((32_000, 29_000, 22_000, 37_000), (60, -50, -160, 150)),
        ((31_000, 33_000, 24_000, 32_000), (20, 110, -180, 50)),
        ((30_000, 30_000, 30_000, 30_000), (0, 0, 0, 0)),
    ],
)
def test_the_row_follows_the_number_of_floating_players(scores: tuple[int, ...], points: tuple[int, ...]) -> None:
    assert tenths(*scores) == points


def test_exactly_the_line_floats_or_sinks_as_the_book_says() -> None:
    scores = (34_000, 31_000, 30_000, 25_000)
    assert tenths(*scores) == (120, 40, 10, -170)
    assert tenths(*scores, rules=trial(at_line="sinks")) == (120, 50, -40, -130)
    assert tenths(34_000, 31_000, 30_100, 24_900, rules=trial(at_line="sinks")) == (120, 40, 11, -171)


def test_level_players_average_the_row_that_applies() -> None:
    assert tenths(37_000, 28_000, 28_000, 27_000) == (190, -40, -40, -110)
    assert tenths(33_000, 33_000, 22_000, 32_000) == (85, 85, -200, 30)


def test_floating_is_counted_before_deposits_are_given_out() -> None:
    top = trial({"kyoutaku": {"receiver": "top", "unit": 1000, "clauses": ["ML-004"]}})
    # The first has 29,900 before and 31,900 after: no player floats.
    assert tenths(29_900, 29_500, 29_400, 29_200, rules=top, kyoutaku=2_000) == (99, 35, -46, -88)


def test_each_line_of_the_uma_says_its_row_and_the_clause_it_comes_from() -> None:
    settled = settle(HanchanResult((37_000, 29_000, 28_000, 26_000)), RULES)
    assert uma_of(settled) == [(seat, "ML-002", 1) for seat in range(4)]
    settled = settle(HanchanResult((37_000, 32_000, 29_000, 22_000)), RULES)
    assert uma_of(settled) == [(seat, "ML-003", 2) for seat in range(4)]


def test_a_row_of_its_own_for_no_and_for_all_floating_players_counts() -> None:
    rows = {"0": [4, 0, 0, -4], "1": [12, -1, -3, -8], "4": [2, 0, 0, -2]}
    rules = trial(rows=rows, line=28_000)
    assert tenths(31_000, 30_500, 30_000, 28_500, rules=rules) == (30, 5, 0, -35)
    assert tenths(27_000, 26_500, 26_000, 25_500, rules=rules, kyoutaku=15_000) == (10, -35, -40, -85)


def test_three_players_have_rows_of_three() -> None:
    rules = trial_of_three()
    assert tenths(50_000, 30_000, 25_000, rules=rules) == (350, -100, -250)
    assert tenths(45_000, 35_000, 25_000, rules=rules) == (200, 0, -200)


def test_a_row_of_zeros_makes_no_lines() -> None:
    settled = settle(HanchanResult((37_000, 29_000, 28_000, 26_000)), trial(rows={"1": [0, 0, 0, 0]}))
    assert uma_of(settled) == []


def test_points_agree_with_an_uma_written_apart_from_the_engine() -> None:
    dice = random.Random(58)
    for _ in range(400):
        rest = [30_000 + 100 * dice.choice((dice.randint(-20, 20), dice.randint(-300, 300), 0)) for _ in range(3)]
        scores = [*rest, 120_000 - sum(rest)]
        dice.shuffle(scores)
        ours = tenths(*scores)
        # Odd tenths of thirds go to seats near the first dealer; every other share is a whole number of tenths.
        exact = [10 * each for each in naive_points(scores)]
        assert all(abs(one - other) < 1 for one, other in zip(ours, exact, strict=True)), scores
        assert sum(ours) == 0


def test_results_for_the_odds_are_settled_by_their_own_row() -> None:
    results = [HanchanResult((37_000, 29_000, 28_000, 26_000)), HanchanResult((31_000, 33_000, 24_000, 32_000))]
    found = {each.scores: each.points for each in outcomes_of(results, RULES)}
    assert found == {each.scores: tuple(int(10 * one) for one in naive_points(each.scores)) for each in results}


def test_an_option_sets_the_side_of_the_line_and_a_row() -> None:
    title = {"title": {"ja": "設定", "en": "Setting"}, "scope": "competition", "clauses": ["ML-002"]}
    at_line = {"type": "choice", "default": "floats", "values": ["floats", "sinks"]}
    alone = {"type": "integers", "default": [12, -1, -3, -8], "length": 4, "minimum": -50, "maximum": 50}
    options = {
        "at_line": title | at_line | {"sets": ["settlement.uma.floating.at_line"]},
        "alone": title | alone | {"sets": ["settlement.uma.floating.rows.1"]},
    }
    rules = Ruleset.model_validate(trial_data() | {"options": options}, strict=False)
    assert tenths(34_000, 31_000, 30_000, 25_000, rules=rules) == (120, 40, 10, -170)
    chosen = rules.with_options({"at_line": "sinks", "alone": [16, -2, -4, -10]})
    assert tenths(34_000, 31_000, 30_000, 25_000, rules=chosen) == (120, 50, -40, -130)
    assert tenths(37_000, 29_000, 28_000, 26_000, rules=chosen) == (230, -30, -60, -140)
    with pytest.raises(OptionError, match="must add up to 0"):
        rules.with_options({"alone": [16, -2, -4, -9]})


# ─── loading ───


def told(*changes: tuple[str, object], data: dict[str, Any] | None = None) -> dict[str, str]:
    """Return the faults by key of the trial book, or of other values, with some of them changed."""
    data = data or trial_data()
    for path, value in changes:
        put(data, path, value)
    try:
        Ruleset.model_validate(data, strict=False)
    except ValueError as error:
        found: tuple[Fault, ...] = faults_of(error, Ruleset, data, "changed")  # type: ignore[arg-type]
        return {fault.key: fault.message for fault in found}
    return {}


@pytest.mark.parametrize(
    ("path", "value", "key", "message"),
    [
        ("rows.1", [12, -1, -3], "settlement.uma.floating.rows.1", "4 players need as many amounts"),
        ("rows.1", [12, -1, -3, 0], "settlement.uma.floating.rows.1", "must add up to 0"),
        ("rows.1", ["0.05", 0, 0, "-0.05"], "settlement.rounding.policy", "multiples of 1/10"),
        ("rows.5", [8, 4, -4, -8], "settlement.uma.floating.rows.5", "'3' or '4'"),
        ("rows.two", [8, 4, -4, -8], "settlement.uma.floating.rows.two", "'3' or '4'"),
        ("rows", {}, "settlement.uma.floating.rows", "at least 1"),
        ("at_line", "shared", "settlement.uma.floating.at_line", "floats"),
        ("line", "thirty", "settlement.uma.floating.line", "integer"),
    ],
)
def test_a_faulty_table_is_reported_at_its_key(path: str, value: object, key: str, message: str) -> None:
    extra = [("settlement.rounding.policy", "exact")] if "policy" in key else []
    found = told((f"settlement.uma.floating.{path}", value), *extra)
    assert message in found.get(key, str(found))
    assert key in found


def test_more_players_than_sit_at_the_table_cannot_float() -> None:
    data = trial_of_three().data()
    put(data, "settlement.uma.floating.rows.4", [1, 0, -1])
    key = "settlement.uma.floating.rows.4"
    assert "at most 3 players can float" in told(data=data)[key]


def test_the_digest_of_a_book_without_floating_rows_stays_the_same() -> None:
    data = trial_data()
    del data["settlement"]["uma"]["floating"]
    plain = Ruleset.model_validate(data, strict=False)
    assert "floating" not in plain.data()["settlement"]["uma"]
    assert plain != RULES
