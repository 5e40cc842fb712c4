"""The tulip: what each flip brings, and why. The worked examples of the book prove the arithmetic as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rulesets import loader
from scoring import kyoku
from scoring.hand import By, Hand, HandValue, RiichiKind, Situation, parse_tiles, score, tiles_text
from scoring.kyoku.outcomes import Liability, Nagashi, Prizes, Ron, Tsumo, Win
from scoring.ruleset import Ruleset
from scoring.ruleset.base import Wind
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.tulip import (
    End,
    InvalidTulipError,
    Level,
    Mode,
    NoTulipError,
    Payers,
    Place,
    Tulip,
    TulipProblem,
    Wall,
    Won,
    declares_tulip,
    flip,
    matches,
    opened,
    over_wall,
    prizes_of,
    replay,
    sentence,
    won_of,
)
from scoring.tulip.problems import SENTENCES
from scoring.tulip.remarks import SENTENCES as REMARKS
from scoring.value import Worth
from tests.scoring.kyoku_tables import CINDERELLA, MLEAGUE, SUPERBINGO, YAKUMAN, at

DX = SUPERBINGO.with_options({"dx": True})
POCCHI = SUPERBINGO.with_options({"pocchi": True})
PLAIN = "123456p456789s22z"
"""No seven thrice: a normal tulip. 1p 2p 3p 4p 5p 6p, 4s to 9s, two Souths."""
THREE_SEVENS = "34567778p123999s"
BOTH_SEVENS = "123777p45667778s"
NO_BAMBOO = "12345699p222333z"


def won(hand: str = PLAIN, by: By = By.RON, riichi: RiichiKind = RiichiKind.RIICHI, **more: Any) -> Won:
    """A win after riichi, its tiles as they are written."""
    tiles: dict[str, Any] = {
        key: parse_tiles(more.pop(key)) for key in ("nuki", "dora_indicators", "ura_indicators") if key in more
    }
    return Won(parse_tiles(hand), by, riichi, **tiles, **more)


def flipped(tiles: str, win: Won | None = None, rules: Ruleset = SUPERBINGO) -> Tulip:
    """The tulip after these flips, none of them refused."""
    tulip = replay(win or won(), parse_tiles(tiles), rules)
    assert tulip.problems == ()
    return tulip


def wall(*stacks: str) -> Wall:
    """Stacks, upper tile first; "-" where it is drawn."""
    return tuple(
        (None if text.startswith("-") else parse_tiles(text)[0], parse_tiles(text.removeprefix("-"))[-1])
        for text in stacks
    )


def hits(tulip: Tulip) -> list[int]:
    """The matches of each flip."""
    return [step.hits for step in tulip.steps]


def remarks(tulip: Tulip) -> list[str]:
    """What was said, before the first flip and at each."""
    return [each.code for each in (*tulip.start.remarks, *(each for step in tulip.steps for each in step.remarks))]


def problems(win: Won, rules: Ruleset = SUPERBINGO) -> list[tuple[str, str]]:
    """Why a win is refused, and where."""
    with pytest.raises(InvalidTulipError) as error:
        opened(win, rules)
    assert str(error.value) == "\n".join(map(str, error.value.problems))
    return [(each.code, each.pointer) for each in error.value.problems]


# ─── before the first flip ───


@pytest.mark.clause("superbingo", "SB-035")
@pytest.mark.parametrize("riichi", [kind for kind in RiichiKind if kind is not RiichiKind.NONE])
def test_a_win_after_riichi_of_any_kind_is_followed_by_a_tulip(riichi: RiichiKind) -> None:
    tulip = flipped("", won(riichi=riichi))
    assert tulip.start.mode is Mode.NORMAL
    assert tulip.start.remarks[0].clauses == ("SB-035",)
    assert tulip.state.awaits == Place(1, Level.UPPER)


@pytest.mark.clause("superbingo", "SB-035", "SB-212")
def test_a_win_without_riichi_is_not_and_nothing_is_multiplied() -> None:
    tulip = flipped("", won("406777p22234777s", riichi=RiichiKind.NONE))
    assert (tulip.start.mode, tulip.state.end, tulip.total) == (None, End.NO_TULIP, 1)
    assert remarks(tulip) == ["no_start"]


@pytest.mark.clause("superbingo", "SB-060")
@pytest.mark.parametrize(
    ("hand", "mode"),
    [
        ("22p222s555666777z", Mode.NORMAL),
        ("777p22s555666777z", Mode.KAKUHEN),
        ("777p777s55566677z", Mode.TOP),
    ],
)
def test_a_real_yakuman_is_followed_by_one_open_and_without_riichi(hand: str, mode: Mode) -> None:
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
        (PLAIN, "", Mode.NORMAL),
        ("123477p456789s22z", "1b", Mode.NORMAL),
        ("34567778p123999s", "", Mode.KAKUHEN),
        ("12399p777789s222z", "", Mode.KAKUHEN),
        (BOTH_SEVENS, "", Mode.TOP),
    ],
)
def test_three_sevens_however_used_make_a_kakuhen_three_of_both_the_highest_mode(
    hand: str, nuki: str, mode: Mode
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
def test_ippatsu_and_a_hand_of_sanbaiman_or_more_give_a_guarantee_each(more: dict[str, Any], guarantees: int) -> None:
    assert flipped("", won(**more)).start.guarantees == guarantees


@pytest.mark.clause("superbingo", "SB-085", "SB-036")
def test_a_forced_deal_in_gives_its_chips_and_no_guarantee() -> None:
    tulip = flipped("", won(riichi=RiichiKind.OPEN, forced=True))
    assert (tulip.start.guarantees, tulip.total) == (0, 40)
    assert [(line.event.value, line.chips, line.clauses[0]) for line in tulip.start.base] == [("forced", 40, "SB-085")]


@pytest.mark.clause("superbingo", "SB-093", "SB-094", "SB-092")
def test_a_drawn_pocchi_is_the_tile_it_is_declared_as_and_gives_a_guarantee_on_top() -> None:
    win = won(
        "12333789p45677swz",
        By.TSUMO,
        ippatsu=True,
        limit=LimitName.SANBAIMAN,
        pocchi_as=parse_tiles("7s")[0],
    )
    tulip = flipped("5z8s", win, POCCHI)
    assert tulip.start.guarantees == 3
    assert tulip.start.mode is Mode.KAKUHEN
    assert hits(tulip) == [0, 3]
    kept = flipped("5z", won("12333789p456777s", By.TSUMO), POCCHI)
    plain = flipped("5z", won("12333789p12356swz", By.TSUMO), POCCHI)
    assert (hits(kept), hits(plain)) == ([0], [1])


@pytest.mark.clause("superbingo", "SB-057", "SB-059", "SB-088")
def test_chips_of_the_win_are_counted_first_for_open_hands_too() -> None:
    win = won("406p123456789s22z", riichi=RiichiKind.NONE, opened=True)
    assert flipped("", win).total == 1
    assert flipped("", win, DX).total == 0
    yakuman = won("22p222s555666777z", riichi=RiichiKind.NONE, opened=True, limit=LimitName.YAKUMAN)
    assert flipped("", yakuman).total == 40
    assert flipped("", replace(yakuman, by=By.TSUMO)).total == 20


@pytest.mark.clause("superbingo", "SB-057")
def test_ura_are_counted_as_for_the_hands_value_and_those_of_a_bonus_tile_are_none() -> None:
    win = won(dora_indicators="3z2b", ura_indicators="1z1b")
    assert [(line.event.value, line.count) for line in flipped("", win).start.base] == [("ura", 2)]


@pytest.mark.clause("superbingo", "SB-048", "SB-212")
def test_all_seven_brings_its_fixed_prize_from_everybody_and_nothing_is_flipped() -> None:
    win = won("7777777p77777s1b2b", riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=(YakuName.ALL_SEVEN,))
    tulip = flipped("", win)
    assert (tulip.total, tulip.payers, tulip.start.mode) == (300, Payers.EACH, None)
    assert [line.name for line in tulip.lines] == ["all_seven"]
    assert remarks(tulip) == ["fixed_prize"]


@pytest.mark.clause("superbingo", "SB-084", "SB-099", "SB-212")
def test_nagashi_counts_as_completed_and_its_chip_tiles_bring_nothing() -> None:
    win = won("2340p56789s1122z", By.TSUMO, RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=(YakuName.NAGASHI,))
    tulip = flipped("", win)
    assert [(line.name, line.chips) for line in tulip.lines] == [("yakuman", 20), ("completion", 10)]
    assert (tulip.start.mode, tulip.state.is_completed, tulip.payers) == (None, True, Payers.EACH)
    assert remarks(tulip) == ["counts_as_completed"]


# ─── matches ───


@pytest.mark.clause("superbingo", "SB-055", "SB-213")
@pytest.mark.parametrize(
    ("tile", "matched"),
    [
        ("9p", "8p9p1p"),
        ("1p", "1p2p9p"),
        ("5s", "4s5s6s"),
        ("4z", "3z4z1z"),
        ("1z", "1z2z4z"),
        ("5z", "5z6z7z"),
        ("7z", "5z6z7z"),
    ],
)
def test_a_tile_matches_itself_and_its_neighbours_and_each_sort_goes_round(tile: str, matched: str) -> None:
    """Held against one tile of every kind."""
    state = opened(won(), SUPERBINGO)
    every = parse_tiles("123456789p123456789s1234567z")
    step = flip(replace(state, matching=every), parse_tiles(tile)[0], SUPERBINGO).step
    assert sorted(step.matched) == sorted(parse_tiles(matched))
    assert step.chips == 3


def test_what_a_tile_would_match_can_be_asked_before_it_is_flipped() -> None:
    state = flipped("3s").state
    assert matches(state, parse_tiles("1z")[0], SUPERBINGO) == parse_tiles("22z")
    assert matches(state, parse_tiles("6z")[0], SUPERBINGO) == ()
    assert state.flipped == parse_tiles("3s")


@pytest.mark.clause("superbingo", "SB-055")
def test_marked_fives_are_fives_and_a_kan_counts_with_all_four_tiles() -> None:
    assert hits(flipped("4p", won("340p456789s22z666p"))) == [3]
    assert hits(flipped("9s", won("23456799p3458888s"))) == [4]


@pytest.mark.clause("superbingo", "SB-055", "SB-095")
def test_after_a_match_the_upper_tile_of_the_next_stack_is_flipped_until_one_misses() -> None:
    tulip = flipped("3s1z6z")
    assert [step.place for step in tulip.steps] == [Place(1, Level.UPPER), Place(2, Level.UPPER), Place(3, Level.UPPER)]
    assert (hits(tulip), tulip.state.end, tulip.total) == ([1, 2, 0], End.MISSED, 3)
    assert tulip.steps[-1].remarks[-1].clauses == ("SB-055", "SB-213")


@pytest.mark.clause("superbingo", "SB-056")
def test_a_kakuhen_flips_both_tiles_of_each_stack_and_ends_when_both_miss() -> None:
    tulip = flipped("8s5z4z2p6z1z", won(THREE_SEVENS))
    assert hits(tulip) == [3, 0, 0, 1, 0, 0]
    assert [step.place.level.value for step in tulip.steps] == ["upper", "lower"] * 3
    assert (tulip.state.end, tulip.steps[-1].place.stack) == (End.MISSED, 3)
    assert "SB-056" in tulip.steps[-1].remarks[-1].clauses


# ─── promotion ───


@pytest.mark.clause("superbingo", "SB-039", "SB-041")
def test_six_matches_make_a_normal_tulip_a_kakuhen_from_the_next_stack_on() -> None:
    tulip = flipped("8p6p", won("778899p123345s22z"))
    assert tulip.steps[0].is_promoted
    assert [step.place for step in tulip.steps] == [Place(1, Level.UPPER), Place(2, Level.UPPER)]
    assert tulip.state.awaits == Place(2, Level.LOWER)
    assert "SB-041" in tulip.steps[0].remarks[1].clauses


@pytest.mark.clause("superbingo", "SB-039", "SB-040")
def test_more_than_six_are_one_step_only_and_nothing_is_above_the_highest_mode() -> None:
    win = won("777p22s555666777z", riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN)
    tulip = flipped("6z3s5z", win)
    assert hits(tulip) == [9, 2, 9]
    assert [step.mode for step in tulip.steps] == [Mode.TOP, Mode.TOP, Mode.TOP]
    assert [step.is_promoted for step in tulip.steps] == [True, False, False]
    assert "top_already" in remarks(tulip)


@pytest.mark.clause("superbingo", "SB-040", "SB-061", "SB-038")
def test_the_highest_mode_reached_late_doubles_what_was_counted_before() -> None:
    tulip = flipped("7p2s4s", won("667788p334405s11z", By.TSUMO, ura_indicators="4z"))
    assert hits(tulip) == [6, 2, 6]
    assert [(line.name, line.chips) for line in tulip.lines] == [("ura", 2), ("red", 1), ("matches", 14), ("times", 17)]
    assert (tulip.total, tulip.times) == (34, 2)


@pytest.mark.clause("superbingo", "SB-061")
def test_completion_and_yakuman_chips_are_doubled_too() -> None:
    win = won("777p777s55566677z", By.TSUMO, RiichiKind.NONE, limit=LimitName.YAKUMAN, stacks=0)
    assert flipped("", win).total == (20 + 10) * 2


# ─── guarantees and the end ───


@pytest.mark.clause("superbingo", "SB-036")
def test_a_failed_stack_uses_a_guarantee_up_and_the_next_stack_follows() -> None:
    tulip = flipped("5z3s6z", won(ippatsu=True))
    assert [step.uses_guarantee for step in tulip.steps] == [True, False, False]
    assert (tulip.state.guarantees, tulip.state.end) == (0, End.MISSED)
    kakuhen = flipped("5z6z5z", won(THREE_SEVENS, ippatsu=True))
    assert [step.uses_guarantee for step in kakuhen.steps] == [False, True, False]


@pytest.mark.clause("superbingo", "SB-062", "SB-058", "SB-036")
def test_reaching_the_last_stack_completes_it_even_without_a_match_and_uses_no_guarantee() -> None:
    tulip = over_wall(won(ippatsu=True), wall("3s6s", "5z3z"), SUPERBINGO)
    assert (tulip.state.end, tulip.state.guarantees, tulip.total) == (End.COMPLETED, 1, 1 + 1 + 10)
    assert tulip.steps[-1].remarks[-1].clauses == ("SB-058", "SB-062", "SB-081")


@pytest.mark.clause("superbingo", "SB-056", "SB-062")
def test_a_stack_with_only_its_lower_tile_does_not_belong_to_it() -> None:
    tulip = over_wall(won(), wall("5z9s", "-5p"), SUPERBINGO)
    assert (len(tulip.steps), tulip.state.end) == (1, End.COMPLETED)


@pytest.mark.clause("superbingo", "SB-081")
def test_a_win_in_the_stack_of_the_last_tile_counts_as_completed() -> None:
    tulip = over_wall(won(BOTH_SEVENS, By.TSUMO), wall("-3s"), SUPERBINGO)
    assert (tulip.steps, tulip.state.end, tulip.total) == ((), End.COMPLETED, 20)
    assert "nothing_to_flip" in remarks(tulip)


def test_where_nobody_has_counted_the_stacks_it_goes_on_until_one_misses() -> None:
    assert flipped("3s4s5s6s").state.end is None
    assert flipped("3s4s5s6s", won(stacks=4)).state.end is End.COMPLETED


# ─── bonus tiles ───


@pytest.mark.clause("superbingo", "SB-050", "SB-054", "SB-051")
def test_laid_aside_a_bonus_tile_is_a_seven_and_draws_flipped_sevens_in_once_they_are_counted() -> None:
    tulip = flipped("7p7p", won("34567899p123789s", nuki="1b"))
    assert tulip.start.joined == parse_tiles("1b")
    assert hits(tulip) == [4, 5]
    assert tulip.state.taken == parse_tiles("7p7p")
    assert [each.code for each in tulip.steps[0].remarks] == ["matches", "rush_joins"]
    without_suit = flipped("7s", won(NO_BAMBOO, nuki="1b"))
    assert without_suit.state.taken == ()


@pytest.mark.clause("superbingo", "SB-082")
def test_sevens_taken_in_raise_no_mode() -> None:
    tulip = flipped("7p6p5z", won("12377p456789s111z", nuki="1b"))
    assert (hits(tulip), tulip.state.mode, tulip.state.end) == ([3, 4, 0], Mode.NORMAL, End.MISSED)


@pytest.mark.clause("superbingo", "SB-052")
def test_bonus_tiles_among_the_indicators_join_before_the_first_flip_kan_indicators_too() -> None:
    tulip = flipped("8s7s6p", won("234678p123s11333z", dora_indicators="2z1b", ura_indicators="2b9p"))
    assert tulip.start.joined == parse_tiles("1b2b")
    assert (hits(tulip), tulip.state.taken) == ([1, 1, 3], parse_tiles("7s"))
    assert tulip.total == 5


@pytest.mark.clause("superbingo", "SB-053", "SB-054", "SB-050")
def test_a_flipped_bonus_tile_joins_if_it_matched_a_bonus_tile_with_the_hand_being_enough() -> None:
    joined = flipped("1b7p", won("345678p111234s44z"))
    assert (hits(joined), joined.state.taken) == ([3, 4], parse_tiles("1b7p"))
    alone = flipped("2b", won(NO_BAMBOO, nuki="2b"))
    assert (hits(alone), alone.state.taken) == ([1], parse_tiles("2b"))
    stranger = flipped("2b", won("345678p111234s44z"))
    assert (hits(stranger), stranger.state.taken, stranger.state.end) == ([0], (), End.MISSED)
    assert "bonus_stays_out" in remarks(stranger)


@pytest.mark.clause("superbingo", "SB-214")
def test_two_winners_flip_the_same_stacks_independently() -> None:
    same = wall("7p2p", "7p5z", "5z3s", "1z1z")
    first = over_wall(won("34567899p123789s", nuki="1b"), same, SUPERBINGO)
    second = over_wall(won("456p123456789s22z"), same, SUPERBINGO)
    assert (hits(first), hits(second)) == ([4, 5, 0], [1, 1, 0])
    assert second.state.taken == ()


# ─── what is refused ───


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
    ],
)
def test_a_win_that_cannot_be_is_refused_saying_what_and_where(win: Won, expected: tuple[str, str]) -> None:
    assert problems(win) == [expected]


@pytest.mark.parametrize(("declared", "where"), [("1f", "pocchi_as"), ("1m", "pocchi_as"), ("99", "pocchi_as")])
def test_a_pocchi_stands_for_an_ordinary_tile_of_the_book(declared: str, where: str) -> None:
    tile = 99 if declared == "99" else parse_tiles(declared)[0]
    assert problems(won("12333789p45677swz", By.TSUMO, pocchi_as=tile), POCCHI) == [("tulip_pocchi_as", where)]


def test_a_pocchi_is_another_tile_only_when_it_was_drawn_after_riichi() -> None:
    seven = parse_tiles("7s")[0]
    assert problems(won("12333789p45677swz", By.RON, pocchi_as=seven), POCCHI) == [("tulip_pocchi", "pocchi_as")]


def test_everything_that_is_wrong_is_told_at_once() -> None:
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
def test_a_flip_that_cannot_be_is_flagged_and_changes_nothing(tiles: str, win: Won, code: str) -> None:
    tulip = replay(win, parse_tiles(tiles), SUPERBINGO)
    assert {each.code for each in tulip.problems} == {code}
    last = tulip.turns[-1]
    assert (last.after, last.step) == (last.before, None)
    assert tulip.problems[0].pointer.startswith("flips/")


def test_a_number_that_is_no_tile_is_not_flipped() -> None:
    with pytest.raises(InvalidTulipError, match="99 is no tile"):
        flip(opened(won(), SUPERBINGO), 99, SUPERBINGO)


def test_the_fifth_seven_is_in_this_wall_and_the_ninth_is_not() -> None:
    assert flipped("7p7p7p7p7p", won(THREE_SEVENS)).problems == ()
    tulip = replay(won(THREE_SEVENS), parse_tiles("7p7p7p7p7p7p"), SUPERBINGO)
    assert [str(each) for each in tulip.problems] == [
        "There are 9 of 7p, indicators and flips included; the wall has 8."
    ]


@pytest.mark.parametrize("stacks", [("-5p", "3s4s"), ("3s4s", "-5p", "-6p")])
def test_tiles_cannot_be_missing_in_the_middle_of_the_wall(stacks: tuple[str, ...]) -> None:
    with pytest.raises(InvalidTulipError) as error:
        over_wall(won(), wall(*stacks), SUPERBINGO)
    assert [each.code for each in error.value.problems] == ["tulip_wall_gap"]


def test_a_lower_tile_is_never_drawn_before_the_upper_one() -> None:
    with pytest.raises(InvalidTulipError, match="none its lower one"):
        over_wall(won(), ((parse_tiles("3s")[0], None),), SUPERBINGO)


@pytest.mark.parametrize("rules", [CINDERELLA, MLEAGUE])
def test_books_without_a_tulip_say_so(rules: Ruleset) -> None:
    assert not declares_tulip(rules)
    with pytest.raises(NoTulipError, match=f"the ruleset {rules.name} has no tulip"):
        opened(won(), rules)


# ─── another house's tulip ───


def changed(*changes: tuple[str, object], drop: tuple[str, ...] = ()) -> Ruleset:
    """Super Bingo's book with some values changed: a house of its own."""
    text = loader.text_of("superbingo")
    for old, new in changes:
        assert old in text
        text = text.replace(old, str(new))
    return loader.parse(text, "own.toml")


