"""Test the call-out of a win: points, honba, limits, and a house's own words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from league.wording.live.call_out import call_of_win
from rulesets import loader
from scoring.kyoku.outcomes import LiableFor, LiablePlayer, Points, Win
from scoring.kyoku.payments import RuledState, table_of
from scoring.kyoku.state import opening
from scoring.ruleset.value import LimitName
from scoring.value import Worth

DEALER, OTHER, LOSER = 0, 1, 2


def table(ruleset: str = "tenhou4", honba: int = 0, **options: object) -> RuledState:
    """Return the opening table with this number of honba."""
    rules = loader.load(ruleset).with_options(options)
    return table_of(replace(opening(rules), honba=honba), rules)


def both(win: Win, loser: int | None, at: RuledState, *, is_head: bool = True) -> tuple[str, str]:
    """Return the Japanese and the English call-out."""
    japanese, english = (call_of_win(win, loser, at, is_head=is_head, language=language) for language in ("ja", "en"))
    return japanese, english


@pytest.mark.parametrize(
    ("seat", "loser", "honba", "said"),
    [
        (OTHER, LOSER, 0, ("5,200", "5,200")),
        (OTHER, LOSER, 1, ("5,200の一本場は5,500", "5,200, with 1 honba 5,500")),
        (DEALER, LOSER, 2, ("7,700の二本場は8,300", "7,700, with 2 honba 8,300")),
        (OTHER, None, 0, ("1,300・2,600", "1,300 / 2,600")),
        (OTHER, None, 1, ("1,300・2,600の一本場は1,400・2,700", "1,300 / 2,600, with 1 honba 1,400 / 2,700")),
        (DEALER, None, 0, ("2,600オール", "2,600 all")),
        (DEALER, None, 12, ("2,600オールの12本場は3,800オール", "2,600 all, with 12 honba 3,800 all")),
    ],
)
def test_a_value_is_called_with_its_honba(seat: int, loser: int | None, honba: int, said: tuple[str, str]) -> None:
    assert both(Win(seat, Worth(han=3, fu=40)), loser, table(honba=honba)) == said


def test_a_limit_is_called_before_its_points() -> None:
    assert both(Win(OTHER, Worth(han=5, fu=30)), LOSER, table()) == ("満貫 8,000", "mangan 8,000")
    assert both(Win(OTHER, Worth(limit=LimitName.HANEMAN)), None, table(honba=1)) == (
        "跳満 3,000・6,000の一本場は3,100・6,100",
        "haneman 3,000 / 6,000, with 1 honba 3,100 / 6,100",
    )


def test_only_the_head_winner_calls_the_honba() -> None:
    win = Win(OTHER, Worth(han=3, fu=40))
    assert both(win, LOSER, table(honba=3), is_head=False) == ("5,200", "5,200")


def test_points_entered_by_hand_are_called_unchanged() -> None:
    assert both(Win(OTHER, Points(ron=3900)), LOSER, table(honba=1))[0] == "3,900の一本場は4,200"
    assert both(Win(OTHER, Points(from_dealer=2000, from_other=1000)), None, table())[0] == "1,000・2,000"


def test_a_win_paid_by_the_player_liable_for_an_open_kan_is_called_like_a_ron_if_the_rules_say_so() -> None:
    at = table("boo")
    assert at.play.pao is not None
    win = Win(OTHER, Worth(han=2, fu=40), LiablePlayer(LOSER, LiableFor.OPEN_KAN))
    assert ("オール" in both(win, None, at)[0], "・" in both(win, None, at)[0]) == (
        False,
        not at.play.pao.open_kan_as_ron,
    )


@pytest.mark.clause("boo", "BOO-124")
@pytest.mark.parametrize(
    ("han", "word"),
    [(1, "イチロク（160）"), (2, "ザンニイ（320）"), (3, "ロクヨン（640）"), (4, "イチニッパア（1,280）")],
)
def test_twenty_fu_of_a_non_dealer_have_their_own_words(han: int, word: str) -> None:
    assert both(Win(OTHER, Worth(han=han, fu=20)), LOSER, table("boo"))[0] == word


@pytest.mark.clause("boo", "BOO-125")
@pytest.mark.parametrize(
    ("han", "word"), [(1, "ニイヨン（240）"), (2, "ヨンパア（480）"), (3, "クンロク（960）"), (4, "イチクニ（1,920）")]
)
def test_thirty_fu_of_a_non_dealer_have_their_own_words(han: int, word: str) -> None:
    assert both(Win(OTHER, Worth(han=han, fu=30)), LOSER, table("boo"))[0] == word


@pytest.mark.clause("boo", "BOO-126")
@pytest.mark.parametrize(
    ("han", "word"),
    [(1, "ザブロク（360）"), (2, "ナナニイ（720）"), (3, "イッチョンチョン（1,440）"), (4, "ニッパラパー（2,880）")],
)
def test_thirty_fu_of_the_dealer_have_their_own_words(han: int, word: str) -> None:
    assert both(Win(DEALER, Worth(han=han, fu=30)), LOSER, table("boo"))[0] == word


@pytest.mark.clause("boo", "BOO-127")
@pytest.mark.clause("boo", "BOO-129")
def test_a_self_drawn_bare_riichi_is_called_as_hand_and_sum() -> None:
    assert both(Win(OTHER, Worth(han=2, fu=30, closed=True)), None, table("boo")) == (
        "イチニイ（120）・ニイヨン（240）はニイニ（220）・サンシ（340）",
        "ichi-nii (120) / nii-yon (240) makes nii-ni (220) / san-shi (340)",
    )


@pytest.mark.clause("boo", "BOO-128")
def test_a_closed_hand_without_yaku_has_its_own_words() -> None:
    bare = Worth(han=0, fu=40, closed=True)
    assert both(Win(OTHER, bare), LOSER, table("boo"))[0] == "イチロク（160）はシロク（460）"
    assert both(Win(DEALER, bare), LOSER, table("boo"))[0] == "ニイヨン（240）はゴヨウ（540）"


def test_a_win_that_collects_no_honba_does_not_call_them() -> None:
    at = table("boo", honba=2, honba_for_zero_han=False)
    assert "本場" not in both(Win(OTHER, Worth(han=0, fu=30)), LOSER, at)[0]
    assert "二本場" in both(Win(OTHER, Worth(han=1, fu=30)), LOSER, at)[0]


def test_a_yakuman_that_ends_the_game_is_called_without_points() -> None:
    at = table("boo", yakuman="instant_a_top")
    assert both(Win(OTHER, Worth(yakuman=1)), LOSER, at) == ("役満", "yakuman")
