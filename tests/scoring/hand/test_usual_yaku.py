"""The usual yaku of the competition books: the same hands are worth the same in each of them."""

import json
from typing import Any

import pytest

from rulesets import loader
from rulesets.example_kinds import KINDS, Context
from rulesets.example_kinds.hand import HandExample
from rulesets.example_kinds.shape import Absent

BOOKS = (
    "ema2016",
    "ema2025",
    "wrc",
    "jpmla",
    "jpmlb",
    "saikouisen",
    "rmu",
    "mahjongsoul4",
    "mahjongsoul3",
    "ariari",
    "mleague_full",
)
DOUBLES = {"mahjongsoul3", "mahjongsoul4"}
"""Books in which some yakuman count twice."""

PON = {"melds": ["pon:555z"], "concealed": "234p567s99s34s", "win": "5s"}
HANDS: tuple[tuple[dict[str, int], dict[str, Any]], ...] = (
    ({"riichi": 1, "pinfu": 1}, {"concealed": "234p567p345s78s99p", "win": "9s", "riichi": "riichi"}),
    ({"double_riichi": 2, "pinfu": 1}, {"concealed": "234p567p345s78s99p", "win": "9s", "riichi": "double"}),
    ({"menzen_tsumo": 1, "pinfu": 1}, {"concealed": "234p567p345s78s11p", "win": "9s", "by": "tsumo"}),
    ({"iipeikou": 1, "pinfu": 1}, {"concealed": "223344p567s99p78s", "win": "9s"}),
    ({"ryanpeikou": 3}, {"concealed": "223344p667788s1z", "win": "1z"}),
    ({"haku": 1}, PON),
    ({"hatsu": 1}, {**PON, "melds": ["pon:666z"]}),
    ({"chun": 1}, {**PON, "melds": ["pon:777z"]}),
    ({"seat_wind": 1}, {**PON, "melds": ["pon:222z"]}),
    ({"round_wind": 1}, {**PON, "melds": ["pon:111z"]}),
    ({"haku": 1, "haitei": 1}, {**PON, "by": "tsumo", "haitei": True}),
    ({"haku": 1, "houtei": 1}, {**PON, "houtei": True}),
    ({"haku": 1, "chankan": 1}, {**PON, "chankan": True}),
    ({"haku": 1, "rinshan": 1}, {**PON, "melds": ["minkan:5555z"], "by": "tsumo", "rinshan": True}),
    ({"chiitoitsu": 2}, {"concealed": "1122p3344s5577z9p", "win": "9p"}),
    ({"toitoi": 2}, {"melds": ["pon:222p", "pon:777p"], "concealed": "333s99s55p", "win": "5p"}),
    ({"sanankou": 2}, {"concealed": "222p777p333s99s45p", "win": "6p"}),
    ({"sankantsu": 2}, {"melds": ["minkan:2222p", "minkan:7777p", "minkan:3333s"], "concealed": "99s45p", "win": "6p"}),
    ({"sanshoku_doukou": 2}, {"melds": ["pon:111m", "pon:111p"], "concealed": "111s45p99s", "win": "6p"}),
    ({"ittsu": 2, "pinfu": 1}, {"concealed": "123456789p99s34s", "win": "5s"}),
    ({"chanta": 2, "round_wind": 1}, {"concealed": "123p789s111z99m12s", "win": "3s"}),
    ({"junchan": 3}, {"concealed": "123p789s99m12s789p", "win": "3s"}),
    ({"honroutou": 2, "toitoi": 2}, {"melds": ["pon:111p", "pon:999s"], "concealed": "333z99p99m", "win": "9m"}),
    ({"haku": 1, "hatsu": 1, "shousangen": 2}, {**PON, "concealed": "666z77z234s45p", "win": "6p"}),
    ({"honitsu": 3}, {"concealed": "111234567p78p44z", "win": "9p"}),
    ({"honitsu": 2}, {"melds": ["pon:111p"], "concealed": "23456778p44z", "win": "9p"}),
    ({"chinitsu": 6}, {"concealed": "111345678p88p45p", "win": "6p"}),
    ({"chinitsu": 5}, {"melds": ["pon:111p"], "concealed": "34567888p45p", "win": "6p"}),
)
WINDS = ["pon:111z", "pon:222z", "pon:333z"]
YAKUMAN: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("tenhou", 1, {"concealed": "234p567p345s78s11p", "win": "9s", "by": "tsumo", "first_turn": True, "dealer": True}),
    ("chiihou", 1, {"concealed": "234p567p345s78s11p", "win": "9s", "by": "tsumo", "first_turn": True}),
    ("kokushi", 1, {"concealed": "19m19p19s1234566z", "win": "7z"}),
    ("kokushi13", 2, {"concealed": "19m19p19s1234567z", "win": "7z"}),
    ("suuankou", 1, {"concealed": "222p777p333s99s55p", "win": "5p", "by": "tsumo"}),
    ("suuankou_tanki", 2, {"concealed": "222p777p333s999s5p", "win": "5p"}),
    ("daisangen", 1, {"melds": ["pon:555z", "pon:666z", "pon:777z"], "concealed": "45s99s", "win": "6s"}),
    ("shousuushi", 1, {"melds": WINDS, "concealed": "44z45p", "win": "6p"}),
    ("daisuushi", 2, {"melds": WINDS, "concealed": "444z9p", "win": "9p"}),
    ("tsuuiisou", 1, {"melds": ["pon:111z", "pon:222z", "pon:555z"], "concealed": "66z77z", "win": "6z"}),
    ("chinroutou", 1, {"melds": ["pon:111p", "pon:999p", "pon:111s"], "concealed": "99s99m", "win": "9m"}),
    ("ryuuiisou", 1, {"concealed": "22334446s668s88s", "win": "2s"}),
    ("chuuren", 1, {"concealed": "1112345578999p", "win": "6p"}),
    ("chuuren9", 2, {"concealed": "1112345678999p", "win": "5p"}),
    (
        "suukantsu",
        1,
        {"melds": ["minkan:2222p", "minkan:7777p", "minkan:3333s", "minkan:9999s"], "concealed": "5p", "win": "5p"},
    ),
)


