"""One way of reading a hand, and the hand's facts that every reading shares: what the yaku look at.

The one idea: sets are bits (one for each kind a sequence begins on, one for each kind there is a triplet of), so that
a yaku is a question about bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from scoring.hand.melds import Called
from scoring.hand.records import FuLine
from scoring.hand.shapes import COUNT, KIND_BITS, PAIR_AT, RUNS, TRIPLETS_AT, Feature, Wait
from scoring.hand.tiles import BITS, CHUN, EAST, HAKU, HATSU, KINDS, NORTH, UNIT, WINDS, Kind
from scoring.hand.tiles import COUNT as COPIES
from scoring.ruleset.yaku import YakuRules

_TRIPLET = Wait.TRIPLET


class Form(StrEnum):
    """What makes a hand complete."""

    SETS = "sets"
    """Four sets and a pair."""
    PAIRS = "pairs"
    """Seven pairs."""
    ORPHANS = "orphans"
    """Thirteen different tiles and one of them again."""
    ALL_SEVEN = "all_seven"
    """Sevens and bonus tiles, without any shape."""


class Seat:
    """The winds as they are for one seat in one round."""

    __slots__ = ("dealer", "guests", "number", "own", "pairs", "rounds", "rules", "values")

    def __init__(
        self, own: Kind, rounds: tuple[Kind, ...], guests: tuple[Kind, ...], rules: YakuRules, *, north: bool
    ) -> None:
        self.own = own
        self.rules = rules
        """What yaku need in this house."""
        self.number = own - EAST
        self.dealer = own == EAST
        self.rounds = rounds
        """Round winds; there may be two at once."""
        self.guests = tuple(kind for kind in guests if kind != own and kind not in rounds)
        """Winds worth a han although they are neither."""
        everybody = (HAKU, HATSU, CHUN, *((NORTH,) if north else ()))
        self.values = frozenset((*everybody, own, *rounds, *self.guests))
        """Kinds whose triplet is a yaku."""
        self.pairs: Sequence[FuLine | None] = ()
        """For each kind, by its number and one more, the fu of a pair of it."""


class Facts:
    """What is true of a hand however it is read."""

    __slots__ = (
        "called",
        "closed",
        "closed_kans",
        "drawn",
        "kans",
        "kinds",
        "meld_bits",
        "norths",
        "seat",
        "win",
    )

    seat: Seat
    kinds: int
    """All tiles by kind, packed: the winning one, melds and all four of a kan included."""
    win: Kind
    """What the winning tile counts as."""
    drawn: bool
    """Won by self-draw, and not paid like a ron."""
    closed: bool
    called: Sequence[Called]
    meld_bits: int
    kans: int
    closed_kans: int
    norths: int
    """Norths set aside."""


class Reading:
    """One way of reading a complete hand."""

    __slots__ = ("bits", "facts", "features", "form", "orphans", "wait")

    def __init__(self, facts: Facts, form: Form, bits: int, features: int, wait: Wait) -> None:
        self.facts = facts
        self.form = form
        self.bits = bits
        """The sets and the pair among the concealed tiles."""
        self.features = features
        """What there is to count, melds included."""
        self.wait = wait
        self.orphans = 0
        """Which thirteen kinds, packed, where the hand is that."""

    @property
    def runs(self) -> int:
        """A bit for each kind a sequence begins on."""
        return (self.bits | self.facts.meld_bits) & RUNS

    @property
    def triplets(self) -> int:
        """A bit for each kind there is a triplet or kan of."""
        return (self.bits | self.facts.meld_bits) >> TRIPLETS_AT & KIND_BITS

    @property
    def pair(self) -> Kind:
        """The kind of the pair."""
        return (self.bits >> PAIR_AT).bit_length() - 1

    @property
    def twins(self) -> int:
        """Pairs of identical concealed sequences."""
        return self.features >> Feature.TWINS & COUNT

    @property
    def hidden(self) -> int:
        """How many triplets and kans are concealed; one completed by ron is not."""
        found = (self.bits >> TRIPLETS_AT & KIND_BITS).bit_count() + self.facts.closed_kans
        return found - 1 if self.wait is _TRIPLET and not self.facts.drawn else found

    @property
    def sequences(self) -> tuple[Kind, ...]:
        """The lowest tile of each sequence, concealed ones first."""
        return (*self.concealed_sequences, *(each.kind for each in self.facts.called if each.is_run))

    @property
    def concealed_sequences(self) -> tuple[Kind, ...]:
        """The lowest tile of each sequence in the hand."""
        counts = self._left()
        found: list[Kind] = []
        for kind in range(EAST):
            while self.bits >> kind & 1 and counts[kind]:
                found.append(kind)
                for tile in range(kind, kind + 3):
                    counts[tile] -= 1
        return tuple(found)

    def _left(self) -> list[int]:
        """Concealed tiles by kind that are in no triplet and not in the pair."""
        packed = self.facts.kinds
        for each in self.facts.called:
            tiles = (each.kind, each.kind + 1, each.kind + 2) if each.is_run else (each.kind,) * (3 + each.is_kan)
            packed -= sum(UNIT[tile] for tile in tiles)
        counts = [packed >> (BITS * kind) & COPIES for kind in range(KINDS)]
        for kind in kinds_in(self.bits >> TRIPLETS_AT & KIND_BITS):
            counts[kind] -= 3
        if self.bits >> PAIR_AT:
            counts[self.pair] -= 2
        return counts

    @property
    def concealed_triplets(self) -> tuple[Kind, ...]:
        """Triplets in the hand, that which ron completed among them; kans are melds."""
        return tuple(kinds_in(self.bits >> TRIPLETS_AT & KIND_BITS))


def kinds_in(bits: int) -> Iterator[Kind]:
    """The kinds whose bits are set, in order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def wind_kind(wind: str) -> Kind:
    """The tile of a wind."""
    return WINDS["ESWN".index(wind)]
