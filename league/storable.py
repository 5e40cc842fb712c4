"""Which texts can be kept: PostgreSQL takes no NUL, and half of a character can be written by no database."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def is_storable(text: str) -> bool:
    """Whether every database keeps this text."""
    return UNSTORABLE.search(text) is None


def unstorable_places(document: Any) -> Iterator[str]:
    """JSON pointers to what a JSON document holds that cannot be kept: texts, names of fields, numbers beyond all."""
    waiting: list[tuple[str, Any]] = [("", document)]
    while waiting:
        pointer, value = waiting.pop()
        if isinstance(value, dict):
            for name, inner in value.items():
                place = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
                if not is_storable(name):
                    yield place
                waiting.append((place, inner))
        elif isinstance(value, list | tuple):
            waiting += [(f"{pointer}/{index}", inner) for index, inner in enumerate(value)]
        elif (isinstance(value, str) and not is_storable(value)) or (
            isinstance(value, float) and not math.isfinite(value)
        ):
            yield pointer
