"""Real hands from a server's logs: yaku, fu, limits and payments agree with the printed ones."""

import gzip
import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulesets import loader
from scoring.hand import (
    By,
    Hand,
    HandValue,
    Liability,
    Meld,
    MeldKind,
    RiichiKind,
    Robbed,
    Situation,
    parse_tiles,
    score,
)
from scoring.hand.possible import Circumstances, why_impossible
from scoring.ruleset import Ruleset, Wind
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.end import RoundName
from scoring.ruleset.value import LimitName

pytestmark = pytest.mark.real

WINDS = list(Wind)
WIND_NAMES = {"E": "east", "S": "south", "W": "west", "N": "north"}
SPELLED = {
    "sanshoku_doujun": "sanshoku",
    "ittsuu": "ittsu",
    "chuuren_9wait": "chuuren9",
    "kokushi_13wait": "kokushi13",
    "shousuushii": "shousuushi",
    "daisuushii": "daisuushi",
}
"""Yaku names of the records that rulesets spell differently; all others are the same."""
SAME = {"kokushi13": "kokushi", "suuankou_tanki": "suuankou", "chuuren9": "chuuren", "chuuren_9": "chuuren"}
DORA = ("dora", "aka_dora", "ura_dora", "kita", "nuki_dora")
WIND_YAKU = ("seat_wind", "round_wind")


@pytest.fixture
def folder() -> Path:
    named = os.environ.get("REAL_DATA")
    if not named:
        pytest.skip("REAL_DATA names no folder of real hands")
    return Path(named)


@cache
def rows(path: Path) -> tuple[dict[str, Any], ...]:
    return tuple(map(json.loads, gzip.decompress(path.read_bytes()).splitlines()))


@cache
def rules_of(players: int, written: str) -> Ruleset:
    given = json.loads(written)
    reds = dict(zip("mps", given["aka"], strict=True))
    options = {
        "double_yakuman": given["double_yakuman"],
        "kiriage": given["kiriage"],
        "double_wind_pair_fu": given["double_wind_fu"],
        "open_tanyao": "always" if given["kuitan"] else "never",
        "red_fives": reds if players == 4 else {suit: reds[suit] for suit in "ps"},
    }
    return loader.load(f"tenhou{players}").with_options(options)


def tiles(names: list[str]) -> tuple[int, ...]:
    return parse_tiles("".join(names))


def hand_of(row: dict[str, Any]) -> Hand:
    concealed = list(tiles(row["hand"]))
    win = tiles([row["win_tile"]])[0]
    concealed.remove(win)
    melds = tuple(Meld(MeldKind(each["kind"]), tiles(each["tiles"])) for each in row["melds"])
    return Hand(tuple(concealed), win, melds, tiles(["4z"] * row["kita"]))


def seat_of(row: dict[str, Any], number: int) -> Wind:
    place: int = (number - row["dealer"]) % row["players"]
    return WINDS[place]


def situation_of(row: dict[str, Any], rules: Ruleset) -> Situation:
    flags = row["flags"]
    riichi = RiichiKind.RIICHI if flags["riichi"] else RiichiKind.NONE
    liable: tuple[Liability, ...] = ()
    if row.get("pao") is not None and rules.play and rules.play.pao:
        liable = tuple(Liability(seat_of(row, row["pao"]), name) for name in rules.play.pao.yaku)
    return Situation(
        by=By.TSUMO if row["tsumo"] else By.RON,
        seat_wind=Wind(row["seat_wind"]),
        round=RoundName(row["round_wind"]),
        riichi=RiichiKind.DOUBLE if flags["double_riichi"] else riichi,
        ippatsu=flags["ippatsu"],
        haitei=flags["haitei"],
        houtei=flags["houtei"],
        rinshan=flags["rinshan"],
        first_turn=flags["tenhou"] or flags["chiihou"],
        robbed=Robbed.ADDED_KAN if flags["chankan"] else Robbed.NOTHING,
        dora_indicators=tiles(row["dora_indicators"]),
        ura_indicators=tiles(row["ura_indicators"]),
        honba=row.get("honba_paid", row["honba"]) or 0,
        deposits=1000 * (row.get("kyotaku") or 0),
        discarder=seat_of(row, row["from"]) if "from" in row and not row["tsumo"] else None,
        liable=liable,
    )


