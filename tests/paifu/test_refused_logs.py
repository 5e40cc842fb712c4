"""Logs that cannot be read, or cannot have been played, are refused by name, with the kyoku and the value."""

import gzip
import json
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from league.files.paifu import read_paifu
from league.files.paifu.reading import MOST_BYTES
from league.files.paifu.xml_tags import MOST_TAGS
from scoring.paifu import PaifuError
from tests.paifu.mahjongsoul import write_mahjongsoul
from tests.paifu.mjlog import write_mjlog
from tests.paifu.simulated import simulated
from tests.paifu.tenhou_json import write_tenhou_json

MJLOG = write_mjlog(simulated(7))
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
SLOWEST = 1.0
BROKEN_OFF = 83
"""A game with an abortive draw."""


def refused(content: bytes | str) -> PaifuError:
    """Return the refusal of a log, which must come within a second of processor time."""
    begun = process_time()
    with pytest.raises(PaifuError) as raised:
        read_paifu(content)
    assert process_time() - begun < SLOWEST
    return raised.value


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"PK\x03\x04 a workbook", "unknown_format"),
        ("東1局 0本場".encode("cp932"), "unknown_format"),
        (b"\xff\xfe\xff\xdf<\x00", "broken_text"),
        (b"\x1f\x8b", "broken_gzip"),
        (gzip.compress(MJLOG.encode())[:-9], "broken_gzip"),
        (gzip.compress(MJLOG.encode()) + b"more", "broken_gzip"),
        (gzip.compress(b"<" * (MOST_BYTES + 1)), "too_large"),
        (gzip.compress(bytes(10 * MOST_BYTES), 1), "too_large"),
        (b"<" * (MOST_BYTES + 1), "too_large"),
        (f'<!DOCTYPE m [<!ENTITY l0 "ha">{LAUGHS}]><mjloggm>&l8;</mjloggm>', "broken_xml"),
        ('<!DOCTYPE m SYSTEM "file:///etc/passwd"><mjloggm/>', "broken_xml"),
        ("<mjloggm>&nbsp;</mjloggm>", "broken_xml"),
        (MJLOG[:-20], "broken_xml"),
        ("<a>" * 100_000, "too_many"),
        ("<mjloggm><T1/></mjloggm>", "no_hands"),
        ("<mjloggm>" + "<X/>" * (MOST_TAGS + 1), "too_many"),
        ("<mjloggm/>", "no_hands"),
        ("[" * 100_000, "too_deep"),
        ('{"head":' * 100_000, "too_deep"),
        ("[" + "0," * 700_000 + "0]", "too_many"),
        ('{"log": ', "broken_json"),
        ('{"log": ' + "9" * 5000 + "}", "broken_json"),
        ("[]", "unknown_format"),
        ('{"rows": []}', "unknown_format"),
        ('{"log": [], "name": ["A", "B", "C", "D"]}', "no_hands"),
        ('{"log": {}, "name": ["A", "B", "C", "D"]}', "not_list"),
        ('{"log": [[[0, 0, 0]]], "name": ["A", "B", "C", "D"]}', "unfinished"),
        ('{"log": [[]], "name": ["A", "\\u0000", "C", "D"]}', "not_text"),
        ('{"log": [[]], "name": ["A", "\\ud800", "C", "D"]}', "not_text"),
        ('{"head": {}, "data": []}', "no_hands"),
        ('{"head": {"accounts": 7}, "data": []}', "not_list"),
        ('{"head": {"result": []}, "data": []}', "not_object"),
    ],
)
def test_content_that_is_no_log_is_refused_within_a_second(content: bytes | str, code: str) -> None:
    assert refused(content).code == code


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('ten="250,250,250,250"', 'ten="260,260,260,260"', "points_lost"),
        ('ten="250,250,250,250"', 'ten="240,260,250,250"', "unequal_start"),
        ('ten="250,250,250,250"', 'ten="250,250,250"', "seats"),
        ('seed="0,0,0,', 'seed="0,1,0,', "not_from_start"),
        ('seed="0,0,0,', 'seed="0,0,1,', "not_from_start"),
        ('seed="0,0,0,', 'seed="3,0,0,', "dealer"),
        ('seed="0,0,0,', 'seed="99,0,0,', "not_whole"),
        ('seed="0,0,0,', 'seed="zero,0,0,', "not_whole"),
        ('<TAIKYOKU oya="0"/>', '<TAIKYOKU oya="1"/>', "dealer"),
        ("owari=", "overi=", "missing"),
        (' sc="', ' cs="', "missing"),
        ("n1=", "m1=", "nameless"),
        ("n1=", 'n1="%FF" m1=', "not_text"),
        ("hai2=", 'hai2="1,2,3" hia2=', "hand_size"),
        ('hai2="', 'hai2="136,', "not_whole"),
    ],
)
def test_an_mjlog_with_one_wrong_value_is_refused_by_the_name_of_the_fault(old: str, new: str, code: str) -> None:
    assert old in MJLOG
    assert refused(MJLOG.replace(old, new, 1)).code == code


