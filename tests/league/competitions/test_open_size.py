"""Tests of competitions by formats of open size: created for an expected number, and shown in rules and files."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from league.models import Competition, FormatRevision
from league.platform.errors import RuleViolationError
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from league.services.competitions.setup import CompetitionPlan, create_competition
from league.services.rulebooks.revisions import RulesChoice, keep, keep_ruleset, put_rules_in_force
from tests.factories import SYSTEM

pytestmark = pytest.mark.django_db
EXAMPLES = Path(__file__).resolve().parents[3] / "rulesets" / "formats" / "examples" / "formats.examples.toml"
TEXTS = {each["name"]: each["text"] for each in tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))["format"]}


def kept(name: str) -> FormatRevision:
    return keep(FormatRevision, name, TEXTS[name])


def created(name: str, entrants: int | None) -> Competition:
    plan = CompetitionPlan(slug=name, name=name, ruleset="mleague", league_format=kept(name), entrants=entrants)
    return create_competition(plan=plan, by=SYSTEM)


def test_an_event_of_open_size_has_as_many_places_as_are_expected() -> None:
    made = created("swiss-40", 37)
    rules = rules_at(made)
    assert (rules.entrants, format_of(rules).seeds) == (37, 37)
    assert made.blocks.get().slots.count() == 37
    assert rules.digest != rules_at(created("ema-64", 64)).digest


@pytest.mark.parametrize(
    ("entrants", "code", "told"),
    [
        (None, "entrants_needed", "16 to 120"),
        (121, "roster_not_closed", "16 to 120"),
        (15, "roster_not_closed", "16 to 120"),
    ],
)
def test_a_number_that_the_format_does_not_allow_is_refused(entrants: int | None, code: str, told: str) -> None:
    with pytest.raises(RuleViolationError) as refused:
        created("swiss-40", entrants)
    (finding,) = refused.value.findings
    assert (finding.code, finding.pointer) == (code, "/entrants")
    assert told in finding.message


def test_a_number_that_fills_no_tables_is_refused_with_those_that_do() -> None:
    text = TEXTS["swiss-40"].replace('by = "byes", points = "average"', 'by = "refuse"')
    plan = CompetitionPlan(
        slug="full", name="full", ruleset="mleague", league_format=keep(FormatRevision, "full", text), entrants=38
    )
    with pytest.raises(RuleViolationError, match="take 2 more or 2 fewer"):
        create_competition(plan=plan, by=SYSTEM)


def test_other_rules_keep_the_number_of_entrants_unless_they_name_one() -> None:
    made = created("swiss-40", 36)
    again = RulesChoice(ruleset=keep_ruleset("tenhou4"), league_format=kept("swiss-40"))
    assert put_rules_in_force(competition=made, choice=again, by=SYSTEM).entrants == 36


def test_a_format_of_fixed_size_takes_no_other_number() -> None:
    plan = CompetitionPlan(slug="s", name="s", ruleset="cinderella", league_format="cinderella", entrants=17)
    with pytest.raises(RuleViolationError) as refused:
        create_competition(plan=plan, by=SYSTEM)
    assert [each.code for each in refused.value.findings] == ["fixed_size"]
