"""Shapes of hands compared with the table of possible values: the table holds, and a wrong one is noticed."""

from functools import cache

from rulesets import loader
from scoring.hand.possible import Circumstances, Impossible, Least, Possible, possible_values, why_impossible
from scoring.ruleset import Ruleset
from scripts.conformance.hand_options import variants
from scripts.conformance.possible_hands import Seen, count_refused, differences, places_of, scored
from scripts.conformance.shapes import Part

BANCHI4, BOO, MLEAGUE = map(loader.load, ("banchi4", "boo", "mleague"))
PARTS = (Part.INNER_RUN, Part.SIMPLE, Part.TERMINAL)
"""Enough classes of sets to reach the fewest han for every number of fu."""


@cache
def seen() -> Seen:
    return scored(BANCHI4, PARTS)


refusal = cache(why_impossible)
"""The reason to refuse a value, found once for all tests."""


def test_the_table_holds_exactly_the_values_of_all_shapes() -> None:
    assert seen().shapes > 1000
    assert list(differences(BANCHI4, seen(), refuse=refusal)) == []
    assert count_refused(BANCHI4, seen(), refusal) > 1000


def test_wrong_rows_of_a_table_are_noticed() -> None:
    def table_of(rules: Ruleset, won: Circumstances) -> Possible:
        right = possible_values(rules, won)
        too_many = {(35, False): Least(1, ()), (20, True): Least(1, ())}
        return {row: least for row, least in right.items() if row != (70, True)} | too_many

    found = list(differences(BANCHI4, seen(), table_of, refusal))
    for told in (
        "ron, opened, riichi none, round E: 35 fu: the table has 1 han, found None",
        "tsumo, closed, riichi none, round E: 20 fu: the table has 1 han, found 2: ",
        "ron, closed, riichi none, round E: 70 fu: the table has None han, found 1: ",
    ):
        assert sum(each.startswith(told) for each in found) == 1, told


def test_a_value_refused_although_a_hand_has_it_is_noticed() -> None:
    def refuse(rules: Ruleset, won: Circumstances, han: int, fu: int) -> Impossible | None:
        too_strict = Impossible("fu_impossible", "fu", {"fu": fu})
        return too_strict if fu == 60 else refusal(rules, won, han, fu)

    found = differences(BANCHI4, seen(), refuse=refuse)
    assert any("ron, opened" in each and "1 han 60 fu is refused (fu_impossible); hand: " in each for each in found)


def test_a_value_allowed_although_no_hand_has_it_is_noticed() -> None:
    found = differences(BANCHI4, seen(), refuse=lambda *_: None)
    assert any("ron, closed, riichi none" in each and "4 han 20 fu is possible; hand: None" in each for each in found)


def test_a_seat_stands_for_all_with_winds_of_the_same_value() -> None:
    assert [(place.seat, place.round, place.is_double) for place in places_of(BANCHI4)] == [
        ("E", "E", True),
        ("S", "E", False),
    ]


def test_house_options_are_compared_alone_and_in_the_pairs_that_interact() -> None:
    chosen = list(variants(BOO))
    assert chosen[0] == {}
    assert {"double_wind_pair_fu": 2} in chosen
    assert {"bazoro": "always1", "double_wind_pair_fu": 2} in chosen
    # The room fee and the like change no hand.
    assert all(set(each) <= {key for one in chosen if len(one) == 1 for key in one} for each in chosen)
    assert len(chosen) < len(BOO.options)


def test_a_ruleset_for_final_scores_alone_has_nothing_to_compare() -> None:
    assert list(variants(MLEAGUE)) == []
