"""Acts during a hand: riichi, offences, and the loss of the right to win."""

from dataclasses import replace

import pytest

from scoring import kyoku
from scoring.kyoku.outcomes import Act, ChonboCalled, DeadHand, Draw, Offended, Riichi, RiichiWithdrawn
from scoring.kyoku.state import InHand, Pending, Stake, State
from scoring.ruleset import Ruleset
from tests.scoring.kyoku_tables import (
    BANCHI3,
    BANCHI4,
    CINDERELLA,
    KANSAI3,
    MANGAN,
    SUPERBINGO,
    after,
    at,
    codes,
    ends,
    ron,
    tsumo,
)

FOUR = at("E1", 25000, 25000, 25000, 25000)
THREE = at("E1", 35000, 35000, 35000)


def acted(state: State, rules: Ruleset, *acts: Act) -> State:
    for act in acts:
        state = kyoku.act_on(state, act, rules)
    return state


@pytest.mark.clause("cinderella", "CL-059", "CL-068")
def test_a_riichi_stake_is_booked_at_the_end_of_the_hand() -> None:
    state = acted(at("E1", 500, 33000, 33000, 33500), CINDERELLA, Riichi(0))
    assert (state.scores[0], state.current_scores(CINDERELLA)[0], state.deposits(CINDERELLA)) == (500, -500, 1000)
    assert after(state, ron(1, 2), CINDERELLA).scores == (-500, 35000, 32000, 33500)


@pytest.mark.clause("kansai3", "KS-055", "KS-079", "KS-080")
def test_after_a_riichi_taken_back_with_a_fine_a_win_needs_another_riichi() -> None:
    state = acted(THREE, KANSAI3, Riichi(1), RiichiWithdrawn(1, "riichi_taken_back"))
    assert state.hand == InHand(fines=(1,), redeclare=(1,))
    assert codes(state, tsumo(1), KANSAI3) == ["win_needs_riichi"]
    again = acted(state, KANSAI3, Riichi(1))
    assert codes(again, tsumo(1, MANGAN), KANSAI3) == []
    assert codes(again, Draw(tenpai=(1,)), KANSAI3) == []


@pytest.mark.clause("superbingo", "SB-077")
def test_a_riichi_may_be_taken_back_without_a_fine_and_stay_tenpai() -> None:
    bingo = at("E1", 30000, 30000, 30000)
    state = acted(bingo, SUPERBINGO, Riichi(1), RiichiWithdrawn(1, "noten_riichi_withdrawn"))
    assert state.hand == InHand(redeclare=(1,))
    assert codes(state, Draw(tenpai=(1,)), SUPERBINGO) == []


def test_a_riichi_may_be_taken_back_at_once_without_any_offence() -> None:
    assert acted(FOUR, CINDERELLA, Riichi(1), RiichiWithdrawn(1)).hand == InHand()


@pytest.mark.clause("kansai3", "KS-082", "KS-083")
@pytest.mark.clause("banchi4", "B4-065", "B4-027")
@pytest.mark.parametrize(
    ("rules", "state", "offence", "hand"),
    [
        (BANCHI4, FOUR, "empty_call", InHand(fines=(1,))),
        (BANCHI4, FOUR, "swap_call", InHand(dead=(1,))),
        (BANCHI4, FOUR, "tile_shown", InHand()),
        (KANSAI3, THREE, "win_called_only", InHand(fines=(1,), dead=(1,))),
    ],
)
def test_an_offence_has_the_penalty_of_the_ruleset(rules: Ruleset, state: State, offence: str, hand: InHand) -> None:
    assert acted(state, rules, Offended(1, offence)).hand == hand


@pytest.mark.clause("banchi4", "B4-054", "B4-044")
@pytest.mark.clause("banchi3", "B3-074", "B3-062")
@pytest.mark.parametrize(("rules", "table"), [(BANCHI4, FOUR), (BANCHI3, THREE)])
@pytest.mark.parametrize("offence", ["win_called_in_riichi", "win_called_only"])
def test_a_false_call_in_riichi_costs_the_right_to_win_and_a_chonbo_at_the_draw(
    rules: Ruleset, table: State, offence: str
) -> None:
    state = acted(table, rules, Riichi(1), Offended(1, offence))
    assert state.hand == InHand(stakes=(Stake(1),), dead=(1,), pending=(Pending(1, "win_called_in_riichi"),))
    assert codes(state, ron(1, 0, MANGAN), rules) == ["winner_dead_hand"]
    assert codes(state, tsumo(1, MANGAN), rules) == ["winner_dead_hand"]
    assert kyoku.apply(state, Draw(), rules).outcome == ChonboCalled(offenders=(1,), offence="win_called_in_riichi")


