"""Large bodies of requests: refused before their members are looked at."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework import serializers

import league.api.urls  # noqa: F401 - defines every serializer
from league.api.base import JsonParser
from league.api.fields import MOST_UNKNOWN, BoundedListField, StrictSerializer
from league.api.results.entries import ResultInput

MANY = 100_000
SECONDS = 2.0
"""Processor time allowed; it takes half a second, and took 25 s when each seat was checked before their number."""


def inputs(of: type[StrictSerializer] = StrictSerializer) -> Iterator[type[StrictSerializer]]:
    """Yield every serializer of a body."""
    for each in of.__subclasses__():
        yield each
        yield from inputs(each)


def lists_in(field: Any) -> Iterator[Any]:
    """Yield the lists among a field and its members."""
    if isinstance(field, serializers.ListField | serializers.ListSerializer):
        yield field
        yield from lists_in(field.child)
    elif isinstance(field, serializers.Serializer):
        for inner in field.fields.values():
            yield from lists_in(inner)


def test_every_list_of_a_body_has_a_largest_length_that_is_checked_before_its_members() -> None:
    found = {(each.__name__, name): field for each in inputs() for name, field in each().fields.items()}
    lists = {(*place, part.field_name): part for place, field in found.items() for part in lists_in(field)}
    assert len(lists) > 30
    assert [place for place, part in lists.items() if not isinstance(part, BoundedListField)] == []
    assert [place for place, part in lists.items() if part.max_length is None] == []


@pytest.mark.parametrize(
    ("body", "code", "count"),
    [
        ({"seats": [{"entrant": "1", "score": 25000}] * MANY}, "max_length", 1),
        ({f"field{number}": number for number in range(MANY)}, "unknown", MOST_UNKNOWN),
    ],
)
def test_a_hundred_thousand_members_are_refused_within_two_seconds(
    body: dict[str, object], code: str, count: int
) -> None:
    sent = json.dumps(body).encode()
    begun = time.process_time()
    checked = ResultInput(data=JsonParser().parse(io.BytesIO(sent)))
    assert not checked.is_valid()
    assert time.process_time() - begun < SECONDS
    errors = [error for listed in checked.errors.values() for error in listed]
    assert len(errors) == count
    assert {error.code for error in errors} == {code}
