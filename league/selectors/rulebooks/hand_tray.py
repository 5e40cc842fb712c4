"""State of the hand input by tapping tiles: adding, removing and recolouring tiles, and the copies left of each.

The tray is serialized to the same line of notation in which hands are typed, so that the URL carries it and
tapping and typing can alternate. A complete hand has its winning tile behind a plus sign; until then the tile
tapped last becomes the winning tile.
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


class TapTarget(StrEnum):
    """The part of the hand that the next tapped tile goes to."""

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
        """Parse the notation of a hand, its dora and its ura dora; raise NotationError for text that is no tiles."""
        tiles, drawn, melds = split_line(line)
        winning = parse_tiles(drawn)
        if len(winning) > 1:
            raise NotationError("not_one_tile", text=drawn)
        called, nuki = parse_melds(melds)
        found = cls(parse_tiles(tiles), None, called, nuki, parse_tiles(dora), parse_tiles(ura))
        return replace(found, win=winning[0]) if winning else found.with_winning_tile()

    @property
    def size(self) -> int:
        """Return the number of tiles out of 14, each meld counted as three."""
        return len(self.concealed) + (self.win is not None) + _IN_MELD * len(self.melds)

    @property
    def line(self) -> str:
        """Return the hand in notation."""
        parts = [tiles_text(self.concealed), *map(str, self.melds)]
        if self.nuki:
            parts.append(f"{NUKI}:{tiles_text(self.nuki)}")
        if self.win is not None:
            parts += ["+", tiles_text((self.win,))]
        return " ".join(filter(None, parts))

    def used(self) -> Counter[Tile]:
        """Return the number of copies in use of each exact tile."""
        melded = (tile for meld in self.melds for tile in meld.tiles)
        won = () if self.win is None else (self.win,)
        return Counter((*self.concealed, *won, *melded, *self.nuki, *self.dora, *self.ura))

    def with_winning_tile(self) -> Tray:
        """Return a complete hand with its last concealed tile as the winning tile and the others sorted.

        A tray that is not complete, or has a winning tile already, is returned unchanged.
        """
        if self.win is not None or self.size != WHOLE or not self.concealed:
            return self
        return replace(self, concealed=tuple(sorted(self.concealed[:-1], key=in_order)), win=self.concealed[-1])

    def tap(self, tile: Tile, target: TapTarget, wall: Mapping[Tile, int]) -> Tray:
        """Return the tray with a tile, or the meld that begins with it, added.

        The tray is returned unchanged if the tile does not fit or no copy is left.
        """
        left = Counter(dict(wall)) - self.used()
        # A chi may begin with a tile whose exact copies are used up: another of its kind, red or plain, takes its
        # place.
        if not left[tile] and target is not TapTarget.CHI:
            return self
        if target is TapTarget.DORA:
            return replace(self, dora=(*self.dora, tile))
        if target is TapTarget.URA:
            return replace(self, ura=(*self.ura, tile))
        if target is TapTarget.NUKI or (target is TapTarget.HAND and tile in FLOWERS):
            return replace(self, nuki=(*self.nuki, tile))
        if target is TapTarget.HAND:
            return self if self.size >= WHOLE else replace(self, concealed=(*self.concealed, tile)).with_winning_tile()
        return self._with_meld(MeldKind(target.value), tile, left)

    def _with_meld(self, how: MeldKind, tile: Tile, left: Counter[Tile]) -> Tray:
        """Return the tray with the meld that begins with a tile; the other tiles are plain ones before red ones."""
        if KIND[tile] == NO_KIND or self.size + _IN_MELD > WHOLE:
            return self
        count = _IN_MELD if how is MeldKind.PON else _IN_MELD + 1
        found = _run(tile, left) if how is MeldKind.CHI else _alike(tile, count, left)
        return replace(self, melds=(*self.melds, Meld(how, found))).with_winning_tile() if found else self

    def drop(self, place: str) -> Tray:
        """Return the tray without the tile or meld at a place.

        Places are `c0` in the hand, `w` the winning tile, `m0` a meld, `n0` nuki, `d0` dora and `u0` ura dora.
        """
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
        """Return the tray of a hand no longer complete: its winning tile is concealed again."""
        return self if self.win is None else replace(self, concealed=(*self.concealed, self.win), win=None)

    def recolour(self, place: str, wall: Mapping[Tile, int]) -> Tray:
        """Return the tray with a tile of a meld, `m0.1`, exchanged for the next copy: a red five for a plain one."""
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
    """Sort key: suits, then honours, then bonus tiles; red fives beside plain ones."""
    return (KIND[tile] if KIND[tile] != NO_KIND else len(KIND), tile)


def copies_of(kind: int, left: Mapping[Tile, int]) -> list[Tile]:
    """Return the distinct tiles of a kind that are left, plain ones first."""
    return [tile for tile in range(len(NAME)) if KIND[tile] == kind and left.get(tile, 0)]


def _run(tile: Tile, left: Counter[Tile]) -> tuple[Tile, ...]:
    """Return the sequence from a tile, or the last one of its suit; empty if one of its tiles is used up."""
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
    """Return `count` tiles of a kind, the given tile first; empty if too few are left."""
    others = list(_each(copies_of(KIND[tile], left - Counter([tile])), left - Counter([tile])))
    found = sorted([tile, *others[: count - 1]], key=lambda each: (each != tile, each))
    return tuple(found) if len(found) == count else ()


def _each(tiles: list[Tile], left: Mapping[Tile, int]) -> Iterator[Tile]:
    for tile in tiles:
        yield from [tile] * left[tile]
