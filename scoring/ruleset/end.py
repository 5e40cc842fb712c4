"""When a game ends, and when it goes on beyond its last hand."""

from __future__ import annotations

from enum import StrEnum

from scoring.ruleset.base import Ruled, Strict


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


class End(Strict):
    """What ends a game."""

    bust: Bust