def test_a_house_may_count_other_numbers_and_start_its_tulip_from_other_wins() -> None:
    own = changed(
        ('riichi = { clauses = ["SB-035"] }\nyakuman', "yakuman"),
        ("matches = 6", "matches = 3"),
        ("times = 2", "times = 3"),
        ("[play.tulip.match]\nchips = 1", "[play.tulip.match]\nchips = 5"),
    )
    assert flipped("", won(), own).start.mode is None
    win = won(THREE_SEVENS, riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN)
    tulip = flipped("8s", win, own)
    assert (tulip.state.mode, tulip.total) == (Mode.TOP, (40 + 3 * 5) * 3)


def test_a_house_may_give_no_guarantees_and_let_bonus_tiles_be_nothing() -> None:
    own = changed(
        ('ippatsu = { count = 1, clauses = ["SB-036"] }\n', ""),
        ('limit = { count = 1, from_limit = "sanbaiman", clauses = ["SB-036"] }\n', ""),
        ('pocchi = { count = 1, clauses = ["SB-093"] }\n', ""),
        ('stands_for = { red = "7p", blue = "7s" }', 'stands_for = { red = "7p" }'),
    )
    win = won(ippatsu=True, limit=LimitName.SANBAIMAN, nuki="2b", stacks=5)
    tulip = flipped("2b", win, own)
    assert (tulip.start.guarantees, tulip.start.joined, hits(tulip)) == (0, (), [0])


