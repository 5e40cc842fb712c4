"""Properties of every hand: independence of order, monotone dora, itemized sums, payments by formula and table."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hand import By, Hand, HandValue, InvalidHandError, Payer, Situation, score
from scoring.ruleset import Wind
from scoring.ruleset.value import LimitName
from tests.fuzz.examples import times
from tests.scoring.hand.hands import book, kinds_held, random_hand, random_situation, yaku

seeds = st.integers(min_value=0, max_value=2**32)
BOOKS = ["cinderella", "banchi4", "tenhou4", "boo"]
MANY = settings(max_examples=times(50), deadline=None)


def drawn(seed: int, name: str) -> tuple[Hand, Situation, HandValue | None]:
    random = Random(seed)
    hand = random_hand(random)
    won = random_situation(random, hand)
    try:
        found = score(hand, won, book(name))
    except InvalidHandError:
        return hand, won, None
    return hand, won, found if isinstance(found, HandValue) else None


def told(value: HandValue) -> tuple[object, ...]:
    return sorted(yaku(value).items()), value.han, value.fu, value.limit, value.payments, value.dora


@MANY
@given(seeds, st.sampled_from(BOOKS), st.randoms())
def test_the_order_of_tiles_and_melds_never_matters(seed: int, name: str, random: Random) -> None:
    hand, won, found = drawn(seed, name)
    if found is None:
        return
    concealed, melds = list(hand.concealed), list(hand.melds)
    random.shuffle(concealed)
    random.shuffle(melds)
    again = score(replace(hand, concealed=tuple(concealed), melds=tuple(melds)), won, book(name))
    assert isinstance(again, HandValue)
    assert told(again) == told(found)


@MANY
@given(seeds, st.sampled_from(BOOKS), st.integers(min_value=0, max_value=33))
def test_another_dora_never_lowers_a_value(seed: int, name: str, indicator: int) -> None:
    hand, won, found = drawn(seed, name)
    if found is None or kinds_held(hand).count(indicator) == 4:
        return
    without = score(hand, replace(won, dora_indicators=()), book(name))
    try:
        with_one = score(hand, replace(won, dora_indicators=(indicator,)), book(name))
    except InvalidHandError:
        return
    assert isinstance(without, HandValue)
    assert isinstance(with_one, HandValue)
    assert with_one.total >= without.total
    assert with_one.han >= without.han


@MANY
@given(seeds, st.sampled_from(BOOKS))
def test_fu_lines_add_up_to_the_fu_and_han_lines_to_the_han(seed: int, name: str) -> None:
    _, _, found = drawn(seed, name)
    if found is None or not found.fu:
        return
    assert sum(line.fu for line in found.fu_lines) == found.fu
    assert sum(line.han for line in found.yaku) + sum(line.han for line in found.dora) == found.han
    for lines in (found.yaku, found.dora, found.fu_lines, found.payments):
        assert all(line.clauses for line in lines)


@MANY
@given(seeds, st.sampled_from(["cinderella", "banchi4", "tenhou4"]))
def test_payments_follow_the_formula(seed: int, name: str) -> None:
    """Compute fu x 2^(han + 2) up to the limit, times 1, 2, 4 or 6, rounded up to 100."""
    _, won, found = drawn(seed, name)
    if found is None:
        return
    base = found.fu << (found.han + 2)
    rules = book(name).play
    assert rules is not None
    limits = {LimitName.YAKUMAN: 8000 * found.yakuman} | {limit.name: limit.base for limit in rules.value.limits}
    base = base if found.limit is None else limits[found.limit]
    dealer = won.seat_wind is Wind.EAST
    hundreds = {times: -(-base * times // 100) * 100 for times in (1, 2, 4, 6)}
    if won.by is By.RON:
        assert found.paid_by(Payer.DISCARDER) == hundreds[6 if dealer else 4] + rules.honba.ron * won.honba
    else:
        honba = rules.honba.tsumo_each * won.honba
        assert found.paid_by(Payer.OTHER) == hundreds[2 if dealer else 1] + honba
        assert found.paid_by(Payer.DEALER) == (0 if dealer else hundreds[2] + honba)


@pytest.mark.slow
@pytest.mark.clause("kansai3", "KS-211", "KS-212")
@pytest.mark.clause("banchi3", "B3-042")
@pytest.mark.parametrize("name", ["banchi3", "kansai3", "superbingo"])
@settings(max_examples=100, deadline=None)
@given(seeds)
def test_three_player_tsumo_payments_follow_the_printed_table(name: str, seed: int) -> None:
    random = Random(seed)
    rules = book(name)
    hand = random_hand(random, suits=2)
    won = replace(random_situation(random, hand, players=3), by=By.TSUMO, haitei=False, houtei=False, honba=0)
    try:
        found = score(hand, won, rules)
    except InvalidHandError:
        return
    if not isinstance(found, HandValue) or rules.play is None or rules.play.payments.tsumo_table is None:
        return
    table = rules.play.payments.tsumo_table
    ron = found.value.ron
    if won.seat_wind is Wind.EAST:
        rows = {row[0]: (0, row[1]) for row in table.dealer}
    else:
        rows = {row[0]: (row[2], row[1]) for row in table.other}
    times = max(1, -(-ron // max(rows)))
    dealer, other = rows[ron // times]
    assert (found.paid_by(Payer.DEALER), found.paid_by(Payer.OTHER)) == (times * dealer, times * other)
