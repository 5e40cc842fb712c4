"""Names of tiles in Japanese and English."""

from __future__ import annotations

from league.wording.formatting import language_of
from scoring.hand.tiles import NAME, NAMED, Tile

BACK = "back"
"""The code of a face-down tile."""

_SUITS = {"m": ("萬", "characters"), "p": ("筒", "circles"), "s": ("索", "bamboos")}
_NUMERALS = "一二三四五六七八九"
_OTHERS = {
    "1z": ("東", "East"),
    "2z": ("南", "South"),
    "3z": ("西", "West"),
    "4z": ("北", "North"),
    "5z": ("白", "white dragon"),
    "6z": ("發", "green dragon"),
    "7z": ("中", "red dragon"),
    "wz": ("白ポッチ", "white pocchi"),
    "1f": ("春", "flower 1, spring"),
    "2f": ("夏", "flower 2, summer"),
    "3f": ("秋", "flower 3, autumn"),
    "4f": ("冬", "flower 4, winter"),
    "1b": ("赤ビンゴ", "red bingo"),
    "2b": ("青ビンゴ", "blue bingo"),
    BACK: ("伏せ牌", "face-down tile"),
}
_MARKED = {"0": ("赤五", "red 5 of"), "g": ("金五", "gold 5 of")}


def _both(name: str) -> tuple[str, str]:
    """Return a tile's Japanese and English names."""
    if name in _OTHERS:
        return _OTHERS[name]
    number, (suit, of) = name[0], _SUITS[name[1]]
    if number in _MARKED:
        return _MARKED[number][0] + suit, f"{_MARKED[number][1]} {of}"
    return _NUMERALS[int(number) - 1] + suit, f"{number} of {of}"


_NAMES = {name: _both(name) for name in (*NAME, BACK)}
TILE_CODES = frozenset(_NAMES)
"""All tile codes, `back` included."""


def name_of(code: str, language: str | None = None) -> str:
    """Return a tile's name by its code: 五筒, or "5 of circles"."""
    ja, en = _NAMES[code]
    return en if language_of(language) == "en" else ja


def tile_of(code: str) -> str:
    """Return the name of a tile in a sentence of the engine; a code of no tile is returned as it is."""
    return name_of(code) if code in NAMED else code


def tile_name(tile: Tile) -> str:
    """Return the name of a tile given by the engine's number."""
    return name_of(NAME[tile])