@pytest.mark.parametrize(
    ("tags", "code"),
    [
        ("<T1/>", "after_end"),
        ('<RYUUKYOKU sc="0,0,0,0,0,0,0,0"/>', "result"),
        ('<REACH who="0" step="2"/>', "riichi_twice"),
        ('<N who="1" m="51785"/>', "after_end"),
        ('<N who="9" m="51785"/>', "not_whole"),
        ('<N who="1" m="70000"/>', "not_whole"),
        ('<N who="1" m="53768"/>', "not_whole"),
        ('<REACH who="0"/>', "missing"),
    ],
)
def test_tags_after_the_end_of_a_hand_are_refused(tags: str, code: str) -> None:
    start, first, *others = MJLOG.split("<INIT")
    assert refused("<INIT".join([start, first + tags, *others])).code == code


def test_a_draw_of_another_kind_and_a_win_after_it_are_refused() -> None:
    start, *hands = write_mjlog(simulated(83)).split("<INIT")
    place = next(place for place, hand in enumerate(hands) if "<RYUUKYOKU ba" in hand)
    hands[place] = hands[place].replace("<RYUUKYOKU ba", '<RYUUKYOKU type="later" ba')
    error = refused("<INIT".join([start, *hands]))
    assert (error.code, error.kyoku) == ("result", simulated(83).hands[place].position)


def test_an_id_with_an_impossible_hour_keeps_the_id_alone() -> None:
    read = read_paifu(MJLOG, "2026134599gm-00a9-0000-0123abcd.mjlog")
    assert (read.game, read.played_at) == ("2026134599gm-00a9-0000-0123abcd", None)


def test_pasted_text_beyond_the_bound_is_refused() -> None:
    assert refused("<" * (MOST_BYTES + 1)).code == "too_large"


def test_a_missing_hand_a_repeated_one_and_hands_in_another_order_are_refused() -> None:
    start, *hands = MJLOG.split("<INIT")
    without = refused("<INIT".join([start, hands[0], hands[-1]]))
    assert (without.code, without.kyoku) == ("hands_out_of_order", simulated(7).hands[-1].position)
    assert "cannot follow E1-0" in str(without)
    repeated = refused("<INIT".join([start, hands[0], hands[0], *hands[1:]]))
    assert (repeated.code, str(repeated.kyoku)) == ("hands_out_of_order", "E1-0")
    assert refused("<INIT".join([start, hands[1], hands[0], *hands[2:]])).code == "not_from_start"


def _change(path: tuple[Any, ...], value: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        *way, last = path
        for part in way:
            data = data[part]
        data[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (_change(("name",), ["A", "B"]), "players"),
        (_change(("name", 2), ""), "nameless"),
        (_change(("log", 0, 1), [25000, 25000, 25000]), "seats"),
        (_change(("log", 0, 1, 0), 25000.5), "not_whole"),
        (_change(("log", 0, 1, 0), True), "not_whole"),
        (_change(("log", 0, 2), []), "missing"),
        (_change(("log", 0, 2, 0), 48), "not_tile"),
        (_change(("log", 0, 4, 0), 99), "not_tile"),
        (_change(("log", 0, 6, 0), 28), "not_in_hand"),
        (_change(("log", 0, 6, 0), "p2828"), "no_order"),
        (_change(("log", 0, 6, 0), "rr"), "not_tile"),
        (_change(("log", 0, 6), []), "no_order"),
        (_change(("log", 0, -1), ["チョンボ"]), "result"),
        (_change(("log", 0, -1), ["和了"]), "unfinished"),
        (_change(("log", 0, -1), ["流局", [1500, 1500, -1500, 0]]), "points_lost"),
        (_change(("log", 1, 1), [25000, 25000, 25000, 25000]), "scores_do_not_follow"),
        (_change(("sc", 0), 90000), "final_scores"),
        (_change(("sc", 1), 1.25), "not_points"),
    ],
)
def test_json_of_tenhou_net_with_one_wrong_value_is_refused_by_the_name_of_the_fault(
    change: Callable[[Any], None], code: str
) -> None:
    data = write_tenhou_json(simulated(7))
    change(data)
    assert refused(json.dumps(data)).code == code


