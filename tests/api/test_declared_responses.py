"""What the OpenAPI document declares of responses, against those to every readable address: headers, and examples.

`WRITE_EXAMPLES=1` with this test writes the examples of the document from these responses.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from league.api.operation_texts import HEADERS
from league.api.response_examples import FILE, examples
from tests.api.client import Api, document, operation, whole
from tests.permissions.addresses import address, routes
from tests.permissions.world import World, make_world

OPTIONAL = {"Idempotency-Replayed"}


def readable(world: World) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the addresses of existing resources that can be read, each with its operation."""
    for route in routes():
        if not route.name.startswith("api:") or not route.pattern.startswith("api/v1/"):
            continue
        for place in ("here", "open", "teams"):
            try:
                path = address(route, world, world.places[place])
                yield path, operation("get", path)
            except (KeyError, AttributeError, AssertionError):
                continue


def shortened(node: Any) -> Any:
    """Return a document with one element of each list."""
    if isinstance(node, list):
        return [shortened(each) for each in node[:1]]
    if isinstance(node, dict):
        return {key: shortened(each) for key, each in node.items() if not looks_like_schema(each)}
    return node


def looks_like_schema(node: Any) -> bool:
    """Return True for a house option: Spectral takes an object with these keys for a schema, and refuses its type."""
    return isinstance(node, dict) and {"type", "default"} <= set(node)


def query_of(described: dict[str, Any]) -> dict[str, str]:
    """Return the required part of an operation's query."""
    wanted = (each["name"] for each in described["parameters"] if each["in"] == "query" and each.get("required"))
    return dict.fromkeys(wanted, "here")


def kind_of(response: HttpResponse, described: dict[str, Any]) -> str:
    """Return the component that describes a response; empty for a file."""
    content = described["responses"][str(response.status_code)].get("content", {})
    ref: str = content.get("application/json", {}).get("schema", {}).get("$ref", "")
    return ref.rpartition("/")[2]


@pytest.mark.django_db
def test_every_readable_address_sends_the_headers_that_are_declared() -> None:
    world = make_world()
    director = Api(User.objects.get(username="director"))
    found: dict[str, Any] = {}
    wrong, tried = {}, set()
    for path, described in readable(world):
        response = whole(director.client.get(path, query_of(described), headers=director.headers))
        if response.status_code == 405:  # an address beside it has the same form, such as results/preview/
            continue
        declared = set(described["responses"][str(response.status_code)]["headers"]) - OPTIONAL
        sent = {name for name in HEADERS if name in response.headers}
        tried.add((described["operationId"], response.status_code))
        if sent & declared != declared or (sent - declared - {"Cache-Control"}):
            wrong[path, response.status_code] = (sorted(declared), sorted(sent))
        if response.status_code == 200 and (kind := kind_of(response, described)):
            found.setdefault(kind, shortened(json.loads(response.content)))
    if "WRITE_EXAMPLES" in os.environ:
        FILE.write_text(json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    assert wrong == {}
    assert len({name for name, status in tried if status == 200}) > 40


def test_every_example_of_a_response_is_valid() -> None:
    assert len(examples()) > 40
    for name, example in examples().items():
        schema = {"$ref": f"#/components/schemas/{name}", "components": document()["components"]}
        assert [error.message for error in Draft202012Validator(schema).iter_errors(example)] == [], name