def test_a_house_may_pay_chips_for_closed_hands_only_and_several_yakuman_each() -> None:
    own = changed(("open_hands = true", "open_hands = false"), ('several = "once"', 'several = "add"'))
    both = (YakuName.DAISANGEN, YakuName.TSUUIISOU)
    win = won("22z111z555666777z", riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=both)
    assert flipped("", win, own).total == 80
    assert flipped("", replace(win, opened=True), own).total == 0
    assert flipped("", win).total == 40


def test_a_book_without_open_riichi_refuses_one() -> None:
    text = loader.text_of("superbingo")
    table = text[text.index("[play.riichi.open]") : text.index("[play.draws]")]
    option = text[text.index("[options.open_riichi]") :]
    own = changed((table, ""), (option, ""))
    assert problems(won(riichi=RiichiKind.OPEN), own) == [("tulip_no_open_riichi", "riichi")]


def test_a_limit_the_book_does_not_have_is_refused() -> None:
    limit = '    { name = "kazoe", from_han = 14, base = 8000, clauses = ["SB-028", "SB-204"] },\n'
    assert problems(won(limit=LimitName.KAZOE), changed((limit, ""))) == [("tulip_limit", "limit")]


# ─── explanations ───


def test_every_remark_and_every_problem_is_a_sentence_with_its_clauses() -> None:
    known = SUPERBINGO.book.known()
    seen: dict[str, str] = {}
    for tulip in every_kind_of_tulip():
        said = (*tulip.start.remarks, *(remark for step in tulip.steps for remark in step.remarks))
        for remark in said:
            assert remark.clauses
            assert set(remark.clauses) <= known
            seen[remark.code] = sentence(remark)
    assert set(seen) == set(REMARKS)
    assert seen["mode_top"].startswith("3 × 7p and 3 × 7s in the hand: 16R")
    assert not any("{" in text for text in seen.values())


