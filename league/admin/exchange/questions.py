"""The questions that a table of results raises: one tick for each kind of warning."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from league.files.tables import TableFault
from league.selectors.results.revisions import warning_words

FIRST_ROWS = 3
MOST_ROWS_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Question:
    """All warnings of one kind under one tick: the first in full view, more on demand."""

    code: str
    title: str
    count: int
    first: Sequence[TableFault]
    more: Sequence[TableFault]
    is_ticked: bool

    @classmethod
    def of(cls, code: str, found: Sequence[TableFault], accepted: Collection[str]) -> Question:
        """Return the question about the warnings of one kind."""
        first, more = found[:FIRST_ROWS], found[FIRST_ROWS:MOST_ROWS_SHOWN]
        return cls(code, warning_words(code), len(found), first, more, code in accepted)

    @property
    def left(self) -> int:
        """Return the number of warnings that the page does not show."""
        return self.count - len(self.first) - len(self.more)
