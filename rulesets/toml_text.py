"""Parse TOML within limits of length, depth and size that no hand-written file exceeds, so that parsing stays fast."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable

LONGEST = 500_000
"""The characters of a rules file; the longest one of the product has a quarter of them."""
DEEPEST = 16
MOST_ENTRIES = 10_000
LARGEST_BITS = 63
TOO_LARGE = "a number is too large"
_CHAIN = re.compile(
    rf"""(?<![\w.-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{DEEPEST}}}""",
)
"""A key with at least `DEEPEST` dots: parsing one takes time quadratic in its length."""


def toml_of(text: str, longest: int = LONGEST) -> dict[str, object]:
    """Return the data of a text; raise ValueError if it is not TOML, too long or too deep."""
    if len(text) > longest:
        raise ValueError(f"it has {len(text)} characters; at most {longest} are read")
    # Before parsing: the parser itself would be slowed down by a long key.
    refuse_long_keys(text)
    try:
        data = tomllib.loads(text)
    except RecursionError as deep:
        raise ValueError(f"nested more than {DEEPEST} levels deep") from deep
    except ValueError as error:
        if has_too_many_digits(error):
            raise ValueError(TOO_LARGE) from error
        raise
    refuse_too_much(data)
    return data


def has_too_many_digits(error: Exception) -> bool:
    """Return True if a parser of TOML or JSON failed at an integer of thousands of digits.

    Python's message about it is advice to programmers, and no type of its own tells it from others.
    """
    return "set_int_max_str_digits" in str(error)


def refuse_long_keys(text: str) -> None:
    """Raise ValueError for a key of more parts than a hand-written one has."""
    for number, line in enumerate(text.split("\n"), 1):
        # A key ends with its line; counting dots first takes a tenth of the time.
        if line.count(".") >= DEEPEST and _CHAIN.search(line):
            raise ValueError(f"a key has more than {DEEPEST} parts (at line {number}, column 1)")


def refuse_too_much(data: object) -> None:
    """Raise ValueError for tables and lists nested too deep or too long, and for numbers beyond 63 bits."""
    level = [data]
    # Level by level, without recursion: the depth is the very limit being tested.
    for _depth in range(DEEPEST + 1):
        if any(isinstance(each, int) and each.bit_length() > LARGEST_BITS for each in level):
            raise ValueError(TOO_LARGE)
        if any(isinstance(each, list | dict) and len(each) > MOST_ENTRIES for each in level):
            raise ValueError(f"a list or table has more than {MOST_ENTRIES} entries")
        level = [inner for each in level for inner in _inside(each)]
    if level:
        raise ValueError(f"nested more than {DEEPEST} levels deep")


def _inside(node: object) -> Iterable[object]:
    """Return the values in a table or a list; empty for other nodes."""
    if isinstance(node, dict):
        return node.values()
    return node if isinstance(node, list) else ()
