"""Name, reading and affiliation in one cell of a roster, separated by blanks: 渡辺 誠 わたなべまこと.

Which part is which can only be supposed, since 渡辺 まこと may be a whole name. So both interpretations are offered,
and the organizer chooses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from rulesets.normalization import normalize

_SCRIPTS = (
    ("hiragana", re.compile("[ぁ-ゖー・゛゜]+")),
    ("katakana", re.compile("[ぁ-ヿー・゛゜]+")),
    ("latin", re.compile("[A-Za-zÀ-ɏ.'’-]+")),
    ("code", re.compile("[A-Za-z]*[-_]?[0-9][A-Za-z0-9_-]*")),
)
SHORTEST_READING = 5
"""Kana of a whole name's reading, at least; a single shorter part behind a single other may be a given name."""


@dataclass(frozen=True, slots=True)
class NameParts:
    """The parts of a cell. `is_likely` is False if the kana may as well be a given name."""

    name: str
    kana: str = ""
    romaji: str = ""
    affiliation: str = ""
    number: str = ""
    is_likely: bool = True


def name_parts(cell: str) -> NameParts | None:
    """Split a cell into name, reading and more by script; None if nothing in it looks like a reading."""
    runs = [(script, list(words)) for script, words in groupby(cell.split(), _script)]
    (first, name), *rest = runs or [("", [])]
    if first not in {"other", "latin"}:
        return None
    found: dict[str, str] = {}
    for script, words in rest:
        field = _field(first, script, found)
        if field is None:
            return None
        found[field] = " ".join(words)
    if not (found.keys() & {"kana", "romaji"}):
        return None
    return NameParts(" ".join(name), **found, is_likely=not _may_be_given_name(name, rest))


def _script(word: str) -> str:
    """Return the script of a word: hiragana, katakana (or both mixed), latin, code, or other, such as kanji."""
    plain = normalize("NFKC", word)
    return next((script for script, pattern in _SCRIPTS if pattern.fullmatch(plain)), "other")


def _field(first: str, script: str, found: dict[str, str]) -> str | None:
    """Return the field of a run of words; None if it fits none."""
    wanted = {
        "hiragana": ("kana", "affiliation"),
        "katakana": ("kana", "affiliation"),
        "latin": ("affiliation",) if first == "latin" else ("romaji", "affiliation"),
        "code": ("number",),
        "other": ("affiliation",) if found else (),
    }[script]
    return next((field for field in wanted if field not in found), None)


def _may_be_given_name(name: Sequence[str], rest: Sequence[tuple[str, Sequence[str]]]) -> bool:
    """Return True for one word and a short one in kana behind it: 渡辺 まこと."""
    _script_of_next, following = rest[0]
    return len(name) == len(following) == 1 and len(following[0]) < SHORTEST_READING
