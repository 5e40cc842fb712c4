"""Refusals of the kyoku engine: each reason once, with its code, pointer and sentence."""

from dataclasses import replace

import pytest

from scoring import kyoku
from scoring.kyoku.outcomes import (
    AbortiveDraw,
    ChonboCalled,
    DeadHand,
    Draw,
    FourKansStand,
    Move,
    Nagashi,
    Offended,
    Points,
    Position,
    Riichi,
    RiichiWithdrawn,
    Ron,
    RonCalls,
    Ruling,
    ScoresOnly,
    TimeCalled,
    Win,
)
from scoring.kyoku.refusals import SENTENCES
from scoring.kyoku.state import EndCause, EndReason, InHand, Stake, State
from scoring.ruleset import Ruleset
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.end import RoundName
from scoring.ruleset.flow import AbortiveKind
from scoring.ruleset.play import NoHandsError
from scoring.ruleset.value import LimitName
from scoring.value import Worth
from tests.scoring.kyoku.value_refusals import ALL_RIICHI, BINGO, FOUR, SMALL, THREE, VALUE_CASES, Case, discard, win
from tests.scoring.kyoku_tables import (
    BANCHI3,
    BANCHI4,
    BOO,
    CHEAP,
    CINDERELLA,
    KANSAI3,
    MLEAGUE,
    SUPERBINGO,
    TENHOU4,
    TIMED,
    at,
    ron,
    tsumo,
)


def wins(*seats: int) -> tuple[Win, ...]:
    return tuple(Win(seat, CHEAP) for seat in seats)


def ruling(*moves: Move, **more: object) -> Ruling:
    return replace(Ruling(reason="as seen by all players", moves=moves), **more)  # type: ignore[arg-type]


