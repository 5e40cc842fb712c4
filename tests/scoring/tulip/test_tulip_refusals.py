"""Refusals of impossible wins and flips of a tulip, with code and pointer."""

from __future__ import annotations

import pytest

from scoring.hand import By, RiichiKind, parse_tiles
from scoring.hand.tiles import TILES
from scoring.ruleset import Ruleset
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.tulip import (
    InvalidTulipError,
    NoTulipError,
    Won,
    declares_tulip,
    flip,
    open_tulip,
    over_wall,
    replay,
)
from tests.scoring.kyoku_tables import CINDERELLA, MLEAGUE, SUPERBINGO
from tests.scoring.tulip.wins import PLAIN, POCCHI, THREE_SEVENS, flipped, problems, wall, won


@pytest.mark.parametrize(
    ("win", "expected"),
    [
        (won(f"{PLAIN}1p"), ("tulip_hand_size", "hand")),
        (won("123456p456789s2z"), ("tulip_hand_size", "hand")),
        (won("1111234p456789s2z", dora_indicators="1p"), ("too_many_alike", "hand")),
        (won("77777p456789s222z"), ("tulip_five_alike", "hand")),
        (won("1m23456p456789s22z"), ("no_such_tile", "hand")),
        (won("123456p45678s22z1b"), ("tulip_bonus_kept", "hand")),
        (won("12345600p6789s22z"), ("too_many_alike", "hand")),
        (won(nuki="4z"), ("tulip_not_aside", "nuki")),
        (won(nuki="1b1b1b"), ("too_many_alike", "nuki")),
        (won(dora_indicators="2z2z2z"), ("too_many_alike", "hand")),
        (won(ura_indicators="5z5z5z5z5z"), ("too_many_alike", "ura_indicators")),
        (won(dora_indicators="3z3z3z4z4z1z"), ("tulip_indicators", "dora_indicators")),
        (won(riichi=RiichiKind.NONE, ura_indicators="1z"), ("tulip_ura", "ura_indicators")),
        (won(riichi=RiichiKind.NONE, ippatsu=True), ("tulip_ippatsu", "ippatsu")),
        (won(opened=True), ("tulip_riichi_opened", "riichi")),
        (won(forced=True), ("tulip_forced", "forced")),
        (won(by=By.TSUMO, riichi=RiichiKind.OPEN, forced=True), ("tulip_forced", "forced")),
        (won(yakuman=(YakuName.KOKUSHI,), limit=LimitName.YAKUMAN), ("tulip_yakuman", "yakuman")),
        (won(yakuman=(YakuName.TOITOI,), limit=LimitName.YAKUMAN), ("tulip_yakuman", "yakuman")),
        (won(yakuman=(YakuName.SUUANKOU,)), ("tulip_yakuman_limit", "limit")),
        (won("2340p56789s1122z", yakuman=(YakuName.NAGASHI,), limit=LimitName.YAKUMAN), ("tulip_draw_by_ron", "by")),
        (won(pocchi_as=5), ("tulip_pocchi", "pocchi_as")),
        (won(stacks=-1), ("tulip_stacks", "stacks")),
        (won(stacks=57), ("tulip_stacks", "stacks")),
        (Won((99,), By.RON), ("not_a_tile", "hand")),
        (Won((-1,), By.RON), ("not_a_tile", "hand")),
    ],
)
def test_an_impossible_win_is_refused_with_code_and_pointer(win: Won, expected: tuple[str, str]) -> None:
    assert problems(win) == [expected]


@pytest.mark.parametrize(("declared", "where"), [("1f", "pocchi_as"), ("1m", "pocchi_as"), ("99", "pocchi_as")])
def test_a_pocchi_must_stand_for_an_ordinary_tile_of_the_ruleset(declared: str, where: str) -> None:
    tile = 99 if declared == "99" else parse_tiles(declared)[0]
    assert problems(won("12333789p45677swz", By.TSUMO, pocchi_as=tile), POCCHI) == [("tulip_pocchi_as", where)]


def test_a_pocchi_may_stand_for_another_tile_only_if_drawn_after_riichi() -> None:
    seven = parse_tiles("7s")[0]
    assert problems(won("12333789p45677swz", By.RON, pocchi_as=seven), POCCHI) == [("tulip_pocchi", "pocchi_as")]


def test_all_problems_are_reported_at_once() -> None:
    win = won(riichi=RiichiKind.NONE, ippatsu=True, forced=True, stacks=-1)
    assert [code for code, _ in problems(win)] == ["tulip_ippatsu", "tulip_forced", "tulip_stacks"]


@pytest.mark.parametrize(
    ("tiles", "win", "code"),
    [
        ("6z3s", won(), "tulip_over"),
        ("3s", won(stacks=0), "tulip_over"),
        ("3s", won(riichi=RiichiKind.NONE), "tulip_none"),
        ("3s2p2p2p2p", won(), "too_many_alike"),
        ("1m", won(), "no_such_tile"),
        ("0p0p", won("340p456789s22z666p"), "too_many_alike"),
    ],
)
def test_an_impossible_flip_is_flagged_and_changes_nothing(tiles: str, win: Won, code: str) -> None:
    tulip = replay(win, parse_tiles(tiles), SUPERBINGO)
    assert {each.code for each in tulip.problems} == {code}
    last = tulip.turns[-1]
    assert (last.after, last.step) == (last.before, None)
    assert tulip.problems[0].pointer.startswith("flips/")


@pytest.mark.parametrize("number", [-1, TILES, 99])
def test_flipping_a_number_that_is_not_a_tile_raises_an_error(number: int) -> None:
    with pytest.raises(InvalidTulipError, match=f"{number} is no tile"):
        flip(open_tulip(won(), SUPERBINGO), number, SUPERBINGO)


def test_eight_sevens_of_a_suit_are_accepted_and_a_ninth_is_refused() -> None:
    assert flipped("7p7p7p7p7p", won(THREE_SEVENS)).problems == ()
    tulip = replay(won(THREE_SEVENS), parse_tiles("7p7p7p7p7p7p"), SUPERBINGO)
    assert [str(each) for each in tulip.problems] == [
        "There are 9 of 7p, indicators and flips included; the wall has 8."
    ]


@pytest.mark.parametrize("stacks", [("-5p", "3s4s"), ("3s4s", "-5p", "-6p")])
def test_a_missing_tile_in_the_middle_of_the_wall_is_refused(stacks: tuple[str, ...]) -> None:
    with pytest.raises(InvalidTulipError) as error:
        over_wall(won(), wall(*stacks), SUPERBINGO)
    assert [each.code for each in error.value.problems] == ["tulip_wall_gap"]


def test_a_stack_without_its_lower_tile_is_refused() -> None:
    with pytest.raises(InvalidTulipError, match="none its lower one"):
        over_wall(won(), ((parse_tiles("3s")[0], None),), SUPERBINGO)


@pytest.mark.parametrize("rules", [CINDERELLA, MLEAGUE])
def test_a_ruleset_without_a_tulip_raises_an_error(rules: Ruleset) -> None:
    assert not declares_tulip(rules)
    with pytest.raises(NoTulipError, match=f"the ruleset {rules.name} has no tulip"):
        open_tulip(won(), rules)
