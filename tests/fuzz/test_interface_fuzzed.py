"""Every operation of the OpenAPI document, fuzzed by Schemathesis in four roles.

They are the public, the holder of a table's link, a scorer and a director.

No response is a server error, and every status, media type, body and header is described.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import schemathesis
from django.contrib.auth.models import User
from django.core.cache import cache as answers
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.test import override_settings
from hypothesis import assume, given
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from league.management.commands.openapi import FILE
from league.web.problems import MEDIA_TYPE
from tests.api.client import Api
from tests.api.client import document as described
from tests.fuzz.examples import odd_texts, tried
from tests.permissions.addresses import address, routes
from tests.permissions.world import World, make_world

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

METHODS = ("get", "post", "put", "patch", "delete")
NO_LIMIT = dict.fromkeys(("read", "write", "login", "sign_in", "secret", "search", "file"), 10**9)
REFUSED = 400


def refusals_are_problem_documents(_context: Any, answer: Any, _case: Any) -> None:
    """Check that a refusal is a problem document (RFC 9457)."""
    if answer.status_code >= REFUSED and answer.content:
        assert answer.headers["content-type"][0].startswith(MEDIA_TYPE)
        assert json.loads(answer.content)["status"] == answer.status_code


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    refusals_are_problem_documents,
]


@pytest.fixture(scope="module")
def world(shared_rows: None) -> Iterator[World]:
    """Return a league, a draft, an open table, webhooks and a user in every role."""
    with override_settings(REQUESTS_PER_MINUTE=NO_LIMIT):
        yield make_world()


@pytest.fixture(autouse=True)
def _one_connection(world: World) -> Iterator[None]:
    """Keep requests outside Django's test client from closing the connection of the test's transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@cache
def document() -> Any:
    """Return the committed OpenAPI document as Schemathesis reads it, with its requests sent to the service."""
    schema = schemathesis.openapi.from_dict(json.loads(FILE.read_bytes()))
    schema.app = get_wsgi_application()  # that of the service would load every page's template first
    return schema


@pytest.fixture(scope="module")
def headers(world: World) -> list[dict[str, str]]:
    """Return the request headers of the public, the holder of a scorer's link, a scorer and a director."""
    named = (User.objects.get(username=name) for name in ("scorer", "director"))
    # Schemathesis does not unpack what the service sends compressed to anonymous clients.
    public = {"Accept-Language": "ja", "Accept-Encoding": "identity"}
    return [public, {"Authorization": f"Link {world.link}"}, *(Api(user).headers for user in named)]


@pytest.fixture(scope="module")
def addresses(world: World) -> list[str]:
    """Return addresses of existing resources."""
    found = []
    for route in routes():
        for place in ("here", "open", "teams"):
            if route.name.startswith("api:"):
                try:
                    found.append(address(route, world, world.places[place]))
                except (KeyError, AttributeError):
                    continue
    return found


@cache
def operations() -> list[tuple[str, str]]:
    """Return every method and path that the document describes."""
    paths = described()["paths"]
    return [(method, path) for path in sorted(paths) for method in METHODS if method in paths[path]]


def taken_words(path: str) -> set[tuple[str, str]]:
    """Return the parameters of a path with the words that make it another described path, such as `preview`."""
    taken: set[tuple[str, str]] = set()
    for other in {other for _method, other in operations()}:
        pairs = list(zip(path.split("/"), other.split("/"), strict=False))
        differing = [(own, word) for own, word in pairs if own != word and not word.startswith("{")]
        if path.count("/") == other.count("/") and all(own.startswith("{") for own, _word in differing):
            taken |= {(own.strip("{}"), word) for own, word in differing}
    return taken


@pytest.mark.parametrize(("method", "path"), operations())
def test_every_response_matches_the_openapi_document(
    world: World, headers: list[dict[str, str]], addresses: list[str], method: str, path: str
) -> None:
    operation = document()[path][method.upper()]
    pattern = re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(path)))
    real = [found.groupdict() for one in addresses if (found := pattern.fullmatch(one))]
    taken = taken_words(path)

    @tried(1)
    @given(
        case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
        | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE),
        data=st.data(),
    )
    def answered(case: Any, data: st.DataObject) -> None:
        check_response(case, data, headers, real, taken)

    answered()


def check_response(
    case: Any,
    data: st.DataObject,
    headers: list[dict[str, str]],
    real: list[dict[str, str]],
    taken: set[tuple[str, str]],
) -> None:
    """Send one request, mostly about an existing resource, and check its response.

    This is no part of the generated test above, since Hypothesis parses the source of that for each operation.
    """
    is_real = data.draw(st.integers(0, 3)) > 0
    if real and is_real:
        case.path_parameters = real[data.draw(st.integers(0, len(real) - 1))]
    assume(taken.isdisjoint((case.path_parameters or {}).items()))
    if case.query and "competition" in case.query and data.draw(st.booleans()):
        case.query["competition"] = data.draw(st.sampled_from(("here", "open", "held", "draft")) | odd_texts)
    answers.clear()
    with transaction.atomic():
        case.call_and_validate(checks=CHECKS, headers=data.draw(st.sampled_from(headers)))
        transaction.set_rollback(True)


def test_every_described_path_has_the_address_of_an_existing_resource(addresses: list[str]) -> None:
    templates = [re.sub(r"\{\w+\}", "[^/]+", path) for _method, path in operations()]
    missed = {path for path in templates if not any(re.fullmatch(path, one) for one in addresses)}
    assert not missed
