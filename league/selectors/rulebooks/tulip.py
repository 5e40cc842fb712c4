"""A tulip as the page for the table needs it: where it stands, and what each tile would bring if it came next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from league.selectors.rulebooks.hands import Scored
from scoring.hand import Tile, wall_of
from scoring.hand.tiles import KIND, KINDS, NAME, NO_KIND
from scoring.ruleset import Ruleset
from scoring.tulip import State, Tulip, matches, replay, won_of
from scoring.tulip.problems import tiles_of


@dataclass(frozen=True, slots=True)
class Ahead:
    """A tile that may be turned next."""

    tile: Tile
    matches: int
    left: int
    """How many of them nobody has seen yet."""


def tulip_after(scored: Scored, flips: tuple[Tile, ...], stacks: int | None) -> Tulip | None:
    """The tulip after a win and these flips; none where the hand is no win.

    Raise InvalidTulipError if the win cannot be followed by one as it was entered.
    """
    return None if scored.value is None else replay(won_of(scored.value, stacks), flips, scored.rules)


def rows_ahead(state: State, rules: Ruleset) -> list[tuple[Ahead, ...]]:
    """Every kind of tile in the wall: a row for each suit, honours and bonus tiles together."""
    wall, seen = _kinds(wall_of(rules)), _kinds(Counter((*tiles_of(state.start.won), *state.flipped)))
    rows: dict[str, list[Ahead]] = {}
    for tile in sorted(wall):
        suit = NAME[tile][1] if tile < KINDS else "z"
        ahead = Ahead(tile, len(matches(state, tile, rules)), max(wall[tile] - seen[tile], 0))
        rows.setdefault(suit, []).append(ahead)
    return [tuple(row) for row in rows.values()]


def _kinds(tiles: Mapping[Tile, int]) -> Counter[Tile]:
    """How many of each kind; marked tiles count as their kind, bonus tiles stay what they are."""
    found: Counter[Tile] = Counter()
    for tile, count in tiles.items():
        found[tile if KIND[tile] == NO_KIND else KIND[tile]] += count
    return found
