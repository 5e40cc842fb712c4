"""A tulip as the page for the table needs it: where it stands, and what each tile would bring if it came next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from league.selectors.hands import Scored
from scoring.hand import Tile
from scoring.hand.tiles import BINGO, FLOWERS, KIND, NAMED, NO_KIND
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
    """Every tile of the wall, suit by suit, honours and bonus tiles together."""
    rows: dict[str, list[Ahead]] = {}
    for suit, tile, copies in _wall(rules):
        left = copies - _seen(state)[tile]
        rows.setdefault(suit, []).append(Ahead(tile, len(matches(state, tile, rules)), max(left, 0)))
    return [tuple(row) for row in rows.values()]


def _wall(rules: Ruleset) -> Iterator[tuple[str, Tile, int]]:
    """Each kind of tile with its row and how many there are; marked tiles count as their kind."""
    assert rules.play is not None, "a ruleset with a tulip is played"  # noqa: S101 - told to the type checker
    tiles = rules.play.tiles
    for name in tiles.listed():
        yield name[1], NAMED[name], tiles.copies_of.get(name, tiles.copies)
    for bingo, count in zip(BINGO, tiles.bingo.values(), strict=False):
        yield "z", bingo, count
    for flower in FLOWERS[: tiles.flowers]:
        yield "f", flower, -(-tiles.flowers // len(FLOWERS))


def _seen(state: State) -> Counter[Tile]:
    """How many of each kind lie open."""
    tiles = (*tiles_of(state.start.won), *state.flipped)
    return Counter(tile if KIND[tile] == NO_KIND else KIND[tile] for tile in tiles)
