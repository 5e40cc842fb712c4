"""Yaku that depend on the tiles of a hand alone, not on their reading."""

from __future__ import annotations

from collections.abc import Callable

from scoring.hand.tiles import (
    ALL_KINDS,
    GREEN,
    HATSU,
    OUTSIDE,
    SUIT_MASKS,
    TERMINALS,
    mask,
)
from scoring.ruleset.yaku import YakuName, YakuRules

_CHARACTERS, _CIRCLES, _BAMBOOS, _HONOURS = SUIT_MASKS
_SIMPLES = ALL_KINDS & ~mask(OUTSIDE)
_TERMINALS = mask(TERMINALS)
_NOT_GREEN = ALL_KINDS & ~mask(GREEN)
_HATSU = mask((HATSU,))


class Mixture:
    """The sorts of tiles that a hand has."""

    __slots__ = ("hatsu", "honours", "needs_hatsu", "other_than_green", "simples", "suits", "terminals")

    def __init__(self, packed: int, rules: YakuRules) -> None:
        self.suits = tuple(bool(packed & suit) for suit in (_CHARACTERS, _CIRCLES, _BAMBOOS))
        self.honours = bool(packed & _HONOURS)
        self.simples = bool(packed & _SIMPLES)
        self.terminals = bool(packed & _TERMINALS)
        self.other_than_green = bool(packed & _NOT_GREEN)
        self.hatsu = bool(packed & _HATSU)
        self.needs_hatsu = rules.all_green_needs_hatsu


def signature(packed: int) -> int:
    """Return the sorts of packed tiles as one small number (8 bits): all that this family of yaku depends on."""
    return (
        (1 if packed & _CHARACTERS else 0)
        | (2 if packed & _CIRCLES else 0)
        | (4 if packed & _BAMBOOS else 0)
        | (8 if packed & _HONOURS else 0)
        | (16 if packed & _SIMPLES else 0)
        | (32 if packed & _TERMINALS else 0)
        # Two bits for all green, since some houses also require the green dragon.
        | (0 if packed & _NOT_GREEN else 192 if packed & _HATSU else 64)
    )


ONE_SUIT = frozenset((1, 2, 4))
"""The bits of suits and honours in the signature of a hand in one suit without honours."""
SUITS_AND_HONOURS = 15
CHARACTERS, HONOURS = 1, 8


def tanyao(tiles: Mixture) -> bool:
    """Return whether there are only numbers from 2 to 8."""
    return not (tiles.terminals or tiles.honours)


def honroutou(tiles: Mixture) -> bool:
    """Return whether there are only terminals and honours."""
    return not tiles.simples


def honitsu(tiles: Mixture) -> bool:
    """Return whether there is one suit, with or without honours; without them chinitsu replaces it."""
    return sum(tiles.suits) == 1


def chinitsu(tiles: Mixture) -> bool:
    """Return whether there is one suit without honours."""
    return sum(tiles.suits) == 1 and not tiles.honours


def manzu_honitsu(tiles: Mixture) -> bool:
    """Return whether there are only characters, with or without honours."""
    return tiles.suits == (True, False, False)


def tsuuiisou(tiles: Mixture) -> bool:
    """Return whether there are only honours."""
    return not any(tiles.suits)


def chinroutou(tiles: Mixture) -> bool:
    """Return whether there are only terminals."""
    return not (tiles.simples or tiles.honours)


def ryuuiisou(tiles: Mixture) -> bool:
    """Return whether there are only bamboos 2, 3, 4, 6, 8 and the green dragon; some houses require the dragon."""
    return not tiles.other_than_green and (tiles.hatsu or not tiles.needs_hatsu)


TILE_YAKU: dict[YakuName, Callable[[Mixture], int]] = {
    YakuName.TANYAO: tanyao,
    YakuName.HONROUTOU: honroutou,
    YakuName.HONITSU: honitsu,
    YakuName.CHINITSU: chinitsu,
    YakuName.MANZU_HONITSU: manzu_honitsu,
    YakuName.TSUUIISOU: tsuuiisou,
    YakuName.CHINROUTOU: chinroutou,
    YakuName.RYUUIISOU: ryuuiisou,
}
