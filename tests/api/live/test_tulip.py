"""The tulip (bonus tile flips of a ruleset) over REST: every step explained, results as in the worked examples."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from rulesets import examples
from tests.api.client import Api, Json

pytestmark = pytest.mark.django_db
PATH = "rulesets/superbingo/tulip/"
EXAMPLES: list[Json] = tomllib.loads(examples.text_of("superbingo"))["tulip"]
WON = {"hand": "123456p456789s22z", "by": "ron", "riichi": "riichi"}


def body_of(example: Json) -> Json:
    """Return an example as a request body that holds the whole wall."""
    kept = ("hand", "nuki", "by", "riichi", "ippatsu", "forced", "dora_indicators", "ura_indicators", "options")
    body = {key: example[key] for key in kept if key in example}
    body |= {"limit": example["limit"] or None, "wall": example["stacks"]}
    if "yakuman" in example:
        body["yakuman"] = [example["yakuman"]]
    return body | ({"pocchi_as": example["pocchi_as"]} if "pocchi_as" in example else {})


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["id"]))
def test_every_worked_example_gives_its_expected_result(example: Json) -> None:
    found, wanted = Api().post(PATH, body_of(example)), example["expect"]
    assert found["tulip"] == wanted["tulip"]
    assert (found["start_mode"] or "none", found["mode"] or "none") == (wanted["start_mode"], wanted["end_mode"])
    assert [[step["tile"], step["hits"]] for step in found["steps"]] == wanted["flips"]
    for key in ("taken", "hits", "completed", "total", "payers"):
        assert found[key] == wanted[key], key
    assert sum(line["chips"] for line in found["lines"]) == found["total"]


def test_a_partial_list_of_flips_returns_the_next_stack_to_flip() -> None:
    found = Api().post(PATH, {**WON, "flips": ["3s", "1z"]})
    assert found["awaits"] == {"stack": 3, "row": "upper"}
    assert (found["end"], found["total"]) == (None, 3)
    assert found["prizes"] == {"each": 3, "complete": True, "times": 1}
    step = found["steps"][1]
    assert (step["place"], step["matched"], step["chips"]) == ({"stack": 2, "row": "upper"}, ["2z", "2z"], 2)
    remark = step["remarks"][0]
    assert (remark["code"], remark["clauses"]) == ("matches", ["SB-055", "SB-213"])
    assert remark["text"]["en"] == "Matches: 2."
    assert found["lines"][0]["label"]["en"] == "Matches"


def test_a_fixed_prize_is_named() -> None:
    body = {"hand": "7777777p77777s1b2b", "by": "ron", "limit": "yakuman", "yakuman": ["all_seven"]}
    found = Api().post(PATH, body)
    assert (found["total"], found["payers"], found["prizes"]) == (300, "each", {"fixed": "all_seven"})


@pytest.mark.parametrize(
    ("change", "status", "pointer", "code"),
    [
        ({"hand": "123456p456789s2z"}, 422, "/hand", "tulip_hand_size"),
        ({"hand": "12x"}, 422, "/hand", "not_a_letter"),
        ({"flips": ["6z", "3s"]}, 422, "/flips/1", "tulip_over"),
        ({"flips": ["1m"]}, 422, "/flips/0", "no_such_tile"),
        ({"flips": ["0z"]}, 422, "/flips/0", "no_tile"),
        ({"wall": [["", "3s"], ["1z", "2z"]]}, 422, "/stacks", "tulip_wall_gap"),
        ({"options": {"moon": True}}, 422, "/options", "bad_option"),
        ({"flips": ["7p"], "wall": []}, 400, "/wall", "wall_and_flips"),
        ({"hand": ""}, 400, "/hand", "blank"),
        ({"by": "luck"}, 400, "/by", "invalid_choice"),
        ({"colour": "red"}, 400, "/colour", "unknown"),
        ({"flips": ["7"]}, 400, "/flips/0", "invalid"),
    ],
)
def test_an_invalid_request_is_refused_at_its_pointer(change: Json, status: int, pointer: str, code: str) -> None:
    refused: dict[str, Any] = Api().post(PATH, {**WON, **change}, status)
    first = refused["errors"][0]
    assert (first["pointer"], first["code"]) == (pointer, code)


def test_an_unknown_ruleset_or_revision_and_a_ruleset_without_tulip_give_404() -> None:
    none = Api().post("rulesets/cinderella/tulip/", WON, 404)
    assert none["detail"] == "Under these rules no tulip follows a win."
    assert Api().post("rulesets/moon/tulip/", WON, 404)["code"] == "not_found"
    assert Api().post(PATH, {**WON, "revision": 99}, 404)["code"] == "not_found"


def test_only_post_is_allowed() -> None:
    assert Api().client.get(f"/api/v1/{PATH}").status_code == 405
