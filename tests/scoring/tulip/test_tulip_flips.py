"""Chips and remarks of each flip of a tulip; the worked examples prove the arithmetic as a whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.hand import By, RiichiKind, parse_tiles
from scoring.ruleset.value import LimitName
from scoring.tulip import (
    FlipEnd,
    FlipMode,
    StackLevel,
    WallPlace,
    flip,
    matches,
    open_tulip,
    over_wall,
)
from tests.scoring.kyoku_tables import SUPERBINGO
from tests.scoring.tulip.wins import BOTH_SEVENS, NO_BAMBOO, THREE_SEVENS, flipped, hits, remarks, wall, won

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
def test_a_tile_matches_itself_and_its_neighbours_and_each_suit_wraps_around(tile: str, matched: str) -> None:
    """Flip the tile against one tile of every kind."""
    state = open_tulip(won(), SUPERBINGO)
    every = parse_tiles("123456789p123456789s1234567z")
    step = flip(replace(state, matching=every), parse_tiles(tile)[0], SUPERBINGO).step
    assert sorted(step.matched) == sorted(parse_tiles(matched))
    assert step.chips == 3


def test_the_matches_of_a_tile_are_known_before_it_is_flipped() -> None:
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
    assert [step.place for step in tulip.steps] == [
        WallPlace(1, StackLevel.UPPER),
        WallPlace(2, StackLevel.UPPER),
        WallPlace(3, StackLevel.UPPER),
    ]
    assert (hits(tulip), tulip.state.end, tulip.total) == ([1, 2, 0], FlipEnd.MISSED, 3)
    assert tulip.steps[-1].remarks[-1].clauses == ("SB-055", "SB-213")


@pytest.mark.clause("superbingo", "SB-056")
def test_a_kakuhen_flips_both_tiles_of_each_stack_and_ends_when_both_miss() -> None:
    tulip = flipped("8s5z4z2p6z1z", won(THREE_SEVENS))
    assert hits(tulip) == [3, 0, 0, 1, 0, 0]
    assert [step.place.level.value for step in tulip.steps] == ["upper", "lower"] * 3
    assert (tulip.state.end, tulip.steps[-1].place.stack) == (FlipEnd.MISSED, 3)
    assert "SB-056" in tulip.steps[-1].remarks[-1].clauses


# ─── promotion ───


@pytest.mark.clause("superbingo", "SB-039", "SB-041")
def test_six_matches_promote_a_normal_tulip_to_kakuhen_from_the_next_stack() -> None:
    tulip = flipped("8p6p", won("778899p123345s22z"))
    assert tulip.steps[0].is_promoted
    assert [step.place for step in tulip.steps] == [WallPlace(1, StackLevel.UPPER), WallPlace(2, StackLevel.UPPER)]
    assert tulip.state.awaits == WallPlace(2, StackLevel.LOWER)
    assert "SB-041" in tulip.steps[0].remarks[1].clauses


@pytest.mark.clause("superbingo", "SB-039", "SB-040")
def test_more_than_six_matches_promote_one_step_only_up_to_the_top_mode() -> None:
    win = won("777p22s555666777z", riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN)
    tulip = flipped("6z3s5z", win)
    assert hits(tulip) == [9, 2, 9]
    assert [step.mode for step in tulip.steps] == [FlipMode.TOP, FlipMode.TOP, FlipMode.TOP]
    assert [step.is_promoted for step in tulip.steps] == [True, False, False]
    assert "top_already" in remarks(tulip)


@pytest.mark.clause("superbingo", "SB-040", "SB-061", "SB-038")
def test_the_top_mode_reached_late_doubles_all_chips() -> None:
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
def test_a_stack_without_a_match_uses_a_guarantee_and_the_next_stack_follows() -> None:
    tulip = flipped("5z3s6z", won(ippatsu=True))
    assert [step.uses_guarantee for step in tulip.steps] == [True, False, False]
    assert (tulip.state.guarantees, tulip.state.end) == (0, FlipEnd.MISSED)
    kakuhen = flipped("5z6z5z", won(THREE_SEVENS, ippatsu=True))
    assert [step.uses_guarantee for step in kakuhen.steps] == [False, True, False]


@pytest.mark.clause("superbingo", "SB-062", "SB-058", "SB-036")
def test_reaching_the_last_stack_completes_it_even_without_a_match_and_uses_no_guarantee() -> None:
    tulip = over_wall(won(ippatsu=True), wall("3s6s", "5z3z"), SUPERBINGO)
    assert (tulip.state.end, tulip.state.guarantees, tulip.total) == (FlipEnd.COMPLETED, 1, 1 + 1 + 10)
    assert tulip.steps[-1].remarks[-1].clauses == ("SB-058", "SB-062", "SB-081")


@pytest.mark.clause("superbingo", "SB-056", "SB-062")
def test_a_stack_with_only_its_lower_tile_does_not_count() -> None:
    tulip = over_wall(won(), wall("5z9s", "-5p"), SUPERBINGO)
    assert (len(tulip.steps), tulip.state.end) == (1, FlipEnd.COMPLETED)


@pytest.mark.clause("superbingo", "SB-081")
def test_a_win_in_the_stack_of_the_last_tile_counts_as_completed() -> None:
    tulip = over_wall(won(BOTH_SEVENS, By.TSUMO), wall("-3s"), SUPERBINGO)
    assert (tulip.steps, tulip.state.end, tulip.total) == ((), FlipEnd.COMPLETED, 20)
    assert "nothing_to_flip" in remarks(tulip)


def test_with_an_unknown_number_of_stacks_the_tulip_goes_on_until_a_miss() -> None:
    assert flipped("3s4s5s6s").state.end is None
    assert flipped("3s4s5s6s", won(stacks=4)).state.end is FlipEnd.COMPLETED


# ─── bonus tiles ───


@pytest.mark.clause("superbingo", "SB-050", "SB-054", "SB-051")
def test_a_bonus_tile_set_aside_counts_as_a_seven_and_adds_flipped_sevens_after_counting() -> None:
    tulip = flipped("7p7p", won("34567899p123789s", nuki="1b"))
    assert tulip.start.joined == parse_tiles("1b")
    assert hits(tulip) == [4, 5]
    assert tulip.state.taken == parse_tiles("7p7p")
    assert [each.code for each in tulip.steps[0].remarks] == ["matches", "rush_joins"]
    without_suit = flipped("7s", won(NO_BAMBOO, nuki="1b"))
    assert without_suit.state.taken == ()


@pytest.mark.clause("superbingo", "SB-082")
def test_sevens_added_by_flips_do_not_raise_the_mode() -> None:
    tulip = flipped("7p6p5z", won("12377p456789s111z", nuki="1b"))
    assert (hits(tulip), tulip.state.mode, tulip.state.end) == ([3, 4, 0], FlipMode.NORMAL, FlipEnd.MISSED)


@pytest.mark.clause("superbingo", "SB-052")
def test_bonus_tiles_among_all_indicators_join_before_the_first_flip() -> None:
    tulip = flipped("8s7s6p", won("234678p123s11333z", dora_indicators="2z1b", ura_indicators="2b9p"))
    assert tulip.start.joined == parse_tiles("1b2b")
    assert (hits(tulip), tulip.state.taken) == ([1, 1, 3], parse_tiles("7s"))
    assert tulip.total == 5


@pytest.mark.clause("superbingo", "SB-053", "SB-054", "SB-050")
def test_a_flipped_bonus_tile_joins_if_it_matched_the_hand_or_a_bonus_tile() -> None:
    joined = flipped("1b7p", won("345678p111234s44z"))
    assert (hits(joined), joined.state.taken) == ([3, 4], parse_tiles("1b7p"))
    alone = flipped("2b", won(NO_BAMBOO, nuki="2b"))
    assert (hits(alone), alone.state.taken) == ([1], parse_tiles("2b"))
    stranger = flipped("2b", won("345678p111234s44z"))
    assert (hits(stranger), stranger.state.taken, stranger.state.end) == ([0], (), FlipEnd.MISSED)
    assert "bonus_stays_out" in remarks(stranger)


@pytest.mark.clause("superbingo", "SB-214")
def test_two_winners_flip_the_same_stacks_independently() -> None:
    same = wall("7p2p", "7p5z", "5z3s", "1z1z")
    first = over_wall(won("34567899p123789s", nuki="1b"), same, SUPERBINGO)
    second = over_wall(won("456p123456789s22z"), same, SUPERBINGO)
    assert (hits(first), hits(second)) == ([4, 5, 0], [1, 1, 0])
    assert second.state.taken == ()
