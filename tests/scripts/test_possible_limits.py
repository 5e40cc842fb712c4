"""Limits and numbers of yakuman as hands have them, compared with those that are possible."""

import pytest

from rulesets import loader
from scoring.hand import Hand, Situation
from scoring.hand.most import most_yakuman
from scoring.hand.possible import Circumstances
from scoring.ruleset import Ruleset, Wind
from scoring.ruleset.value import LimitName
from scoring.value import By
from scripts.conformance.possible_limits import limit_differences, limits_with_dora, yakuman_seen

BANCHI3, SUPERBINGO, TENHOU4 = map(loader.load, ("banchi3", "superbingo", "tenhou4"))
HONOURS = tuple(f"{number}z" for number in range(1, 8))
OPENED = Circumstances(By.RON, closed=False)


def test_with_more_and_more_dora_a_hand_has_every_limit() -> None:
    hand = Hand.parse("234m666m34p777s99s", "2p")
    found = set(limits_with_dora(hand, Situation(By.RON, Wind.SOUTH, houtei=True), TENHOU4))
    assert found == {each.name for each in TENHOU4.hand_rules.value.limits}


def test_a_limit_that_is_seen_but_refused_or_possible_but_never_seen_is_a_difference() -> None:
    every = {each.name for each in SUPERBINGO.hand_rules.value.limits}
    dx = SUPERBINGO.with_options({"dx": True})
    assert list(limit_differences(SUPERBINGO, {OPENED: every})) == []
    assert list(limit_differences(dx, {OPENED: every - {LimitName.MANGAN}})) == []
    assert [text for _, text in limit_differences(dx, {OPENED: every})] == ["mangan is refused; seen: True"]
    fewer = every - {LimitName.KAZOE}
    assert [text for _, text in limit_differences(SUPERBINGO, {OPENED: fewer})] == ["kazoe is possible; seen: False"]


@pytest.mark.parametrize(("rules", "closed"), [(TENHOU4, True), (TENHOU4, False), (BANCHI3, True), (BANCHI3, False)])
def test_hands_of_honours_have_the_most_yakuman(rules: Ruleset, closed: bool) -> None:
    assert max(yakuman_seen(rules, closed=closed, names=HONOURS)) == most_yakuman(rules.hand_rules, closed=closed)