def found_yaku(value: HandValue, *, named_winds: bool) -> dict[str, int]:
    """Return the yaku by the names of the records; the han of repeated names are added."""
    found: dict[str, int] = {}
    for line in value.yaku:
        name = line.name.value
        if named_winds and name in WIND_YAKU:
            wind = value.situation.seat_wind.value if name == "seat_wind" else value.situation.round.value
            name = f"{name.removesuffix('_wind')}_{WIND_NAMES[wind]}"
        found[name] = found.get(name, 0) + line.worth
    return found


def printed_yaku(row: dict[str, Any]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, han in row["expect"]["yaku"]:
        if name not in DORA:
            found[SPELLED.get(name, name)] = han
    return found


def deltas(value: HandValue, row: dict[str, Any]) -> list[int]:
    found = [0] * row["players"]
    for each in value.payments:
        found[row["who"]] += each.amount
        if each.payer is not None:
            found[(WINDS.index(each.payer) + row["dealer"]) % row["players"]] -= each.amount
    return found


def differences(row: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    rules = rules_of(row["players"], json.dumps(row["rules"], sort_keys=True))
    value = score(hand_of(row), situation_of(row, rules), rules)
    expect = row["expect"]
    if not isinstance(value, HandValue):
        yield "win", "a win", str(value)
        return
    if value.yakuman:
        yield from _yakuman_differences(value, expect)
    else:
        yield "han", expect["han"], value.han
        yield "fu", expect["fu"], value.fu
        if isinstance(expect["yaku"][0], list):
            yield "yaku", printed_yaku(row), found_yaku(value, named_winds=True)
        if expect.get("limit"):
            limit = LimitName.YAKUMAN if value.limit is LimitName.KAZOE else value.limit
            yield "limit", expect["limit"], None if limit is None else limit.value
    if expect.get("delta") is not None:
        yield "delta", expect["delta"], deltas(value, row)


def _yakuman_differences(value: HandValue, expect: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    if expect.get("n_yakuman") is None:
        yield "yakuman", expect["han"], 13 * value.yakuman
        return
    yield "yakuman", expect["n_yakuman"], value.yakuman
    plain = {SAME.get(SPELLED.get(name, name), name) for name in expect["yakuman"]}
    yield "yaku", sorted(plain), sorted(SAME.get(name, name) for name in found_yaku(value, named_winds=False))


@pytest.mark.clause("tenhou4", "TH-010", "TH-016", "TH-017", "TH-018", "TH-019", "TH-020")
@pytest.mark.clause("tenhou3", "TT-010", "TT-016", "TT-018", "TT-019", "TT-020", "TT-024", "TT-025")
def test_every_real_hand_has_the_printed_yaku_fu_limit_and_payments(folder: Path) -> None:
    count, wrong = 0, []
    for row in rows(folder / "hands.jsonl.gz"):
        count += 1
        wrong += [(row["id"], *each) for each in differences(row) if each[1] != each[2]]
    assert count
    assert wrong == []


def test_no_real_value_is_reported_as_impossible(folder: Path) -> None:
    count, refused = 0, []
    for row in rows(folder / "hands.jsonl.gz"):
        expect = row["expect"]
        if expect.get("n_yakuman") or expect.get("limit") == "yakuman" or not expect.get("fu"):
            continue
        count += 1
        rules = rules_of(row["players"], json.dumps(row["rules"], sort_keys=True))
        situation = situation_of(row, rules)
        closed = all(each["kind"] == "ankan" for each in row["melds"])
        prizes = ((AwardEvent.IPPATSU, 1),) if situation.ippatsu else ()
        won = Circumstances(situation.by, closed, situation.riichi, prizes, situation.round)
        if found := why_impossible(rules, won, expect["han"], expect["fu"]):
            refused.append((row["id"], expect["han"], expect["fu"], found))
    assert count
    assert refused == []
