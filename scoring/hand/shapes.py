"""Split tiles into sets with a table of every complete pattern of a suit and all its readings.

The one idea: a complete hand is complete suit by suit, and a suit has some twenty thousand complete patterns, the
same in every suit. They are generated once, when the module is loaded, by combining sets (a few hundredths of a
second); reading a hand is then four look-ups. A reading is a number made of bits, so the readings of the suits are
combined by shifting each to its place. Its counts are a second number, made of small fields that can be added.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from scoring.hand.tiles import BITS, Kind

IN_SUIT = 9
_HONOURS = 7
ALL_SETS = 4
"""The number of sets in a complete hand."""
_LAST_RUN = 6

TRIPLETS_AT, PAIR_AT = 27, 61
"""Bit offsets in a reading: sequences by their lowest kind come first, then triplets, then the pair."""
RUNS = (1 << TRIPLETS_AT) - 1
KIND_BITS = (1 << (PAIR_AT - TRIPLETS_AT)) - 1


class Wait(StrEnum):
    """The part that the winning tile completed."""

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


class Feature:
    """The bit offset of each count of a reading; three bits each, so that the counts of suits and melds add up."""

    RUNS = 0
    """Sequences."""
    TWINS = 3
    """Pairs of identical sequences."""
    INNER = 6
    """Sets and pairs without a terminal or honour."""
    HONOURS = 9
    """Triplets of honours."""
    STRAIGHTS = 12
    """Suits with 123, 456 and 789."""
    RUN_SUITS = 15
    """Suits with a sequence."""
    CALLED_RUNS = 18
    """Sequences that were called."""
    EACH_HONOUR = 21
    """From here on not a count but a bit for each honour that has a triplet, from East."""
    END = 28
    """The first free bit."""


COUNT = 0b111
Reading = tuple[int, int]
"""The bits of a reading, and its features."""
Readings = tuple[Reading, ...]

_Sets = tuple[int, int, tuple[int, ...]]
_STRAIGHT = (0, 3, 6)


def _suit_patterns() -> dict[int, Readings]:
    """Return every complete pattern of a number suit, packed, with its readings."""
    found: dict[int, list[Reading]] = {}
    for packed, bits, features in _numbers():
        found.setdefault(packed, []).append((bits, features))
        for rank in range(IN_SUIT):
            inner = (0 < rank < IN_SUIT - 1) << Feature.INNER
            pair = (bits | 1 << (PAIR_AT + rank), features + inner)
            found.setdefault(packed + (2 << (BITS * rank)), []).append(pair)
    return {packed: tuple(readings) for packed, readings in found.items()}


def _numbers() -> Iterator[tuple[int, int, int]]:
    """Yield every choice of up to four sets of one suit: packed tiles, bits, features."""
    triplets = [(3 << (BITS * rank), 1 << (TRIPLETS_AT + rank)) for rank in range(IN_SUIT)]
    for runs in _choices(_LAST_RUN + 1, ALL_SETS):
        packed = sum(0b10000100001 << (BITS * rank) for rank in runs)
        bits, features = _of_runs(runs)
        for chosen in _choices(IN_SUIT, ALL_SETS - len(runs)):
            sets = [triplets[rank] for rank in chosen]
            inner = sum(0 < rank < IN_SUIT - 1 for rank in chosen)
            yield (
                packed + sum(weight for weight, _ in sets),
                bits | _union(bit for _, bit in sets),
                features + (inner << Feature.INNER),
            )


def _choices(kinds: int, most: int, first: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield every choice of up to `most` of these kinds, with repetition."""
    yield ()
    if most:
        for kind in range(first, kinds):
            yield from ((kind, *rest) for rest in _choices(kinds, most - 1, kind))


