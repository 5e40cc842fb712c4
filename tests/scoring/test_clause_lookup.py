"""Clauses cited by refusals and problems: the clause of the ruleset table they are based on."""

import pytest

from rulesets import loader
from scoring import kyoku
from scoring.clause_lookup import clause_of
from scoring.kyoku import refusals
from scoring.kyoku.outcomes import (
    AbortiveDraw,
    Act,
    ChonboCalled,
    DeadHand,
    Draw,
    Offended,
    Outcome,
    Riichi,
    RiichiWithdrawn,
    TimeCalled,
)
from scoring.kyoku.state import InHand, State
from scoring.problems import RESTS_ON, SENTENCES, problems
from scoring.ruleset import Ruleset
from scoring.ruleset.flow import AbortiveKind
from scoring.settlement import HanchanResult
from tests.scoring.kyoku_tables import BANCHI4, BOO, CINDERELLA, KANSAI3, MLEAGUE, SUPERBINGO, TIMED, at, ron

FOUR = at("E1", 25000, 25000, 25000, 25000)
THREE = at("E1", 30000, 30000, 30000)


def behind(state: State, happens: Act | Outcome, rules: Ruleset) -> list[tuple[str, str]]:
    if isinstance(happens, Riichi | Offended | RiichiWithdrawn | DeadHand | TimeCalled):
        found = kyoku.verify_act(state, happens, rules)
    else:
        found = kyoku.verify(state, happens, rules)
    return [(each.code, each.clause) for each in found]


@pytest.mark.parametrize(
    ("state", "happens", "rules", "found"),
    [
        (at("E1", 900, 33000, 33000, 33100), Riichi(0), BANCHI4, ("riichi_without_points", "B4-077")),
        (FOUR, Riichi(0, open=True), CINDERELLA, ("no_open_riichi", "CL-059")),
        (FOUR, Offended(0, "false_win_shown"), CINDERELLA, ("offence_voids_hand", "CL-091")),
        (FOUR, Offended(0, "moonwalk"), CINDERELLA, ("offence_unknown", "")),
        (FOUR, ChonboCalled(offenders=(0,), offence="win_called_only"), CINDERELLA, ("offence_no_chonbo", "CL-090")),
        (FOUR, AbortiveDraw(kind=AbortiveKind.FOUR_WINDS), CINDERELLA, ("abortive_not_played", "CL-049")),
        (
            at("E1", 25000, 25000, 25000, 25000, hand=InHand(dead=(1,))),
            ron(1, 0),
            CINDERELLA,
            ("winner_dead_hand", "CL-084"),
        ),
        (THREE, Draw(tenpai=(7,)), SUPERBINGO, ("seat_unknown", "")),
        (at("E1", 2000, 2000, 2000, 2000), DeadHand(0), BOO, ("no_dead_hands", "")),
    ],
)
def test_a_refusal_cites_the_clause_it_is_based_on(
    state: State, happens: Act | Outcome, rules: Ruleset, found: tuple[str, str]
) -> None:
    assert found in behind(state, happens, rules)


@pytest.mark.parametrize(
    ("result", "rules", "found"),
    [
        (HanchanResult((25000, 25000, 25000, 25100)), CINDERELLA, ("table_sum", "CL-035")),
        (HanchanResult((25050, 24950, 25000, 25000)), CINDERELLA, ("score_not_multiple", "CL-030")),
        (HanchanResult((25000,) * 4, chonbo=(-1, 0, 0, 0)), CINDERELLA, ("chonbo_negative", "CL-082")),
        (HanchanResult((35000,) * 3, carried={"p": (200, 0, 0)}), KANSAI3, ("ledger_sum", "KS-046")),
        (HanchanResult((35000,) * 3, carried={"g": (200, 0, 0)}), KANSAI3, ("ledger_unknown", "")),
        (HanchanResult((25000,) * 4, tobi=((0, 1),)), CINDERELLA, ("tobi_unused", "CL-048")),
        (HanchanResult((25000, 25000, 25000, 25100)), MLEAGUE, ("table_sum", "ML-001")),
    ],
)
def test_a_problem_of_a_result_cites_the_clause_it_is_based_on(
    result: HanchanResult, rules: Ruleset, found: tuple[str, str]
) -> None:
    assert found in [(each.code, each.clause) for each in problems(result, rules)]


def test_every_cited_table_belongs_to_a_code_and_exists_in_some_ruleset() -> None:
    assert set(RESTS_ON) <= set(SENTENCES)
    assert set(refusals.RESTS_ON) <= set(refusals.SENTENCES)
    books = [*map(loader.load, loader.names()), TIMED]
    for tables in (RESTS_ON, refusals.RESTS_ON):
        for code in tables:
            assert any(clause_of(code, {}, rules, tables) for rules in books), code
