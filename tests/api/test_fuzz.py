"""Addresses asked by a machine that knows the OpenAPI document: no answer is a fault of ours or undescribed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from league.api.views.root import openapi
from league.models import Role
from league.services.standings import publish_standings
from league.wsgi import application
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = 12


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """Requests made past Django's own client may not close the connection of the test's transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def described(method: str) -> list[str]:
    """The paths with this method."""
    return sorted(path for path, operations in json.loads(openapi())["paths"].items() if method in operations)


def ask(method: str, path: str, headers: dict[str, str]) -> None:
    """Ask in many ways, right and wrong, and hold every answer to the document."""
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/", application)
    operation = schema[path][method.upper()]

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(
        data=operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
        | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    )
    def every_answer_is_described(data: Any) -> None:
        data.call_and_validate(checks=CHECKS, headers=headers)

    every_answer_is_described()


@pytest.mark.parametrize("path", described("get"))
def test_reading(path: str) -> None:
    competition = factories.final_table()
    factories.play_all(factories.table(competition.blocks.get(), numbers=(1,)))
    publish_standings(competition.pk)
    ask("get", path, {})


@pytest.mark.parametrize("path", [path for path in described("post") if "/auth/" not in path])
def test_changing(path: str) -> None:
    competition = factories.final_table()
    factories.table(competition.blocks.get(), numbers=(1,))
    ask("post", path, Api(factories.user(role=Role.DIRECTOR, competition=competition)).headers)
