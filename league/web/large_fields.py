"""Standings of a large field: the strip of all totals, and the places in parts of which most are folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from league.selectors.standings.tables import StandingLine

T = TypeVar("T")
FOLD = 24
"""Places of a folded part, and the places shown at least."""
BELOW = 4
"""Places shown below the last border."""
FURTHEST_BORDER = 64
"""Last place whose border still keeps all places above it in the open part."""
SLACK = 8
"""Fewer places than this are not worth a fold."""


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive places, from the first to the last, with the totals of both; no totals before the first result."""

    first: int
    last: int
    totals: tuple[int, int] | None = None


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


def folds(rows: Sequence[T]) -> list[Fold[T]]:
    """Return a list in folds of `FOLD` rows, the first of them open; a short list or rest is not parted."""
    ends = [*range(FOLD, len(rows) - SLACK + 1, FOLD), len(rows)]
    return [
        Fold(start + 1, end, rows[start:end], is_open=start == 0) for start, end in pairwise((0, *ends)) if start < end
    ]


def is_large(count: int) -> bool:
    """Return True if a block of that many places may be folded."""
    return count >= FOLD + SLACK


def open_places(lines: Sequence[StandingLine], count: int) -> int:
    """Return the number of places in the open part: those that lead on and some below, or all of a small field."""
    borders = [place for place, line in enumerate(lines, 1) if line.is_last_before_border and place <= FURTHEST_BORDER]
    shown = max(FOLD, borders[-1] + BELOW if borders else 0)
    return shown if count >= shown + SLACK else count


def folded_parts(lines: Sequence[StandingLine], shown: int, count: int) -> list[Part]:
    """Return the places below the open part in parts of `FOLD`; a short rest joins the part before it."""
    ends = [*range(shown + FOLD, count - SLACK + 1, FOLD), count]
    return [
        Part(
            start + 1, end, (lines[start].standing.total, lines[end - 1].standing.total) if end <= len(lines) else None
        )
        for start, end in pairwise((shown, *ends))
        if start < end
    ]


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
    outside = lines[border].standing.total
    return [
        line.standing.total - outside if place < border else None if line.gap_to_border is None else -line.gap_to_border
        for place, line in enumerate(lines)
    ]
