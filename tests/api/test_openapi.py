"""The OpenAPI document: committed, served and complete; examples and CORS as it describes them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from league.api import urls
from league.api.enums import ENUMS
from league.api.examples import REQUESTS
from league.api.operation_texts import BY_OPERATION, LONGEST_SUMMARY, SUMMARIES
from league.services.webhooks.events import NAMES
from league.web.openapi_document import openapi
from league.web.problems import KINDS
from tests import factories
from tests.api.client import Api, document

ROOT = Path(__file__).resolve().parent.parent.parent
NOT_DESCRIBED = {"schema", "docs", "problems", "problem", "missing"}


def test_the_committed_document_is_up_to_date() -> None:
    """Compare `docs/openapi.json` with the generated document; to update: python manage.py openapi."""
    committed = (ROOT / "docs" / "openapi.json").read_bytes()
    assert committed == openapi()


def test_the_served_document_is_the_generated_one() -> None:
    response = Client().get("/api/v1/schema/")
    assert response.content == openapi()
    assert response.headers["ETag"]
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert json.loads(response.content)["openapi"].startswith("3.1")


def test_every_address_is_described() -> None:
    described = {re.sub(r"\{[^}]*\}", "{}", path) for path in document()["paths"]}
    routed = {re.sub(r"<[^>]*>", "{}", path) for path in routes(urls.version_1, "/api/v1/")}
    assert described == routed


def bodies() -> dict[str, dict[str, Any]]:
    """Return the JSON request bodies by operation id."""
    return {
        operation["operationId"]: operation["requestBody"]["content"]["application/json"]
        for operations in document()["paths"].values()
        for operation in operations.values()
        if "requestBody" in operation
    }


AT_A_TABLE = {"get_log", "append_to_log", "submit_log", "call_referee", "take_call_back"}


def test_bearer_tokens_and_at_a_table_its_links_are_the_described_authentication() -> None:
    schemes = document()["components"]["securitySchemes"]
    assert {name: scheme["type"] for name, scheme in schemes.items()} == {"token": "http", "link": "apiKey"}
    assert (schemes["token"]["scheme"], schemes["link"]["name"]) == ("bearer", "Authorization")
    asked = {
        operation["operationId"]: operation.get("security")
        for operations in document()["paths"].values()
        for operation in operations.values()
    }
    assert asked.pop("login") == []
    assert {name for name, each in asked.items() if {"link": []} in each} == AT_A_TABLE
    for each in asked.values():
        assert [one for one in each if one != {"link": []}] in ([{"token": []}], [{"token": []}, {}])


def test_every_paged_collection_describes_the_404_of_a_page_that_it_does_not_have() -> None:
    paged = {
        path: each["get"]["responses"]
        for path, each in document()["paths"].items()
        if any(one["name"] == "page" for one in each.get("get", {}).get("parameters", []))
    }
    assert len(paged) > 10
    assert not {path for path, responses in paged.items() if "404" not in responses}


def test_a_refusal_of_several_operations_is_described_once() -> None:
    written = json.loads(openapi())
    responses = [each["responses"] for path in written["paths"].values() for each in path.values()]
    own = Counter(repr(each[status]) for each in responses for status in each if status >= "3")
    several = {text for text, count in own.items() if count > 1}
    assert several == {repr({"$ref": f"#/components/responses/{name}"}) for name in written["components"]["responses"]}


def filled(path: str) -> str:
    """Fill the placeholders of a path template with example values."""
    known = {"{slug}": "final", "{kind}": "standings", "{name}": "cinderella"}
    return re.sub(r"\{\w+\}", lambda found: known.get(found[0], "1"), path)


def queries(operation: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Yield an empty query, then every parameter at once in each format."""
    yield {}
    found = {each["name"]: each["schema"] for each in operation["parameters"] if each["in"] == "query"}
    for form in found.pop("format", {}).get("enum", ()):
        yield {name: schema.get("enum", ["1"])[0] for name, schema in found.items()} | {"format": form}


@pytest.mark.django_db
def test_every_public_address_allows_conditional_cross_origin_reads() -> None:
    asked = {
        "Origin": "https://club.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "if-none-match",
    }
    operations = {path: each["get"] for path, each in document()["paths"].items() if "get" in each}
    public = {path: each for path, each in operations.items() if {} in each["security"]}
    assert len(public) > 30
    for path, operation in public.items():
        for query in queries(operation):
            answer = Client().options(filled(path), query_params=query, headers=asked)
            assert (path, query, answer.status_code) == (path, query, 204)
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
            assert "GET" in answer.headers["Access-Control-Allow-Methods"]
            assert "If-None-Match" in answer.headers["Access-Control-Allow-Headers"]
            assert "Authorization" not in answer.headers["Access-Control-Allow-Headers"]


