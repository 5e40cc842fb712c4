"""Rates of a player (wins, deal-ins, riichi and so on), counted by hand, each with its own denominator."""

from fractions import Fraction

import pytest

from scoring.hanchan import Log, replay
from scoring.kyoku.outcomes import (
    ChonboCalled,
    Draw,
    LiablePlayer,
    Nagashi,
    Riichi,
    RiichiWithdrawn,
    Ron,
    RonCalls,
    Ruling,
    ScoresOnly,
    Win,
)
from scoring.kyoku.state import Stake
from scoring.rates import NOTHING, Rates, Ratio, rates_of
from scoring.ruleset import Ruleset
from scoring.ruleset.play import NoHandsError
from scoring.value import Worth
from tests.scoring.kyoku_tables import (
    BANCHI4,
    BOO,
    CHEAP,
    CINDERELLA,
    KANSAI3,
    MANGAN,
    MLEAGUE,
    TENHOU4,
    YAKUMAN,
    name,
    ron,
    tsumo,
)

EXAMPLE: Log = (
    Riichi(1),
    ron(1, 0, MANGAN),
    Riichi(2),
    Draw(tenpai=(2, 3)),
    tsumo(3, Worth(2, 30)),
    ScoresOnly(scores=(18800, 27000, 24400, 29800), winners=(0,)),
    ChonboCalled(offenders=(3,)),
    ron(0, 3, CHEAP),
)
"""East 1: a mangan on the dealer's discard. East 2: a draw, two tenpai. East 3: 500/1,000, a counter and a deposit.

East 4: the scores alone are read off. South 1: a chonbo, then 1,500 for the dealer.
"""


def counted(log: Log, rules: Ruleset) -> tuple[Rates, ...]:
    """Return the rates of a log without refused entries."""
    game = replay(log, rules)
    assert not game.refused
    return rates_of(game.kyoku, rules)


def test_the_rates_of_a_game_equal_those_counted_by_hand() -> None:
    game = replay(EXAMPLE, CINDERELLA)
    assert [name(result.before) for result in game.kyoku][:5] == ["E1-0", "E2-0", "E3-1", "E4-0", "S1-0"]
    assert counted(EXAMPLE, CINDERELLA) == (
        Rates(
            kyoku=5,
            riichi=Ratio(0, 4),
            wins=Ratio(2, 5),
            deal_ins=Ratio(1, 4),
            tsumo=Ratio(0, 1),
            tenpai=Ratio(0, 1),
            won=Ratio(1500, 1),
            paid=Ratio(8000, 1),
            largest=1500,
        ),
        Rates(5, Ratio(1, 4), Ratio(1, 5), Ratio(0, 4), Ratio(0, 1), Ratio(0, 1), Ratio(8000, 1), NOTHING, 8000),
        Rates(5, Ratio(1, 4), Ratio(0, 5), Ratio(0, 4), NOTHING, Ratio(1, 1), NOTHING, NOTHING, None),
        Rates(5, Ratio(0, 4), Ratio(1, 5), Ratio(1, 4), Ratio(1, 1), Ratio(1, 1), Ratio(2000, 1), Ratio(1500, 1), 2000),
    )


def test_only_wins_are_counted_for_a_kyoku_entered_as_scores() -> None:
    log = (Riichi(2), ScoresOnly(scores=(21100, 28900, 25000, 25000), winners=(1,)))
    assert counted(log, CINDERELLA)[1] == Rates(kyoku=1, wins=Ratio(1, 1))
    assert counted(log, CINDERELLA)[2] == Rates(kyoku=1, wins=Ratio(0, 1))
    drawn = ScoresOnly(scores=(26500, 26500, 23500, 23500), tenpai=(0, 1))
    assert counted((drawn,), CINDERELLA)[0] == Rates(kyoku=1, wins=Ratio(0, 1))


def test_void_hands_and_rulings_count_in_no_rate() -> None:
    stake = (Stake(1),)
    assert set(counted((ChonboCalled(offenders=(0,), stakes=stake),), CINDERELLA)) == {Rates()}
    assert set(counted((Ruling(reason="the wall fell", stakes=stake),), CINDERELLA)) == {Rates()}


def test_a_riichi_taken_back_is_not_counted() -> None:
    rates = counted((Riichi(1), RiichiWithdrawn(1), Riichi(2), ron(2, 1, MANGAN)), CINDERELLA)
    assert [each.riichi for each in rates] == [Ratio(0, 1), Ratio(0, 1), Ratio(1, 1), Ratio(0, 1)]