def _of_runs(runs: tuple[int, ...]) -> tuple[int, int]:
    """Return the bits and the features of sequences of one suit."""
    twins = sum(runs.count(rank) // 2 for rank in set(runs))
    inner = sum(0 < rank < _LAST_RUN for rank in runs)
    features = len(runs) << Feature.RUNS | twins << Feature.TWINS | inner << Feature.INNER
    features |= set(_STRAIGHT).issubset(runs) << Feature.STRAIGHTS | bool(runs) << Feature.RUN_SUITS
    return _union(1 << rank for rank in runs), features


def _union(masks: Iterator[int]) -> int:
    found = 0
    for each in masks:
        found |= each
    return found


def _honours() -> dict[int, Reading]:
    """Return every complete pattern of honours: triplets with or without a pair. Each has one reading."""
    found: dict[int, Reading] = {}
    for chosen in _choices(_HONOURS, ALL_SETS):
        packed = sum(3 << (BITS * rank) for rank in chosen)
        bits = _union(1 << (TRIPLETS_AT + rank) for rank in chosen)
        features = len(chosen) << Feature.HONOURS | _union(1 << (Feature.EACH_HONOUR + rank) for rank in chosen)
        found[packed] = (bits, features)
        for rank in range(_HONOURS):
            found[packed + (2 << (BITS * rank))] = (bits | 1 << (PAIR_AT + rank), features)
    return found


NUMBERS: dict[int, Readings] = _suit_patterns()
PLAIN_NUMBERS: dict[int, Reading] = {packed: found[0] for packed, found in NUMBERS.items() if len(found) == 1}
"""The patterns with a single reading: nearly all."""
HONOURS: dict[int, Reading] = _honours()
_SUIT_BITS = BITS * IN_SUIT
_SUIT = (1 << _SUIT_BITS) - 1
_HONOUR_BITS = (1 << (BITS * _HONOURS)) - 1


Suits = tuple[int, int, int, int]


def by_suit(packed: int) -> Suits:
    """Return packed tiles suit by suit, honours last."""
    return (
        packed & _SUIT,
        packed >> _SUIT_BITS & _SUIT,
        packed >> _TWO_SUITS & _SUIT,
        packed >> _THREE_SUITS & _HONOUR_BITS,
    )


def readings_of(suits: Suits) -> list[Reading]:
    """Return every reading of concealed tiles into sets and one pair; an empty list if there is none."""
    characters, circles, bamboos, honours = suits
    try:
        one, ones = PLAIN_NUMBERS[characters]
        two, twos = PLAIN_NUMBERS[circles]
        three, threes = PLAIN_NUMBERS[bamboos]
        four, fours = HONOURS[honours]
    except KeyError:
        return _ambiguous_readings(suits)
    bits = one | two << IN_SUIT | three << _TWICE | four << TRIPLETS_AT
    pair = bits >> PAIR_AT
    # Each suit may have a pair of its own: exactly one bit in all makes a hand.
    return [(bits, ones + twos + threes + fours)] if pair and not pair & (pair - 1) else []


def _ambiguous_readings(suits: Suits) -> list[Reading]:
    """Return the readings of tiles of which a suit has several readings, or none."""
    try:
        first, second, third = (NUMBERS[numbers] for numbers in suits[:3])
        four, fours = HONOURS[suits[3]]
    except KeyError:
        return []
    # Only ambiguous suits come here, so the product is small: most hands took the single look-ups above.
    found = [
        (one | two << IN_SUIT | three << _TWICE | four << TRIPLETS_AT, ones + twos + threes + fours)
        for one, ones in first
        for two, twos in second
        for three, threes in third
    ]
    # All readings of a pattern agree on having a pair, since that follows from the number of tiles.
    pair = found[0][0] >> PAIR_AT
    return found if pair and not pair & (pair - 1) else []


_TWICE = 2 * IN_SUIT
_TWO_SUITS, _THREE_SUITS = 2 * _SUIT_BITS, 3 * _SUIT_BITS


def waits_on(bits: int, win: Kind) -> tuple[Wait, ...]:
    """Return every different part that this tile may have completed in a reading of the concealed tiles."""
    near = (bits & RUNS) << 2 >> win & 0b111
    return _WAITS[win][near | (bits >> (TRIPLETS_AT + win) & 1) << 3 | (bits >> (PAIR_AT + win) & 1) << 4]


def _waits(kind: Kind, near: int) -> Iterator[Wait]:
    """Yield the parts that the tile completes: sequences that begin up to two below it, a triplet, the pair."""
    rank = kind % IN_SUIT
    for below in range(3):
        if near >> (2 - below) & 1:
            yield run_wait(rank, below)
    if near >> 3 & 1:
        yield Wait.TRIPLET
    if near >> 4 & 1:
        yield Wait.PAIR


def run_wait(rank: int, below: int) -> Wait:
    """Return the wait on the tile of this rank in a sequence that begins `below` ranks lower."""
    if below == 1:
        return Wait.CLOSED
    start = rank - below
    # A 3 completes 12 from above, a 7 completes 89 from below; every other end is two-sided.
    is_edge = start == (0 if below else _LAST_RUN)
    return Wait.EDGE if is_edge else Wait.TWO_SIDED


_WAITS: tuple[tuple[tuple[Wait, ...], ...], ...] = tuple(
    tuple(tuple(dict.fromkeys(_waits(kind, near))) for near in range(32)) for kind in range(34)
)
