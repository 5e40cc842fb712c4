"""Worked examples of hands in the rule books."""

from pathlib import Path

import pytest

from rulesets import examples

BOOKS = Path(__file__).parents[3] / "rulesets"


@pytest.mark.parametrize("name", ["banchi3", "banchi4", "boo", "cinderella", "kansai3", "superbingo"])
def test_every_worked_example_of_a_hand_has_its_stated_value(name: str) -> None:
    report = examples.run(examples.read(BOOKS / name / "examples.toml"))
    hands = [outcome for outcome in report.outcomes if outcome.kind == "hand"]
    assert hands
    assert [(each.example.id, each.differences) for each in hands if not each.is_passed] == []
