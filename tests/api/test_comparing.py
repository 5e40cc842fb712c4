"""REST resource that settles one game under every ruleset for comparison."""

from __future__ import annotations

from typing import Any

import pytest

from league.selectors.rulebooks.comparison import ComparedGame, comparison
from tests.api.client import Api

pytestmark = pytest.mark.django_db
PATH = "comparisons/"
SCORES = "41200,30100,18700,10000"


def test_a_game_is_settled_under_every_ruleset_that_fits_it() -> None:
    document = Api().get(PATH, scores=SCORES)
    assert document["table_total"] == 100_000
    assert document["chonbo"] == [0, 0, 0, 0]
    found = {each["ruleset"]["name"]: each for each in document["results"]}
    assert sorted(found) == ["ariari", "banchi4", "cinderella", "mahjongsoul4", "mleague", "mleague_full", "tenhou4"]
    cinderella = found["cinderella"]
    assert cinderella["places"] == [1, 2, 3, 4]
    assert cinderella["ledgers"][0]["totals"] == ["51.2", "10.1", "-21.3", "-40.0"]
    assert cinderella["options"] == {"rounding": "nearest_alike", "riichi_min_score": False, "dead_hand_tenpai": False}
    assert cinderella["ruleset"]["digest"]
    uma = [line for line in cinderella["lines"] if line["cause"] == "uma"]
    assert [(line["seat"], line["amount"], line["clause"]) for line in uma] == [
        (0, "20.0", "CL-037"),
        (1, "10.0", "CL-037"),
        (2, "-10.0", "CL-037"),
        (3, "-20.0", "CL-037"),
    ]
    assert uma[0]["label"] == {"ja": "ウマ", "en": "uma"}


def test_the_page_and_the_rest_document_agree() -> None:
    document = Api().get(PATH, scores="50100,39900,15000")
    columns = {column.book.name: column for column in comparison(ComparedGame((50_100, 39_900, 15_000)), None)}
    assert {each["ruleset"]["name"]: each["settled"] for each in document["results"]} == {
        name: column.settlement is not None for name, column in columns.items()
    }
    refused = next(each for each in document["results"] if not each["settled"])
    assert refused["notes"][0]["code"] == "score_not_multiple"
    assert refused["notes"][0]["pointer"] == "/scores/0"
    assert refused["places"] == refused["lines"] == refused["ledgers"] == []


def test_deposits_and_chonbo_are_included_in_the_settlement() -> None:
    document = Api().get(PATH, scores="40200,30100,18700,10000", deposits="1000", chonbo="0,0,0,1")
    cinderella = next(each for each in document["results"] if each["ruleset"]["name"] == "cinderella")
    assert cinderella["final_scores"][0] == 41_200
    assert cinderella["ledgers"][0]["totals"][3] == "-80.0"


@pytest.mark.parametrize(
    ("query", "pointer", "code"),
    [
        ({}, "/scores", "required"),
        ({"scores": "41200,30100"}, "/scores", "invalid"),
        ({"scores": "one,two,three"}, "/scores", "invalid"),
        ({"scores": "25000,25000,25000,24900"}, "/scores", "table_sum"),
        ({"scores": "99999999,-99999999,50000,50000"}, "/scores", "score_range"),
        ({"scores": SCORES, "deposits": "-1"}, "/deposits", "min_value"),
        ({"scores": SCORES, "deposits": "x"}, "/deposits", "invalid"),
        ({"scores": SCORES, "chonbo": "0,0,1"}, "/chonbo", "chonbo_count"),
        ({"scores": SCORES, "chonbo": "0,0,-1,0"}, "/chonbo", "invalid"),
        ({"scores": SCORES, "colour": "red"}, "/colour", "unknown"),
    ],
)
def test_invalid_input_is_reported_at_its_parameter(query: dict[str, Any], pointer: str, code: str) -> None:
    problem = Api().get(PATH, 400, **query)
    assert problem["code"] == "invalid_request"
    assert [(each["in"], each["pointer"], each["code"]) for each in problem["errors"]] == [("query", pointer, code)]


def test_a_wrong_sum_is_reported_in_the_language_of_the_request() -> None:
    query = {"scores": "25000,25000,25000,24900"}
    assert "99,900" in Api().get(PATH, 400, **query)["detail"]
    assert "Cinderella League" in Api(language="en").get(PATH, 400, **query)["errors"][0]["detail"]
    assert "シンデレラリーグ" in Api(language="ja").get(PATH, 400, **query)["errors"][0]["detail"]


def test_a_comparison_supports_etags_and_cross_origin_reads() -> None:
    first = Api().send("get", PATH, scores=SCORES)
    assert first.headers["Access-Control-Allow-Origin"] == "*"
    again = Api().send("get", PATH, None, {"If-None-Match": first.headers["ETag"]}, scores=SCORES)
    assert again.status_code == 304
    other = Api().send("get", PATH, None, {"If-None-Match": first.headers["ETag"]}, scores="41200,30100,18600,10100")
    assert other.status_code == 200
