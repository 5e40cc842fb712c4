"""Hanchan that count for an entrant without a result: which of them count by now, and for how many points.

The one idea: a credit is given once, its worth follows from the results. So a correction of an earlier hanchan
changes what an average bye is worth, and nothing has to be written again.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from scoring.seating.byes import average_worth
from scoring.tiebreak import Credit, CreditKind, Entrant, Played

E = TypeVar("E", bound=Entrant)


@dataclass(frozen=True, slots=True)
class GivenCredit:
    """A hanchan that an entrant does not play, as it was decided; points at the ranking ledger's scale."""

    number: int
    """The number of the hanchan in the block; the entrant's own number of one that is annulled."""
    kind: CreditKind
    points: int | None = None
    """None: the mean of the entrant's own hanchan with smaller numbers."""
    place: int | None = None
    ref: Hashable = None
    """Reference to the hanchan, if it was played and counts nothing."""


def settle_credits(given: Sequence[GivenCredit], played: Mapping[int, int], latest: int) -> tuple[Credit, ...]:
    """Return the credits of one entrant that count, by number.

    `played` are the points of the entrant's results by the block's numbers: a result goes before a credit, but takes
    no annulled hanchan away. A bye counts as soon as `latest`, the largest number of a result in the block, has come
    to it; other kinds count at once.
    """
    return tuple(
        Credit(each.number, each.kind, worth_of(each, played), each.place, each.ref)
        for each in sorted(given, key=lambda each: each.number)
        if each.kind is CreditKind.ANNULLED
        or (each.number not in played and (each.kind is not CreditKind.BYE or each.number <= latest))
    )


def worth_of(given: GivenCredit, played: Mapping[int, int]) -> int:
    """Return the points of a credit after the results with smaller numbers."""
    if given.points is not None:
        return given.points
    return average_worth([points for number, points in played.items() if number < given.number])


def annul(
    played: Mapping[E, Sequence[Played]], leaving: Collection[E]
) -> tuple[dict[E, tuple[Played, ...]], dict[E, tuple[GivenCredit, ...]]]:
    """Take the hanchan that these entrants played out of the results of the others, for whom each counts 0 instead.

    Those who left keep their own results.
    """
    gone = {game.ref for entrant in leaving for game in played.get(entrant, ())}
    kept: dict[E, tuple[Played, ...]] = {}
    zeros: dict[E, tuple[GivenCredit, ...]] = {}
    for entrant, games in played.items():
        annulled = () if entrant in leaving else tuple(game for game in games if game.ref in gone)
        kept[entrant] = tuple(game for game in games if game not in annulled)
        if annulled:
            zeros[entrant] = tuple(GivenCredit(game.number, CreditKind.ANNULLED, 0, ref=game.ref) for game in annulled)
    return kept, zeros