@pytest.mark.clause("banchi4", "B4-044")
def test_a_false_call_without_riichi_costs_only_the_right_to_win() -> None:
    assert acted(FOUR, BANCHI4, Offended(1, "win_called_only")).hand == InHand(dead=(1,))


def test_two_different_offences_at_one_draw_make_one_chonbo_without_a_kind() -> None:
    state = acted(THREE, KANSAI3, Riichi(0), Riichi(1), Offended(0, "furiten_riichi"), Offended(1, "dead_wait_riichi"))
    result = kyoku.apply(state, Draw(tenpai=(0, 1)), KANSAI3)
    assert result.outcome == ChonboCalled(offenders=(0, 1))
    assert result.turns[0].params == {"seats": (0, 1), "offence": "furiten_riichi"}


@pytest.mark.clause("banchi4", "B4-054")
def test_a_pending_offence_is_cleared_by_a_win_and_becomes_a_chonbo_at_a_draw() -> None:
    state = acted(FOUR, BANCHI4, Riichi(1), Offended(1, "win_called_in_riichi"))
    assert after(state, ron(2, 3), BANCHI4).scores == (25000, 24000, 27000, 24000)
    result = kyoku.apply(state, Draw(), BANCHI4)
    assert (result.changes(), result.turns[0].clause) == ((3000, -9000, 3000, 3000), "B4-054")


@pytest.mark.clause("cinderella", "CL-084")
def test_a_dead_hand_cannot_win_until_the_next_hand() -> None:
    state = acted(FOUR, CINDERELLA, DeadHand(1), DeadHand(1))
    assert state.hand.dead == (1,)
    assert codes(state, ron(1, 0), CINDERELLA) == ["winner_dead_hand"]
    assert codes(after(state, Draw(), CINDERELLA), ron(1, 0), CINDERELLA) == []


def test_a_dead_hand_may_still_allow_riichi_and_tenpai() -> None:
    data = CINDERELLA.data()
    data["play"]["penalties"]["dead_hand"] |= {"riichi": True, "tenpai": True}
    rules = Ruleset.model_validate(data, strict=False)
    state = acted(FOUR, rules, DeadHand(1), Riichi(1))
    assert codes(state, Draw(tenpai=(1,)), rules) == []


@pytest.mark.clause("superbingo", "SB-020")
def test_a_third_riichi_can_be_open() -> None:
    state = acted(at("E1", 30000, 30000, 30000), SUPERBINGO, Riichi(0), Riichi(1, open=True), Riichi(2, open=True))
    assert state.hand.stakes == (Stake(0), Stake(1, open=True), Stake(2, open=True))


def test_acts_given_with_an_outcome_follow_those_entered_before() -> None:
    state = acted(FOUR, CINDERELLA, Riichi(1))
    assert codes(state, Draw(tenpai=(1, 2), stakes=(Stake(2),)), CINDERELLA) == []
    assert codes(state, Draw(stakes=(Stake(1),)), CINDERELLA) == ["riichi_twice"]


def test_two_fines_of_one_player_both_count() -> None:
    assert after(FOUR, replace(Draw(), fines=(1, 1)), BANCHI4).kyoutaku == 2000
    assert codes(FOUR, replace(Draw(), fines=(7,)), BANCHI4) == ["seat_unknown"]


@pytest.mark.clause("superbingo", "SB-023")
def test_a_stake_makes_no_player_bust_before_the_hand_is_over() -> None:
    state = acted(at("E1", 1000, 49000, 40000), SUPERBINGO, Riichi(0))
    assert not state.is_over
    assert ends(after(state, ron(0, 1), SUPERBINGO)) == []
    assert ends(after(state, Draw(tenpai=(0, 1, 2)), SUPERBINGO)) == ["bust"]