CASES = [
    Case("seat_unknown", CINDERELLA, FOUR, tsumo(4), "win/0", "Seat 4 does not exist; the seats are 0 to 3."),
    Case("seat_twice", CINDERELLA, FOUR, Draw(tenpai=(1, 1)), "tenpai/1", "Seat 1 is named twice."),
    Case("riichi_twice", CINDERELLA, FOUR, Draw(stakes=(Stake(1), Stake(1))), "stakes/1", "in riichi already"),
    Case(
        "riichi_without_points",
        BANCHI4,
        at("E1", 900, 99100, 0, 0),
        Riichi(0),
        "seat",
        "Riichi needs 1000 points; seat 0 has 900.",
    ),
    Case(
        "riichi_without_points",
        BANCHI3,
        at("E1", 1900, 68100, 35000),
        Riichi(0, open=True),
        "seat",
        "Riichi needs 2000 points; seat 0 has 1900.",
    ),
    Case(
        "riichi_dead_hand",
        CINDERELLA,
        replace(FOUR, hand=InHand(dead=(2,))),
        Riichi(2),
        "seat",
        "Seat 2 has lost the right to win",
    ),
    Case("no_open_riichi", CINDERELLA, FOUR, Riichi(0, open=True), "open", "no open riichi"),
    Case(
        "third_riichi_open",
        SUPERBINGO,
        BINGO,
        Draw(stakes=(Stake(0), Stake(1), Stake(2))),
        "stakes/2",
        "has to be open",
    ),
    Case("not_in_riichi", KANSAI3, THREE, RiichiWithdrawn(1), "seat", "Seat 1 is not in riichi."),
    Case("no_fines", CINDERELLA, FOUR, Draw(fines=(0,)), "fines", "no fines"),
    Case("no_time_limit", CINDERELLA, FOUR, TimeCalled(), "", "no time limit"),
    Case("time_called_twice", TIMED, replace(FOUR, hands_left=2), TimeCalled(), "", "called already"),
    Case("no_dead_hands", BOO, SMALL, DeadHand(0), "seat", "no loss of the right to win"),
    Case("offence_unknown", CINDERELLA, FOUR, Offended(0, "yawning"), "offence", "no offence yawning; it has call_"),
    Case(
        "offence_unknown",
        CINDERELLA,
        FOUR,
        ChonboCalled(offenders=(0,), offence="yawning"),
        "offence",
        "no offence yawning",
    ),
    Case("offence_unknown", TENHOU4, FOUR, Offended(0, "yawning"), "offence", "it has none"),
    Case("offence_voids_hand", BANCHI4, FOUR, Offended(0, "false_win_shown"), "offence", "enter a chonbo"),
    Case(
        "offence_voids_hand",
        BANCHI4,
        replace(FOUR, hand=InHand(stakes=(Stake(0),))),
        RiichiWithdrawn(0, "false_win_shown"),
        "offence",
        "enter a chonbo",
    ),
    Case(
        "offence_no_chonbo",
        BANCHI4,
        FOUR,
        ChonboCalled(offenders=(0,), offence="empty_call"),
        "offence",
        "is no chonbo: it costs fine",
    ),
    Case("no_offences", TENHOU4, FOUR, ChonboCalled(offenders=(0,)), "", "no offence can be committed"),
    Case("no_winner", CINDERELLA, FOUR, Ron(loser=0, wins=()), "wins", "No winner is named"),
    Case("no_winner", BANCHI4, FOUR, Nagashi(seats=()), "seats", "No winner is named"),
    Case("no_offender", CINDERELLA, FOUR, ChonboCalled(offenders=()), "offenders", "No offender is named"),
    Case("winner_is_loser", CINDERELLA, FOUR, ron(1, 1), "wins/0", "Seat 1 cannot win on their own discard."),
    Case("second_ron", CINDERELLA, FOUR, Ron(loser=3, wins=wins(2, 0)), "wins/1", "after the discarder, seat 0"),
    Case("rons_draw_hand", BANCHI4, FOUR, Ron(loser=3, wins=wins(0, 1, 2)), "wins", "3 players call ron no player"),
    Case(
        "no_call_stands",
        BOO.with_options({"bust_without_top": "forbidden"}),
        at("E3", 3900, 2000, 100, 2000),
        RonCalls(loser=2, calls=(Win(1, Points(120)), Win(3, Points(240)))),
        "calls",
        "every one of the wins is forbidden",
    ),
    Case(
        "winner_dead_hand",
        CINDERELLA,
        replace(FOUR, hand=InHand(dead=(1,))),
        ron(1, 0),
        "wins/0",
        "Seat 1 has lost the right to win in this hand.",
    ),
    Case(
        "win_needs_riichi",
        KANSAI3,
        replace(THREE, hand=InHand(redeclare=(1,))),
        tsumo(1),
        "win",
        "only after declaring it again",
    ),
    Case(
        "win_forbidden",
        BOO,
        at("E3", 3300, 900, 60, 3740),
        tsumo(1, Worth(0, 30)),
        "",
        "Seat 1 may not take this win: bust_without_rising.",
    ),
    Case(
        "win_forbidden",
        BOO,
        at("E3", 3200, 900, 1000, 2900),
        Ron(loser=2, wins=(Win(1, Points(1020)),)),
        "",
        "Seat 1 may not take this win: bust_without_rising.",
    ),
    *VALUE_CASES,
    Case(
        "tenpai_dead_hand",
        CINDERELLA,
        FOUR,
        Draw(tenpai=(1,), dead=(1,)),
        "tenpai/0",
        "Seat 1 has lost the right to win and counts as not tenpai.",
    ),
    Case(
        "tenpai_needs_riichi",
        KANSAI3,
        replace(THREE, hand=InHand(redeclare=(1,))),
        Draw(tenpai=(1,)),
        "tenpai/0",
        "not tenpai without declaring it again",
    ),
    Case("four_riichi_end_hand", TENHOU4, FOUR, Draw(stakes=ALL_RIICHI), "", "the hand was broken off"),
    Case(
        "not_all_in_riichi",
        TENHOU4,
        FOUR,
        AbortiveDraw(kind=AbortiveKind.FOUR_RIICHI),
        "kind",
        "Not all players are in riichi.",
    ),
    Case(
        "abortive_not_played",
        BANCHI4,
        FOUR,
        AbortiveDraw(kind=AbortiveKind.FOUR_RIICHI, stakes=ALL_RIICHI),
        "kind",
        "does not break a hand off for four_riichi",
    ),
    Case(
        "abortive_not_played",
        CINDERELLA,
        FOUR,
        AbortiveDraw(kind=AbortiveKind.FOUR_WINDS),
        "kind",
        "does not break a hand off for four_winds",
    ),
    Case("no_nagashi", CINDERELLA, FOUR, Nagashi(seats=(1,)), "", "pays nothing for terminals"),
    Case(
        "nagashi_in_riichi",
        BANCHI3,
        THREE,
        Nagashi(seats=(1,), stakes=(Stake(1),), tenpai=(1,)),
        "seats/0",
        "Seat 1 is in riichi, which spoils it here.",
    ),
    Case("four_kans_do_not_stand", CINDERELLA, FOUR, FourKansStand(seat=0), "seat", "won like any hand"),
    Case("score_count", CINDERELLA, FOUR, ScoresOnly(scores=(1, 2)), "scores", "There are 2 scores; there must be 4."),
    Case(
        "score_not_multiple",
        CINDERELLA,
        FOUR,
        ScoresOnly(scores=(25050, 24950, 25000, 25000)),
        "scores/1",
        "24950 is no multiple of 100",
    ),
    Case(
        "deposits_after_win",
        CINDERELLA,
        FOUR,
        ScoresOnly(scores=(24000, 25000, 25000, 25000), winners=(1,)),
        "scores",
        "leave 1000 points on the table, but the winner takes all",
    ),
    Case(
        "deposits_after_draw",
        CINDERELLA,
        FOUR,
        ScoresOnly(scores=(24500, 25000, 25000, 25000)),
        "scores",
        "leave 500 points on the table; it must be 0 and whole stakes on top.",
    ),
    Case(
        "deposits_after_draw",
        BOO,
        SMALL,
        ScoresOnly(scores=(1000, 2000, 2000, 2000)),
        "scores",
        "leave 1000 points on the table",
    ),
    Case(
        "amounts_sum",
        BANCHI4,
        FOUR,
        ScoresOnly(scores=(25000,) * 4, prizes={"g": (500, 0, 0, 0)}),
        "prizes/g",
        "The amounts for g add up to 500",
    ),
    Case(
        "offence_needs_riichi",
        BANCHI4,
        FOUR,
        Offended(1, "win_called_in_riichi"),
        "seat",
        "Only a player in riichi can commit win_called_in_riichi, and seat 1 is not in riichi.",
    ),
    Case(
        "offence_needs_riichi",
        CINDERELLA,
        FOUR,
        ChonboCalled(offenders=(0, 2), offence="noten_riichi", stakes=(Stake(0),)),
        "offenders/1",
        "seat 2 is not in riichi",
    ),
    Case("ledger_unknown", CINDERELLA, FOUR, ruling(Move(0, 1, 5, "points")), "moves/0", "no ledger points that moves"),
    Case("reason_missing", CINDERELLA, FOUR, ruling(reason=" "), "reason", "needs its reason"),
    Case("clause_unknown", CINDERELLA, FOUR, ruling(clause="CL-999"), "clause", "no clause CL-999"),
    Case("amount_not_positive", CINDERELLA, FOUR, ruling(Move(0, 1, 0)), "moves/0", "more than 0; 0 is given"),
    Case("move_to_self", CINDERELLA, FOUR, ruling(Move(1, 1, 100)), "moves/0", "from one seat, or the table"),
    Case("move_to_self", BANCHI4, FOUR, ruling(Move(None, 1, 500, "g")), "moves/0", "from one seat, or the table"),
    Case("seat_unknown", CINDERELLA, FOUR, ruling(Move(None, 9, 100)), "moves/0", "Seat 9 does not exist"),
    Case("deposits_missing", CINDERELLA, FOUR, ruling(Move(None, 1, 100)), "moves", "only 0 points on the table"),
    Case(
        "position_unknown",
        CINDERELLA,
        FOUR,
        ruling(goes_on=Position(RoundName.WEST, 1, 0)),
        "goes_on",
        "There is no kyoku W1 with 0 honba in this game.",
    ),
    Case(
        "position_unknown",
        CINDERELLA,
        FOUR,
        ruling(goes_on=Position(RoundName.EAST, 1, -1)),
        "goes_on",
        "no kyoku E1 with -1 honba",
    ),
    Case(
        "game_over",
        CINDERELLA,
        replace(FOUR, ends=(EndCause(EndReason.LAST_HAND, "CL-032"),)),
        Riichi(0),
        "",
        "nothing more can happen",
    ),
    Case(
        "game_over",
        CINDERELLA,
        replace(FOUR, ends=(EndCause(EndReason.LAST_HAND, "CL-032"),)),
        Draw(),
        "",
        "nothing more can happen",
    ),
]

