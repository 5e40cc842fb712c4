"""Properties of every settlement: conservation, independence of seats, and totals as sums of the lines."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesets import loader
from scoring.exact import add, nearest, towards_zero
from scoring.ruleset import Ruleset
from scoring.ruleset.settling import DepositReceiver
from scoring.settlement import HanchanResult, LineCause, settle
from tests.fuzz.examples import times

RULESETS = [loader.load(name) for name in loader.names()]
LEAGUES = [loader.load(name) for name in ("cinderella", "mleague")]
FEW = settings(max_examples=times(8))
"""Few examples, because each property is tried for several rulesets."""
OUTSIDE = {LineCause.ROUNDING, LineCause.CHONBO, LineCause.FEE, LineCause.TOP_FEE}
"""Causes outside the zero sum: paid to no player or to the house, or lost by rounding."""


@st.composite
def results(draw: st.DrawFn, rules: Ruleset) -> HanchanResult:
    """Draw a result that fits the table; ties and leftover deposits are likely."""
    unit, players = rules.entry.unit, rules.players
    kept = 0
    if rules.settlement.kyoutaku is not None:
        kept = draw(st.integers(0, 3)) * rules.settlement.kyoutaku.unit
    step = draw(st.sampled_from([unit, unit * 10]))
    scores = [rules.setup.start + draw(st.integers(-40, 40)) * step for _ in range(players - 1)]
    scores.append(rules.table_total - kept - sum(scores))
    chonbo: tuple[int, ...] = ()
    if rules.settlement.chonbo is not None:
        chonbo = tuple(draw(st.lists(st.integers(0, 2), min_size=players, max_size=players)))
    carried = {}
    for ledger in rules.entered_ledgers:
        amounts = [draw(st.integers(-20, 20)) * ledger.step for _ in range(players - 1)]
        carried[ledger.key] = (*amounts, -sum(amounts))
    return HanchanResult(tuple(scores), kept, chonbo, carried)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.name)
@FEW
@given(data=st.data())
def test_lines_add_up_to_the_totals_and_payments_to_zero_and_seats_matter_only_for_ties(
    rules: Ruleset, data: st.DataObject
) -> None:
    result = data.draw(results(rules))
    assert rules.seat_order_matters(result.scores, result.kyoutaku) in (False, len(set(result.scores)) < rules.players)
    settled = settle(result, rules)
    left, conversion = rules.settlement.kyoutaku, rules.settlement.conversion
    for ledger in rules.ledgers:
        for seat in range(rules.players):
            lines = [line.amount for line in settled.lines if (line.ledger, line.seat) == (ledger.key, seat)]
            assert settled.totals[ledger.key][seat] == sum(lines) * ledger.scale
        if ledger.zero_sum:
            paid = [line.amount for line in settled.lines if line.ledger == ledger.key and line.cause not in OUTSIDE]
            is_lost = left is not None and left.receiver is DepositReceiver.NOBODY
            converted = conversion is not None and conversion.ledger == ledger.key
            lost = conversion.amount(result.kyoutaku) if conversion and is_lost and converted else Fraction(0)
            assert sum(paid, Fraction(0)) == -lost


@pytest.mark.parametrize("rules", LEAGUES, ids=lambda rules: rules.name)
@FEW
@given(data=st.data())
def test_rounding_moves_the_table_by_less_than_a_tenth_a_seat(rules: Ruleset, data: st.DataObject) -> None:
    result = data.draw(results(rules))
    settled = settle(result, rules)
    chonbo = rules.settlement.chonbo
    assert chonbo is not None
    assert abs(sum(settled.totals["points"]) + sum(result.chonbo) * chonbo.amount * 10) <= 1
    assert all(abs(line.amount) < Fraction(1, 10) for line in settled.lines if line.cause is LineCause.ROUNDING)


@pytest.mark.clause("cinderella", "CL-039")
@pytest.mark.parametrize("policy", ["odd_to_first_seats", "exact"])
@given(data=st.data())
def test_other_ways_of_rounding_lose_nothing(policy: str, data: st.DataObject) -> None:
    rules = loader.load("cinderella").with_options({"rounding": policy})
    result = data.draw(results(rules))
    chonbo = sum(result.chonbo) * 40 * rules.ranking_ledger.scale
    assert sum(settle(result, rules).totals["points"]) == -chonbo


@pytest.mark.parametrize("rules", LEAGUES, ids=lambda rules: rules.name)
@FEW
@given(data=st.data())
def test_points_follow_the_players_when_seats_change_unless_seats_matter(rules: Ruleset, data: st.DataObject) -> None:
    result = data.draw(results(rules))
    if rules.seat_order_matters(result.scores, result.kyoutaku):
        return
    order = data.draw(st.permutations(range(rules.players)))
    moved = HanchanResult(
        tuple(result.scores[seat] for seat in order), result.kyoutaku, tuple(result.chonbo[seat] for seat in order)
    )
    before, after = settle(result, rules), settle(moved, rules)
    assert after.places == tuple(before.places[seat] for seat in order)
    assert after.totals["points"] == tuple(before.totals["points"][seat] for seat in order)


@pytest.mark.clause("banchi3", "B3-004")
@given(data=st.data())
def test_the_balance_leaves_whole_hundreds_that_add_up_to_zero(data: st.DataObject) -> None:
    rules = loader.load("banchi3")
    result = data.draw(results(rules))
    totals = settle(HanchanResult(result.scores, result.kyoutaku), rules).totals["g"]
    assert sum(totals) == 0
    assert all(total % 100 == 0 for total in totals)


fractions = st.fractions(max_denominator=60)


@given(st.lists(fractions))
def test_a_sum_is_exact(amounts: list[Fraction]) -> None:
    assert add(amounts).exact == sum(amounts, Fraction(0))


@given(fractions, st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(100), Fraction(3, 7)]))
def test_nearest_is_within_half_a_step_and_halves_go_away_from_zero(amount: Fraction, step: Fraction) -> None:
    steps = nearest(add([amount]), step)
    assert abs(steps * step - amount) <= step / 2
    if abs(steps * step - amount) == step / 2:
        assert abs(steps * step) > abs(amount)


@given(fractions, st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(100), Fraction(3, 7)]))
def test_halves_may_go_towards_zero(amount: Fraction, step: Fraction) -> None:
    down, up = (nearest(add([amount]), step, halves_away=away) * step for away in (False, True))
    assert abs(down - amount) == abs(up - amount)
    assert (down == up) is (abs(down - amount) != step / 2)
    assert abs(down) <= abs(up)


@given(fractions, st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(100), Fraction(3, 7)]))
def test_towards_zero_is_never_further_from_zero(amount: Fraction, step: Fraction) -> None:
    steps = towards_zero(add([amount]), step)
    assert 0 <= (amount - steps * step) * (1 if amount >= 0 else -1) < step
