"""Standings of a large field: the strip of all totals, and the places in parts of which most are folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from league.selectors.standings.tables import StandingLine

T = TypeVar("T")
FOLD = 24
"""Places of a folded part, and the first places, which are always shown."""
AROUND = 4
"""Places shown above and below each border."""
SLACK = 8
"""Fewer places than this are not worth a fold."""


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive places, from the first to the last, with the totals of both; no totals before the first result."""

    first: int
    last: int
    totals: tuple[int, int] | None = None
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Strip:
    """All totals as ticks on an axis 1,000 units wide, the best at the right: SVG paths, and the totals at the ends."""

    inside: str
    outside: str
    best: int
    worst: int
    border: StripBorder | None


@dataclass(frozen=True, slots=True)
class StripBorder:
    """The first border on the strip: its position, and place and total of the last above it."""

    x: int
    place: int
    total: int


@dataclass(frozen=True, slots=True)
class Fold(Generic[T]):
    """Consecutive rows of a long list: the places of the first and the last, and whether they are shown unfolded."""

    first: int
    last: int
    rows: Sequence[T]
    is_open: bool


def folds(rows: Sequence[T], *, size: int = FOLD, opens_first: bool = True) -> list[Fold[T]]:
    """Return a list in folds of `size` rows, the first of them open if wanted; a short list or rest is not parted."""
    ends = [*range(size, len(rows) - SLACK + 1, size), len(rows)]
    return [
        Fold(start + 1, end, rows[start:end], is_open=start == 0 and (opens_first or end == len(rows)))
        for start, end in pairwise((0, *ends))
        if start < end
    ]


def is_large(count: int) -> bool:
    """Return True if a block of that many places may be folded."""
    return count >= FOLD + SLACK


def parts_of(lines: Sequence[StandingLine], count: int) -> list[Part]:
    """Return all places in parts: the first places and those around each border are open, the others folded.

    Before the first result there are places without lines.
    """
    shown = set(range(FOLD))
    for border, line in enumerate(lines, 1):
        if line.is_last_before_border:
            shown.update(range(border - AROUND, border + AROUND))
    runs = [(start, end) for start, end in pairwise((*sorted(shown), count)) if end - start > SLACK]
    is_open = [not any(start < place < end for start, end in runs) for place in range(count)]
    parts = []
    for is_shown, run in groupby(range(count), key=is_open.__getitem__):
        start, *rest = run
        end = start + len(rest) + 1
        ends = [end] if is_shown else [*range(start + FOLD, end - SLACK + 1, FOLD), end]
        parts += [_part(lines, *each, is_open=is_shown) for each in pairwise((start, *ends)) if each[0] < each[1]]
    return parts


def _part(lines: Sequence[StandingLine], start: int, end: int, *, is_open: bool) -> Part:
    totals = (lines[start].standing.total, lines[end - 1].standing.total) if end <= len(lines) else None
    return Part(start + 1, end, totals, is_open)


def strip_of(lines: Sequence[StandingLine]) -> Strip | None:
    """Return the strip of a block's totals; None while all are level."""
    totals = [line.standing.total for line in lines]
    if not totals or (span := max(totals) - min(totals)) == 0:
        return None
    at = [10 + 980 * (total - min(totals)) // span for total in totals]
    place = _first_border(lines)
    inside, outside = ("".join(f"M{x} 12v20" for x in part) for part in (at[:place], at[place:]))
    border = StripBorder((at[place - 1] + at[place]) // 2, place, totals[place - 1]) if place else None
    return Strip(inside, outside, max(totals), min(totals), border)


def _first_border(lines: Sequence[StandingLine]) -> int:
    """Return the last place above the first border; 0 without one."""
    return next((place for place, line in enumerate(lines, 1) if line.is_last_before_border), 0)


def border_gaps(lines: Sequence[StandingLine]) -> Sequence[int | None]:
    """Return each line's distance to its border.

    It is positive within the best destination, as the lead over the first outside; below it is negative, as the points
    missing to the last place of the next better destination. Without a border, all are None.
    """
    border = _first_border(lines)
    if not border:
        return [None] * len(lines)
    outside = (lines[border - 1].beyond or lines[border].standing).total
    return [
        line.standing.total - outside if place < border else None if line.gap_to_border is None else -line.gap_to_border
        for place, line in enumerate(lines)
    ]