ACTS = (Riichi, Offended, RiichiWithdrawn, DeadHand, TimeCalled)


def refused(case: Case) -> tuple[kyoku.Refusal, ...]:
    if isinstance(case.what, ACTS):
        return kyoku.verify_act(case.state, case.what, case.rules)
    return kyoku.verify(case.state, case.what, case.rules)


@pytest.mark.slow
def test_an_impossible_outcome_or_act_is_refused_with_its_reason_and_pointer() -> None:
    for case in CASES:
        found = {each.code: each for each in refused(case)}
        assert case.code in found, case
        assert found[case.code].pointer == case.pointer, case
        assert case.says in str(found[case.code]), case


def test_every_refusal_code_has_a_case() -> None:
    assert {case.code for case in CASES} == set(SENTENCES)


def test_applying_an_impossible_outcome_raises_an_error_with_every_reason() -> None:
    assert not kyoku.can_apply(FOUR, win(Worth(0, 35)), CINDERELLA)
    with pytest.raises(kyoku.InvalidOutcomeError, match=r"at least 1 han.*\nNo hand has 35 fu") as raised:
        kyoku.apply(FOUR, win(Worth(0, 35)), CINDERELLA)
    assert [each.code for each in raised.value.refusals] == ["han_missing", "fu_impossible"]
    with pytest.raises(kyoku.InvalidOutcomeError):
        kyoku.act_on(FOUR, Riichi(9), CINDERELLA)


