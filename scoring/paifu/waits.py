"""Tenpai by the usual forms: four sets and a pair, seven pairs, thirteen orphans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scoring.hand import Tile
from scoring.hand.shapes import ALL_PAIRS, by_suit, readings_of
from scoring.hand.tiles import KIND, KINDS, OUTSIDE, UNIT, Kind
from scoring.paifu.table import COPIES


def waits_of(concealed: Sequence[Tile]) -> tuple[Kind, ...]:
    """Return the kinds that complete these concealed tiles, which are one short of a hand; melds lie beside them."""
    held = Counter(KIND[tile] for tile in concealed)
    packed = sum(UNIT[kind] * count for kind, count in held.items())
    return tuple(kind for kind in _candidates(held) if readings_of(by_suit(packed + UNIT[kind])) or _other(held, kind))


def is_tenpai(concealed: Sequence[Tile]) -> bool:
    """Return whether some tile completes these concealed tiles."""
    return bool(waits_of(concealed))


def _candidates(held: Counter[Kind]) -> Iterator[Kind]:
    """Yield the kinds of which a fifth copy is not needed."""
    return (kind for kind in range(KINDS) if held[kind] < COPIES)


def _other(held: Counter[Kind], kind: Kind) -> bool:
    """Return whether the kind completes seven different pairs or thirteen orphans."""
    full = held + Counter((kind,))
    if full.total() != 2 * ALL_PAIRS:
        return False
    return set(full.values()) == {2} or set(full) == set(OUTSIDE)
