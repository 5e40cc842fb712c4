"""Books that settle by the kind of top: who floats at or above the origin, and what a top earns.

Of all scores only two things matter: who has most, and who has less than everyone started with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring.ruleset.settling import GentsuuFee, TopPayment


class TopType(StrEnum):
    """How many players float when the game is over."""

    A = "A"
    """The top alone."""
    B = "B"
    """Two."""
    C = "C"
    """Three: a single player is sunk."""
    NONE = ""
    """All: nobody is sunk, nobody pays."""


@dataclass(frozen=True, slots=True)
class Floating:
    """Who floats, and the kind of top that makes."""

    seats: tuple[bool, ...]
    top_type: TopType
    gentsuu: bool
    """Two float, and the second of them holds exactly the origin."""

    def stake(self, payment: TopPayment) -> Fraction:
        """What each sunk player owes the top."""
        if self.top_type is TopType.NONE:
            return Fraction(0)
        return getattr(payment.stake, self.top_type.value)  # type: ignore[no-any-return]

    def fee(self, payment: TopPayment) -> Fraction:
        """What the top owes the house; nothing if there is nobody to collect from."""
        if self.top_type is TopType.NONE:
            return Fraction(0)
        if self.gentsuu and payment.gentsuu is GentsuuFee.OWN_FEE:
            return payment.fee.gentsuu or Fraction(0)
        return getattr(payment.fee, self.top_type.value)  # type: ignore[no-any-return]


def floating(scores: Sequence[int], top: int, payment: TopPayment, forced_top: int | None) -> Floating:
    """Return who floats: at or above the origin; a forced top alone, whatever the others hold."""
    seats = tuple(
        seat == forced_top if forced_top is not None else score >= payment.origin for seat, score in enumerate(scores)
    )
    kinds = (TopType.A, TopType.B, TopType.C, TopType.NONE)
    top_type = kinds[sum(seats) - 1]
    second = [scores[seat] for seat, floats in enumerate(seats) if floats and seat != top]
    return Floating(seats, top_type, gentsuu=second == [payment.origin])
