"""The uma: fixed bonuses of the places, which a book may state by the number of floating players (順位点, 浮き)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Literal

from pydantic import Field

from scoring.ruleset.base import Amount, Points, Ruled

Row = tuple[Amount, ...]
"""The bonuses of the places, first to last."""

FloatingCount = Literal["0", "1", "2", "3", "4"]
"""A number of floating players, as a key of a table."""


class AtLine(StrEnum):
    """The side of the line on which a player with exactly its score ends."""

    FLOATS = "floats"
    """Exactly the line floats (浮き)."""
    SINKS = "sinks"
    """Exactly the line is sunk (沈み)."""


class FloatingUma(Ruled):
    """Bonuses of the places by the number of floating players."""

    line: Points
    """A player above it floats, a player below it is sunk."""
    at_line: AtLine
    rows: dict[FloatingCount, Row] = Field(min_length=1)
    """For these numbers of floating players; for any other number the `amounts` of the uma hold."""

    def least(self, unit: int) -> int:
        """Return the lowest score that floats, where scores are multiples of a unit."""
        return -(-(self.line + (self.at_line is AtLine.SINKS)) // unit) * unit

    def floats(self, score: int) -> bool:
        """Return whether a player who ends with this score floats."""
        return score > self.line or (score == self.line and self.at_line is AtLine.FLOATS)

    def count(self, scores: Sequence[int], forced_top: int | None = None) -> int:
        """Return the number of floating players; a forced top floats alone."""
        return 1 if forced_top is not None else sum(map(self.floats, scores))


class Uma(Ruled):
    """The fixed bonuses of the places, first to last."""

    amounts: Row
    floating: FloatingUma | None = None
    """Other amounts for some numbers of floating players."""

    def floating_count(self, scores: Sequence[int], forced_top: int | None = None) -> int | None:
        """Return the number of floating players; None where the bonuses do not depend on it.

        `scores` are those before leftover deposits are distributed.
        """
        return None if self.floating is None else self.floating.count(scores, forced_top)

    def row(self, floating: int | None) -> Row:
        """Return the bonuses that hold with this number of floating players."""
        return self._rows.get(floating, self.amounts)

    def clause(self, floating: int | None) -> str:
        """Return the clause from which the bonuses come that hold with this number of floating players."""
        return self.clauses[0] if self.floating is None or floating not in self._rows else self.floating.clauses[0]

    def is_better_afloat(self, place: int) -> bool:
        """Return whether a place always brings more if its player floats, as long as some but not all players do."""
        afloat = [self.row(count)[place - 1] for count in range(place, len(self.amounts))]
        sunk = [self.row(count)[place - 1] for count in range(1, place)]
        return bool(afloat and sunk) and min(afloat) > max(sunk)

    def rows(self) -> Iterator[tuple[str, Row]]:
        """Yield every row with its key within the table of the uma."""
        yield "amounts", self.amounts
        if self.floating is not None:
            yield from ((f"floating.rows.{count}", row) for count, row in self.floating.rows.items())

    def of_places(self, better: int, count: int, floating: int | None = None) -> Fraction:
        """Return the sum of the bonuses of `count` places after the `better` best ones."""
        sums = self._sums.get(floating)
        return (self._sums[None] if sums is None else sums)[better, count]

    @cached_property
    def _rows(self) -> Mapping[int | None, Row]:
        return {} if self.floating is None else {int(count): row for count, row in self.floating.rows.items()}

    @cached_property
    def _sums(self) -> Mapping[int | None, Mapping[tuple[int, int], Fraction]]:
        """Sums of neighbouring bonuses by the number of floating players; None for the numbers without a row."""
        return {None: _sums_of(self.amounts), **{count: _sums_of(row) for count, row in self._rows.items()}}


def _sums_of(row: Row) -> Mapping[tuple[int, int], Fraction]:
    places = range(len(row) + 1)
    return {(first, last - first): sum(row[first:last], Fraction(0)) for first in places for last in places[first:]}
