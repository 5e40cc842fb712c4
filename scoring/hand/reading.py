"""A reading of a hand, and the facts that all readings of a hand share: the input of every yaku test.

The one idea: sets are bits (one for each kind on which a sequence begins, one for each kind of triplet), so that a
yaku is tested with a mask.
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
    """The pattern that makes a hand complete."""

    SETS = "sets"
    """Four sets and a pair."""
    PAIRS = "pairs"
    """Seven pairs."""
    ORPHANS = "orphans"
    """Thirteen different tiles and one of them twice."""
    ALL_SEVEN = "all_seven"
    """Sevens and bonus tiles, in no particular shape."""


class SeatWinds:
    """The value winds and the fu of pairs for one seat in one round."""

    __slots__ = ("dealer", "guests", "number", "own", "pairs", "rounds", "rules", "values")

    def __init__(
        self, own: Kind, rounds: tuple[Kind, ...], guests: tuple[Kind, ...], rules: YakuRules, *, north: bool
    ) -> None:
        self.own = own
        self.rules = rules
        """The house's conditions for yaku."""
        self.number = own - EAST
        self.dealer = own == EAST
        self.rounds = rounds
        """Round winds; there may be two at once."""
        self.guests = tuple(kind for kind in guests if kind != own and kind not in rounds)
        """Winds worth a han although they are neither seat nor round wind."""
        every_seat = (HAKU, HATSU, CHUN, *((NORTH,) if north else ()))
        self.values = frozenset((*every_seat, own, *rounds, *self.guests))
        """Kinds whose triplet is a yaku."""
        self.pairs: Sequence[FuLine | None] = ()
        """The fu line of a pair of each kind, by its number plus one; None where a pair brings no fu."""


class HandFacts:
    """The properties of a hand that do not depend on its reading."""

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
        "shows_wait",
        "win",
    )

    seat: SeatWinds
    kinds: int
    """All tiles by kind, packed: with the winning tile, the melds, and all four tiles of a kan."""
    win: Kind
    """The kind that the winning tile counts as."""
    drawn: bool
    """Won by self-draw, and not paid like a ron."""
    shows_wait: bool
    """False if a drawn tile was put among the others before it was shown, in books in which that matters."""
    closed: bool
    called: Sequence[Called]
    meld_bits: int
    kans: int
    closed_kans: int
    norths: int
    """Norths set aside."""


class Reading:
    """One reading of a complete hand."""

    __slots__ = ("bits", "facts", "features", "form", "orphans", "wait")

    def __init__(self, facts: HandFacts, form: Form, bits: int, features: int, wait: Wait) -> None:
        self.facts = facts
        self.form = form
        self.bits = bits
        """The bits of the concealed sets and of the pair."""
        self.features = features
        """The counts of `Feature`, melds included."""
        self.wait = wait
        self.orphans = 0
        """The thirteen kinds, packed, of a hand of orphans; else 0."""

    @property
    def runs(self) -> int:
        """A bit for each kind on which a sequence begins."""
        return (self.bits | self.facts.meld_bits) & RUNS

    @property
    def triplets(self) -> int:
        """A bit for each kind of which there is a triplet or kan."""
        return (self.bits | self.facts.meld_bits) >> TRIPLETS_AT & KIND_BITS

    @property
    def pair(self) -> Kind:
        """The kind of the pair; -1 without one."""
        return (self.bits >> PAIR_AT).bit_length() - 1

    @property
    def twins(self) -> int:
        """The number of pairs of identical concealed sequences."""
        return self.features >> Feature.TWINS & COUNT

    @property
    def hidden(self) -> int:
        """The number of concealed triplets and kans; one completed by ron does not count."""
        found = (self.bits >> TRIPLETS_AT & KIND_BITS).bit_count() + self.facts.closed_kans
        return found - 1 if self.wait is _TRIPLET and not self.facts.drawn else found

    @property
    def sequences(self) -> tuple[Kind, ...]:
        """The lowest tile of each sequence, concealed ones first."""
        return (*self.concealed_sequences, *(each.kind for each in self.facts.called if each.is_run))

    @property
    def concealed_sequences(self) -> tuple[Kind, ...]:
        """The lowest tile of each concealed sequence, equal ones repeated."""
        # A bit says that a sequence is there, not how often: the remaining tiles tell the number of equal ones.
        counts = self._left()
        found: list[Kind] = []
        for kind in range(EAST):
            while self.bits >> kind & 1 and counts[kind]:
                found.append(kind)
                for tile in range(kind, kind + 3):
                    counts[tile] -= 1
        return tuple(found)

    def _left(self) -> list[int]:
        """Return the concealed tiles by kind, without those of triplets and of the pair."""
        packed = self.facts.kinds
        for each in self.facts.called:
            packed -= sum(UNIT[kind] for kind in each.kinds)
        counts = [packed >> (BITS * kind) & COPIES for kind in range(KINDS)]
        for kind in kinds_in(self.bits >> TRIPLETS_AT & KIND_BITS):
            counts[kind] -= 3
        if self.bits >> PAIR_AT:
            counts[self.pair] -= 2
        return counts

    @property
    def concealed_triplets(self) -> tuple[Kind, ...]:
        """The concealed triplets, with the one that ron completed; kans are melds."""
        return tuple(kinds_in(self.bits >> TRIPLETS_AT & KIND_BITS))


def kinds_in(bits: int) -> Iterator[Kind]:
    """Yield the kinds whose bits are set, in order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def wind_kind(wind: str) -> Kind:
    """Return the tile of a wind."""
    return WINDS["ESWN".index(wind)]
