"""With more than the last hanchan to go: how far it is to the border, and how much that is in each hanchan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.standings import Ranked
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class Distance:
    """An entrant and the border as it stands now: the last who is in, or for those who are in the first who is not."""

    entrant: Entrant
    border: Entrant
    is_in: bool
    gap: int
    """The border's total less the own one, at the ledger's scale: what is missing; negative for a lead."""
    left: int
    """Hanchan still to play."""

    @property
    def average(self) -> Fraction | None:
        """So much in each hanchan left, on average, makes up the gap, or may be lost of the lead; None if none is."""
        return Fraction(self.gap, self.left) if self.left else None


def distances(ranked: Sequence[Ranked], left: Mapping[Entrant, int], target: int) -> tuple[Distance, ...]:
    """Everybody's distance to the border below the first `target`; none where everybody is in, or nobody can be."""
    if not 0 < target < len(ranked):
        return ()
    last_in, first_out = ranked[target - 1], ranked[target]
    found = []
    for position, line in enumerate(ranked, start=1):
        is_in = position <= target
        border = first_out if is_in else last_in
        gap = border.total - line.total
        found.append(Distance(line.entrant, border.entrant, is_in, gap, left.get(line.entrant, 0)))
    return tuple(found)
