"""The possible han of hands without limits, beside the fewest han, which are derived in another way."""

import pytest

from rulesets import loader
from scoring.hand.possible import Circumstances, possible_values
from scoring.hand.situation import RiichiKind
from scoring.hand.uncapped import possible_han, why_no_such_han
from scoring.ruleset import Ruleset
from scoring.ruleset.end import RoundName
from scoring.value import By
from scripts.conformance.uncapped_hands import Scorer, hands_at_random

NEW_YAKU = ["iipeikou", "chiitoitsu", "sanshoku", "ryuuiisou"]


def uncapped(name: str, **options: object) -> Ruleset:
    """Return a book whose limits do not hold in the last hand."""
    data = loader.load(name).with_options(options).data()
    data["play"]["value"]["uncapped_in_last_hand"] = True
    return Ruleset.model_validate(data, strict=False)


BLUE_SKY = uncapped("boo", new_yaku=NEW_YAKU)
WON = Circumstances(By.RON, None, round=RoundName.SOUTH)


@pytest.mark.slow
@pytest.mark.clause("boo", "BOO-105")
@pytest.mark.parametrize("rules", [BLUE_SKY, uncapped("banchi3")], ids=lambda each: each.name)
@pytest.mark.parametrize("riichi", [RiichiKind.NONE, RiichiKind.RIICHI])
@pytest.mark.parametrize("by", By)
def test_the_lowest_of_the_possible_han_are_the_fewest_han(rules: Ruleset, riichi: RiichiKind, by: By) -> None:
    won = Circumstances(by, None, riichi, round=rules.setup.rounds[-1])
    fewest = {key: least.han for key, least in possible_values(rules, won).items()}
    assert {key: hans[0] for key, hans in possible_han(rules, won).items()} == fewest


def test_a_yakuman_of_consecutive_triplets_is_no_hand_counted_in_han() -> None:
    rules, won = uncapped("kansai3"), Circumstances(By.RON, closed=False, round=RoundName.EAST)
    fewest = {key: least.han for key, least in possible_values(rules, won).items()}
    assert {key: hans[0] for key, hans in possible_han(rules, won).items()} == fewest


@pytest.mark.slow
@pytest.mark.clause("boo", "BOO-105")
def test_random_hands_have_only_possible_han() -> None:
    scorer = Scorer(BLUE_SKY, RoundName.SOUTH)
    for hand in hands_at_random(BLUE_SKY, 150):
        scorer.add(hand)
    assert len(scorer.seen) > 10
    for (won, fu, closed), hands in scorer.seen.items():
        assert set(hands) <= set(possible_han(BLUE_SKY, won)[fu, closed]), (won, fu, hands)


@pytest.mark.slow
def test_a_hand_of_fixed_fu_is_bounded_as_well() -> None:
    rules = uncapped("superbingo")
    most = {closed: hans[-1] for (fu, closed), hans in possible_han(rules, Circumstances(By.RON)).items() if fu == 0}
    assert why_no_such_han(rules, Circumstances(By.RON), max(most.values()), 0) is None
    found = why_no_such_han(rules, Circumstances(By.RON, closed=False), most[False] + 1, 0)
    assert found is not None
    assert (found.code, found.params["most"]) == ("han_too_many", most[False])


def test_han_are_not_refused_where_the_fu_or_too_few_han_are_wrong() -> None:
    assert why_no_such_han(BLUE_SKY, WON, 5, 25) is None
    assert why_no_such_han(BLUE_SKY, WON, 0, 20) is None


@pytest.mark.slow
@pytest.mark.parametrize(("fu", "closed", "most"), [(20, False, 9), (30, True, 10), (50, True, 10), (140, False, 15)])
def test_the_most_han_are_those_of_the_richest_tiles(fu: int, closed: bool, most: int) -> None:
    assert possible_han(BLUE_SKY, WON)[fu, closed][-1] == most
