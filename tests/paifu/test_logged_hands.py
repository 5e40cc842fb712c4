"""Logged hands under our rules: circumstances read off the steps, entries of a score sheet, named differences."""

from dataclasses import replace

import pytest
from django.utils import translation

from league.wording.live.paifu import difference_text
from rulesets import loader
from scoring.hanchan import replay
from scoring.hand import Hand, HandValue, parse_tiles
from scoring.hand.tiles import KINDS
from scoring.kyoku.outcomes import AbortiveDraw, Draw, LiablePlayer, Nagashi, Ron, RonCalls, ScoresOnly, Win
from scoring.paifu import (
    Paifu,
    PaifuDraw,
    PaifuKyoku,
    PaifuWin,
    PaifuYaku,
    Position,
    check_paifu,
    compare_alone,
    entries_of,
    entries_of_game,
    outcome_of,
    value_of,
)
from scoring.paifu.circumstances import DRAWN_FROM_WALL
from scoring.paifu.compare import Changes, Counted, Difference, Line
from scoring.paifu.stored import parse_step
from scoring.ruleset.end import RoundName
from scoring.ruleset.flow import AbortiveKind
from scoring.ruleset.value import LimitName
from scoring.value import Worth
from tests.paifu.simulated import simulated

NAMES = ("Aoki", "Baba", "Chiba", "Doi")
HEAD_BUMP = "cinderella"
"""A ruleset in which one player wins on a discard."""
WAITING = "11234m567p34578s"
"""The hand of seat 1 in most tests: pinfu, waiting for 6s and 9s."""
OTHERS = ("147m258p369s1234z", "258m369p147s1235z", "369m147p258s5566z")


def logged(lines: str, hand: str, *, seat: int = 1, loser: int | None = None, dealt: str = WAITING) -> PaifuKyoku:
    """Return the first hand of a game, won by a seat after these steps; seat 1 was dealt `dealt`."""
    first, second, third = OTHERS
    hands = tuple(map(parse_tiles, (first, dealt, second, third)))
    steps = tuple(parse_step(line.strip()) for line in lines.strip().split(","))
    return PaifuKyoku(
        round=RoundName.EAST,
        number=1,
        honba=0,
        sticks=0,
        scores=(25000,) * 4,
        dealt=hands,
        steps=steps,
        dora=parse_tiles("9p"),
        ura=(),
        riichi=tuple(step.seat for step in steps if step.kind == "riichi"),
        deltas=(0, 0, 0, 0),
        wins=(PaifuWin(seat, loser, Hand.read(hand)),),
    )


def yaku_of(kyoku: PaifuKyoku) -> set[str]:
    value = value_of(kyoku, kyoku.wins[0], loader.load("tenhou4"))
    assert isinstance(value, HandValue), value
    return {line.name.value for line in value.yaku}


FIRST_GO = "0 draw 7z, 0 discard 7z tsumogiri, 1 draw 6z, 1 riichi, 1 discard 6z tsumogiri"


@pytest.mark.clause("tenhou4", "TH-019")
def test_a_riichi_with_the_first_discard_is_double_and_won_before_the_next_own_discard_ippatsu() -> None:
    won = logged(f"{FIRST_GO}, 2 draw 9s, 2 discard 9s tsumogiri", f"{WAITING} + 9s", loser=2)
    assert yaku_of(won) == {"double_riichi", "ippatsu", "pinfu"}


@pytest.mark.clause("tenhou4", "TH-019")
def test_a_call_after_the_riichi_ends_ippatsu_and_one_before_it_leaves_an_ordinary_riichi() -> None:
    after = f"{FIRST_GO}, 2 draw 5z, 2 discard 5z tsumogiri, 3 pon 555z from 2, 3 discard 3m, 0 draw 9s, 0 discard 9s"
    assert yaku_of(logged(after, f"{WAITING} + 9s", loser=0)) == {"double_riichi", "pinfu"}
    before = (
        "0 draw 5z, 0 discard 5z, 3 pon 555z from 0, 3 discard 3m, 0 draw 7z, 0 discard 7z, "
        "1 draw 6z, 1 riichi, 1 discard 6z, 2 draw 9s, 2 discard 9s"
    )
    assert yaku_of(logged(before, f"{WAITING} + 9s", loser=2)) == {"riichi", "ippatsu", "pinfu"}


