"""The tile picker: tiles to tap, with the number left of each, and the hand put together so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from league.selectors.rulebooks.hand_circumstances import Known, known_by
from league.selectors.rulebooks.hand_tray import WHOLE, TapTarget, Tray
from league.wording.live.hands import CALLS
from league.wording.live.tiles import tile_name
from scoring.hand import Meld, Tile
from scoring.hand.tiles import KIND, KINDS, NAME, NO_KIND
from scoring.ruleset import Ruleset

TARGETS: dict[TapTarget, str | Promise] = {
    TapTarget.HAND: pgettext_lazy("where a tile goes", "hand"),
    TapTarget.NUKI: pgettext_lazy("where a tile goes", "set aside"),
    TapTarget.DORA: pgettext_lazy("where a tile goes", "dora indicator"),
    TapTarget.URA: pgettext_lazy("where a tile goes", "ura indicator"),
}
_HONOURS = 27
_IN_SUIT = 9


@dataclass(frozen=True, slots=True)
class PickerTile:
    """A tile to tap, with its copies in the wall and those left."""

    code: str
    name: str
    copies: int
    left: int


@dataclass(frozen=True, slots=True)
class TrayTile:
    """A tile of the hand so far; `place` is empty if a tap on it does nothing."""

    code: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class TrayMeld:
    """A meld of the hand so far."""

    place: str
    kind: str
    how: str
    tiles: tuple[TrayTile, ...]


@dataclass(frozen=True, slots=True)
class Picker:
    """The context of the template `hand/picker.html`."""

    line: str
    tray: Tray
    rows: tuple[tuple[PickerTile, ...], ...]
    targets: tuple[tuple[str, str], ...]
    target: str
    submits: bool
    """True if every tap without a script is a request; False if the buttons need a script."""

    @property
    def concealed(self) -> tuple[TrayTile, ...]:
        """Return the concealed tiles."""
        return _row("c", self.tray.concealed)

    @property
    def won(self) -> TrayTile | None:
        """Return the winning tile of a complete hand, or None."""
        return None if self.tray.win is None else _tray_tile("w", self.tray.win)

    @property
    def melds(self) -> tuple[TrayMeld, ...]:
        """Return the melds in the order called."""
        return tuple(self._meld(number, meld) for number, meld in enumerate(self.tray.melds))

    @property
    def asides(self) -> tuple[tuple[str, str, tuple[TrayTile, ...]], ...]:
        """Return tiles set aside, dora and ura indicators, each with key and label."""
        rows = {TapTarget.NUKI: self.tray.nuki, TapTarget.DORA: self.tray.dora, TapTarget.URA: self.tray.ura}
        return tuple((key.value, str(TARGETS[key]), _row(key.value[0], row)) for key, row in rows.items())

    @property
    def is_wide(self) -> bool:
        """Return True if a suit has plain, red and gold fives."""
        return max(map(len, self.rows)) > _IN_SUIT + 1

    @property
    def missing(self) -> int:
        """Return the number of tiles that a complete hand still needs; negative if there are too many."""
        return WHOLE - self.tray.size

    def _meld(self, number: int, meld: Meld) -> TrayMeld:
        tiles = tuple(
            _tray_tile(f"m{number}.{at}" if self._has_other(tile) else "", tile) for at, tile in enumerate(meld.tiles)
        )
        return TrayMeld(f"m{number}", meld.kind.value, str(CALLS[meld.kind]), tiles)

    def _has_other(self, tile: Tile) -> bool:
        """Return True if the wall has another variant of the tile, such as a red five."""
        return sum(1 for row in self.rows for each in row if _same_kind(each.code, tile)) > 1


def picker_for(rules: Ruleset) -> Picker:
    """Return an empty picker for pages that take a win as tiles; raise NoHandsError if the rules define no hands."""
    return picker_of(known_by(rules), Tray(), "", submits=False)


def picker_of(
    known: Known, tray: Tray, line: str, *, target: TapTarget = TapTarget.HAND, submits: bool = True
) -> Picker:
    """Return a picker with the tiles of a tray; `line` is the hand as typed."""
    used = tray.used()
    rows: dict[int, list[PickerTile]] = {}
    for tile, copies in known.wall.items():
        left = max(0, copies - used[tile])
        rows.setdefault(_row_of(tile), []).append(PickerTile(NAME[tile], tile_name(tile), copies, left))
    for row in rows.values():
        row.sort(key=lambda each: _in_row(each.code))
    chosen = tuple(_targets(known))
    return Picker(
        line,
        tray,
        tuple(tuple(rows[key]) for key in sorted(rows)),
        chosen,
        target.value if target.value in dict(chosen) else TapTarget.HAND.value,
        submits,
    )


def _targets(known: Known) -> Iterator[tuple[str, str]]:
    """Yield the targets of a tap under these rules: hand, calls, tiles set aside, indicators."""
    yield TapTarget.HAND.value, str(TARGETS[TapTarget.HAND])
    yield from ((kind.value, str(CALLS[kind])) for kind in known.calls)
    if known.sets_aside:
        yield TapTarget.NUKI.value, str(TARGETS[TapTarget.NUKI])
    yield TapTarget.DORA.value, str(TARGETS[TapTarget.DORA])
    if known.has_ura:
        yield TapTarget.URA.value, str(TARGETS[TapTarget.URA])


def _row_of(tile: Tile) -> int:
    """Return the picker's row of a tile: a suit, the honours, or the bonus tiles."""
    kind = KIND[tile]
    return 4 if kind == NO_KIND else 3 if kind >= _HONOURS else kind // _IN_SUIT


def _in_row(code: str) -> tuple[int, bool]:
    """Return the sort key of a tile in its row; marked tiles follow the plain tile of their kind."""
    tile = NAME.index(code)
    return (tile if KIND[tile] == NO_KIND else KIND[tile], tile >= KINDS)


def _same_kind(code: str, tile: Tile) -> bool:
    return KIND[NAME.index(code)] == KIND[tile] != NO_KIND


def _row(letter: str, tiles: tuple[Tile, ...]) -> tuple[TrayTile, ...]:
    return tuple(_tray_tile(f"{letter}{number}", tile) for number, tile in enumerate(tiles))


def _tray_tile(place: str, tile: Tile) -> TrayTile:
    return TrayTile(NAME[tile], tile_name(tile), place)