def every_kind_of_tulip() -> list[Tulip]:
    """Tulips in which everything happens that can be remarked upon."""
    drawn = won("12333789p45677swz", By.TSUMO, ippatsu=True, limit=LimitName.SANBAIMAN, pocchi_as=parse_tiles("7s")[0])
    yakuman = won("777p22s555666777z", riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN)
    seven = won("7777777p77777s1b2b", riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=(YakuName.ALL_SEVEN,))
    held = won("2340p56789s1122z", By.TSUMO, RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=(YakuName.NAGASHI,))
    return [
        flipped("5z1z5z", drawn, POCCHI),
        flipped("6z3s5z", yakuman),
        flipped("8p", won("778899p123345s22z", nuki="1b")),
        flipped("1b7p2b", won("345678p111234s44z", dora_indicators="2b")),
        flipped("2b", won("345678p111234s44z", stacks=1)),
        flipped("", won(BOTH_SEVENS, stacks=0)),
        flipped("", won(riichi=RiichiKind.NONE)),
        flipped("5z", won()),
        flipped("", seven),
        flipped("", held),
    ]


def test_every_problem_has_a_sentence_that_can_be_filled_in() -> None:
    params = dict.fromkeys(("tile", "actual", "most", "expected", "limit", "known", "yaku"), 1)
    assert all("{" not in str(TulipProblem(code, "", params)) for code in SENTENCES)


