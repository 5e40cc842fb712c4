"""The OpenAPI document of the API, generated once per process."""

from __future__ import annotations

import json
from functools import cache
from threading import Lock

from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator

DOCUMENT_LANGUAGE = "en"
_one_at_a_time = Lock()


def openapi() -> bytes:
    """Return the OpenAPI document, generated once, because it depends on the software alone.

    A lock prevents two threads from generating it at once, which would fail.
    """
    with _one_at_a_time:
        return _openapi()


@cache
def _openapi() -> bytes:
    with override(DOCUMENT_LANGUAGE):
        schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # no types
    return (json.dumps(schema, indent=2, ensure_ascii=False) + "\n").encode()
