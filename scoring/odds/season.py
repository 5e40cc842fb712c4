"""Input of a simulation: the facts of a season under way, its schedule, and the pool of possible results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.format import Format
from scoring.odds.outcomes import SettledHanchan
from scoring.plan import Draws, Override
from scoring.standings import Withdrawal
from scoring.tiebreak import Credit, Entrant, Played


class Unforeseen(StrEnum):
    """Reason why a season cannot be simulated."""

    OVER = "over"
    """Nothing is left to play and no tie waits for a ruling."""
    ENDLESS = "endless"
    """A stage has no number of hanchan, or is open to players at any time."""
    UNSEEDED = "unseeded"
    """A seed has no entrant yet."""
    BEGUN = "begun"
    """A block has results although its players are not settled."""
    VACANT = "vacant"
    """Entrants were passed over and too few are left to fill the places that depend on the block."""
    TWICE = "twice"
    """An entrant has or may get two places in one stage, named by the organizer or moved by a correction."""
    NO_RESULTS = "no_results"
    """The pool has no result that a hanchan could have."""


class UnforeseeableError(ValueError):
    """A season that cannot be simulated; carries the reason and the block or stage it lies in."""

    def __init__(self, reason: Unforeseen, where: str = "") -> None:
        super().__init__(f"{where}: {reason.value}" if where else reason.value)
        self.reason = reason
        self.where = where


def refuse_twice(stage: str, entrants: Sequence[Entrant]) -> None:
    """Raise UnforeseeableError if an entrant appears twice among those of a stage."""
    if len(set(entrants)) < len(entrants):
        raise UnforeseeableError(Unforeseen.TWICE, stage)


@dataclass(frozen=True, slots=True)
class ScheduledHanchan:
    """A hanchan on the schedule: its number in the block, and the entrants at the table."""

    number: int
    entrants: tuple[Entrant, ...]
    own_numbers: tuple[int, ...] = ()
    """Each entrant's own n-th in a block with rests; empty where `number` is the same for all."""


@dataclass(frozen=True, slots=True)
class RankGoal:
    """One of the first places of a block, perhaps with a total besides, such as those that promote."""

    name: str
    places: int
    """The number of places, counted without the entrants who are exempt."""
    total: int | None = None
    """The least total, at the ranking ledger's scale."""
    exempt: tuple[Entrant, ...] = ()
    """Entrants whose ranks do not count, and who reach nothing."""


@dataclass(frozen=True, slots=True)
class Season:
    """Facts by block and entrant, points at the ranking ledger's scale, in the form `scoring.stages` takes."""

    format: Format
    players: int
    scale: int
    seeds: Mapping[int, Entrant]
    pool: tuple[SettledHanchan, ...]
    """Possible results of a hanchan, all equally likely."""
    played: Mapping[str, Mapping[Entrant, tuple[Played, ...]]] = field(default_factory=dict)
    fixtures: Mapping[str, tuple[ScheduledHanchan, ...]] = field(default_factory=dict)
    adjustments: Mapping[tuple[str, Entrant], int] = field(default_factory=dict)
    rulings: Mapping[str, tuple[tuple[Entrant, ...], ...]] = field(default_factory=dict)
    draws: Draws = field(default_factory=dict)
    overrides: tuple[Override, ...] = ()
    credits: Mapping[str, Mapping[Entrant, tuple[Credit, ...]]] = field(default_factory=dict)
    """Hanchan that count for entrants without a result, byes to come included."""
    leaving: Mapping[str, Mapping[Entrant, Withdrawal]] = field(default_factory=dict)
    """By block the entrants who left, who play no more, and how they rank."""
    closed: tuple[str, ...] = ()
    """Keys of the blocks that the organizer has closed: nothing more is played in them."""
    goals: Mapping[str, tuple[RankGoal, ...]] = field(default_factory=dict)
    """By block the goals that are counted beside the ranks; they change no draw."""