def test_without_stakes_and_noten_payments_riichi_and_tenpai_have_no_rate() -> None:
    rates = counted((Riichi(1), Draw(tenpai=(1,)), Riichi(1), ron(1, 2, MANGAN)), BOO)
    assert (rates[1].kyoku, rates[1].riichi, rates[1].tenpai, rates[1].wins) == (2, NOTHING, NOTHING, Ratio(1, 2))


@pytest.mark.clause("boo", "BOO-101")
def test_a_yakuman_that_ends_the_game_is_a_win_without_an_amount() -> None:
    rates = counted((ron(1, 2, YAKUMAN),), BOO.with_options({"yakuman": "instant_a_top"}))
    assert (rates[1].wins, rates[1].won, rates[1].largest) == (Ratio(1, 1), NOTHING, None)
    assert (rates[2].deal_ins, rates[2].paid) == (Ratio(1, 1), NOTHING)


def test_two_winners_on_one_discard_are_one_deal_in_worth_both_hands() -> None:
    rates = counted((RonCalls(loser=0, calls=(Win(2, MANGAN), Win(3, CHEAP))),), TENHOU4)
    assert (rates[0].deal_ins, rates[0].paid) == (Ratio(1, 1), Ratio(9000, 1))
    assert [each.won for each in rates[2:]] == [Ratio(8000, 1), Ratio(1000, 1)]


def test_three_calls_that_draw_the_hand_are_no_deal_in() -> None:
    rates = counted((RonCalls(loser=0, calls=tuple(Win(seat, CHEAP) for seat in (1, 2, 3))),), TENHOU4)
    assert set(rates) == {Rates(1, Ratio(0, 1), Ratio(0, 1), Ratio(0, 1))}


def test_a_liable_player_has_not_dealt_in_and_the_discarder_is_charged_their_own_part() -> None:
    rates = counted((Ron(loser=3, wins=(Win(1, YAKUMAN, LiablePlayer(2)),)),), TENHOU4)
    assert [each.deal_ins for each in rates[2:]] == [Ratio(0, 1), Ratio(1, 1)]
    assert (rates[1].won, rates[2].paid, rates[3].paid) == (Ratio(32000, 1), NOTHING, Ratio(16000, 1))


@pytest.mark.clause("kansai3", "KS-222")
def test_nagashi_is_a_win_only_where_the_ruleset_says_so() -> None:
    rates = counted((Nagashi(seats=(1, 2)),), KANSAI3)
    assert [each.wins for each in rates] == [Ratio(0, 1), Ratio(1, 1), Ratio(0, 1)]
    assert (rates[1].tsumo, rates[1].tenpai) == (Ratio(1, 1), NOTHING)
    assert rates[1].won == Ratio(20000 + 12000, 1)
    drawn = counted((Nagashi(seats=(1,), tenpai=(1,)),), TENHOU4)
    assert (drawn[1].wins, drawn[1].won, drawn[1].tenpai) == (Ratio(0, 1), NOTHING, NOTHING)


def test_tenpai_is_counted_wherever_noten_payments_are_made() -> None:
    data = TENHOU4.data()
    data["play"]["draws"]["nagashi"]["noten_paid"] = True
    rates = counted((Nagashi(seats=(1,), tenpai=(2,)),), Ruleset.model_validate(data, strict=False))
    assert [each.tenpai for each in rates] == [Ratio(0, 1), Ratio(0, 1), Ratio(1, 1), Ratio(0, 1)]


def test_honba_and_deposits_are_not_part_of_the_value_of_a_hand() -> None:
    rates = counted((Riichi(0), Draw(tenpai=(0, 1)), ron(1, 0, Worth(3, 40))), BANCHI4)
    assert (rates[1].won, rates[0].paid) == (Ratio(5200, 1), Ratio(5200, 1))


def test_rates_of_games_add_up_and_keep_the_largest_hand() -> None:
    first = counted((ron(1, 0, MANGAN),), CINDERELLA)[1]
    second = counted((ron(1, 0, CHEAP), ron(0, 1, CHEAP)), CINDERELLA)[1]
    both = first + second
    assert (both.kyoku, both.wins, both.won, both.largest) == (3, Ratio(2, 3), Ratio(9000, 2), 8000)
    assert (first + Rates()).largest == (Rates() + first).largest == 8000
    assert (both.won.value, both.wins.value, both.tenpai.value) == (Fraction(4500), Fraction(2, 3), None)


def test_a_ruleset_of_final_scores_has_no_rates() -> None:
    with pytest.raises(NoHandsError):
        rates_of((), MLEAGUE)
