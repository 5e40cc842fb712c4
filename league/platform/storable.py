"""Texts and dates that databases can store: PostgreSQL accepts no NUL, and no database accepts a lone surrogate.

`values_inside` is the common walk through documents, plans and arguments. URLs, forms and cookies are checked by
`web.middleware.storable_text`, JSON documents where they are parsed (`unstorable_places`), service arguments by
`services.access.guard`.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
YEARS = range(1900, 9000)
"""Years accepted in dates: outside them, a conversion to another time zone or adding some days may overflow."""


def is_storable(text: str) -> bool:
    """Return whether every database stores this text."""
    return UNSTORABLE.search(text) is None


def values_inside(whole: object) -> Iterator[tuple[str, object]]:
    """Yield each value inside a document or record, at any depth, with its JSON pointer; field names as well."""
    # A queue instead of recursion: a deeply nested document must not exhaust the stack.
    waiting: deque[tuple[str, object]] = deque([("", whole)])
    while waiting:
        pointer, value = waiting.popleft()
        if isinstance(value, list | tuple | set | frozenset):
            value = dict(enumerate(value))
        elif is_dataclass(value):
            value = {field.name: getattr(value, field.name) for field in fields(value)}
        if not isinstance(value, Mapping):
            yield pointer, value
            continue
        for name, inner in value.items():
            place = f"{pointer}/{str(name).replace('~', '~0').replace('/', '~1')}"
            yield place, name
            waiting.append((place, inner))


def unstorable_places(document: object) -> Iterator[str]:
    """Yield JSON pointers to values that cannot be stored: texts, field names, infinite or NaN numbers."""
    if not _holds_unstorable(document):
        return
    for pointer, value in values_inside(document):
        if _is_unstorable(value):
            yield pointer


def _holds_unstorable(document: object) -> bool:
    """Return whether there is such a value; without pointers, which take a second to make for 100,000 seats."""
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str | int | float | None):
            if _is_unstorable(value):
                return True
        elif isinstance(value, dict | Mapping):
            waiting += value
            waiting += value.values()
        elif isinstance(value, list | tuple | set | frozenset):
            waiting += value
        elif is_dataclass(value):
            waiting += [getattr(value, each.name) for each in fields(value)]
    return False


def _is_unstorable(value: object) -> bool:
    return not is_storable(value) if isinstance(value, str) else isinstance(value, float) and not math.isfinite(value)
