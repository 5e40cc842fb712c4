"""Before the game: players, scores to start with, rounds, tiles, and what can be typed in."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from scoring.ruleset.base import Points, Positive, Ruled, Wind, some
from scoring.ruleset.end import RoundName


class NextFirstDealer(StrEnum):
    """Who is first dealer of the next game at the same table."""

    NEXT_SEAT = "next_seat"
    """The seat after this game's first dealer, 回り親."""
    TOP = "top"
    """Whoever was first in this game."""
    DRAWN = "drawn"
    """Seats are drawn anew or settled by the table: the software proposes nobody."""


class Setup(Ruled):
    """What everyone starts with and how long a game is meant to be."""

    start: Positive
    """Table points of each player at the start."""
    return_: Annotated[Positive, Field(alias="return")]
    """Table points a result is reckoned against; no less than the start."""
    rounds: Annotated[tuple[RoundName, ...], AfterValidator(some)]
    """The rounds of a game, in order; each has as many hands as there are players."""
    round_winds: dict[RoundName, tuple[Wind, ...]]
    """For each round that can be played, the winds that count as round wind in it."""
    seat_winds: tuple[Wind, ...]
    """The winds of the seats, from the dealer on."""
    next_first_dealer: NextFirstDealer

    @model_validator(mode="after")
    def _consistent(self) -> Setup:
        if self.return_ < self.start:
            raise ValueError(f"return must be at least start ({self.start})")
        missing = [wind.value for wind in self.rounds if wind not in self.round_winds]
        if missing:
            raise ValueError(f"round_winds must name the round winds of {', '.join(missing)}")
        return self


class Entry(Ruled):
    """What is typed in for a finished game, and from where on a score looks like a slip."""

    unit: Positive
    """Scores are multiples of this."""
    warn_below: Points
    """A lower score is asked about."""
    warn_above: Points
    """A higher score is asked about."""

    @model_validator(mode="after")
    def _ordered(self) -> Entry:
        if self.warn_below >= self.warn_above:
            raise ValueError("warn_below must be less than warn_above")
        return self