def found(name: str, hand: dict[str, Any], expect: dict[str, Any]) -> list[str]:
    seat = "E" if hand.get("dealer") else "S"
    data = {"id": "X", "by": "ron", "seat_wind": seat, "round_wind": "E", **hand, "expect": {"valid": True, **expect}}
    example = HandExample.model_validate_json(json.dumps(data))
    return [str(each) for each in KINDS["hand"].run(example, Context(loader.load(name), Absent.IGNORE))]


@pytest.mark.clause("ema2016", "EA-037", "EA-047")
@pytest.mark.clause("ema2025", "EB-037", "EB-047")
@pytest.mark.clause("wrc", "WR-035", "WR-045")
@pytest.mark.clause("jpmla", "JP-031", "JP-041")
@pytest.mark.clause("jpmlb", "JQ-031", "JQ-042")
@pytest.mark.clause("saikouisen", "SC-030", "SC-040")
@pytest.mark.clause("rmu", "RM-031", "RM-041")
@pytest.mark.clause("mahjongsoul4", "MS-032", "MS-042")
@pytest.mark.clause("mahjongsoul3", "MT-037", "MT-047")
@pytest.mark.clause("ariari", "AR-030", "AR-038")
@pytest.mark.clause("mleague_full", "MF-035", "MF-045")
@pytest.mark.parametrize("name", BOOKS)
def test_the_usual_yaku_have_their_usual_worth(name: str) -> None:
    for yaku, hand in HANDS:
        assert found(name, hand, {"yaku": yaku, "han": sum(yaku.values())}) == [], yaku
    for yakuman, twice, hand in YAKUMAN:
        times = twice if name in DOUBLES else 1
        assert found(name, hand, {"yakuman": times, "yaku": {yakuman: times}}) == [], yakuman
