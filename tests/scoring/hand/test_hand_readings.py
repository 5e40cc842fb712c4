"""Readings of a hand, and the choice of its yaku."""

import json

import pytest

from rulesets import loader
from scoring.hand import (
    By,
    Form,
    HandValue,
    MeldKind,
    NoHandsError,
    Notice,
    NoWinReason,
    parse_tiles,
    parts_of,
    tiles_text,
    wall_of,
)
from scoring.hand.shapes import Wait
from scoring.ruleset import Ruleset
from tests.scoring.hand.hands import book, no_win, value, yaku


def test_a_value_includes_its_reading() -> None:
    found = value(book("cinderella"), "22334m55s", "4m", "tsumo", melds=("chi:678p", "pon:666z"))
    reading = found.reading
    assert (reading.form, reading.wait) == (Form.SETS, Wait.TWO_SIDED)
    assert reading.sequences == (1, 1, 14)
    assert found.situation.by is By.TSUMO
    assert (reading.concealed_triplets, reading.pair) == ((), 22)


def test_concealed_triplets_are_those_in_the_hand() -> None:
    found = value(book("cinderella"), "222m333p4445s", "5s", melds=("pon:777z",))
    assert found.reading.concealed_triplets == (1, 11, 21)


@pytest.mark.clause("tenhou4", "TH-016")
def test_a_house_may_exclude_open_tanyao() -> None:
    hand = ("234m678s55s67m", "8m")
    assert yaku(value(book("tenhou4"), *hand, melds=("pon:444p",))) == {"tanyao": 1}
    assert no_win(book("tenhou4", open_tanyao="never"), *hand, melds=("pon:444p",)).reason is NoWinReason.NO_YAKU


@pytest.mark.clause("kansai3", "KS-208")
def test_the_first_call_may_be_a_kan_of_three() -> None:
    found = value(book("kansai3"), "67p22s", "8p", melds=("minkan:9999s", "ankan:1111p", "ankan:4444p"))
    assert yaku(found) == {"sankantsu": 2}
    assert found.notices == ()


@pytest.mark.clause("kansai3", "KS-208")
def test_a_straight_completed_by_the_winning_tile_does_not_count_for_the_first_call() -> None:
    completed = no_win(book("kansai3"), "12345679p33z", "8p", melds=("pon:222s",))
    assert completed.reason is NoWinReason.KANSAKI_FIRST_CALL
    there = value(book("kansai3"), "123456789p3z", "3z", melds=("pon:222s",))
    assert (yaku(there), there.notices) == ({"ittsu": 1}, (Notice.KANSAKI_CONCEALED,))


@pytest.mark.clause("kansai3", "KS-208")
def test_the_first_call_may_be_one_of_the_same_triplets_in_three_suits() -> None:
    found = value(book("kansai3"), "111p111s678p9s", "9s", melds=("pon:111m",))
    assert yaku(found) == {"sanshoku_doukou": 2}


@pytest.mark.clause("kansai3", "KS-208")
def test_a_triplet_completed_by_the_winning_tile_does_not_count_for_the_first_call() -> None:
    refused = no_win(book("kansai3"), "222888p4467s", "5s", melds=("pon:999p",))
    assert refused.reason is NoWinReason.NO_YAKU
    found = value(book("kansai3"), "222888p44s66z", "6z", "tsumo", melds=("pon:999p",))
    assert yaku(found) == {"hatsu": 1, "sanankou": 2, "toitoi": 2}


@pytest.mark.clause("kansai3", "KS-065")
def test_a_half_flush_in_manzu_has_a_limit() -> None:
    found = value(book("kansai3"), "999m1144z", "1z", melds=("pon:111m", "pon:222z"))
    assert found.limit is not None


@pytest.mark.clause("boo", "BOO-061")
def test_of_pairs_and_sets_the_more_valuable_reading_counts() -> None:
    found = value(book("cinderella"), "223344m667788p5s", "5s")
    assert found.reading.form is Form.SETS
    pairs = value(book("cinderella"), "2244m5577p3388s6s", "6s")
    assert (pairs.reading.form, pairs.reading.sequences) == (Form.PAIRS, ())


@pytest.mark.clause("boo", "BOO-101")
def test_a_yakuman_may_end_the_game_instead_of_being_paid() -> None:
    found = value(book("boo", yakuman="instant_a_top"), "22m45s777z", "3s", melds=("pon:555z", "pon:666z"), deposits=0)
    assert found.instant_top
    assert (found.payments, found.total) == ((), 0)


@pytest.mark.clause("kansai3", "KS-208")
def test_a_condition_that_tiles_cannot_prove_gives_a_notice() -> None:
    for wait in (("234p2267s555z", "8s"), ("123p4488s666z", "4s")):
        found = value(book("kansai3"), *wait, melds=("pon:999m",))
        assert found.notices == (Notice.KANSAKI_CONCEALED,)


