"""When a game ends, and when it goes on beyond its last hand."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator

from scoring.ruleset.base import Points, Positive, Ruled, Strict, some


class RoundName(StrEnum):
    """A round of a game, as scores are written down."""

    EAST = "E"
    """East, 東場."""
    SOUTH = "S"
    """South, 南場."""
    WEST = "W"
    """West, 西場."""
    RETURN_EAST = "RE"
    """East once more, 返り東."""
    RETURN_SOUTH = "RS"
    """South once more, after a second East."""


class BustLine(StrEnum):
    """At which score a player is out and the game over."""

    BELOW_ZERO = "below_zero"
    """Below zero; with exactly zero one plays on."""
    AT_ZERO = "at_zero"
    """At zero or below."""
    NEVER = "never"
    """Nobody goes out; scores below zero play on."""


class Bust(Ruled):
    """Running out of points. Judged after the payments of a hand, never within it."""

    line: BustLine

    def is_bust(self, score: int) -> bool:
        """Whether this score is out."""
        if self.line is BustLine.AT_ZERO:
            return score <= 0
        return self.line is BustLine.BELOW_ZERO and score < 0


class Target(Ruled):
    """A score that ends the game as soon as a hand leaves somebody at or above it."""

    score: Positive
    void_hands_count: bool
    """A hand made void by an offence is tested for it as well."""


class AfterLastRound(StrEnum):
    """What happens when the rounds of an extension are over too."""

    ENDS = "ends"
    """The game ends, whatever the scores."""
    REPEATS = "repeats"
    """The rounds are played again until it is decided."""


class ExtensionRepeat(StrEnum):
    """Whether an extension ends where its dealer would deal again."""

    ENDS = "ends"
    """It ends with the hand that leaves somebody with enough, whoever deals next."""
    DEALER_FIRST = "dealer_first"
    """A dealer who deals again without being first plays on; the end waits for a hand without that."""


class Extension(Ruled):
    """Further rounds if nobody has enough when the last hand is over."""

    rounds: Annotated[tuple[RoundName, ...], AfterValidator(some)]
    below: Points
    """The game goes on if the leader has less than this; sticks on the table do not count."""
    stops_at: Points
    """It then ends after the first hand that leaves somebody at or above this."""
    void_hands_count: bool
    """A hand made void by an offence is tested for it as well."""
    last: AfterLastRound
    repeat: ExtensionRepeat = ExtensionRepeat.ENDS


class DealerStop(Ruled):
    """The dealer of the last hand may end the game instead of dealing again."""

    after_win: bool
    after_tenpai_draw: bool
    worst_place: Positive
    """The dealer must be at this place or better."""
    leader_has: dict[RoundName, Points]
    """The rounds in whose last hand it can be done, and what somebody must have for it."""
    automatic: bool
    """It is not a choice."""


class End(Strict):
    """What ends a game besides its last hand."""

    bust: Bust
    target: Target | None = None
    extension: Extension | None = None
    dealer_stop: DealerStop | None = None
