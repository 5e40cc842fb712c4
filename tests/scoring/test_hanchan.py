"""A game as a log: replay, undo, edits, and the result for its settlement."""

import pytest

from scoring.hanchan import Log, replay, result_of
from scoring.kyoku.outcomes import ChonboCalled, DeadHand, Draw, Prizes, Riichi, ScoresOnly
from scoring.kyoku.state import opening
from scoring.ruleset import Ruleset
from scoring.settlement import settle
from scoring.value import Worth
from tests.scoring.kyoku_tables import (
    BANCHI4,
    BOO,
    CINDERELLA,
    KANSAI3,
    MANGAN,
    SUPERBINGO,
    TENHOU4,
    YAKUMAN,
    name,
    ron,
)


def to_the_end(rules: Ruleset, log: Log = ()) -> Log:
    """Return the log continued by draws until the game is over."""
    while not replay(log, rules).state.is_over:
        log = (*log, Draw())
    return log


def test_a_game_begins_at_east_1_with_the_starting_scores() -> None:
    assert (opening(CINDERELLA).scores, name(opening(CINDERELLA))) == ((25000,) * 4, "E1-0")
    assert opening(SUPERBINGO).scores == (30000,) * 3
    assert replay((), CINDERELLA).state == opening(CINDERELLA)


def test_a_log_may_continue_from_a_given_table() -> None:
    under_way = replay((ron(1, 0, MANGAN),), CINDERELLA).state
    assert replay((ron(2, 3, MANGAN),), CINDERELLA, under_way).state.scores == (17000, 33000, 33000, 17000)


def test_replaying_a_log_gives_the_table_after_each_entry() -> None:
    hanchan = replay((Riichi(1), ron(1, 0, MANGAN), Draw(tenpai=(2,))), CINDERELLA)
    assert [name(step.after) for step in hanchan.steps] == ["E1-0", "E2-0", "E3-1"]
    assert hanchan.state.scores == (16000, 32000, 28000, 24000)
    assert [result.changes() for result in hanchan.kyoku] == [(-8000, 8000, 0, 0), (-1000, -1000, 3000, -1000)]


@pytest.mark.clause("cinderella", "CL-031", "CL-032")
def test_a_game_ends_after_eight_dealers_and_refuses_further_entries() -> None:
    log = to_the_end(CINDERELLA)
    assert len(log) == 8
    hanchan = replay((*log, Draw(), Riichi(0)), CINDERELLA)
    assert hanchan.refused == (8, 9)
    assert [each.code for each in hanchan.steps[9].refusals] == ["game_over"]


def test_an_impossible_entry_is_flagged_and_skipped() -> None:
    hanchan = replay((ron(1, 1), ron(1, 0, MANGAN)), CINDERELLA)
    assert hanchan.refused == (0,)
    assert hanchan.steps[0].after == hanchan.steps[0].before == hanchan.start
    assert hanchan.state.scores == (17000, 33000, 25000, 25000)


def test_an_edited_or_removed_entry_changes_everything_after_it() -> None:
    edited = replay((ron(0, 1, MANGAN), ron(1, 0), Draw()), CINDERELLA)
    assert [name(step.after) for step in edited.steps] == ["E1-1", "E2-0", "E3-1"]
    assert replay((ron(1, 0), Draw()), CINDERELLA).state.scores == (24000, 26000, 25000, 25000)


def test_an_entry_made_impossible_by_an_edit_is_flagged() -> None:
    assert replay((Draw(), DeadHand(1), ron(1, 0)), CINDERELLA).refused == (2,)
    assert replay((Draw(), ron(1, 0)), CINDERELLA).refused == ()
    assert replay((Draw(), ron(1, 0, YAKUMAN), ron(1, 0)), TENHOU4).refused == (2,)


@pytest.mark.clause("cinderella", "CL-056", "CL-082")
def test_a_finished_game_settles_with_its_deposits_and_offences() -> None:
    log = to_the_end(CINDERELLA, (ChonboCalled(offenders=(2,)), ron(0, 1, MANGAN), Riichi(3), Draw(tenpai=(3,))))
    result = result_of(replay(log, CINDERELLA).state, CINDERELLA)
    assert (result.kyoutaku, result.chonbo, result.carried) == (1000, (0, 0, 1, 0), {})
    settled = settle(result, CINDERELLA)
    assert settled.final_scores == (37000, 12000, 24000, 27000)
    assert settled.totals["points"] == (470, -380, -560, 70)


@pytest.mark.clause("banchi4", "B4-034", "B4-047")
def test_prizes_go_to_their_ledger_and_chonbo_paid_at_the_table_are_not_settled_again() -> None:
    log = (ChonboCalled(offenders=(2,)), ron(1, 0, Worth(13), prizes=Prizes(each=500)))
    state = replay(log, BANCHI4).state
    result = result_of(state, BANCHI4)
    assert (result.carried, result.tobi, result.chonbo) == ({"g": (-1000, 1000, 0, 0)}, ((0, 1),), ())
    assert settle(result, BANCHI4).totals["g"] == (-1000, 1000, 0, 0)


@pytest.mark.clause("kansai3", "KS-031")
def test_the_bust_prize_is_paid_at_settlement_to_the_player_who_caused_the_bust() -> None:
    state = replay((ron(1, 0, YAKUMAN), ron(2, 0, MANGAN)), KANSAI3).state
    assert (state.tobi, state.scores) == (((0, 2),), (-5000, 67000, 43000))
    assert settle(result_of(state, KANSAI3), KANSAI3).tobi == ((0, 2),)


@pytest.mark.clause("boo", "BOO-101")
def test_a_forced_top_is_settled_as_such_and_unplayed_ledgers_are_omitted() -> None:
    rules = BOO.with_options({"yakuman": "instant_a_top"})
    result = result_of(replay((ron(1, 0, YAKUMAN),), rules).state, rules)
    assert (result.forced_top, result.carried) == (1, {})
    assert settle(result, rules).totals["units"] == (-1, 3, -1, -1)


def test_a_running_game_is_settled_with_its_stakes_as_deposits() -> None:
    result = result_of(replay((Riichi(0),), CINDERELLA).state, CINDERELLA)
    assert (result.scores[0], result.kyoutaku) == (24000, 1000)


def test_a_kyoku_may_be_entered_as_scores_only() -> None:
    hanchan = replay((ScoresOnly(scores=(17000, 33000, 25000, 25000), winners=(1,)), Draw()), CINDERELLA)
    assert (hanchan.state.scores, name(hanchan.state)) == ((17000, 33000, 25000, 25000), "E3-1")