def test_a_nagashi_mangan_without_a_seat_that_has_one_is_refused() -> None:
    played = simulated(83)
    drawn = next(place for place, kyoku in enumerate(played.hands) if kyoku.draw and kyoku.draw.kind == "exhaustive")
    data = write_tenhou_json(played)
    data["log"][drawn][-1] = ["流し満貫", [8000, -4000, -2000, -2000]]
    error = refused(json.dumps(data))
    assert (error.code, error.kyoku) == ("no_nagashi", played.hands[drawn].position)


def _first(name: str, key: str, value: object) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        actions = (each["result"] for each in data["data"]["data"]["actions"])
        next(each for each in actions if each["name"] == f".lq.Record{name}")["data"][key] = value

    return change


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (_first("NewRound", "scores", [25000, 25000]), "players"),
        (_first("NewRound", "tiles1", ["1m"]), "hand_size"),
        (_first("NewRound", "tiles1", ["9z"] * 13), "not_tile"),
        (_first("NewRound", "ju", 5), "not_whole"),
        (_first("NewRound", "doras", []), "not_tile"),
        (_first("DealTile", "seat", 3), "not_the_turn"),
        (_first("DealTile", "tile", None), "not_tile"),
        (_first("DealTile", "liqi", {"seat": 1}), "riichi_twice"),
        (_first("DiscardTile", "tile", "0z"), "not_tile"),
        (_first("Hule", "delta_scores", [1, 2]), "seats"),
        (_first("Hule", "delta_scores", [8000, 0, 0, 0]), "points_lost"),
        (_first("Hule", "hules", [7]), "not_object"),
        (_first("LiuJu", "type", 9), "result"),
        (_change(("head", "accounts", 0, "seat"), 8), "not_whole"),
        (_change(("head", "accounts", 0, "nickname"), 8), "not_text"),
        (_change(("head", "result", "players", 0, "seat"), 1), "seats"),
        (_change(("head", "result", "players", 0, "total_point"), 12345), "not_points"),
        (_change(("head", "result", "players", 0, "part_point_1"), 1), "final_scores"),
        (_change(("data", "data", "actions"), [{"result": 3}]), "no_hands"),
    ],
)
def test_a_record_of_mahjong_soul_with_one_wrong_value_is_refused_by_the_name_of_the_fault(
    change: Callable[[Any], None], code: str
) -> None:
    data = write_mahjongsoul(simulated(BROKEN_OFF))
    change(data)
    assert refused(json.dumps(data)).code == code


def test_a_winner_with_tiles_that_were_never_drawn_is_refused_with_both_hands() -> None:
    data = write_mahjongsoul(simulated(7))
    actions = [each["result"] for each in data["data"]["data"]["actions"]]
    hule = next(each for each in actions if each["name"] == ".lq.RecordHule")["data"]["hules"][0]
    hule["hand"] = ["1m"] * len(hule["hand"])
    error = refused(json.dumps(data))
    assert error.code == "winners_hand"
    assert error.kyoku is not None
    assert "1111" in str(error.params["found"])


def test_unknown_keys_tags_and_actions_are_skipped() -> None:
    played = simulated(7)
    tagged = write_mjlog(played).replace("<GO ", '<NEW a="1"/><GO later="2" ')
    assert read_paifu(tagged) == read_paifu(write_mjlog(played))
    data = write_tenhou_json(played)
    assert read_paifu(json.dumps(data | {"later": [[]]})) == read_paifu(json.dumps(data))
    record = write_mahjongsoul(played)
    more = json.loads(json.dumps(record))
    more["head"]["later"] = {"a": [1]}
    more["data"]["data"]["actions"].insert(3, {"passed": 1, "type": 2, "user_input": {"seat": 1}})
    more["data"]["data"]["actions"].insert(4, {"result": {"name": ".lq.RecordLater", "data": {}}})
    assert read_paifu(json.dumps(more)) == read_paifu(json.dumps(record))
