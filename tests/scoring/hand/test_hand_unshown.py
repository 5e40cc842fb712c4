"""A self-draw whose winning tile was put among the others before it was shown, as in WR-029 of the world rules."""

import pytest

from scoring.hand.possible import Circumstances, possible_values
from scoring.hand.records import FuReason
from scoring.value import By
from tests.scoring.hand.hands import book, paid, value, yaku
from tests.scoring.kyoku_tables import TENHOU4, trial

RULES = trial(TENHOU4, ("play.win.unshown", "without_wait"))
PINFU = ("23m678p11s456s789m", "1m")


def test_a_hand_without_fu_is_worth_one_han_and_twenty_fu_as_in_wr_029() -> None:
    found = value(RULES, *PINFU, "tsumo", unshown=True)
    assert (yaku(found), found.han, found.fu) == ({"menzen_tsumo": 1}, 1, 20)
    assert paid(found) == {"E": 400, "W": 200, "N": 200}
    assert paid(value(RULES, *PINFU, "tsumo", "E", unshown=True)) == {"S": 400, "W": 400, "N": 400}


@pytest.mark.parametrize(("tiles", "win"), [("13m678p11s456s789m", "2m"), ("234m678p1s456s789m", "1s")])
def test_neither_the_wait_nor_the_draw_brings_fu(tiles: str, win: str) -> None:
    shown, found = value(RULES, tiles, win, "tsumo"), value(RULES, tiles, win, "tsumo", unshown=True)
    assert {FuReason.WAIT, FuReason.TSUMO} <= {line.reason for line in shown.fu_lines}
    assert [line.reason for line in found.fu_lines] == [FuReason.BASE]
    assert (shown.fu, found.fu) == (30, 20)


def test_sets_and_pairs_keep_their_fu() -> None:
    found = value(RULES, "23m678p11s456s777z", "1m", "tsumo", unshown=True)
    assert (found.fu, [line.fu for line in found.fu_lines]) == (30, [20, 8, 2])


def test_a_tile_that_was_shown_and_other_books_are_not_affected() -> None:
    for found in (
        value(RULES, *PINFU, "tsumo"),
        value(TENHOU4, *PINFU, "tsumo", unshown=True),
        value(book("banchi4"), *PINFU, "tsumo", unshown=True),
    ):
        assert (yaku(found), found.fu) == ({"pinfu": 1, "menzen_tsumo": 1}, 20)


def test_the_score_sheet_takes_the_values_that_such_hands_have() -> None:
    least = possible_values(RULES, Circumstances(By.TSUMO))
    assert {closed: least[20, closed].han for closed in (True, False)} == {True: 1, False: 1}
    assert (20, False) not in possible_values(TENHOU4, Circumstances(By.TSUMO))