@pytest.mark.clause("tenhou4", "TH-019")
def test_a_win_with_the_first_draw_is_blessed_unless_a_tile_was_called() -> None:
    assert yaku_of(logged("0 draw 7z, 0 discard 7z, 1 draw 6s", f"{WAITING} + 6s")) == {"chiihou"}
    called = "0 draw 5z, 0 discard 5z, 3 pon 555z from 0, 3 discard 3m, 0 draw 7z, 0 discard 7z, 1 draw 6s"
    assert yaku_of(logged(called, f"{WAITING} + 6s")) == {"menzen_tsumo", "pinfu"}


@pytest.mark.clause("tenhou4", "TH-019")
def test_a_win_on_the_replacement_tile_of_a_kan_is_rinshan() -> None:
    dealt = "111z234m567p34s77s"
    steps = "0 draw 7z, 0 discard 7z, 1 draw 1z, 1 closed_kan 1111z, 1 new_dora 9p, 1 draw 2s"
    won = logged(steps, "234m567p3477s ankan:1111z + 2s", dealt=dealt)
    won = replace(
        won, dealt=(parse_tiles("147m258p369s2334z"), won.dealt[1], parse_tiles("258m369p147s2335z"), won.dealt[3])
    )
    assert yaku_of(won) == {"menzen_tsumo", "rinshan", "round_wind"}


@pytest.mark.clause("tenhou4", "TH-019")
def test_a_tile_added_to_a_pon_can_be_robbed_and_is_entered_so() -> None:
    steps = (
        "0 draw 7z, 0 discard 7z, 1 draw 6z, 1 discard 6z, 2 draw 9s, 2 discard 9s, 3 pon 999s from 2, 3 discard 3m, "
        "0 draw 7z, 0 discard 7z, 1 draw 7z, 1 discard 7z, 2 draw 7z, 2 discard 7z, 3 draw 9s, 3 added_kan 9s"
    )
    won = logged(steps, f"{WAITING} + 9s", loser=3)
    won = replace(won, dealt=(*won.dealt[:3], parse_tiles("369m147p258s99s55z")))
    assert yaku_of(won) == {"chankan", "pinfu"}
    outcome = outcome_of(won, loader.load("tenhou4"))
    assert isinstance(outcome, Ron)
    assert outcome.wins == (Win(1, Worth(han=2, fu=30, closed=True), robbed=True),)


@pytest.mark.clause("tenhou4", "TH-019")
@pytest.mark.parametrize(("missing", "expected"), [(0, "haitei"), (1, "")])
def test_the_last_tile_of_the_wall_is_haitei_and_the_one_before_it_is_not(missing: int, expected: str) -> None:
    """Each tile drawn is discarded; only the last one completes the hand of the seat that draws it."""
    draws = DRAWN_FROM_WALL[4] - missing
    seat = (draws - 1) % 4
    hands = [parse_tiles(OTHERS[0]), parse_tiles(OTHERS[1]), parse_tiles(OTHERS[2])]
    hands.insert(seat, parse_tiles(WAITING))
    held = [tile for tiles in hands for tile in tiles]
    wall = [kind for kind in range(KINDS) for _ in range(4 - held.count(kind)) if kind not in (23, 26)]
    lines = [f"{turn % 4} {act} {_name(wall[turn])}" for turn in range(draws - 1) for act in ("draw", "discard")]
    won = logged(", ".join([*lines, f"{seat} draw 9s"]), f"{WAITING} + 9s", seat=seat)
    found = yaku_of(replace(won, dealt=tuple(hands)))
    assert found == {"menzen_tsumo", "pinfu", *({expected} if expected else ())}


def _name(kind: int) -> str:
    return f"{kind % 9 + 1}{'mpsz'[kind // 9]}"


@pytest.mark.parametrize(("seed", "players"), [(83, 4), (39, 4), (166, 4), (65, 3), (92, 3)])
def test_the_entries_of_a_whole_log_replay_to_its_scores(seed: int, players: int) -> None:
    played, rules = simulated(seed, players), loader.load(f"tenhou{players}")
    game = replay(entries_of_game(played, rules), rules)
    assert not game.refused
    assert [result.changes() for result in game.kyoku] == [kyoku.deltas for kyoku in played.hands]
    assert game.state.is_over


@pytest.mark.parametrize(("seed", "players"), [(83, 4), (39, 4), (166, 4), (65, 3), (92, 3)])
def test_a_log_under_the_rules_of_its_own_service_has_no_difference(seed: int, players: int) -> None:
    played, rules = simulated(seed, players), loader.load(f"tenhou{players}")
    assert [
        difference for kyoku in following(played) for difference in compare_alone(kyoku[0], rules, following=kyoku[1])
    ] == []


