"""API client for tests: validates every response against the OpenAPI document and rejects undocumented fields."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, cast
from uuid import uuid4

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]
from knox.models import AuthToken

from league.management.commands.openapi import FILE

Json = dict[str, Any]


@cache
def document() -> Json:
    """Return the committed OpenAPI document with every schema closed and shared responses in their places.

    Undescribed properties are not allowed.
    """
    closed = json.loads(FILE.read_bytes())
    for schema in closed["components"]["schemas"].values():
        if "oneOf" not in schema:  # a union's parts are closed
            schema.setdefault("additionalProperties", False)
    for operations in closed["paths"].values():
        for described in operations.values():
            for status, response in described["responses"].items():
                shared = response.get("$ref", "").rpartition("/")[2]
                described["responses"][status] = closed["components"]["responses"][shared] if shared else response
    return dict(closed)


@cache
def patterns() -> dict[str, re.Pattern[str]]:
    """Return the pattern of every path of the OpenAPI document."""
    return {path: re.compile(re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(path))) for path in document()["paths"]}


def operation(method: str, path: str) -> Json:
    """Return the operation object of the OpenAPI document for a method and path."""
    for template, pattern in patterns().items():
        operations = document()["paths"][template]
        if method in operations and pattern.fullmatch(path if path.endswith("/") else f"{path}/"):
            return dict(operations[method])
    raise AssertionError(f"the OpenAPI document knows no {method.upper()} {path}")


def check(method: str, path: str, response: HttpResponse) -> None:
    """Validate a response against the OpenAPI document: status, media type and body."""
    described = operation(method, path)["responses"].get(str(response.status_code))
    assert described is not None, f"{method.upper()} {path} answers {response.status_code}, which is not described"
    if not response.content:
        return
    media = response.headers["Content-Type"].partition(";")[0]
    assert media in described["content"], f"{media} is not described"
    if media.endswith("json"):
        schema = {**described["content"][media]["schema"], "components": document()["components"]}
        Draft202012Validator(schema, format_checker=FormatChecker()).validate(json.loads(response.content))


def whole(response: Any) -> HttpResponse:
    """Return a streaming response as an ordinary one with its complete content."""
    if not response.streaming:
        return cast("HttpResponse", response)
    return HttpResponse(response.getvalue(), status=response.status_code, headers=dict(response.items()))


class Api:
    """Client for version 1 of the API; with a user, it authenticates by one of their tokens."""

    def __init__(self, user: User | None = None, language: str = "en") -> None:
        self.client = Client(raise_request_exception=True)
        self.headers = {"Accept-Language": language}
        if user:
            self.headers["Authorization"] = f"Token {AuthToken.objects.create(user)[1]}"

    def send_raw(self, method: str, path: str, headers: Mapping[str, str] | None = None) -> Any:
        """Send a request whose query string is part of the path."""
        address, _mark, query = path.partition("?")
        return self.send(method, address, None, headers, **dict(pair.split("=") for pair in query.split("&") if query))

    def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None, **query: Any
    ) -> HttpResponse:
        """Send a request and validate the response against the OpenAPI document."""
        full = f"/api/v1/{path}"
        options: Json = {"headers": {**self.headers, **(headers or {})}}
        if query:
            options["query_params"] = query
        if body is not None:
            options |= {"data": body, "content_type": "application/json"}
        response = whole(getattr(self.client, method)(full, **options))
        if method in ("get", "post"):
            check(method, full, response)
        return response

    def get(self, path: str, expect: int = 200, **query: Any) -> Any:
        """Return the JSON document at a path, after checking the status."""
        response = self.send("get", path, **query)
        assert response.status_code == expect, response.content.decode()
        return json.loads(response.content)

    def post(self, path: str, body: Any = None, status: int = 200, **headers: str) -> Any:
        """Return the JSON response to a change that was sent with a fresh idempotency key."""
        response = self.change(path, body, **headers)
        assert response.status_code == status, response.content.decode()
        return json.loads(response.content) if response.content else None

    def change(
        self, path: str, body: Any = None, *, key: str | None = None, if_match: str | None = None
    ) -> HttpResponse:
        """Send a POST request; `key` (the idempotency key) is random unless given."""
        headers = {"Idempotency-Key": key or str(uuid4())}
        if if_match is not None:
            headers["If-Match"] = if_match
        return self.send("post", path, {} if body is None else body, headers)
