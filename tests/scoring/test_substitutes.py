"""A chair filled by a substitute: a flat account, real scores and places for the others, and the reason for the sum."""

from fractions import Fraction

import pytest

from scoring.ruleset import Ruleset
from scoring.settlement import HanchanResult, InvalidResultError, LineCause, Settlement, Severity, problems, settle
from tests.scoring.uma_rules import trial_data

SCORES = (41_000, 33_000, 27_000, 19_000)


def book(replaces: str = "result", **changes: object) -> Ruleset:
    """Return a book with the uma 15, 5, -5, -15 and a flat account of -15 for a substitute."""
    data = trial_data()
    data["settlement"]["uma"] = {"amounts": [15, 5, -5, -15], "clauses": ["ML-002"]}
    flat = {"ledger": "points", "amount": -15, "replaces": replaces, "clauses": ["ML-005"]}
    data["settlement"] |= {"substitute": flat} | changes
    return Ruleset.model_validate(data, strict=False)


def settled(substitutes: tuple[int, ...], rules: Ruleset, scores: tuple[int, ...] = SCORES) -> Settlement:
    return settle(HanchanResult(scores, substitutes=substitutes), rules)


def test_a_substitute_has_the_flat_account_and_still_fills_its_place() -> None:
    found = settled((0,), book())
    assert found.totals["points"] == (-150, 80, -80, -260)
    assert found.places == (1, 2, 3, 4)


def test_the_flat_amount_may_stand_for_the_uma_alone() -> None:
    assert settled((0,), book("uma")).totals["points"] == (110 - 150, 80, -80, -260)


def test_without_a_substitute_nothing_changes() -> None:
    assert settled((), book()).totals["points"] == (260, 80, -80, -260)


@pytest.mark.parametrize("replaces", ["result", "uma"])
def test_several_substitutes_level_with_others_keep_their_own_account(replaces: str) -> None:
    found = settled((1, 3), book(replaces), (30_000, 30_000, 30_000, 30_000))
    assert found.totals["points"] == (0, -150, 0, -150)


def test_its_line_says_the_account_and_the_clause() -> None:
    (line,) = [each for each in settled((0,), book()).lines if each.cause is LineCause.SUBSTITUTE]
    assert (line.seat, line.amount, line.clause, line.params) == (0, Fraction(-41), "ML-005", {"account": "-15"})


def test_the_sum_of_the_table_has_a_named_reason_that_need_not_be_accepted() -> None:
    rules = book()
    (note,) = problems(HanchanResult(SCORES, substitutes=(0,)), rules)
    assert (note.code, note.level, note.pointer, note.clause) == (
        "substitute_sum",
        Severity.NOTE,
        "substitutes/0",
        "ML-005",
    )
    assert "flat account of -15.0" in str(note)
    assert sum(settled((0,), rules).totals["points"]) == -410


@pytest.mark.parametrize(("substitutes", "code"), [((4,), "substitute_unknown_seat"), ((0, 0), "substitute_twice")])
def test_a_wrong_seat_is_refused(substitutes: tuple[int, ...], code: str) -> None:
    with pytest.raises(InvalidResultError) as error:
        settled(substitutes, book())
    assert [each.code for each in error.value.problems if each.level is Severity.ERROR] == [code]


def test_a_book_without_the_account_refuses_substitutes() -> None:
    with pytest.raises(InvalidResultError) as error:
        settled((0,), Ruleset.model_validate(trial_data(), strict=False))
    assert [each.code for each in error.value.problems] == ["substitute_unused"]


def test_an_account_in_place_of_the_uma_needs_scores_that_are_not_balanced() -> None:
    with pytest.raises(ValueError, match="needs the ledger of the conversion"):
        book("uma", balance_to_top=True)
