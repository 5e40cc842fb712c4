"""Example responses in the OpenAPI document: shortened documents of a real service, by component.

tests/api/test_declared_responses.py writes response_examples.json, and validates it.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from league.api.enums import ApiDescription

FILE = Path(__file__).resolve().parent / "response_examples.json"


@cache
def examples() -> dict[str, Any]:
    """Return the examples by the name of their component."""
    return dict(json.loads(FILE.read_text(encoding="utf-8"))) if FILE.exists() else {}


def with_response_examples(result: ApiDescription, **_arguments: object) -> ApiDescription:
    """Return the OpenAPI document with an example of every successful response whose component has one."""
    known = examples()
    used = set()
    for path in result["paths"].values():
        for operation in path.values():
            for status, response in operation["responses"].items():
                content: Any = response.get("content", {}).get("application/json", {})
                name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
                if status.startswith("2") and name in known:
                    content["examples"] = {"demo": {"$ref": f"#/components/examples/{name}"}}
                    used.add(name)
    result["components"]["examples"] = {name: {"value": known[name]} for name in sorted(used)}
    return result
