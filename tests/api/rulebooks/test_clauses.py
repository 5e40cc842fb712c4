"""REST resource of the rule books' clauses: both languages, filters and full-text search."""

from __future__ import annotations

import pytest
from django.test import Client

from rulesets.clauses import ClauseStatus, books, load_book
from rulesets.proofs import proofs_for
from tests.api.client import Api

pytestmark = pytest.mark.django_db
PATH = "clauses/"


def test_pagination_returns_all_clauses_in_the_order_of_the_books() -> None:
    found, page = [], 1
    while True:
        document = Api().get(PATH, page=page, page_size=200)
        found += [each["id"] for each in document["results"]]
        if document["next"] is None:
            break
        page += 1
    assert document["count"] == len(found) == 1385
    assert found == [clause.id for name in books() for clause in load_book(name).clauses]


def test_a_clause_has_both_languages_and_separates_the_book_text_from_the_house_decision() -> None:
    document = Api().get(f"{PATH}CL-002/")
    clause = load_book("cinderella").by_id["CL-002"]
    assert document["ruleset"] == "cinderella"
    assert document["section"] == {"key": "league", "title": {"ja": "大会の進行", "en": "The competition"}}
    for key in ("says", "ambiguous", "decision"):
        assert document[key] == {"ja": getattr(clause, key).ja, "en": getattr(clause, key).en}
    assert document["why"] is None
    assert document["page"] == "/rules/cinderella/#CL-002"


@pytest.mark.clause("cinderella", "CL-037")
def test_a_clause_comes_with_the_values_that_cite_it() -> None:
    document = Api().get(f"{PATH}CL-037/")
    assert document["values"] == [{"path": "settlement.uma.amounts", "value": [20, 10, -10, -20]}]


def test_a_clause_lists_the_examples_and_tests_that_prove_it() -> None:
    proofs = Api().get(f"{PATH}CL-082/")["proved_by"]
    assert proofs[0] == {"kind": "settlement", "id": proofs_for("cinderella", "CL-082")[0].id}
    assert proofs[-1]["kind"] == "test"
    assert Api().get(f"{PATH}CL-001/")["proved_by"] == []


def test_a_clause_lists_its_options_and_yaku_and_marks_a_reconstruction() -> None:
    document = Api().get(f"{PATH}BOO-033/")
    assert document["options"] == ["yaku_han_table"]
    assert document["reconstructed"] is True
    assert Api().get(f"{PATH}CL-113/")["yaku"] == ["toitoi"]


def test_clauses_are_filtered_by_book_section_and_status() -> None:
    document = Api().get(PATH, ruleset="boo", section="settlement", status="executed", page_size=200)
    wanted = [
        clause.id
        for clause in load_book("boo").clauses
        if clause.section == "settlement" and clause.status is ClauseStatus.EXECUTED
    ]
    assert [each["id"] for each in document["results"]] == wanted
    assert wanted


def test_a_search_returns_the_best_matching_clause_first() -> None:
    assert Api().get(PATH, ruleset="cinderella", q="チョンボは何ポイント")["results"][0]["id"] == "CL-082"
    everywhere = Api().get(PATH, q="マルエー")
    assert everywhere["results"][0]["id"] == "BOO-020"
    none = Api().get(PATH, q="xyzzy")
    assert none == {"count": 0, "next": None, "previous": None, "results": []}


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ({"ruleset": "mleague"}, "/ruleset"),
        ({"section": "weather"}, "/section"),
        ({"status": "done"}, "/status"),
        ({"q": "a" * 201}, "/q"),
        ({"book": "boo"}, "/book"),
    ],
)
def test_an_invalid_query_parameter_is_reported_with_its_pointer(query: dict[str, str], pointer: str) -> None:
    problem = Api().get(PATH, expect=400, **query)
    assert [each["pointer"] for each in problem["errors"]] == [pointer]


@pytest.mark.parametrize("number", ["CL-999", "cl-001", "nothing"])
def test_an_unknown_clause_id_gives_404(number: str) -> None:
    Api().get(f"{PATH}{number}/", expect=404)


@pytest.mark.parametrize("path", [PATH, f"{PATH}CL-001/"])
def test_a_matching_etag_gives_304(path: str) -> None:
    first = Client().get(f"/api/v1/{path}")
    assert Client().get(f"/api/v1/{path}", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert first.headers["Access-Control-Allow-Origin"] == "*"
