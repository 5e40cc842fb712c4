"""On which line of a TOML text a key stands, so that an editor can show a fault where it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

_TABLE = re.compile(r"^\s*(\[\[?)\s*([^\s\]\[](?:[^\]\[]*[^\s\]\[])?)\s*\]\]?\s*(?:#.*)?$")
_LONGEST_KEY = 300
"""So far into a line a key is looked for."""
_KEY = re.compile(r"""^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")
_PART = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s.]+)""")
_NAMED = re.compile(r"""^\s*key\s*=\s*["']([^"']*)["']""")


def line_of(key: str, text: str) -> int | None:
    """Return the line of a dotted key, or of the nearest table around it; none if it has no line.

    Inline tables and lists over several lines answer with the line they begin on.
    """
    lines = _lines_of(text)
    parts = key.split(".") if key else []
    while parts:
        if (line := lines.get(".".join(parts))) is not None:
            return line
        parts.pop()
    return None


def syntax_line(error: Exception, text: str) -> int:
    """Return the line at which a text stopped being TOML: where the reader says so, else the last."""
    place = re.search(r"at line (\d+), column \d+", str(error))
    return int(place[1]) if place else text.count("\n") + 1


@lru_cache(maxsize=4)
def _lines_of(text: str) -> Mapping[str, int]:
    """Every key's line; many faults of one text are looked up one after the other."""
    return dict(_lines(text))


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield each key written out with its line, an entry of a list under its own `key` too."""
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