def following(paifu: Paifu) -> list[tuple[PaifuKyoku, PaifuKyoku | None]]:
    return [*zip(paifu.hands, [*paifu.hands[1:], None], strict=True)]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("banchi4", "points_by_honba"),
        ("banchi4", "ends_here"),
        ("boo", "points_by_noten"),
        ("boo", "value"),
        ("boo", "points_by_value"),
        ("boo", "points_by_limit"),
        ("kansai3", "impossible_hand"),
        ("superbingo", "no_round"),
    ],
)
def test_a_log_under_other_rules_names_each_rule_that_differs(name: str, code: str) -> None:
    rules = loader.load(name)
    seeds = (65, 32) if rules.players == 3 else (83, 39, 166)
    found = [
        difference
        for seed in seeds
        for kyoku, after in following(simulated(seed, rules.players))
        for difference in compare_alone(kyoku, rules, following=after)
    ]
    told = [each for each in found if each.code == code]
    assert told
    for language in ("en", "ja"):
        with translation.override(language):
            assert all(difference_text(each, NAMES) for each in told)


def _won(seed: int = 39) -> PaifuKyoku:
    return next(kyoku for kyoku in simulated(seed).hands if kyoku.wins and kyoku.wins[0].han > 1)


def test_another_value_in_the_log_is_told_with_the_yaku_of_each_side() -> None:
    kyoku, rules = _won(), loader.load("tenhou4")
    win = kyoku.wins[0]
    other = replace(win, han=win.han - win.yaku[0].han, yaku=win.yaku[1:])
    (difference,) = compare_alone(replace(kyoku, wins=(other,)), rules, following=kyoku)[:1]
    assert (difference.code, difference.seat) == ("value", win.seat)
    assert (difference.ours, difference.theirs) == (Counted(win.han, win.fu, 0), Counted(other.han, win.fu, 0))
    assert (difference.our_yaku, difference.their_yaku) == ((Line(win.yaku[0].code, win.yaku[0].han),), ())


@pytest.mark.parametrize(("riichi", "code"), [(True, "points_by_sticks"), (False, "points")])
def test_points_that_only_the_log_knows_are_told_beside_ours(riichi: bool, code: str) -> None:
    rules = loader.load("tenhou4")
    kyoku = next(
        kyoku
        for seed in (83, 39, 7, 166)
        for kyoku in simulated(seed).hands
        if len(kyoku.wins) == 1 and not kyoku.honba and bool(kyoku.riichi or kyoku.sticks) == riichi
    )
    paid = tuple(change + (400, -400, 0, 0)[seat] for seat, change in enumerate(kyoku.deltas))
    (difference,) = [each for each in compare_alone(replace(kyoku, deltas=paid), rules) if each.code == code]
    assert (difference.ours, difference.theirs) == (Changes(kyoku.deltas), Changes(paid))
    assert f"{paid[0]:+,}" in str(difference)


@pytest.mark.clause("tenhou4", "TH-017")
def test_a_liable_player_of_the_log_pays_under_our_rules() -> None:
    steps = "0 draw 5z, 0 discard 5z, 3 pon 555z from 0, 3 discard 3m, 0 draw 7z, 0 discard 7z, 1 draw 6z, 1 discard 6z"
    won = logged(f"{steps}, 2 draw 5m, 2 discard 5m", "2345m pon:555z pon:666z pon:777z + 5m", loser=2)
    won = replace(won, wins=(replace(won.wins[0], pao=3),))
    outcome = outcome_of(won, loader.load("tenhou4"))
    assert isinstance(outcome, Ron)
    assert outcome.wins == (Win(1, Worth(yakuman=1, closed=False), LiablePlayer(3, yakuman=1)),)
    assert "points_by_liability" in [each.code for each in compare_alone(won, loader.load("tenhou4"))]
    # Five equal tiles are no hand of ours, so the yakuman is the log's own.
    impossible = replace(won, dora=parse_tiles("77777z"), wins=(replace(won.wins[0], yakuman=1),))
    assert outcome_of(impossible, loader.load("tenhou4")) == outcome
    told = compare_alone(impossible, loader.load("tenhou4"))[0]
    assert (told.code, str(told.theirs)) == ("impossible_hand", "1 yakuman")
    assert "7z" in str(told)


@pytest.mark.clause("tenhou4", "TH-014")
def test_two_winners_on_a_discard_are_entered_as_two_calls() -> None:
    kyoku = next(kyoku for kyoku in simulated(166).hands if len(kyoku.wins) == 2)
    outcome = outcome_of(kyoku, loader.load("tenhou4"))
    assert isinstance(outcome, RonCalls)
    assert [win.seat for win in outcome.calls] == [win.seat for win in kyoku.wins]
    assert "points_by_winners" in [each.code for each in compare_alone(kyoku, loader.load(HEAD_BUMP))]


