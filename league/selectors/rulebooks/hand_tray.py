"""A hand while it is put together from tiles: what a tap adds, what another takes away, what is left of each tile.

The one idea: the tray is written in the line in which hands are typed, so that the address of a page carries it and
tapping and typing can follow one another. A whole hand has its winning tile behind a plus; until then the tile tapped
last will be it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from scoring.hand import Meld, MeldKind, NotationError, Tile, parse_tiles, tiles_text
from scoring.hand.notation import NUKI, parse_melds, split_line
from scoring.hand.tiles import FLOWERS, KIND, NAME, NO_KIND

WHOLE = 14
_IN_MELD = 3
_LAST_RUN = 6
_IN_SUIT = 9
_FIRST_HONOUR = 27
_ROWS = {"c": "concealed", "m": "melds", "n": "nuki", "d": "dora", "u": "ura"}


class Target(StrEnum):
    """Where the next tile tapped goes."""

    HAND = "hand"
    CHI = "chi"
    PON = "pon"
    MINKAN = "minkan"
    KAKAN = "kakan"
    ANKAN = "ankan"
    NUKI = "nuki"
    DORA = "dora"
    URA = "ura"


@dataclass(frozen=True, slots=True)
class Tray:
    """The tiles chosen so far."""

    concealed: tuple[Tile, ...] = ()
    win: Tile | None = None
    melds: tuple[Meld, ...] = ()
    nuki: tuple[Tile, ...] = ()
    dora: tuple[Tile, ...] = ()
    ura: tuple[Tile, ...] = ()

    @classmethod
    def read(cls, line: str, dora: str = "", ura: str = "") -> Tray:
        """Read what is there so far. Raise NotationError for what are no tiles."""
        tiles, drawn, melds = split_line(line)
        winning = parse_tiles(drawn)
        if len(winning) > 1:
            raise NotationError("not_one_tile", text=drawn)
        called, nuki = parse_melds(melds)
        found = cls(parse_tiles(tiles), None, called, nuki, parse_tiles(dora), parse_tiles(ura))
        return replace(found, win=winning[0]) if winning else found.settled()

    @property
    def size(self) -> int:
        """How many tiles of a whole hand there are, each meld counting for three."""
        return len(self.concealed) + (self.win is not None) + _IN_MELD * len(self.melds)

    @property
    def line(self) -> str:
        """The hand as it is typed."""
        parts = [tiles_text(self.concealed), *map(str, self.melds)]
        if self.nuki:
            parts.append(f"{NUKI}:{tiles_text(self.nuki)}")
        if self.win is not None:
            parts += ["+", tiles_text((self.win,))]
        return " ".join(filter(None, parts))

    def used(self) -> Counter[Tile]:
        """How many of each very tile are on the table."""
        melded = (tile for meld in self.melds for tile in meld.tiles)
        won = () if self.win is None else (self.win,)
        return Counter((*self.concealed, *won, *melded, *self.nuki, *self.dora, *self.ura))

    def settled(self) -> Tray:
        """A whole hand gets its winning tile: the last of those concealed; the others are put in order."""
        if self.win is not None or self.size != WHOLE or not self.concealed:
            return self
        return replace(self, concealed=tuple(sorted(self.concealed[:-1], key=in_order)), win=self.concealed[-1])

    def tap(self, tile: Tile, target: Target, wall: Mapping[Tile, int]) -> Tray:
        """Add a tile, or the meld that begins with it; nothing happens where it does not fit or none is left."""
        left = Counter(dict(wall)) - self.used()
        if not left[tile] and target is not Target.CHI:
            return self
        if target is Target.DORA:
            return replace(self, dora=(*self.dora, tile))
        if target is Target.URA:
            return replace(self, ura=(*self.ura, tile))
        if target is Target.NUKI or (target is Target.HAND and tile in FLOWERS):
            return replace(self, nuki=(*self.nuki, tile))
        if target is Target.HAND:
            return self if self.size >= WHOLE else replace(self, concealed=(*self.concealed, tile)).settled()
        return self._with_meld(MeldKind(target.value), tile, left)

    def _with_meld(self, how: MeldKind, tile: Tile, left: Counter[Tile]) -> Tray:
        """The meld that begins with a tile, plain tiles before marked ones; that very tile among them."""
        if KIND[tile] == NO_KIND or self.size + _IN_MELD > WHOLE:
            return self
        count = _IN_MELD if how is MeldKind.PON else _IN_MELD + 1
        found = _run(tile, left) if how is MeldKind.CHI else _alike(tile, count, left)
        return replace(self, melds=(*self.melds, Meld(how, found))).settled() if found else self

    def drop(self, place: str) -> Tray:
        """Take away what lies at a place: `c0` in the hand, `w` the winning tile, `m0` a meld, `n0`, `d0`, `u0`."""
        name = _ROWS.get(place[:1])
        if place == "w":
            return replace(self, win=None)
        if name is None or not place[1:].isdecimal() or int(place[1:]) >= len(getattr(self, name)):
            return self
        row, at = getattr(self, name), int(place[1:])
        changed: dict[str, Any] = {name: (*row[:at], *row[at + 1 :])}
        kept = replace(self, **changed)
        return kept.loosened() if name in ("concealed", "melds") else kept

    def loosened(self) -> Tray:
        """A hand that is no longer whole has its winning tile among the others again."""
        return self if self.win is None else replace(self, concealed=(*self.concealed, self.win), win=None)

    def recolour(self, place: str, wall: Mapping[Tile, int]) -> Tray:
        """Put the next copy of a tile in its place in a meld, `m0.1`: a red five for a plain one."""
        meld, _dot, at = place.removeprefix("m").partition(".")
        if not (meld.isdecimal() and at.isdecimal() and int(meld) < len(self.melds)):
            return self
        changed = self.melds[int(meld)]
        if int(at) >= len(changed.tiles):
            return self
        tile = changed.tiles[int(at)]
        left = Counter(dict(wall)) - self.used()
        copies = copies_of(KIND[tile], left | Counter({tile: 1}))
        following = copies[(copies.index(tile) + 1) % len(copies)]
        tiles = (*changed.tiles[: int(at)], following, *changed.tiles[int(at) + 1 :])
        melds = (*self.melds[: int(meld)], Meld(changed.kind, tiles), *self.melds[int(meld) + 1 :])
        return replace(self, melds=melds)


def in_order(tile: Tile) -> tuple[int, Tile]:
    """Suits, then honours, then bonus tiles; marked tiles beside their kind."""
    return (KIND[tile] if KIND[tile] != NO_KIND else len(KIND), tile)


def copies_of(kind: int, left: Mapping[Tile, int]) -> list[Tile]:
    """The different tiles of a kind that are left, plain ones first."""
    return [tile for tile in range(len(NAME)) if KIND[tile] == kind and left.get(tile, 0)]


def _run(tile: Tile, left: Counter[Tile]) -> tuple[Tile, ...]:
    """The sequence that begins with a tile, or the last of its suit; none if a tile of it is not left."""
    kind = KIND[tile]
    if kind >= _FIRST_HONOUR:
        return ()
    start = kind - max(0, kind % _IN_SUIT - _LAST_RUN)
    found: list[Tile] = []
    for each in range(start, start + _IN_MELD):
        copies = copies_of(each, left)
        found += [tile] if each == kind and left[tile] else copies[:1]
    return tuple(found) if len(found) == _IN_MELD else ()


def _alike(tile: Tile, count: int, left: Counter[Tile]) -> tuple[Tile, ...]:
    """So many of a kind, the tile itself among them."""
    others = list(_each(copies_of(KIND[tile], left - Counter([tile])), left - Counter([tile])))
    found = sorted([tile, *others[: count - 1]], key=lambda each: (each != tile, each))
    return tuple(found) if len(found) == count else ()


def _each(tiles: list[Tile], left: Mapping[Tile, int]) -> Iterator[Tile]:
    for tile in tiles:
        yield from [tile] * left[tile]
