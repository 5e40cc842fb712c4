"""Settlement by the kind of top: players float at or above the origin, and the top earns by their number.

Only two things in the scores matter: the player with the most points, and the players with fewer than they
started with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring.ruleset.settling import GentsuuFee, TopPayment, TopTypes


class TopType(StrEnum):
    """Kind of top: the number of players floating at the end of the game."""

    A = "A"
    """The top alone."""
    B = "B"
    """Two."""
    C = "C"
    """Three: a single player is sunk."""
    NONE = ""
    """All: no player is sunk, no player pays."""


KINDS = (TopType.A, TopType.B, TopType.C, TopType.NONE)
"""Kinds of top by the number of floating players, from one on."""


@dataclass(frozen=True, slots=True)
class Floating:
    """The floating players, and the kind of top that follows."""

    seats: tuple[bool, ...]
    top_type: TopType
    gentsuu: bool
    """Two float, and the second of them holds exactly the origin."""

    def stake(self, payment: TopPayment) -> Fraction:
        """Return the amount that each sunk player owes the top."""
        if self.top_type is TopType.NONE:
            return Fraction(0)
        return _amount(payment.stake, self.top_type)

    def fee(self, payment: TopPayment) -> Fraction:
        """Return the amount the top owes the house; zero if no player is sunk and pays the top."""
        if self.top_type is TopType.NONE:
            return Fraction(0)
        if self.gentsuu and payment.gentsuu is GentsuuFee.OWN_FEE:
            return payment.fee.gentsuu or Fraction(0)
        return _amount(payment.fee, self.top_type)


def _amount(amounts: TopTypes, top_type: TopType) -> Fraction:
    if top_type is TopType.A:
        return amounts.A
    return amounts.B if top_type is TopType.B else amounts.C


@dataclass(frozen=True, slots=True)
class Verdict:
    """A finished game without scores: the top, and the sunk seats, which pay the top.

    `gentsuu` is true if the other floating player holds exactly the origin.
    """

    top: int
    payers: tuple[int, ...]
    gentsuu: bool = False

    def scores(self, players: int, payment: TopPayment, unit: int) -> tuple[int, ...]:
        """Return scores in multiples of `unit` that lead to this verdict; they add up to the origin of all players.

        Without a payer all hold exactly the origin, so that the top is decided by the tie.
        """
        if not self.payers:
            return (payment.origin,) * players
        held = payment.origin if self.gentsuu else payment.origin + unit
        scores = [payment.origin - players * unit if seat in self.payers else held for seat in range(players)]
        others = sum(scores) - scores[self.top]
        scores[self.top] = payment.origin * players - others
        return tuple(scores)


def type_of(payers: int, players: int) -> TopType:
    """Return the kind of top from the number of sunk players."""
    return KINDS[players - payers - 1]


def floating(scores: Sequence[int], top: int, payment: TopPayment, forced_top: int | None) -> Floating:
    """Return which seats float: those at or above the origin; a forced top alone, regardless of the scores."""
    seats = tuple(
        seat == forced_top if forced_top is not None else score >= payment.origin for seat, score in enumerate(scores)
    )
    top_type = KINDS[sum(seats) - 1]
    second = [scores[seat] for seat, floats in enumerate(seats) if floats and seat != top]
    return Floating(seats, top_type, gentsuu=second == [payment.origin])