@pytest.mark.parametrize(
    ("draw", "name", "expected"),
    [
        (PaifuDraw("four_kans"), "tenhou4", AbortiveDraw(kind=AbortiveKind.FOUR_KANS)),
        (PaifuDraw("four_kans"), "boo", AbortiveDraw(kind=AbortiveKind.FOUR_KANS_BY_ANYONE)),
        (PaifuDraw("exhaustive", (1,), (2,)), "tenhou4", Nagashi(seats=(2,), tenpai=(1,))),
        (PaifuDraw("exhaustive", (1, 3)), "tenhou4", Draw(tenpai=(1, 3))),
    ],
)
def test_a_draw_is_entered_under_the_name_that_the_rules_have_for_it(
    draw: PaifuDraw, name: str, expected: object
) -> None:
    kyoku = replace(logged("0 draw 7z", f"{WAITING} + 6s"), wins=(), draw=draw)
    assert outcome_of(kyoku, loader.load(name)) == expected
    assert (
        "points_by_nagashi" in [each.code for each in compare_alone(kyoku, loader.load("tenhou4"))] or not draw.nagashi
    )


def test_a_limit_that_a_yaku_gives_outright_is_entered_as_the_limit() -> None:
    flush = logged("0 draw 9m, 0 discard 9m", "1122334567899m + 9m", loser=0, dealt="1122334567899m")
    outcome = outcome_of(flush, loader.load("boo"))
    assert isinstance(outcome, Ron)
    assert outcome.wins[0].value == Worth(limit=LimitName.MANGAN, closed=True)


def test_a_win_without_a_value_in_the_log_is_compared_by_its_points_alone() -> None:
    kyoku = _won()
    bare = replace(kyoku, wins=tuple(replace(win, han=0, fu=0, yaku=()) for win in kyoku.wins))
    assert not {each.code for each in compare_alone(bare, loader.load("tenhou4"))} - {"goes_on"}


def test_a_log_that_ends_early_leaves_the_game_open() -> None:
    rules, played = loader.load("tenhou4"), simulated(83)
    game = replay(entries_of_game(replace(played, hands=played.hands[:2]), rules), rules)
    assert not game.state.is_over
    assert game.state.scores == played.hands[2].scores


def test_a_win_that_neither_our_rules_nor_the_log_give_a_value_is_entered_by_its_scores() -> None:
    kyoku = next(kyoku for kyoku in simulated(65, 3).hands if kyoku.wins and kyoku.wins[0].hand.nuki)
    bare = replace(kyoku, wins=(replace(kyoku.wins[0], han=0, fu=0, yakuman=0, yaku=()),))
    entries = entries_of(bare, loader.load("kansai3"))
    assert entries[-1] == ScoresOnly(scores=kyoku.after, winners=(kyoku.wins[0].seat,))


def test_a_win_that_our_rules_do_not_see_is_told_with_the_reason_and_the_value_in_the_log() -> None:
    steps = "0 draw 5z, 0 discard 5z, 3 pon 555z from 0, 3 discard 3m, 0 draw 7z, 0 discard 9s"
    won = logged(steps, "11234m567p78s pon:333z + 9s", loser=0)
    won = replace(won, wins=(replace(won.wins[0], han=1, fu=30, yaku=(PaifuYaku("役", 1, 0, "chanta"),)),))
    difference = compare_alone(won, loader.load("tenhou4"))[0]
    assert (difference.code, difference.theirs, difference.their_yaku) == (
        "no_win",
        Counted(1, 30, 0),
        (Line("chanta", 1),),
    )
    assert str(difference).startswith("Under these rules this is no win: The hand has no yaku")
    assert str(difference).endswith("The log counts 1 han 30 fu.")
    with translation.override("ja"):
        assert difference_text(difference, NAMES).startswith("Baba: このルールではアガリになりません")


def test_differences_read_in_both_languages() -> None:
    difference = Difference("next_hand", Position(RoundName.EAST, 2, 1), Position(RoundName.SOUTH, 1, 0))
    assert str(difference) == "Under these rules E2-1 follows; in the log it was S1-0."
    with translation.override("ja"):
        assert difference_text(difference, NAMES) == "このルールでは次は東2局 1本場ですが、牌譜では南1局 0本場です。"
    with translation.override("en"):
        assert difference_text(replace(difference, seat=1), NAMES).startswith("Baba: Under these rules East 2")


def test_every_simulated_game_passes_the_checks_of_a_log() -> None:
    check_paifu(simulated(83))
    check_paifu(simulated(65, 3))
