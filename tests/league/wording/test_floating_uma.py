"""Words for an uma by the number of floating players: rules, lines of a settlement, conditions."""

from django.utils.translation import override

from league.selectors.rulebooks.comparison import LinesOfCause
from league.web.rulebooks.rule_facts import facts_of
from league.wording.messages import line_name
from league.wording.rulebooks.ruleset_settings import setting_line
from league.wording.standings.conditions import SentenceContext, case_text, sentence_text
from scoring.conditions import Clauses, Condition, ConditionClause, Says, Sentence, Span
from scoring.conditions.formulas import NEVER_TRUE
from tests.scoring.uma_rules import trial


def test_the_rules_state_the_line_and_a_row_for_each_number() -> None:
    facts = {fact.name: fact.value for fact in facts_of(trial())}
    assert facts["Uma"] == "+8 / +4 / -4 / -8"
    assert facts["A player floats with"] == "30,000 or more"
    assert facts["Uma, 1 player floating"] == "+12 / -1 / -3 / -8"
    assert facts["Uma, 3 players floating"] == "+8 / +3 / +1 / -12"
    sunk = {fact.name: fact.value for fact in facts_of(trial(at_line="sinks"))}
    assert sunk["A player floats with"] == "more than 30,000"


def test_the_rules_read_in_japanese() -> None:
    with override("ja"):
        facts = {fact.name: fact.value for fact in facts_of(trial())}
    assert facts["浮き1人のウマ"] == "+12 / ▲1 / ▲3 / ▲8"
    assert facts["浮き"] == "30,000点以上"


def test_a_line_of_the_settlement_says_how_many_float() -> None:
    assert line_name("uma", {"floating": 2}) == "uma, 2 floating"
    assert line_name("uma", {}) == "uma"
    assert LinesOfCause("points", "uma", "ML-002", (), 1).title == "uma, 1 floating"


def test_values_of_the_table_have_labels() -> None:
    assert setting_line("settlement.uma.floating.at_line", "sinks").value == "sinks"
    assert setting_line("settlement.uma.floating.rows.1", [12, -1, -3, -8]).name == "Uma with one player floating"


def test_a_condition_names_the_numbers_of_floating_players_it_holds_for() -> None:
    clauses = Clauses(
        (
            ConditionClause((("A", (2,)),), ((Condition("A", 1_200),),), (1,)),
            ConditionClause((), ((Condition("B", -300),),), (0, 2, 4)),
        ),
        NEVER_TRUE,
        is_complete=False,
    )
    told = SentenceContext({"A": "Hana", "B": "Yuki"}, "", "the title")
    text = sentence_text(Sentence(Says.NEEDS, (1,), clauses), told)
    assert "if Hana is 2nd and one player floats: 1,200 ahead" in text
    assert "if 0 or 2 or 4 players float: at most 300 behind Yuki" in text
    with override("ja"):
        assert "浮きが0・2・4人なら" in sentence_text(Sentence(Says.NEEDS, (1,), clauses), told)


def test_a_row_of_the_table_of_margins_names_its_case() -> None:
    assert case_text(Span(2), (1,)) == "2nd (one player floats)"
    assert case_text(Span(2), ()) == "2nd"
