"""Serializer of a competition's file, as TOML for people or as JSON: equal documents give equal text.

Keys at their default are left out. In TOML each entry of a top-level list is a table of its own, whose values are
written inline, except that each hanchan gets a line of its own.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping, Sequence

from league.files.shape import FileDocument

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def data_of(document: FileDocument) -> dict[str, object]:
    """Return the document as plain data, without values at their default."""
    return document.model_dump(mode="json", exclude_defaults=True)


def as_json(document: FileDocument) -> str:
    """Return the document as JSON."""
    return json.dumps(data_of(document), ensure_ascii=False, indent=2) + "\n"


def as_toml(document: FileDocument) -> str:
    """Return the document as TOML."""
    data = document.model_dump(mode="python", exclude_defaults=True)
    plain = data_of(document)
    return "\n".join(_sections({key: _with_moments(value, data[key]) for key, value in plain.items()}))


def _with_moments(plain: object, data: object) -> object:
    """Return the plain data, but with dates and times as objects, because TOML has types for them."""
    if isinstance(data, dt.date | dt.time):
        return data
    if isinstance(plain, Mapping) and isinstance(data, Mapping):
        return {key: _with_moments(value, data[key]) for key, value in plain.items()}
    if isinstance(plain, list) and isinstance(data, list | tuple):
        return [_with_moments(*pair) for pair in zip(plain, data, strict=True)]
    return plain


def _sections(data: Mapping[str, object]) -> Iterator[str]:
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield _table(f"[{key}]", value)
        elif isinstance(value, list):
            yield from (_table(f"[[{key}]]", each) for each in value)


def _table(header: str, table: Mapping[str, object]) -> str:
    return "".join(f"{line}\n" for line in (header, *(f"{_key(key)} = {_top(value)}" for key, value in table.items())))


def _top(value: object) -> str:
    """Return a value directly below a table: a long text over several lines, a list of tables one to a line."""
    if isinstance(value, str) and "\n" in value:
        return _text(value)
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return "[\n" + "".join(f"  {_inline(each)},\n" for each in value) + "]"
    return _inline(value)


def _inline(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(key)} = {_inline(each)}" for key, each in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_inline, value))}]"
    return _quoted(value) if isinstance(value, str) else str(value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _quoted(key)


def _quoted(text: str) -> str:
    """Return a basic string. TOML knows the escapes of JSON, and forbids one more character (U+007F)."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _text(text: str) -> str:
    """Return a multi-line string that parses to exactly this text."""
    lines = [_quoted(line)[1:-1] for line in text.split("\n")]
    return '"""\n' + "\n".join(lines) + '"""'
