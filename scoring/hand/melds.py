"""Melds as sets: one shared object for every set that can be called, found by its packed tiles."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.hand.shapes import TRIPLETS_AT, Feature
from scoring.hand.tiles import EAST, KINDS, OUTSIDE, UNIT, Kind


class MeldKind(StrEnum):
    """The kind of a meld."""

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


_CHI_BY_WEIGHT: dict[int, Kind] = {
    UNIT[start] + UNIT[start + 1] + UNIT[start + 2]: start
    for suit in range(3)
    for start in range(9 * suit, 9 * suit + 7)
}
_PON_BY_WEIGHT: dict[int, Kind] = {3 * unit: kind for kind, unit in enumerate(UNIT)}
_KAN_BY_WEIGHT: dict[int, Kind] = {4 * unit: kind for kind, unit in enumerate(UNIT)}


@dataclass(frozen=True, slots=True)
class Called:
    """A meld as a set; one shared object for each kind of meld and set."""

    how: MeldKind
    kind: Kind
    """The lowest tile."""
    bits: int
    """The bit of this set, as in a reading."""
    features: int
    is_run: bool
    is_kan: bool
    is_closed: bool
    place: int
    """The index of its line in `FuRules.called`: by kind, first open triplets, then open kans, then concealed kans."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each of its tiles."""
        return (self.kind, self.kind + 1, self.kind + 2) if self.is_run else (self.kind,) * (3 + self.is_kan)


def _called(how: MeldKind, kind: Kind) -> Called:
    is_run = how is MeldKind.CHI
    if is_run:
        inner = kind % 9 not in (0, 6)
        features = 1 << Feature.RUNS | 1 << Feature.CALLED_RUNS
    else:
        inner = kind not in OUTSIDE
        features = 0 if kind < EAST else 1 << Feature.HONOURS | 1 << (Feature.EACH_HONOUR + kind - EAST)
    is_kan = how not in (MeldKind.CHI, MeldKind.PON)
    bits = 1 << (kind if is_run else TRIPLETS_AT + kind)
    is_closed = how is MeldKind.ANKAN
    place = kind + KINDS * (is_kan + is_closed)
    return Called(how, kind, bits, features | inner << Feature.INNER, is_run, is_kan, is_closed, place)


MELDS: dict[MeldKind, dict[int, Called]] = {
    how: {weight: _called(how, kind) for weight, kind in by_weight.items()}
    for how, by_weight in (
        (MeldKind.CHI, _CHI_BY_WEIGHT),
        (MeldKind.PON, _PON_BY_WEIGHT),
        (MeldKind.MINKAN, _KAN_BY_WEIGHT),
        (MeldKind.KAKAN, _KAN_BY_WEIGHT),
        (MeldKind.ANKAN, _KAN_BY_WEIGHT),
    )
}
"""For each kind of meld: every valid set, by its packed kinds. Tiles that are not in it are no meld."""
