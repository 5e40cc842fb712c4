"""Dora of all kinds."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hand.book import Book
from scoring.hand.records import DoraLine
from scoring.hand.situation import RiichiKind, Situation
from scoring.hand.tiles import (
    BINGO,
    BITS,
    COUNT,
    FIVES,
    FLOWERS,
    GOLD,
    KIND,
    NO_KIND,
    NORTH,
    RED,
    Tile,
)
from scoring.ruleset.value import Dora


@dataclass(frozen=True, slots=True)
class DoraCount:
    """A hand's dora."""

    lines: tuple[DoraLine, ...]
    """Those that are worth something."""
    han: int
    yaku_han: int
    """The part of the han that counts as a yaku."""
    points: int
    """What each payer pays for them."""
    ura: int
    """Dora from indicators beneath, whether they are worth han or not."""
    red: int
    gold: int


NONE = DoraCount((), 0, 0, 0, 0, 0, 0)
_COLOURED = sum(COUNT << (BITS * tile) for tile in (*RED.values(), *GOLD.values()))


def dora_of(packed: int, nuki: tuple[Tile, ...], situation: Situation, book: Book, *, closed: bool) -> DoraCount:
    """Count the dora of a hand.

    `packed` holds all its tiles, melds included, marked ones by themselves too; `nuki` what was set aside.
    """
    counts: list[tuple[Dora, int]] = []
    played = book.play.dora.kinds
    for number, indicator in enumerate(situation.dora_indicators):
        if there := _pointed_at(indicator, packed, nuki, book):
            counts.append((Dora.KAN if number else Dora.INDICATOR, there))
    ura = 0
    if situation.riichi is not RiichiKind.NONE:
        for number, indicator in enumerate(situation.ura_indicators):
            if there := _pointed_at(indicator, packed, nuki, book):
                counts.append((Dora.KAN_URA if number else Dora.URA, there))
                ura += there
    red = gold = 0
    if packed & _COLOURED:
        red = sum(packed >> (BITS * tile) & COUNT for tile in RED.values())
        gold = sum(packed >> (BITS * tile) & COUNT for tile in GOLD.values())
        counts += [(Dora.RED, red), (Dora.GOLD, gold)]
    if book.has_fixed_dora:
        counts += _fixed(packed, nuki)
    if not counts:
        return NONE
    return _counted(
        [(kind, there) for kind, there in counts if there and kind in played], (ura, red, gold), book, closed
    )


def _pointed_at(indicator: Tile, packed: int, nuki: tuple[Tile, ...], book: Book) -> int:
    """How many dora an indicator makes; a bonus tile as an indicator may double those set aside."""
    kind = KIND[indicator]
    if kind == NO_KIND:
        alike = FLOWERS if indicator in FLOWERS else BINGO
        return sum(1 for tile in nuki if tile in alike) if book.play.dora.turning.bonus_tile_doubles else 0
    dora = book.successor[kind]
    there = packed >> (BITS * dora) & COUNT
    return there + nuki.count(dora) if nuki else there


def _fixed(packed: int, nuki: tuple[Tile, ...]) -> list[tuple[Dora, int]]:
    """Tiles that are dora whatever is turned."""
    aside = nuki.count(NORTH)
    return [
        (Dora.FIVE, sum(packed >> (BITS * five) & COUNT for five in FIVES.values())),
        (Dora.NORTH, aside + (packed >> (BITS * NORTH) & COUNT)),
        (Dora.NORTH_ASIDE, aside),
        (Dora.FLOWER, sum(1 for tile in nuki if tile in FLOWERS)),
        (Dora.BINGO, sum(1 for tile in nuki if tile in BINGO)),
    ]


def _counted(counts: list[tuple[Dora, int]], prizes: tuple[int, int, int], book: Book, closed: bool) -> DoraCount:  # noqa: FBT001
    """The lines of what is worth something, those of one kind together."""
    together: dict[Dora, int] = {}
    for kind, there in counts:
        together[kind] = together.get(kind, 0) + there
    lines = []
    han = yaku_han = points = 0
    for kind, there in together.items():
        line = book.dora(kind, there, closed=closed)
        if line.han or line.points:
            lines.append(line)
            han += line.han
            points += line.points
            yaku_han += line.han if line.as_yaku else 0
    return DoraCount(tuple(lines), han, yaku_han, points, *prizes)