def test_a_ruleset_of_final_scores_raises_an_error_for_hands() -> None:
    with pytest.raises(NoHandsError, match="mleague has no rules for hands"):
        kyoku.verify(FOUR, Draw(), MLEAGUE)


@pytest.mark.clause("boo", "BOO-010")
@pytest.mark.parametrize(
    ("rules", "state", "worth"),
    [
        (BOO, SMALL, Worth(0, 30)),
        (BOO, SMALL, Worth(limit=LimitName.YAKUMAN)),
        (CINDERELLA, FOUR, Worth(3, 25)),
        (CINDERELLA, FOUR, Worth(2, 110)),
        (CINDERELLA, FOUR, Worth(13)),
        (KANSAI3, THREE, Worth(2, 40)),
        (SUPERBINGO, BINGO, Worth(1, 30)),
        (CINDERELLA, FOUR, Points(8000)),
        (TENHOU4, FOUR, Points(7700)),
        (BOO, SMALL, Points(1020)),
    ],
)
def test_possible_values_are_accepted(rules: Ruleset, state: State, worth: Worth | Points) -> None:
    assert kyoku.can_apply(state, discard(worth), rules)


def test_a_ruling_may_move_points_between_the_table_and_any_player() -> None:
    state = at("E1", 25000, 25000, 25000, 24000, kyoutaku=1000)
    assert kyoku.verify(state, ruling(Move(None, 1, 1000), Move(2, None, 300, TABLE_POINTS)), CINDERELLA) == ()
