"""Policies for what a format cannot foresee: absences, withdrawals, numbers that fill no whole tables."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Literal

from scoring.format.parts import Cited
from scoring.ruleset.base import Amount, Count


class OddBy(StrEnum):
    """Way of seating a number of entrants that does not fill whole tables."""

    SUBSTITUTES = "substitutes"
    """House players fill the tables; they are not ranked."""
    BYES = "byes"
    """As few entrants as possible sit out a round."""
    REFUSE = "refuse"
    """The roster cannot be closed with such a number."""


class Odd(Cited):
    """Seating of a number of entrants that does not fill whole tables."""

    by: OddBy
    points: Amount | Literal["average"] | None = None
    """`substitutes`: points of a house player's hanchan; `byes`: worth of a bye, or `average` of the own hanchan."""


class NoShowBy(StrEnum):
    """Way of dealing with an entrant who is absent at the start of a hanchan."""

    ASK = "ask"
    """The organizer decides."""
    SUBSTITUTES = "substitutes"
    """A house player sits down."""


class NoShow(Cited):
    """An entrant who is absent at the start of a hanchan."""

    by: NoShowBy = NoShowBy.ASK
    after_minutes: Count | None = None
    """Minutes after the start at which a house player sits down."""
    points: Amount | None = None
    """Points of the absent entrant; None: those that the house player wins."""
    place: Literal["last", "none"] = "none"
    """Whether the absent entrant counts as last."""
    twice: Literal["withdrawal", "ask"] = "ask"
    """What follows from a second time."""


class Late(Cited):
    """An entrant who joins after the first round."""

    worth: Amount = Fraction(0)
    """Points for each round missed."""


class Withdrawal(Cited):
    """An entrant who leaves between two rounds."""

    results: Literal["stay", "annul"] = "stay"
    """Whether the results so far count for the others."""
    ranked: bool = True
    """Ranked below those who finished; otherwise not ranked."""


class Walkover(Cited):
    """A table whose hanchan is not played."""

    by: Literal["ruling", "worth"] = "ruling"
    worth: Amount | None = None
    """For `worth`: points of every entrant who was present."""


class Declined(StrEnum):
    """Filling of a place that an entrant declines after a cut, until the first deal."""

    NEXT = "next"
    """The next in rank moves up."""
    EMPTY = "empty"
    """The place stays empty."""


class Policies(Cited):
    """The policies of a format, each with its default."""

    odd: Odd | None = None
    """None: a roster that does not fill whole tables is refused, and so is a format that allows one."""
    no_show: NoShow = NoShow()
    late: Late = Late()
    withdrawal: Withdrawal = Withdrawal()
    walkover: Walkover = Walkover()
    declined: Declined = Declined.NEXT
