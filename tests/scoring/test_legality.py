"""Legality of wins in boo: the verdict on a win before it is declared."""

import pytest

from scoring import kyoku
from scoring.kyoku.outcomes import Points, Ron, RonCalls, Tsumo, Win
from scoring.legality import Judgement, Taking, Test, find_holding_tests, judge
from scoring.ruleset import Ruleset
from scoring.ruleset.value import LegalityVerdict
from tests.scoring.kyoku_tables import BOO, CINDERELLA, MLEAGUE, at, codes


def house(**options: object) -> Ruleset:
    return BOO.with_options(options)


def verdict(rules: Ruleset, name: str, scores: tuple[int, ...], points: int, loser: int = 2) -> Judgement:
    """Return the judgement on seat 1's win by ron."""
    return kyoku.judgements(at(name, *scores), Ron(loser=loser, wins=(Win(1, Points(points)),)), rules)[0]


SUNK = (3200, 900, 1000, 2900)
"""Seat 1 does not float after winning 1,020 from seat 2, and seat 2 is bust."""


@pytest.mark.clause("boo", "BOO-075", "BOO-074")
def test_a_win_that_busts_another_player_without_floating_is_forbidden() -> None:
    found = verdict(BOO, "E3", SUNK, 1020)
    assert (found.verdict, found.reasons) == (LegalityVerdict.FORBIDDEN, (Test.BUST_WITHOUT_RISING,))
    assert (found.would_be, found.is_allowed) == ((3200, 1920, -20, 2900), False)
    assert "BOO-075" in found.clauses


@pytest.mark.clause("boo", "BOO-080")
def test_such_a_win_may_be_paid_only_as_far_as_the_payers_stay_in() -> None:
    rules = house(bust_without_rising="pay_to_limit")
    assert verdict(rules, "E3", SUNK, 1020).verdict is LegalityVerdict.PAY_TO_LIMIT
    result = kyoku.apply(at("E3", *SUNK), Ron(loser=2, wins=(Win(1, Points(1020)),)), rules)
    assert (result.after.scores, result.after.is_over) == ((3200, 1890, 10, 2900), False)
    drawn = Tsumo(win=Win(3, Points(from_dealer=540, from_other=420)))
    state = at("E1", 3500, 480, 3820, 200, honba=1)
    assert kyoku.apply(state, drawn, rules).after.scores == (2860, 10, 3300, 1830)
    assert kyoku.apply(state, drawn, rules).judgements[0].verdict is LegalityVerdict.PAY_TO_LIMIT


@pytest.mark.clause("boo", "BOO-079", "BOO-080")
def test_a_house_may_waive_the_legality_tests_in_the_last_hand() -> None:
    for consequence in ("forbidden", "pay_to_limit"):
        rules = house(bust_without_rising=consequence, forbidden_ok_in_south4=True)
        found = verdict(rules, "S4", SUNK, 1020)
        assert (found.verdict, found.waived) == (LegalityVerdict.ALLOWED, (Test.BUST_WITHOUT_RISING,))
        assert verdict(rules, "S3", SUNK, 1020).waived == ()


@pytest.mark.parametrize(
    ("sinking", "judged"),
    [("disliked", LegalityVerdict.PAY_TO_LIMIT), ("forbidden", LegalityVerdict.FORBIDDEN)],
)
def test_a_capped_payment_does_not_hide_that_a_player_sinks(sinking: str, judged: LegalityVerdict) -> None:
    # No score of a game leads here: before such a win a player would have twice the origin and have ended it.
    taking = Taking(1, (2600, 900, 2100, 2400), (2600, 1900, -20, 3520), ends_game=True, last_hand=False)
    found = judge(taking, house(bust_without_rising="pay_to_limit", sink_without_rising=sinking))
    assert found.reasons == (Test.BUST_WITHOUT_RISING, Test.SINK_WITHOUT_RISING)
    assert found.verdict is judged


@pytest.mark.clause("boo", "BOO-077")
def test_only_the_top_may_bust_a_player_in_a_house_that_forbids_it_otherwise() -> None:
    rules = house(bust_without_top="forbidden")
    found = verdict(rules, "E1", (1500, 3000, 500, 3000), 600)
    assert (found.verdict, found.reasons) == (LegalityVerdict.ALLOWED, ())
    assert verdict(rules, "E1", (1000, 2900, 500, 3600), 600).reasons == (Test.BUST_WITHOUT_TOP,)


@pytest.mark.clause("boo", "BOO-076")
def test_sinking_another_player_without_floating_is_disliked_or_forbidden() -> None:
    scores = (2900, 900, 2100, 2100)
    assert verdict(BOO, "E1", scores, 460).verdict is LegalityVerdict.DISLIKED
    assert verdict(house(sink_without_rising="forbidden"), "E1", scores, 460).verdict is LegalityVerdict.FORBIDDEN


@pytest.mark.clause("boo", "BOO-077", "BOO-025", "BOO-078")
def test_every_relevant_test_is_listed_and_the_strictest_decides() -> None:
    scores = (3200, 980, 1000, 2820)
    assert verdict(BOO, "E3", scores, 1020).reasons == (Test.C_TOP,)
    found = verdict(house(bust_without_top="forbidden"), "E3", scores, 1020)
    assert (found.verdict, found.reasons) == (LegalityVerdict.FORBIDDEN, (Test.BUST_WITHOUT_TOP, Test.C_TOP))


@pytest.mark.clause("boo", "BOO-150", "BOO-074")
def test_a_forbidden_call_passes_the_right_to_the_next_caller() -> None:
    state = at("E3", 2900, 3200, 1000, 900)
    calls = RonCalls(loser=2, calls=(Win(3, Points(1020)), Win(1, Points(1040))))
    result = kyoku.apply(state, calls, BOO)
    assert [turn.code for turn in result.turns] == ["forbidden_passed_on", "head_bump"]
    assert result.after.scores == (2900, 4240, -40, 900)


@pytest.mark.clause("boo", "BOO-150")
def test_where_all_calls_are_paid_each_win_is_judged_after_all_payments() -> None:
    rules = house(multi_ron="all")
    wins = (Win(3, Points(600)), Win(1, Points(600)))
    found = kyoku.judgements(at("E3", 2900, 3200, 1000, 900), Ron(loser=2, wins=wins), rules)
    assert [each.verdict for each in found] == [LegalityVerdict.FORBIDDEN, LegalityVerdict.ALLOWED]
    assert codes(at("E3", 2900, 3200, 1000, 900), Ron(loser=2, wins=wins), rules) == ["win_forbidden"]


def test_a_ruleset_without_legality_tests_allows_every_win() -> None:
    taking = Taking(1, (0, 0, 0, 0), (0, 0, 0, 0), ends_game=True, last_hand=True)
    assert judge(taking, CINDERELLA).verdict is LegalityVerdict.ALLOWED
    assert judge(taking, MLEAGUE).verdict is LegalityVerdict.ALLOWED
    assert list(find_holding_tests(taking, CINDERELLA)) == []
    state = at("E1", 25000, 25000, 25000, 25000)
    assert kyoku.judgements(state, Tsumo(win=Win(1, Points(0, 2000, 1000))), CINDERELLA) == ()
