"""The set-up of a game: players, starting scores, rounds, winds, and limits for entered scores."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from scoring.ruleset.base import Points, Positive, Ruled, Wind, require_nonempty
from scoring.ruleset.end import RoundName


class NextFirstDealer(StrEnum):
    """The first dealer of the next game at the same table."""

    NEXT_SEAT = "next_seat"
    """The seat after this game's first dealer, 回り親."""
    TOP = "top"
    """The player who was first in this game."""
    DRAWN = "drawn"
    """Seats are drawn again or settled by the table: the software proposes no dealer."""


class Setup(Ruled):
    """The starting scores and the intended length of a game."""

    start: Positive
    """Table points of each player at the start."""
    return_: Annotated[Positive, Field(alias="return")]
    """The table points from which results are calculated; no less than the start."""
    rounds: Annotated[tuple[RoundName, ...], AfterValidator(require_nonempty)]
    """The rounds of a game, in order; each has as many hands as there are players."""
    round_winds: dict[RoundName, tuple[Wind, ...]]
    """For each playable round, the winds that count as round wind in it."""
    seat_winds: tuple[Wind, ...]
    """The winds of the seats, beginning with the dealer."""
    next_first_dealer: NextFirstDealer

    @model_validator(mode="after")
    def _consistent(self) -> Setup:
        if self.return_ < self.start:
            raise ValueError(f"return must be at least start ({self.start})")
        missing = [wind.value for wind in self.rounds if wind not in self.round_winds]
        if missing:
            raise ValueError(f"round_winds must name the round winds of {', '.join(missing)}")
        return self


class KeptFrom(StrEnum):
    """The score at which the players' paper or sticks begin."""

    START = "start"
    """At the starting score: what is typed is the score."""
    ZERO = "zero"
    """At 0: what is typed is the gain or loss, and the starting score is added."""


class Entry(Ruled):
    """The unit of entered scores, and the bounds beyond which a score looks like a typing error."""

    unit: Positive
    """Scores are multiples of this."""
    warn_below: Points
    """A lower score has to be confirmed."""
    warn_above: Points
    """A higher score has to be confirmed."""
    kept_from: KeptFrom = KeptFrom.START
    """For final scores that are typed; logs, files and the API hold scores in every case."""

    @model_validator(mode="after")
    def _ordered(self) -> Entry:
        if self.warn_below >= self.warn_above:
            raise ValueError("warn_below must be less than warn_above")
        return self
