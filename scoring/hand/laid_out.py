"""Lay a reading out for display: set by set, with a mark on the one that the winning tile completed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scoring.hand.melds import MeldKind
from scoring.hand.reading import Form, Reading
from scoring.hand.shapes import IN_SUIT, Wait, run_wait
from scoring.hand.tiles import BITS, COUNT, KINDS, Kind

_RUN_WAITS = (Wait.TWO_SIDED, Wait.CLOSED, Wait.EDGE)


@dataclass(frozen=True, slots=True)
class HandPart:
    """A set, a pair, or all tiles of a hand without sets."""

    kinds: tuple[Kind, ...]
    how: MeldKind | None = None
    """The kind of meld; None for a part of the concealed hand."""
    completed: bool = False
    """True for the part that the winning tile completed."""


def parts_of(reading: Reading) -> tuple[HandPart, ...]:
    """Return the parts of a reading: the concealed ones first, then the melds in their order."""
    if reading.form is Form.SETS:
        concealed = _completed(list(_sets(reading)), reading)
    elif reading.form is Form.PAIRS:
        concealed = [replace(part, completed=reading.facts.win in part.kinds) for part in _pairs(reading)]
    else:
        concealed = [HandPart(tuple(_kinds(reading)), completed=True)]
    return (*concealed, *(HandPart(each.kinds, each.how) for each in reading.facts.called))


def _sets(reading: Reading) -> Iterator[HandPart]:
    for kind in reading.concealed_sequences:
        yield HandPart((kind, kind + 1, kind + 2))
    for kind in reading.concealed_triplets:
        yield HandPart((kind,) * 3)
    yield HandPart((reading.pair,) * 2)


def _pairs(reading: Reading) -> Iterator[HandPart]:
    kinds = list(_kinds(reading))
    yield from (HandPart((kind, kind)) for kind in kinds[::2])


def _kinds(reading: Reading) -> Iterator[Kind]:
    """Yield the kind of every tile, in order."""
    for kind in range(KINDS):
        yield from [kind] * (reading.facts.kinds >> (BITS * kind) & COUNT)


def _completed(parts: list[HandPart], reading: Reading) -> list[HandPart]:
    """Return the parts with the first one that fits the wait marked as completed."""
    place = next(place for place, part in enumerate(parts) if _fits(part, reading))
    parts[place] = replace(parts[place], completed=True)
    return parts


def _fits(part: HandPart, reading: Reading) -> bool:
    """Return whether the winning tile can have completed this part, given the wait of the reading."""
    win, wait, first = reading.facts.win, reading.wait, part.kinds[0]
    if win not in part.kinds:
        return False
    if first != part.kinds[-1]:
        # The tile may be in several sequences (it fits 123 and 345): the wait says which one this reading completes.
        return wait in _RUN_WAITS and run_wait(win % IN_SUIT, win - first) is wait
    return wait is (Wait.PAIR if len(part.kinds) < 3 else Wait.TRIPLET)  # noqa: PLR2004 - two tiles are a pair