# ─── at the table ───


def valued(hand: Hand, situation: Situation, rules: Ruleset = SUPERBINGO) -> HandValue:
    value = score(hand, situation, rules)
    assert isinstance(value, HandValue)
    return value


@pytest.mark.clause("superbingo", "SB-211", "SB-212")
def test_a_win_by_its_tiles_with_its_tulip_is_paid_at_the_table() -> None:
    """Ippatsu 1 and a chip five 1; 1p matches 2p and 9p twice, then haku and hatsu miss. From each 1 + 1 + 3."""
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
def test_a_fixed_prize_comes_from_everybody_at_the_table() -> None:
    seven = won("7777777p77777s1b2b", riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=(YakuName.ALL_SEVEN,))
    prizes = prizes_of(flipped("", seven), SUPERBINGO)
    outcome = Ron(loser=0, wins=(Win(1, YAKUMAN, prizes=prizes),))
    result = kyoku.apply(at("E1", 30000, 30000, 30000), outcome, SUPERBINGO)
    assert result.changes("chips") == (-300, 600, -300)


@pytest.mark.clause("superbingo", "SB-084", "SB-099")
def test_nagashi_is_paid_by_everybody_at_the_table() -> None:
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
def test_who_is_liable_pays_half_of_the_yakuman_chips_doubled_where_all_is_doubled(
    hand: str, chips: tuple[int, ...]
) -> None:
    win = won(hand, riichi=RiichiKind.NONE, opened=True, limit=LimitName.YAKUMAN)
    prizes = prizes_of(flipped("", win), SUPERBINGO)
    outcome = Ron(loser=0, wins=(Win(1, YAKUMAN, Liability(2), prizes=prizes),))
    result = kyoku.apply(at("E1", 30000, 30000, 30000), outcome, SUPERBINGO)
    assert result.changes("chips") == chips


def test_prizes_of_a_win_without_a_tulip_are_those_of_its_value() -> None:
    value = valued(Hand.parse("406p234567888s3p", "3p"), Situation(By.RON, Wind.SOUTH))
    tulip = flipped("", won_of(value))
    assert prizes_of(tulip, SUPERBINGO) == Prizes(each=1, complete=True)
    assert tulip.total == sum(each.amount for each in value.payments if each.ledger == "chips")


def test_a_win_by_its_tiles_brings_what_the_tulip_asks_for() -> None:
    hand = Hand.parse("22p77z", "7z", ("pon:555z", "minkan:6666z", "pon:111z"))
    value = valued(hand, Situation(By.RON, Wind.SOUTH, ura_indicators=parse_tiles("1p")))
    win = won_of(value, stacks=4)
    assert tiles_text(win.hand) == "22p7775556666111z"
    assert (win.opened, win.limit, win.yakuman) == (True, LimitName.YAKUMAN, (YakuName.DAISANGEN,))
    assert (win.ura_indicators, win.stacks) == ((), 4)
    assert opened(win, SUPERBINGO).mode is Mode.NORMAL