@pytest.mark.clause("kansai3", "KS-208")
def test_a_wait_counts_even_if_no_unmarked_tile_of_it_is_left() -> None:
    data = book("kansai3").data()
    data["play"]["tiles"]["red"] = {"p": 1}
    reddened = Ruleset.model_validate_json(json.dumps(data))
    found = value(reddened, "555p34p123s22z", "2p", melds=("pon:777z",))
    assert "chun" in yaku(found)


@pytest.mark.clause("boo", "BOO-056", "BOO-061")
def test_in_boo_tsuuiisou_needs_four_sets_and_a_pair() -> None:
    rules = book("boo", new_yaku=["chiitoitsu"])
    pairs = value(rules, "1122334455667z", "7z")
    assert yaku(pairs) == {"chiitoitsu": 1}
    assert (pairs.fu, pairs.yakuman) == (50, 0)
    assert yaku(value(rules, "1112223334445z", "5z")) == {"tsuuiisou": 1, "suuankou": 1, "suushiihou": 1}


@pytest.mark.clause("boo", "BOO-056", "BOO-050")
def test_in_boo_dealt_seven_pairs_of_honours_are_tenhou() -> None:
    dealt = value(book("boo", new_yaku=["chiitoitsu"]), "1122334455667z", "7z", "tsumo", "E", first_turn=True)
    assert yaku(dealt) == {"tenhou": 1}


def test_in_other_rulesets_seven_pairs_of_honours_are_tsuuiisou() -> None:
    assert yaku(value(book("tenhou4"), "1122334455667z", "7z")) == {"tsuuiisou": 1}


def laid(found: HandValue) -> list[str]:
    """Return the parts of the reading in notation; "!" marks the completed one."""
    return [f"{tiles_text(part.kinds)}{'!' * part.completed}{part.how or ''}" for part in parts_of(found.reading)]


@pytest.mark.parametrize(
    ("concealed", "win", "melds", "parts"),
    [
        ("22334m55s", "4m", ("chi:678p", "pon:666z"), ["234m!", "234m", "55s", "678pchi", "666zpon"]),
        ("12m456p789s33355z", "3m", (), ["123m!", "456p", "789s", "333z", "55z"]),
        ("13m456p789s33355z", "2m", (), ["123m!", "456p", "789s", "333z", "55z"]),
        ("123m456p789s3355z", "3z", (), ["123m", "456p", "789s", "333z!", "55z"]),
        ("123m456p789s3335z", "5z", (), ["123m", "456p", "789s", "333z", "55z!"]),
        (
            "23m22255z",
            "1m",
            ("ankan:2222s", "kakan:6666p"),
            ["123m!", "222z", "55z", "2222sankan", "6666pkakan"],
        ),
        ("1199m2255p3366s7z", "7z", (), ["11m", "99m", "22p", "55p", "33s", "66s", "77z!"]),
        ("19m19p19s1234567z", "1m", (), ["119m19p19s1234567z!"]),
    ],
)
def test_a_reading_is_split_into_sets_with_the_completed_one_marked(
    concealed: str, win: str, melds: tuple[str, ...], parts: list[str]
) -> None:
    assert laid(value(book("cinderella"), concealed, win, "tsumo", melds=melds)) == parts


def test_called_sets_keep_their_kind_of_call() -> None:
    found = parts_of(value(book("cinderella"), "22334m55s", "4m", "tsumo", melds=("chi:678p", "pon:666z")).reading)
    assert [part.how for part in found[-2:]] == [MeldKind.CHI, MeldKind.PON]


def test_the_wall_counts_plain_and_marked_tiles_separately() -> None:
    wall = wall_of(book("banchi3"))
    assert sum(wall.values()) == 108
    names = {name: wall.get(parse_tiles(name)[0], 0) for name in ("1m", "2m", "5p", "0p", "gp", "5z", "wz", "7p")}
    assert names == {"1m": 4, "2m": 0, "5p": 0, "0p": 3, "gp": 1, "5z": 3, "wz": 1, "7p": 4}
    with pytest.raises(NoHandsError):
        wall_of(loader.load("mleague"))


def test_a_house_may_let_a_bonus_tile_indicator_double_those_set_aside() -> None:
    data = loader.load("superbingo").data()
    hand = {"melds": ("nuki:1b2b",), "riichi": "riichi", "dora_indicators": "1b", "ura_indicators": "1z"}
    plain = value(book("superbingo"), "678p234s123p99s67s", "8s", **hand)
    data["play"]["dora"]["turning"]["bonus_tile_doubles"] = True
    doubled = value(Ruleset.model_validate(data, strict=False), "678p234s123p99s67s", "8s", **hand)
    assert (plain.han, doubled.han) == (4, 6)
