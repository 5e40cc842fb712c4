"""Furiten: usual rules, and the more lenient ones of boo."""

import pytest

from scoring.hand.furiten import Ask, Bar, FuritenSituation, check_action
from scoring.ruleset import Ruleset
from scoring.ruleset.end import RoundName
from tests.scoring.kyoku_tables import BANCHI3, BOO, CINDERELLA, KANSAI3, SUPERBINGO

WAITS = ("1m", "4m")


def bar(rules: Ruleset, ask: Ask, tile: str, situation: FuritenSituation) -> Bar | None:
    """Return the reason why the win or riichi is barred, or None; a bar must name its clause."""
    assert rules.play is not None
    answer = check_action(ask, tile, situation, rules.play)
    assert answer.allowed is (answer.bar is None)
    assert bool(answer.clause) is not answer.allowed
    return answer.bar


@pytest.mark.clause("cinderella", "CL-065")
@pytest.mark.clause("boo", "BOO-069", "BOO-072")
def test_a_wait_in_the_own_river_bars_every_ron_or_only_ron_on_that_tile() -> None:
    furiten = FuritenSituation(WAITS, river=("1m",))
    assert bar(CINDERELLA, Ask.RON, "4m", furiten) is Bar.OWN_RIVER
    assert bar(BOO, Ask.RON, "4m", furiten) is None
    assert bar(BOO, Ask.RON, "1m", furiten) is Bar.OWN_RIVER
    assert bar(CINDERELLA, Ask.TSUMO, "4m", furiten) is None


@pytest.mark.clause("boo", "BOO-070")
def test_a_passed_winning_tile_bars_ron_until_the_next_draw() -> None:
    assert bar(CINDERELLA, Ask.RON, "1m", FuritenSituation(WAITS, seen_this_turn=("4m",))) is Bar.PASSED_THIS_TURN
    assert bar(CINDERELLA, Ask.RON, "1m", FuritenSituation(WAITS, passed=("4m",))) is None
    dead = FuritenSituation(WAITS, river=("1m",), seen_this_turn=("1m",))
    assert bar(BOO, Ask.RON, "4m", dead) is None


@pytest.mark.clause("cinderella", "CL-066")
@pytest.mark.clause("boo", "BOO-071")
def test_passing_a_winning_tile_after_riichi_bars_ron_or_tsumo() -> None:
    passed = FuritenSituation(WAITS, riichi=True, passed=("4m",))
    assert bar(CINDERELLA, Ask.RON, "1m", passed) is Bar.PASSED_IN_RIICHI
    assert bar(CINDERELLA, Ask.TSUMO, "1m", passed) is None
    assert bar(BOO, Ask.RON, "1m", passed) is None
    assert bar(BOO, Ask.TSUMO, "1m", passed) is Bar.PASSED_IN_RIICHI


@pytest.mark.clause("boo", "BOO-111")
@pytest.mark.parametrize(
    ("option", "round_", "last_hand", "barred"),
    [
        ("off", RoundName.SOUTH, True, True),
        ("last_hand", RoundName.SOUTH, True, False),
        ("last_hand", RoundName.SOUTH, False, True),
        ("south", RoundName.SOUTH, False, False),
        ("south", RoundName.EAST, False, True),
        ("always", RoundName.EAST, False, False),
    ],
)
def test_a_riichi_declared_with_tsumo_keeps_the_tsumo_where_it_is_played(
    option: str, round_: RoundName, last_hand: bool, barred: bool
) -> None:
    rules = BOO.with_options({"tsumo_declared_riichi": option})
    situation = FuritenSituation(
        WAITS, riichi=True, tsumo_declared=True, passed=("4m",), round=round_, last_hand=last_hand
    )
    assert (bar(rules, Ask.TSUMO, "1m", situation) is Bar.PASSED_IN_RIICHI) is barred


@pytest.mark.clause("boo", "BOO-073")
def test_a_house_may_delay_the_ron_of_a_furiten_hand() -> None:
    rules = BOO.with_options({"furiten_delay": 1})
    assert bar(rules, Ask.RON, "4m", FuritenSituation(WAITS, river=("1m",))) is Bar.TOO_EARLY
    assert bar(rules, Ask.RON, "4m", FuritenSituation(WAITS, river=("1m",), draws_since_furiten=1)) is None
    assert bar(rules, Ask.RIICHI, "1m", FuritenSituation(WAITS)) is Bar.TOO_EARLY
    assert bar(rules, Ask.RIICHI, "9p", FuritenSituation(WAITS)) is None


@pytest.mark.clause("superbingo", "SB-021")
@pytest.mark.clause("banchi3", "B3-031")
def test_riichi_while_furiten_is_allowed_an_offence_or_must_be_open() -> None:
    furiten = FuritenSituation(WAITS, river=("1m",))
    assert bar(CINDERELLA, Ask.RIICHI, "9p", furiten) is None
    assert bar(BANCHI3, Ask.RIICHI, "9p", furiten) is Bar.FURITEN_RIICHI
    assert bar(SUPERBINGO, Ask.RIICHI, "9p", furiten) is Bar.FURITEN_RIICHI
    assert bar(SUPERBINGO, Ask.RIICHI, "9p", FuritenSituation(WAITS, river=("1m",), open=True)) is None


def test_a_tile_outside_the_wait_cannot_be_won_on() -> None:
    assert bar(CINDERELLA, Ask.RON, "9p", FuritenSituation(WAITS)) is Bar.NOT_WAITED_FOR
    assert bar(CINDERELLA, Ask.TSUMO, "9p", FuritenSituation(WAITS)) is Bar.NOT_WAITED_FOR


@pytest.mark.clause("kansai3", "KS-053")
@pytest.mark.parametrize("rules", [BANCHI3, BOO, CINDERELLA, KANSAI3, SUPERBINGO])
def test_riichi_with_none_of_its_waits_discarded_is_allowed(rules: Ruleset) -> None:
    assert bar(rules, Ask.RIICHI, "9p", FuritenSituation(WAITS, river=("2m", "7z"))) is None
