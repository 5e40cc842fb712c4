"""Hand scoring over REST: the itemized value, and every refusal with its pointer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from league.models import RulesetRevision
from rulesets import loader
from tests.api.client import Api

pytestmark = pytest.mark.django_db
CINDERELLA = "rulesets/cinderella/score/"
EVERYWHERE = "comparisons/hand/"
PLAIN = {"concealed": "234m567m34p678s99s", "win": "2p", "by": "ron", "seat_wind": "S"}
OPEN = {"concealed": "456s789s66m45p", "win": "3p", "by": "ron", "seat_wind": "S", "melds": ["chi:123s"]}


def body(**more: Any) -> dict[str, Any]:
    return {**PLAIN, **more}


def refused(path: str, sent: dict[str, Any], status: int = 422, language: str = "en") -> list[tuple[str, str]]:
    problem = Api(language=language).post(path, sent, status)
    assert all(each["detail"] for each in problem["errors"])
    return [(each["code"], each["pointer"]) for each in problem["errors"]]


@pytest.mark.clause("cinderella", "CL-103", "CL-106", "CL-042", "CL-044", "CL-144")
def test_a_hand_is_scored_with_itemized_yaku_dora_fu_and_payments() -> None:
    document = Api().post(CINDERELLA, body(concealed="234m067m34p678s99s", riichi="riichi", dora_indicators="8s"))
    assert (document["is_win"], document["no_win"], document["problems"]) == (True, None, [])
    assert document["hand"] == "234067m34p67899s + 2p"
    assert document["ruleset"]["name"] == "cinderella"
    value = document["value"]
    assert (value["han"], value["fu"], value["limit"], value["total"]) == (5, 30, "mangan", 8000)
    assert value["limit_label"] == {"ja": "満貫", "en": "Mangan"}
    assert {line["name"]: line["worth"] for line in value["yaku"]} == {"riichi": 1, "pinfu": 1}
    assert {line["kind"]: (line["count"], line["han"]) for line in value["dora"]} == {
        "indicator": (2, 2),
        "red": (1, 1),
    }
    assert [(line["reason"], line["fu"]) for line in value["fu_lines"]] == [("base", 20), ("closed_ron", 10)]
    assert [part["tiles"] for part in value["reading"]["parts"]] == ["234m", "567m", "234p", "678s", "99s"]
    assert [part["completed"] for part in value["reading"]["parts"]] == [False, False, True, False, False]
    assert value["reading"]["wait"] == "two_sided"
    [payment] = value["payments"]
    assert (payment["role"], payment["amount"], payment["clauses"]) == ("discarder", "8000", ["CL-144"])
    assert all(line["clauses"] for key in ("yaku", "dora", "fu_lines", "payments") for line in value[key])


def test_scoring_needs_neither_a_trailing_slash_nor_a_login() -> None:
    response = Client().post("/api/v1/rulesets/cinderella/score", json.dumps(PLAIN), content_type="application/json")
    assert response.status_code == 200
    assert response.json()["value"]["total"] == 1000


def test_melds_and_norths_set_aside_keep_the_order_of_the_calls() -> None:
    sent = {"concealed": "123789p2s", "win": "2s", "by": "tsumo", "seat_wind": "E", "round": "E"}
    document = Api().post(
        "rulesets/banchi3/score/", {**sent, "melds": ["pon:777z", "nuki:44z", "ankan:9999s"], "honba": 1}
    )
    value = document["value"]
    assert {line["name"] for line in value["yaku"]} == {"chun"}
    assert [(line["kind"], line["count"]) for line in value["dora"]] == [("north", 2)]
    assert {each["seat"] for each in value["payments"]} == {"S", "W"}
    calls = [(part["call"], part["tiles"]) for part in value["reading"]["parts"] if part["call"]]
    assert calls == [("pon", "777z"), ("ankan", "9999s")]


def test_all_tiles_can_be_sent_in_one_string_with_the_winning_tile() -> None:
    sent = body(tiles="2345670m34p678s99s".replace("0m", "m") + "2p")
    del sent["concealed"]
    assert Api().post(CINDERELLA, sent)["value"]["total"] == 1000


def test_prizes_are_paid_in_a_ledger_of_their_own() -> None:
    sent = {"concealed": "234p067p34s678s99s", "win": "2s", "by": "ron", "seat_wind": "S", "riichi": "riichi"}
    value = Api().post("rulesets/banchi3/score/", {**sent, "ippatsu": True, "discarder": "E"})["value"]
    ledgers = {each["ledger"] for each in value["payments"]}
    assert len(ledgers) == 2
    assert "table" in ledgers
    assert {each["seat"] for each in value["payments"]} == {"E"}
    assert set(value["totals"]) == ledgers


def test_house_options_change_the_value() -> None:
    sent = {"concealed": "1122334455667z", "win": "7z", "by": "ron", "seat_wind": "S"}
    path = "rulesets/boo/score/"
    without = Api().post(path, sent)
    assert (without["is_win"], without["no_win"]["code"]) == (False, "not_complete")
    document = Api().post(path, {**sent, "options": {"new_yaku": ["chiitoitsu"]}})
    assert [line["name"] for line in document["value"]["yaku"]] == ["chiitoitsu"]
    assert document["options"]["new_yaku"] == ["chiitoitsu"]


@pytest.mark.parametrize(
    ("options", "pointer"),
    [
        ({"colour": "red"}, "/options/colour"),
        ({"kiriage": "yes"}, "/options/kiriage"),
        ({"start": 7}, "/options/start"),
        ({"kiriage": None}, "/options/kiriage"),
        ({"uma": [[]]}, "/options/uma"),
    ],
)
def test_unknown_or_invalid_options_are_refused_with_their_pointer(options: dict[str, Any], pointer: str) -> None:
    assert refused("rulesets/banchi4/score/", body(options=options)) == [("bad_option", pointer)]


def test_a_hand_without_yaku_is_a_normal_response() -> None:
    without = {**OPEN, "concealed": "456s789p66m45p"}
    document = Api().post(CINDERELLA, without)
    assert document["is_win"] is False
    assert document["value"] is None
    assert document["no_win"]["code"] == "no_yaku"
    assert document["no_win"]["clauses"]
    assert "役" in Api(language="ja").post(CINDERELLA, without)["no_win"]["detail"]


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        (body(concealed="11112345m678p99s", win="1m"), ("too_many_alike", "/concealed")),
        (body(concealed="234m567m34p678s9s"), ("tile_count", "/concealed")),
        ({**OPEN, "melds": ["chi:124s"]}, ("no_meld", "/melds/0")),
        (body(ippatsu=True), ("ippatsu_without_riichi", "/ippatsu")),
        ({**OPEN, "riichi": "riichi"}, ("riichi_with_open_hand", "/riichi")),
        (body(haitei=True), ("haitei_with_ron", "/haitei")),
        (body(discarder="S"), ("discarder_is_winner", "/discarder")),
        (body(dora_indicators="1z2z3z4z5z6z"), ("too_many_indicators", "/dora_indicators")),
        (body(melds=["nuki:4z"]), ("nuki_not_allowed", "/melds/0")),
        (body(pocchi_as="3p"), ("pocchi_as_without_pocchi", "/pocchi_as")),
        (body(liable=[{"seat": "S", "yaku": "daisangen"}]), ("liable_is_winner", "/liable/0")),
        (body(round="W"), ("unknown_round", "/round")),
        (body(concealed="12x"), ("not_a_letter", "/concealed")),
        (body(win="8z"), ("no_tile", "/win")),
        (body(melds=["kan:1111z"]), ("no_meld_kind", "/melds/0")),
        (body(dora_indicators="m"), ("no_numbers", "/dora_indicators")),
    ],
)
def test_an_impossible_hand_is_refused_at_its_pointer(sent: dict[str, Any], found: tuple[str, str]) -> None:
    assert found in refused(CINDERELLA, sent)
    assert found in refused(CINDERELLA, sent, language="ja")


def test_a_winning_tile_that_is_not_in_the_hand_is_refused() -> None:
    sent = {"tiles": "234m567m234p678s99s", "win": "5p", "by": "ron", "seat_wind": "S"}
    assert refused(CINDERELLA, sent) == [("win_not_in_hand", "/win")]


def test_an_invalid_meld_is_reported_at_its_index_in_the_request() -> None:
    sent = {"concealed": "123789p2s", "win": "2s", "by": "tsumo", "seat_wind": "E"}
    found = refused("rulesets/banchi3/score/", {**sent, "melds": ["nuki:44z", "pon:777z", "pon:778s"]})
    assert found == [("no_meld", "/melds/2")]


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        ({}, ("required", "/win")),
        (body(by="draw"), ("invalid_choice", "/by")),
        (body(honba=-1), ("min_value", "/honba")),
        (body(tiles="1m"), ("tiles_or_concealed", "/concealed")),
        (body(colour="red"), ("unknown", "/colour")),
        (body(melds=["chi:123s"] * 9), ("max_length", "/melds")),
        (body(concealed="1m" * 50), ("max_length", "/concealed")),
    ],
)
def test_a_malformed_body_is_refused_before_scoring(sent: dict[str, Any], found: tuple[str, str]) -> None:
    assert found in refused(CINDERELLA, sent, 400)


def test_an_unknown_ruleset_or_revision_and_a_ruleset_without_hands_give_404() -> None:
    assert Api().post("rulesets/nowhere/score/", PLAIN, 404)["code"] == "not_found"
    assert "settles" in Api().post("rulesets/mleague/score/", PLAIN, 404)["detail"]
    assert RulesetRevision.objects.count() == 0
    assert Api().post(CINDERELLA, body(revision=1), 404)["code"] == "not_found"


def test_one_hand_is_scored_under_every_ruleset() -> None:
    document = Api().post(EVERYWHERE, PLAIN)
    found = {each["ruleset"]["name"]: each for each in document["results"]}
    assert set(found) == {name for name in loader.names() if loader.load(name).play is not None}
    assert found["cinderella"]["value"]["total"] == 1000
    assert found["boo"]["is_win"]
    assert {each["code"] for each in found["banchi3"]["problems"]} == {"no_such_tile"}
    assert found["banchi3"]["value"] is None


def test_an_unreadable_hand_is_refused_before_the_comparison() -> None:
    assert refused(EVERYWHERE, body(win="zz")) == [("no_numbers", "/win")]
    assert refused(EVERYWHERE, body(options={}), 400) == [("unknown", "/options")]


def test_the_rest_document_and_the_page_agree() -> None:
    document = Api().post(CINDERELLA, body(riichi="riichi"))
    response = Client().get(
        "/rules/cinderella/hand/value/",
        {"hand": "234m567m34p678s99s + 2p", "riichi": "riichi"},
        headers={"Accept-Language": "en"},
    )
    assert response.json()["value"] == document
