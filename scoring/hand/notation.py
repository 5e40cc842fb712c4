"""A winning hand as it lies on the table: concealed tiles, melds in the order of calling, the winning tile.

Nothing here knows a ruleset: a hand is what somebody wrote down. Whether it can be is `check`'s question.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.hand.tiles import NotationError, Tile, parse_tiles, tiles_text


class MeldKind(StrEnum):
    """How tiles came to lie in a meld."""

    CHI = "chi"
    """A sequence, called from the left: チー."""
    PON = "pon"
    """A triplet, called: ポン."""
    MINKAN = "minkan"
    """A kan called from a discard: 大明槓."""
    KAKAN = "kakan"
    """A pon to which the fourth tile was added: 加槓."""
    ANKAN = "ankan"
    """A concealed kan: 暗槓. The hand stays closed."""


NUKI = "nuki"
"""How tiles set aside as bonus tiles are written among the melds."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld on the table."""

    kind: MeldKind
    tiles: tuple[Tile, ...]

    def __str__(self) -> str:
        return f"{self.kind.value}:{tiles_text(self.tiles)}"


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand that is won. With three tiles for every meld, the concealed tiles are 13; `win` is the fourteenth."""

    concealed: tuple[Tile, ...]
    """Without the winning tile, in any order."""
    win: Tile
    melds: tuple[Meld, ...] = ()
    """In the order in which they were called; an added kan stands where its pon stood."""
    nuki: tuple[Tile, ...] = ()
    """Bonus tiles set aside."""

    @classmethod
    def parse(cls, concealed: str, win: str, melds: tuple[str, ...] = ()) -> Hand:
        """Read a hand from notation: `Hand.parse("123m22p355s", "6s", ("pon:777p", "nuki:4z"))`.

        Raise NotationError saying what cannot be read, and where.
        """
        winning = parse_tiles(win)
        if len(winning) != 1:
            raise NotationError(f"the winning tile {win!r} must be one tile")
        called = [_meld(text) for text in melds]
        return cls(
            concealed=parse_tiles(concealed),
            win=winning[0],
            melds=tuple(each for each in called if isinstance(each, Meld)),
            nuki=tuple(tile for each in called if isinstance(each, tuple) for tile in each),
        )

    def __str__(self) -> str:
        parts = [tiles_text(self.concealed), *map(str, self.melds)]
        if self.nuki:
            parts.append(f"{NUKI}:{tiles_text(self.nuki)}")
        return f"{' '.join(parts)} + {tiles_text((self.win,))}"


def _meld(text: str) -> Meld | tuple[Tile, ...]:
    """A meld, or the tiles of `nuki:`."""
    name, colon, tiles = text.partition(":")
    if not colon or name not in (*MeldKind, NUKI):
        known = ", ".join((*MeldKind, NUKI))
        raise NotationError(f"the meld {text!r} must be written as kind:tiles, the kind one of {known}")
    found = parse_tiles(tiles)
    return found if name == NUKI else Meld(MeldKind(name), found)
