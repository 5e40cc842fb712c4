"""Start of a tulip: the wins that are followed by one, its mode and guarantees, and the chips of the win itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.hand import By, RiichiKind, parse_tiles
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.tulip import (
    ChipPayers,
    FlipEnd,
    FlipMode,
    StackLevel,
    WallPlace,
)
from tests.scoring.tulip.wins import BOTH_SEVENS, DX, PLAIN, POCCHI, flipped, hits, remarks, won


@pytest.mark.clause("superbingo", "SB-035")
@pytest.mark.parametrize("riichi", [kind for kind in RiichiKind if kind is not RiichiKind.NONE])
def test_a_win_after_riichi_of_any_kind_is_followed_by_a_tulip(riichi: RiichiKind) -> None:
    tulip = flipped("", won(riichi=riichi))
    assert tulip.start.mode is FlipMode.NORMAL
    assert tulip.start.remarks[0].clauses == ("SB-035",)
    assert tulip.state.awaits == WallPlace(1, StackLevel.UPPER)


@pytest.mark.clause("superbingo", "SB-035", "SB-212")
def test_a_win_without_riichi_has_no_tulip_and_no_multiplier() -> None:
    tulip = flipped("", won("406777p22234777s", riichi=RiichiKind.NONE))
    assert (tulip.start.mode, tulip.state.end, tulip.total) == (None, FlipEnd.NO_TULIP, 1)
    assert remarks(tulip) == ["no_start"]


@pytest.mark.clause("superbingo", "SB-060")
@pytest.mark.parametrize(
    ("hand", "mode"),
    [
        ("22p222s555666777z", FlipMode.NORMAL),
        ("777p22s555666777z", FlipMode.KAKUHEN),
        ("777p777s55566677z", FlipMode.TOP),
    ],
)
def test_a_real_yakuman_is_followed_by_a_tulip_even_open_and_without_riichi(hand: str, mode: FlipMode) -> None:
    win = won(hand, riichi=RiichiKind.NONE, opened=True, limit=LimitName.YAKUMAN)
    tulip = flipped("", win)
    assert tulip.start.mode is mode
    assert tulip.start.remarks[0].clauses == ("SB-060",)
    counted = flipped("", replace(win, limit=LimitName.KAZOE))
    assert counted.start.mode is None


@pytest.mark.clause("superbingo", "SB-037", "SB-038")
@pytest.mark.parametrize(
    ("hand", "nuki", "mode"),
    [
        (PLAIN, "", FlipMode.NORMAL),
        ("123477p456789s22z", "1b", FlipMode.NORMAL),
        ("34567778p123999s", "", FlipMode.KAKUHEN),
        ("12399p777789s222z", "", FlipMode.KAKUHEN),
        (BOTH_SEVENS, "", FlipMode.TOP),
    ],
)
def test_three_sevens_of_a_suit_give_a_kakuhen_and_three_of_both_the_top_mode(
    hand: str, nuki: str, mode: FlipMode
) -> None:
    assert flipped("", won(hand, nuki=nuki)).start.mode is mode


@pytest.mark.clause("superbingo", "SB-036")
@pytest.mark.parametrize(
    ("more", "guarantees"),
    [
        ({}, 0),
        ({"ippatsu": True}, 1),
        ({"limit": LimitName.BAIMAN}, 0),
        ({"limit": LimitName.SANBAIMAN}, 1),
        ({"limit": LimitName.KAZOE}, 1),
        ({"limit": LimitName.YAKUMAN}, 1),
        ({"limit": LimitName.SANBAIMAN, "ippatsu": True}, 2),
    ],
)
def test_ippatsu_and_a_sanbaiman_or_more_give_a_guarantee_each(more: dict[str, Any], guarantees: int) -> None:
    assert flipped("", won(**more)).start.guarantees == guarantees


@pytest.mark.clause("superbingo", "SB-085", "SB-036")
def test_a_forced_deal_in_gives_its_chips_and_no_guarantee() -> None:
    tulip = flipped("", won(riichi=RiichiKind.OPEN, forced=True))
    assert (tulip.start.guarantees, tulip.total) == (0, 40)
    assert [(line.event.value, line.chips, line.clauses[0]) for line in tulip.start.base] == [("forced", 40, "SB-085")]


@pytest.mark.clause("superbingo", "SB-093", "SB-094", "SB-092")
def test_a_drawn_pocchi_counts_as_its_declared_tile_and_gives_a_guarantee() -> None:
    win = won(
        "12333789p45677swz",
        By.TSUMO,
        ippatsu=True,
        limit=LimitName.SANBAIMAN,
        pocchi_as=parse_tiles("7s")[0],
    )
    tulip = flipped("5z8s", win, POCCHI)
    assert tulip.start.guarantees == 3
    assert tulip.start.mode is FlipMode.KAKUHEN
    assert hits(tulip) == [0, 3]
    kept = flipped("5z", won("12333789p456777s", By.TSUMO), POCCHI)
    plain = flipped("5z", won("12333789p12356swz", By.TSUMO), POCCHI)
    assert (hits(kept), hits(plain)) == ([0], [1])


@pytest.mark.clause("superbingo", "SB-057", "SB-059", "SB-088")
def test_chips_of_the_win_are_counted_for_open_hands_too() -> None:
    win = won("406p123456789s22z", riichi=RiichiKind.NONE, opened=True)
    assert flipped("", win).total == 1
    assert flipped("", win, DX).total == 0
    yakuman = won("22p222s555666777z", riichi=RiichiKind.NONE, opened=True, limit=LimitName.YAKUMAN)
    assert flipped("", yakuman).total == 40
    assert flipped("", replace(yakuman, by=By.TSUMO)).total == 20


@pytest.mark.clause("superbingo", "SB-057")
def test_ura_count_as_for_the_value_of_the_hand_except_bonus_tile_indicators() -> None:
    win = won(dora_indicators="3z2b", ura_indicators="1z1b")
    assert [(line.event.value, line.count) for line in flipped("", win).start.base] == [("ura", 2)]


@pytest.mark.clause("superbingo", "SB-048", "SB-212")
def test_all_seven_brings_its_fixed_prize_from_each_player_without_flips() -> None:
    win = won("7777777p77777s1b2b", riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=(YakuName.ALL_SEVEN,))
    tulip = flipped("", win)
    assert (tulip.total, tulip.payers, tulip.start.mode) == (300, ChipPayers.EACH, None)
    assert [line.name for line in tulip.lines] == ["all_seven"]
    assert remarks(tulip) == ["fixed_prize"]


@pytest.mark.clause("superbingo", "SB-084", "SB-099", "SB-212")
def test_nagashi_counts_as_completed_and_its_chip_tiles_give_no_chips() -> None:
    win = won("2340p56789s1122z", By.TSUMO, RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=(YakuName.NAGASHI,))
    tulip = flipped("", win)
    assert [(line.name, line.chips) for line in tulip.lines] == [("yakuman", 20), ("completion", 10)]
    assert (tulip.start.mode, tulip.state.is_completed, tulip.payers) == (None, True, ChipPayers.EACH)
    assert remarks(tulip) == ["counts_as_completed"]
