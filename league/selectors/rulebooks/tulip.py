"""Data of the page that flips tiles after a win (チューリップ): its state, and the gain of each possible next tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from league.selectors.rulebooks.hands import Scored
from scoring.hand import Tile, wall_of
from scoring.hand.tiles import KIND, KINDS, NAME, NO_KIND
from scoring.ruleset import Ruleset
from scoring.tulip import Tulip, TulipState, matches, replay, won_of
from scoring.tulip.problems import tiles_of


@dataclass(frozen=True, slots=True)
class Ahead:
    """A tile that may be flipped next."""

    tile: Tile
    matches: int
    left: int
    """Number of copies that are not visible yet."""


def tulip_after(scored: Scored, flips: tuple[Tile, ...], stacks: int | None) -> Tulip | None:
    """Return the tulip after a win and these flips; None if the hand is not a win.

    Raise InvalidTulipError if no tulip can follow the win as it was entered.
    """
    return None if scored.value is None else replay(won_of(scored.value, stacks), flips, scored.rules)


def rows_ahead(state: TulipState, rules: Ruleset) -> list[tuple[Ahead, ...]]:
    """Return every kind of tile in the wall, in a row for each suit, with honours and bonus tiles in one row."""
    wall, seen = _kinds(wall_of(rules)), _kinds(Counter((*tiles_of(state.start.won), *state.flipped)))
    rows: dict[str, list[Ahead]] = {}
    for tile in sorted(wall):
        suit = NAME[tile][1] if tile < KINDS else "z"
        ahead = Ahead(tile, len(matches(state, tile, rules)), max(wall[tile] - seen[tile], 0))
        rows.setdefault(suit, []).append(ahead)
    return [tuple(row) for row in rows.values()]


def _kinds(tiles: Mapping[Tile, int]) -> Counter[Tile]:
    """Return the number of tiles by kind; red fives count as their kind, bonus tiles stay distinct."""
    found: Counter[Tile] = Counter()
    for tile, count in tiles.items():
        found[tile if KIND[tile] == NO_KIND else KIND[tile]] += count
    return found
