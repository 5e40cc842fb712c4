"""Find the line of a key in a TOML text, so that an editor can show a fault at its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

_TABLE = re.compile(r"^\s*(\[\[?)\s*([^\s\]\[](?:[^\]\[]*[^\s\]\[])?)\s*\]\]?\s*(?:#.*)?$")
_LONGEST_KEY = 300
"""The number of characters of a line in which a key is searched."""
_KEY = re.compile(r"""^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")
_PART = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s.]+)""")
_NAMED = re.compile(r"""^\s*key\s*=\s*["']([^"']*)["']""")


def line_of(key: str, text: str) -> int | None:
    """Return the line of a dotted key, or of the nearest table around it; None if it has no line.

    For inline tables and lists over several lines it is the line on which they begin.
    """
    lines = _lines_of(text)
    parts = key.split(".") if key else []
    while parts:
        if (line := lines.get(".".join(parts))) is not None:
            return line
        parts.pop()
    return None


def syntax_line(error: Exception, text: str) -> int:
    """Return the line of a TOML syntax error: the one the parser names, else the last."""
    place = re.search(r"at line (\d+), column \d+", str(error))
    return int(place[1]) if place else text.count("\n") + 1


@lru_cache(maxsize=4)
def _lines_of(text: str) -> Mapping[str, int]:
    """Return the line of every key; cached, since many faults of one text are looked up in a row."""
    return dict(_lines(text))


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield each full key with its line; an entry of a list also under its own `key`."""
    table: list[str] = []
    counts: dict[str, int] = {}
    named = ""
    for number, whole in enumerate(text.splitlines(), start=1):
        line = whole[:_LONGEST_KEY]
        if header := _TABLE.match(line):
            table = _parts(header[2])
            if header[1] == "[[":
                name = ".".join(table)
                counts[name] = counts.get(name, -1) + 1
                # The list itself gets the line of its first entry.
                if not counts[name]:
                    yield name, number
                table = [*table, str(counts[name])]
            named = ""
            yield ".".join(table), number
        elif entry := _KEY.match(line):
            if own := _NAMED.match(line):
                named = ".".join([*table[:-1], own[1]])
                yield named, number
            yield ".".join([*table, *_parts(entry[1])]), number
            if named:
                yield ".".join([named, *_parts(entry[1])]), number


def _parts(dotted: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(dotted)]
