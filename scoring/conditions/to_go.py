"""Distance to the border where more than the last hanchan is left: the gap, and the average per hanchan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.standings import Ranked
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class Distance:
    """An entrant's distance to the border as it stands now.

    The border is the last entrant inside, or for those inside the first one outside.
    """

    entrant: Entrant
    border: Entrant
    is_in: bool
    gap: int
    """The border's total less the own one, at the ledger's scale: points missing; negative for a lead."""
    left: int
    """Hanchan still to play."""

    @property
    def average(self) -> Fraction | None:
        """Return the average per remaining hanchan that closes the gap or uses up the lead; None if none is left."""
        return Fraction(self.gap, self.left) if self.left else None


def distances(ranked: Sequence[Ranked], left: Mapping[Entrant, int], target: int) -> tuple[Distance, ...]:
    """Return each entrant's distance to the border below the first `target`; empty where all or none are inside."""
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
