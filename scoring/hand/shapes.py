"""How tiles fall into sets: every reading of a suit, worked out once for each pattern of counts.

The one idea: a complete hand is complete suit by suit, and the patterns of a suit repeat endlessly. `parts_of` keeps
each complete pattern it has met (there are some twenty thousand, no more), so that reading a hand is four look-ups.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import product

from scoring.hand.tiles import BITS, COUNT, KINDS, SUIT_MASKS, Kind

NO_PAIR = -1
_IN_SUIT = 9
_FIRST_HONOUR = 27
_SET = 3
_PAIR = 2


class Wait(StrEnum):
    """What the winning tile completed."""

    TWO_SIDED = "two_sided"
    """A sequence that waited on both ends: 両面."""
    CLOSED = "closed"
    """The middle of a sequence: 嵌張."""
    EDGE = "edge"
    """A 3 for 12, or a 7 for 89: 辺張."""
    PAIR = "pair"
    """The pair: 単騎."""
    TRIPLET = "triplet"
    """One of two pairs: 双碰."""
    OTHER = "other"
    """A hand without sets."""


class Part:
    """One reading of a suit into sequences, triplets and perhaps the pair."""

    __slots__ = ("pair", "runs", "sequences", "triple_bits", "triplets", "twins", "waits")

    def __init__(self, sequences: tuple[Kind, ...], triplets: tuple[Kind, ...], pair: Kind) -> None:
        self.sequences = sequences
        """The lowest tile of each."""
        self.triplets = triplets
        self.pair = pair
        self.runs = bits(sequences)
        """A bit for each kind on which a sequence begins."""
        self.triple_bits = bits(triplets)
        self.twins = sum(sequences.count(kind) // _PAIR for kind in set(sequences))
        """Pairs of identical sequences."""
        self.waits: dict[Kind, tuple[Wait, ...]] = {}
        """For each winning tile asked about, what it may have completed."""

    def waits_on(self, win: Kind) -> tuple[Wait, ...]:
        """Every different thing that this tile may have completed here."""
        found = self.waits.get(win)
        if found is None:
            found = self.waits[win] = tuple(dict.fromkeys(self._waits(win)))
        return found

    def _waits(self, win: Kind) -> Iterator[Wait]:
        for start in self.sequences:
            if start <= win <= start + 2:
                yield _sequence_wait(start, win)
        if win == self.pair:
            yield Wait.PAIR
        if win in self.triplets:
            yield Wait.TRIPLET


def _sequence_wait(start: Kind, win: Kind) -> Wait:
    if win == start + 1:
        return Wait.CLOSED
    is_edge = (win == start + 2 and start % _IN_SUIT == 0) or (win == start and start % _IN_SUIT == _IN_SUIT - _SET)
    return Wait.EDGE if is_edge else Wait.TWO_SIDED


def bits(kinds: tuple[Kind, ...]) -> int:
    """One bit for each of these kinds."""
    found = 0
    for kind in kinds:
        found |= 1 << kind
    return found


_READ: dict[int, tuple[Part, ...]] = {0: (Part((), (), NO_PAIR),)}
"""Complete patterns of a suit, packed where the suit stands in a hand, and their readings."""


def parts_of(suit: int) -> tuple[Part, ...]:
    """Every reading of the tiles of one suit into sets, with a pair if their number asks for one."""
    found = _READ.get(suit)
    if found is None:
        found = tuple(_read(suit))
        if found:
            _READ[suit] = found
    return found


def _read(suit: int) -> Iterator[Part]:
    counts = [suit >> (BITS * kind) & COUNT for kind in range(KINDS)]
    rest = sum(counts) % _SET
    if rest != 1:
        yield from (Part(*sets) for sets in _split(counts, 0, needs_pair=rest == _PAIR))


Sets = tuple[tuple[Kind, ...], tuple[Kind, ...], Kind]


def _split(counts: list[int], kind: Kind, *, needs_pair: bool) -> Iterator[Sets]:
    """Take sets off from the lowest kind on; what is left of a kind after pair and triplets must begin sequences."""
    while kind < KINDS and not counts[kind]:
        kind += 1
    if kind == KINDS:
        if not needs_pair:
            yield (), (), NO_PAIR
        return
    for is_pair, triplets, begun in _uses(counts[kind], needs_pair=needs_pair):
        if begun and not _can_begin(counts, kind, begun):
            continue
        rest = counts.copy()
        rest[kind] = 0
        if begun:
            rest[kind + 1] -= begun
            rest[kind + 2] -= begun
        for sequences, more, pair in _split(rest, kind + 1, needs_pair=needs_pair and not is_pair):
            yield (kind,) * begun + sequences, (kind,) * triplets + more, kind if is_pair else pair


def _uses(count: int, *, needs_pair: bool) -> Iterator[tuple[bool, int, int]]:
    """What so many equal tiles can be: the pair, so many triplets, so many that begin sequences."""
    for is_pair in (False, True) if needs_pair else (False,):
        left = count - _PAIR * is_pair
        yield from ((is_pair, triplets, left - _SET * triplets) for triplets in range(left // _SET, -1, -1))


def _can_begin(counts: list[int], kind: Kind, begun: int) -> bool:
    """So many sequences can begin on this kind: it is a number up to 7, and the next two are there."""
    in_suit = kind < _FIRST_HONOUR and kind % _IN_SUIT <= _IN_SUIT - _SET
    return in_suit and counts[kind + 1] >= begun and counts[kind + 2] >= begun


_CHARACTERS, _CIRCLES, _BAMBOOS, _HONOURS = SUIT_MASKS


def readings_of(packed: int) -> tuple[tuple[Part, Part, Part, Part], ...]:
    """Every reading of concealed tiles into sets and one pair, suit by suit; none if they are no such hand."""
    parts = (
        parts_of(packed & _CHARACTERS),
        parts_of(packed & _CIRCLES),
        parts_of(packed & _BAMBOOS),
        parts_of(packed & _HONOURS),
    )
    first, second, third, fourth = parts
    if not (first and second and third and fourth):
        return ()
    pairs = (first[0].pair >= 0) + (second[0].pair >= 0) + (third[0].pair >= 0) + (fourth[0].pair >= 0)
    if pairs != 1:
        return ()
    if len(first) == len(second) == len(third) == len(fourth) == 1:
        return ((first[0], second[0], third[0], fourth[0]),)
    return tuple(product(first, second, third, fourth))
