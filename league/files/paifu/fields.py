"""Values of a parsed log, taken with a check of their type and size; a refusal names the key and the value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from scoring.paifu.problems import PaifuError

MOST = 10_000_000
LONGEST = 200
SHOWN = 40
TENTHS = re.compile(r"[+-]?\d{1,7}(\.\d{1,3}0*)?", re.ASCII)
WHOLE = re.compile(r"[+-]?\d{1,9}", re.ASCII)


def shown(value: object) -> str:
    """Return a value as it is named in a refusal, shortened."""
    text = value if isinstance(value, str) else type(value).__name__ if isinstance(value, list | dict) else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def whole(value: object, key: str, least: int = 0, most: int = MOST) -> int:
    """Return a whole number given as one, or as text."""
    number = int(value) if isinstance(value, str) and WHOLE.fullmatch(value) else value
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise PaifuError("not_whole", key=key, least=least, most=most, value=shown(value))
    return number


def wholes(text: str, key: str, least: int = 0, most: int = MOST) -> list[int]:
    """Return whole numbers separated by commas; none for an empty text."""
    return [whole(part, key, least, most) for part in text.split(",")] if text else []


def items(value: object, key: str, most: int) -> list[object]:
    """Return a list; refuse one with more entries than allowed."""
    if not isinstance(value, list):
        raise PaifuError("not_list", key=key, value=shown(value))
    if len(value) > most:
        raise PaifuError("too_many", most=most)
    return value


def members(value: object, key: str) -> Mapping[str, object]:
    """Return an object."""
    if not isinstance(value, dict):
        raise PaifuError("not_object", key=key, value=shown(value))
    return value


def text(value: object, key: str) -> str:
    """Return text without surrounding blanks, without characters that no database stores."""
    if not isinstance(value, str) or len(value) > LONGEST or any(map(_is_unstorable, value)):
        raise PaifuError("not_text", key=key, most=LONGEST, value=ascii(shown(value)))
    return value.strip()


def _is_unstorable(letter: str) -> bool:
    return letter == "\0" or "\ud800" <= letter <= "\udfff"


def tenths(value: object, key: str) -> int:
    """Return points with at most one decimal, as tenths."""
    given = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(given, str) or not TENTHS.fullmatch(given):
        raise PaifuError("not_points", key=key, value=shown(value))
    found = Fraction(given) * 10
    if found.denominator != 1:
        raise PaifuError("not_points", key=key, value=shown(value))
    return found.numerator
