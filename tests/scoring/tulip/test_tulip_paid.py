"""Payment of a tulip's chips at the table."""

from __future__ import annotations

import pytest

from scoring import kyoku
from scoring.hand import By, Hand, HandValue, RiichiKind, Situation, parse_tiles, score, tiles_text
from scoring.kyoku.outcomes import LiablePlayer, Nagashi, Prizes, Ron, Tsumo, Win
from scoring.ruleset import Ruleset
from scoring.ruleset.base import Wind
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.tulip import (
    FlipMode,
    open_tulip,
    prizes_of,
    won_of,
)
from scoring.value import Worth
from tests.scoring.kyoku_tables import SUPERBINGO, YAKUMAN, at
from tests.scoring.tulip.wins import flipped, won


def valued(hand: Hand, situation: Situation, rules: Ruleset = SUPERBINGO) -> HandValue:
    value = score(hand, situation, rules)
    assert isinstance(value, HandValue)
    return value


@pytest.mark.clause("superbingo", "SB-211", "SB-212")
def test_the_chips_of_a_scored_hand_and_its_tulip_are_paid_at_the_table() -> None:
    """Add ippatsu 1, chip five 1; 1p matches 2p and 9p twice, haku and hatsu miss: 1 + 1 + 3 from each."""
    hand = Hand.parse("234067p34567s99p", "8s")
    situation = Situation(
        By.TSUMO, Wind.SOUTH, riichi=RiichiKind.RIICHI, ippatsu=True, dora_indicators=parse_tiles("1z")
    )
    value = valued(hand, situation)
    tulip = flipped("1p5z6z", won_of(value))
    assert tulip.start.guarantees == 1
    win = Win(1, Worth(value.han), prizes=prizes_of(tulip, SUPERBINGO))
    result = kyoku.apply(at("E1", 30000, 30000, 30000), Tsumo(win=win), SUPERBINGO)
    assert result.changes("chips") == (-tulip.total, 2 * tulip.total, -tulip.total)
    assert sum(result.changes("chips")) == 0
    assert tulip.total == 5


@pytest.mark.clause("superbingo", "SB-048", "SB-211")
def test_a_fixed_prize_is_paid_by_each_player() -> None:
    seven = won("7777777p77777s1b2b", riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=(YakuName.ALL_SEVEN,))
    prizes = prizes_of(flipped("", seven), SUPERBINGO)
    outcome = Ron(loser=0, wins=(Win(1, YAKUMAN, prizes=prizes),))
    result = kyoku.apply(at("E1", 30000, 30000, 30000), outcome, SUPERBINGO)
    assert result.changes("chips") == (-300, 600, -300)


@pytest.mark.clause("superbingo", "SB-084", "SB-099")
def test_the_chips_of_nagashi_are_paid_by_each_player() -> None:
    held = won("2340p56789s1122z", By.TSUMO, RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=(YakuName.NAGASHI,))
    outcome = Nagashi(seats=(2,), prizes=prizes_of(flipped("", held), SUPERBINGO))
    assert kyoku.apply(at("E1", 30000, 30000, 30000), outcome, SUPERBINGO).changes("chips") == (-30, -30, 60)


@pytest.mark.clause("superbingo", "SB-083", "SB-211", "SB-061")
@pytest.mark.parametrize(
    ("hand", "chips"),
    [
        ("22p222s555666777z", (-20, 40, -20)),
        ("777p777s55566677z", (-40, 80, -40)),
    ],
)
def test_a_liable_player_pays_half_of_the_yakuman_chips_including_the_multiplier(
    hand: str, chips: tuple[int, ...]
) -> None:
    win = won(hand, riichi=RiichiKind.NONE, opened=True, limit=LimitName.YAKUMAN)
    prizes = prizes_of(flipped("", win), SUPERBINGO)
    outcome = Ron(loser=0, wins=(Win(1, YAKUMAN, LiablePlayer(2), prizes=prizes),))
    result = kyoku.apply(at("E1", 30000, 30000, 30000), outcome, SUPERBINGO)
    assert result.changes("chips") == chips


def test_the_prizes_of_a_win_without_a_tulip_are_those_of_its_value() -> None:
    value = valued(Hand.parse("406p234567888s3p", "3p"), Situation(By.RON, Wind.SOUTH))
    tulip = flipped("", won_of(value))
    assert prizes_of(tulip, SUPERBINGO) == Prizes(each=1, complete=True)
    assert tulip.total == sum(each.amount for each in value.payments if each.ledger == "chips")


def test_the_input_of_a_tulip_follows_from_a_scored_hand() -> None:
    hand = Hand.parse("22p77z", "7z", ("pon:555z", "minkan:6666z", "pon:111z"))
    value = valued(hand, Situation(By.RON, Wind.SOUTH))
    win = won_of(value, stacks=4)
    assert tiles_text(win.hand) == "22p7775556666111z"
    assert (win.opened, win.limit, win.yakuman) == (True, LimitName.YAKUMAN, (YakuName.DAISANGEN,))
    assert win.stacks == 4
    assert open_tulip(win, SUPERBINGO).mode is FlipMode.NORMAL
