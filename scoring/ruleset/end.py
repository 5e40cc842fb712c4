"""The end of a game, and its extension beyond the last hand."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, model_validator

from scoring.ruleset.base import Count, Points, Positive, Ruled, Strict, require_nonempty


class RoundName(StrEnum):
    """A round of a game, as written on score sheets."""

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
    """The score at which a player is out and the game over."""

    BELOW_ZERO = "below_zero"
    """Below zero; with exactly zero the player plays on."""
    AT_ZERO = "at_zero"
    """At zero or below."""
    NEVER = "never"
    """No player goes out; the game goes on with scores below zero."""


class Bust(Ruled):
    """Running out of points. It is tested after the payments of a hand, never between them."""

    line: BustLine

    def is_bust(self, score: int) -> bool:
        """Return whether a player with this score is out."""
        if self.line is BustLine.AT_ZERO:
            return score <= 0
        return self.line is BustLine.BELOW_ZERO and score < 0


class TargetScore(Ruled):
    """A score that ends the game as soon as a hand leaves a player at or above it."""

    score: Positive
    void_hands_count: bool
    """A hand made void by an offence is tested for it too."""


class AfterLastRound(StrEnum):
    """The course of a game when the rounds of an extension are over too."""

    ENDS = "ends"
    """The game ends, regardless of the scores."""
    REPEATS = "repeats"
    """The rounds are played again until it is decided."""


class ExtensionRepeat(StrEnum):
    """The course of an extension whose dealer would deal again."""

    ENDS = "ends"
    """It ends with the hand that leaves a player with enough, even if the dealer would repeat."""
    DEALER_FIRST = "dealer_first"
    """A dealer who repeats without being first plays on; the end comes with a hand without a repeat."""


class Extension(Ruled):
    """Further rounds, played if no player has enough points when the last hand is over."""

    rounds: Annotated[tuple[RoundName, ...], AfterValidator(require_nonempty)]
    below: Points
    """The game goes on if the leader has less than this; sticks on the table do not count."""
    stops_at: Points
    """It ends after the first hand that leaves a player at or above this."""
    void_hands_count: bool
    """A hand made void by an offence is tested for it too."""
    last: AfterLastRound
    repeat: ExtensionRepeat = ExtensionRepeat.ENDS


class DealerStop(Ruled):
    """The right of the dealer of the last hand to end the game instead of dealing again."""

    after_win: bool
    after_tenpai_draw: bool
    worst_place: Positive
    """The dealer must be at this place or better."""
    leader_has: dict[RoundName, Points]
    """The rounds in whose last hand it is possible, with the points that the leader must have."""
    automatic: bool
    """The game ends without asking the dealer."""
    automatic_at: Positive | None = None
    """At this place or better it ends without asking; a dealer below it may choose. None: `automatic` says it."""

    @model_validator(mode="after")
    def _choice_left(self) -> Self:
        if self.automatic_at is None:
            return self
        if self.automatic:
            raise ValueError("automatic_at needs automatic = false: the places below it may choose")
        if self.automatic_at >= self.worst_place:
            raise ValueError(f"automatic_at must be less than worst_place ({self.worst_place})")
        return self

    def is_automatic(self, place: int) -> bool:
        """Return whether a dealer at this place is not asked."""
        return self.automatic or (self.automatic_at is not None and place <= self.automatic_at)


class TimeUp(StrEnum):
    """The hands that may still be played once the time of a round is up."""

    FINISH_HAND = "finish_hand"
    """The hand being played is the last."""
    ONE_MORE_HAND = "one_more_hand"
    """After the hand being played, one more is played."""


class VoidLastHand(StrEnum):
    """The course of a game whose last hand by time is made void by a great offence."""

    REPLAYED = "replayed"
    """Another hand is played in its place."""
    ENDS = "ends"
    """The game ends."""


class TimeLimit(Ruled):
    """The time that a round lasts, for events in which all tables play by one clock."""

    minutes: Positive
    call_minutes: Count = 0
    """Minutes before the end at which the hall is told how many are left; 0 for no such call."""
    last: TimeUp
    void_hand: VoidLastHand = VoidLastHand.REPLAYED

    @property
    def hands_left(self) -> int:
        """The hands that are played once time is called, the running one included."""
        return 2 if self.last is TimeUp.ONE_MORE_HAND else 1


class End(Strict):
    """The conditions that end a game besides its last hand."""

    bust: Bust
    target: TargetScore | None = None
    extension: Extension | None = None
    dealer_stop: DealerStop | None = None
    time: TimeLimit | None = None