@pytest.mark.django_db
def test_options_lists_the_methods_of_every_address() -> None:
    factories.final_table()
    chief = Api(factories.user(is_superuser=True))
    for path, operations in document()["paths"].items():
        anyone = Client().options(filled(path))
        assert (path, anyone.status_code in (204, 401)) == (path, True)
        allowed = chief.client.options(filled(path), headers=chief.headers)
        assert (path, allowed.status_code) == (path, 204)
        assert {method.upper() for method in operations} <= set(allowed.headers["Allow"].split(", "))


def test_every_request_body_has_a_valid_example() -> None:
    assert set(bodies()) == set(REQUESTS)
    for name, body in bodies().items():
        schema = {**body["schema"], "components": document()["components"]}
        faults = [error.message for error in Draft202012Validator(schema).iter_errors(body["example"])]
        assert (name, faults) == (name, [])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("score_hand", "rulesets/cinderella/score/"),
        ("compare_hand", "comparisons/hand/"),
        ("flip_tulip", "rulesets/superbingo/tulip/"),
    ],
)
def test_an_example_of_a_public_operation_can_be_sent_unchanged(name: str, path: str) -> None:
    assert Api().post(path, REQUESTS[name])


def routes(patterns: list[URLPattern | URLResolver], prefix: str) -> list[str]:
    """Return the paths of all URL patterns that must be described."""
    found = []
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            found += routes(pattern.url_patterns, path)
        elif pattern.name not in NOT_DESCRIBED:
            found.append(path)
    return found


def test_every_operation_has_a_name_a_summary_and_a_description() -> None:
    operations = [operation for path in document()["paths"].values() for operation in path.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))
    assert all(operation["description"] for operation in operations)
    summaries = [operation["summary"] for operation in operations]
    assert len(summaries) == len(set(summaries))
    assert [each for each in summaries if len(each) > LONGEST_SUMMARY or each.endswith(".")] == []
    assert set(SUMMARIES) <= set(names)
    assert {name for name, _status in BY_OPERATION} <= set(names)


def test_every_webhook_event_has_a_schema_with_its_constant_type() -> None:
    schemas = document()["components"]["schemas"]
    hooks = document()["webhooks"]
    assert set(hooks) == set(NAMES)
    for event, hook in hooks.items():
        name = hook["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        assert schemas[name]["properties"]["type"]["const"] == event


def test_every_field_has_a_description_and_every_enum_is_a_named_component() -> None:
    schemas = document()["components"]["schemas"]

    def is_described(node: dict[str, Any]) -> bool:
        """Tell if a field, or the object it refers to, has a description."""
        named = schemas.get(node.get("$ref", "").rpartition("/")[2], {"enum": ()})
        parts = [*node.get("allOf", ()), *node.get("oneOf", ()), *([node["items"]] if "items" in node else ())]
        return "description" in node or ("enum" not in named and is_described(named)) or any(map(is_described, parts))

    fields = {(name, key): field for name, each in schemas.items() for key, field in each.get("properties", {}).items()}
    assert len(fields) > 1000
    assert [place for place, field in fields.items() if not is_described(field)] == []
    assert [place for place, field in fields.items() if '"enum"' in json.dumps(field)] == []
    assert {name for name, each in schemas.items() if "enum" in each} == set(ENUMS)


def test_the_client_guide_mentions_every_problem_code_and_every_address() -> None:
    guide = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert {code for code in KINDS if f"`{code}`" not in guide} == set()
    told = re.sub(r"\{[^}]*\}", "{}", guide)
    missing = {path for path in document()["paths"] if re.sub(r"\{[^}]*\}", "{}", path)[len("/api/v1") :] not in told}
    assert missing == set()


@pytest.mark.parametrize("path", ["/api/v1/docs/", "/api/v1/docs/?script="])
def test_the_interactive_docs_load_only_own_files_and_no_inline_code(path: str) -> None:
    response = Client().get(path)
    assert response.status_code == 200
    text = response.content.decode()
    assert not re.findall(r"""(?:src|href)=["'](?:https?:)?//""", text)
    if "script" not in path:
        assert not re.findall(r"<script(?![^>]*\bsrc=)[^>]*>\s*\S", text)
        assert "<style" not in text
        assert "style=" not in text
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]
