"""Melds of an mjlog: one number of 16 bits each, and tiles numbered copy by copy from 0 to 135."""

from __future__ import annotations

from dataclasses import dataclass

from league.files.paifu.fields import whole
from scoring.hand import Tile
from scoring.hand.tiles import FIVES, RED
from scoring.paifu.problems import PaifuError
from scoring.paifu.records import StepKind

TILE_IDS = 136
LARGEST_MELD = 0xFFFF
COPIES = 4
RED_IDS = {COPIES * five: RED[suit] for suit, five in FIVES.items()}
"""The first copy of each five is the red one, in games with red fives."""


@dataclass(frozen=True, slots=True)
class CalledMeld:
    """A meld as it was called: the tile of another player, or the tile added, comes first."""

    kind: StepKind
    ids: tuple[int, ...]


def tile_of(number: int, *, red: bool) -> Tile:
    """Return the tile with this number."""
    return RED_IDS.get(number, number // COPIES) if red else number // COPIES


def meld_of(value: str) -> CalledMeld:
    """Return the meld that a number stands for.

    Bit 2 says that it is a chi, bit 3 a pon, bit 4 an added kan, bit 5 a north set aside; without them it is another
    kan.
    """
    bits = whole(value, "m", 0, LARGEST_MELD)
    if bits & 0b100:
        return _chi(bits)
    if bits & 0b11000:
        return _pon(bits)
    if bits & 0b100000:
        return CalledMeld(StepKind.NORTH, (_within(bits >> 8),))
    return _kan(bits)


def _chi(bits: int) -> CalledMeld:
    pattern, called = divmod(bits >> 10, 3)
    suit, lowest = divmod(pattern, 7)
    first = 9 * suit + lowest
    ids = [_within(COPIES * (first + place) + (bits >> 3 + 2 * place & 0b11)) for place in range(3)]
    return CalledMeld(StepKind.CHI, (ids.pop(called), *ids))


def _pon(bits: int) -> CalledMeld:
    kind, called = divmod(bits >> 9, 3)
    ids = [_within(COPIES * kind + copy) for copy in range(COPIES)]
    other = ids.pop(bits >> 5 & 0b11)
    if bits & 0b1000:
        return CalledMeld(StepKind.PON, (ids.pop(called), *ids))
    return CalledMeld(StepKind.ADDED_KAN, (other,))


def _kan(bits: int) -> CalledMeld:
    called = _within(bits >> 8)
    first = called // COPIES * COPIES
    ids = [first + copy for copy in range(COPIES)]
    if not bits & 0b11:
        return CalledMeld(StepKind.CLOSED_KAN, tuple(ids))
    ids.remove(called)
    return CalledMeld(StepKind.OPEN_KAN, (called, *ids))


def _within(number: int) -> int:
    if number >= TILE_IDS:
        raise PaifuError("not_whole", key="m", least=0, most=TILE_IDS - 1, value=number)
    return number
