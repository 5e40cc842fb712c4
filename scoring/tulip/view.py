"""The tables of a ruleset that a tulip is played by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.hand import Tile
from scoring.hand.book import Book, book_of
from scoring.hand.tiles import BINGO, KIND, NAMED, Kind
from scoring.ruleset import Ruleset
from scoring.ruleset.chips import Chips
from scoring.ruleset.tiles import Bingo
from scoring.ruleset.tulip import TulipRules

BINGO_TILES: Mapping[Tile, Bingo] = dict(zip(BINGO, Bingo, strict=True))


class NoTulipError(ValueError):
    """Raised for a ruleset without a tulip."""


@dataclass(frozen=True, slots=True)
class WinView:
    """The tables of a ruleset that are used to examine a win."""

    book: Book
    tulip: TulipRules
    chips: Chips

    def stands_for(self, tile: Tile) -> Kind:
        """Return the kind a tile counts as in a tulip; -1 for a bonus tile that stands for none."""
        bingo = BINGO_TILES.get(tile)
        if bingo is None:
            return KIND[tile]
        name = self.tulip.joining.stands_for.get(bingo)
        return KIND[tile] if name is None else NAMED[name]


def declares_tulip(rules: Ruleset) -> bool:
    """Return whether a win can be followed by a tulip under these rules."""
    return rules.play is not None and rules.play.tulip is not None


def table_of(rules: Ruleset) -> WinView:
    """Return the tables of a ruleset; raise NoTulipError if it has no tulip."""
    if rules.play is None or rules.play.tulip is None or rules.play.chips is None:
        raise NoTulipError(f"the ruleset {rules.name} has no tulip")
    return WinView(book_of(rules), rules.play.tulip, rules.play.chips)
