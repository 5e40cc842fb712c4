"""A season under way, as it is simulated: the facts, what is scheduled, and the results a hanchan may come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.format import Format
from scoring.odds.outcomes import Outcome
from scoring.plan import Draws, Override
from scoring.tiebreak import Entrant, Played


class Unforeseen(StrEnum):
    """Why a season cannot be simulated."""

    OVER = "over"
    """Nothing is left to play and no tie waits for a ruling."""
    ENDLESS = "endless"
    """A stage has no number of hanchan, or anybody may join it."""
    UNSEEDED = "unseeded"
    """Not everybody who plays has been named."""
    BEGUN = "begun"
    """A block has results although who plays in it is not settled."""
    VACANT = "vacant"
    """Somebody was passed over and too few are left to fill the places that depend on the block."""
    TWICE = "twice"
    """Somebody has two places in one stage, or may come to have: named by the organizer, or moved by a correction."""
    NO_RESULTS = "no_results"
    """There is no result a hanchan could come to."""


class UnforeseeableError(ValueError):
    """A season that cannot be simulated, with the reason and the block or stage it lies in."""

    def __init__(self, reason: Unforeseen, where: str = "") -> None:
        super().__init__(f"{where}: {reason.value}" if where else reason.value)
        self.reason = reason
        self.where = where


def refuse_twice(stage: str, entrants: Sequence[Entrant]) -> None:
    """Nobody plays in two places of a stage."""
    if len(set(entrants)) < len(entrants):
        raise UnforeseeableError(Unforeseen.TWICE, stage)


@dataclass(frozen=True, slots=True)
class Fixture:
    """A hanchan on the schedule: its number in the block, and who is to sit at the table."""

    number: int
    entrants: tuple[Entrant, ...]


@dataclass(frozen=True, slots=True)
class Season:
    """Facts by block and entrant, points at the ranking ledger's scale, as `scoring.stages` takes them."""

    format: Format
    players: int
    scale: int
    seeds: Mapping[int, Entrant]
    pool: tuple[Outcome, ...]
    """What a hanchan may come to, each as likely as any other."""
    played: Mapping[str, Mapping[Entrant, tuple[Played, ...]]] = field(default_factory=dict)
    fixtures: Mapping[str, tuple[Fixture, ...]] = field(default_factory=dict)
    adjustments: Mapping[tuple[str, Entrant], int] = field(default_factory=dict)
    rulings: Mapping[str, tuple[tuple[Entrant, ...], ...]] = field(default_factory=dict)
    draws: Draws = field(default_factory=dict)
    overrides: tuple[Override, ...] = ()
