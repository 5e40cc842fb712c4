"""Marks of players: a mahjong tile with one character and one of twelve colours, shown beside the name.

Readers of a list find a player by the mark before they read the name. Colour is never the only difference: the
character stands on the tile and the name beside it. The colours themselves are in the stylesheet (classes c0 to c11).
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from league.models import Player

COLOURS = 12
"""The number of colours; more could not be told apart at 4.5 : 1 on paper and in the dark."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The character on the tile and the number of its colour, 0 to 11."""

    glyph: str
    colour: int


def mark_of(player: Player) -> Mark:
    """Return the mark of a player: the first character of the name, and a colour that follows from the key."""
    return Mark(player.name[:1].upper(), zlib.crc32(player.key.encode()) % COLOURS)
