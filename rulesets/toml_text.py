"""TOML as people write it: no longer, and nested no deeper, than anybody would, so that reading it takes no time."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from typing import Any

LONGEST = 500_000
"""Characters of a file of rules; the longest that come with the product have a quarter of it."""
DEEPEST = 16
MOST_ENTRIES = 10_000
LARGEST_BITS = 63
_CHAIN = re.compile(
    rf"""(?<![\w.-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{DEEPEST}}}""",
)
"""A key of so many parts: reading one takes the square of its length."""


def toml_of(text: str, longest: int = LONGEST) -> dict[str, Any]:
    """The data of a text. Raise ValueError where it is no TOML, too long or too deep."""
    if len(text) > longest:
        raise ValueError(f"it has {len(text)} characters; at most {longest} are read")
    refuse_long_keys(text)
    try:
        data = tomllib.loads(text)
    except RecursionError as deep:
        raise ValueError(f"nested more than {DEEPEST} levels deep") from deep
    refuse_too_much(data)
    return data


def refuse_long_keys(text: str) -> None:
    """Raise ValueError for a key of more parts than anybody would write."""
    if chain := _CHAIN.search(text):
        line = text.count("\n", 0, chain.start()) + 1
        raise ValueError(f"a key has more than {DEEPEST} parts (at line {line}, column 1)")


def refuse_too_much(data: object) -> None:
    """Raise ValueError for tables and lists too deep in one another, lists too long, numbers that no computer holds."""
    level = [data]
    for _depth in range(DEEPEST + 1):
        if any(isinstance(each, int) and each.bit_length() > LARGEST_BITS for each in level):
            raise ValueError("a number is too large")
        if any(isinstance(each, list | dict) and len(each) > MOST_ENTRIES for each in level):
            raise ValueError(f"a list or table has more than {MOST_ENTRIES} entries")
        level = [inner for each in level for inner in _inside(each)]
    if level:
        raise ValueError(f"nested more than {DEEPEST} levels deep")


def _inside(node: object) -> Iterable[object]:
    """What stands in a table or a list."""
    if isinstance(node, dict):
        return node.values()
    return node if isinstance(node, list) else ()
