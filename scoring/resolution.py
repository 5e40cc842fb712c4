"""Result of resolving a ladder at one moment: slots and their states, ties awaiting a ruling, destinations."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.standings import Standings
from scoring.tiebreak import Entrant


class Certainty(StrEnum):
    """Certainty of the entrant in a slot."""

    CERTAIN = "certain"
    """Everything the slot depends on has been played, and no tie affects it."""
    PROVISIONAL = "provisional"
    """The block that the slot depends on is under way; the entrant is the current one."""
    OPEN = "open"
    """Nothing has been played, drawn or seeded yet that determines the entrant."""
    RULING = "ruling"
    """A tie that no rule breaks affects the slot; the organizer has to rule."""


class Reason(StrEnum):
    """Reason for a slot's state, where the state alone does not explain it."""

    NONE = ""
    """The state needs no reason."""
    UNSEEDED = "unseeded"
    """No entrant has this seed yet."""
    UNDRAWN = "undrawn"
    """The draw has not been recorded yet."""
    NOT_STARTED = "not_started"
    """No hanchan of the block has counted yet."""
    UNDER_WAY = "under_way"
    """The block is being played."""
    TIED = "tied"
    """Entrants share the place and no rule separates them (yet, while the block is under way)."""
    VACANT = "vacant"
    """The block has fewer entrants than this rank needs."""
    TWICE = "twice"
    """The entrant holds another slot of the stage as well; the organizer has to change one of the two."""


@dataclass(frozen=True, slots=True)
class BlockStandings:
    """The standings of a block, with a flag for completeness."""

    standings: Standings
    complete: bool
    """Every hanchan of the block has counted for every entrant, or the organizer has closed the block."""


@dataclass(frozen=True, slots=True)
class SlotState:
    """The entrant of a slot, with the state and the reason of any uncertainty."""

    block: str
    """The block, or the key of a drawn stage for one of its entrants before the draw."""
    number: int
    state: Certainty
    entrant: Entrant | None
    source: str
    """The player's source in the notation of `scoring.sources`, overrides applied."""
    candidates: tuple[Entrant, ...] = ()
    """Entrants who can still take the slot, as far as the sources say; no one else can."""
    reason: Reason = Reason.NONE
    carried: int | None = 0
    """The points the entrant starts with, at the ledger's scale; None while they are unknown."""
    note: str = ""
    """The organizer's reason, if the slot was overridden."""


@dataclass(frozen=True, slots=True)
class Awaiting:
    """A tie that places depend on and that only the organizer can break."""

    scope: str
    """The block, or the comparison across blocks (`best:preliminary#5`), under which rulings are filed."""
    entrants: tuple[Entrant, ...]
    ranks: tuple[int, ...]
    """The positions that the entrants share."""
    places: tuple[str, ...]
    """The places in question, best first: keys of stages, `champion`, `2nd`, ..., `out`."""
    slots: tuple[tuple[str, int], ...]
    """The slots that stay open, as block and number."""


@dataclass(frozen=True, slots=True)
class Champion:
    """The winner of the competition, or the leader of the final block."""

    state: Certainty
    entrant: Entrant | None = None
    candidates: tuple[Entrant, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution:
    """The whole ladder at one moment."""

    slots: Mapping[str, tuple[SlotState, ...]]
    """The slots of every block, slot 1 first; none for an open block."""
    pools: Mapping[str, tuple[SlotState, ...]]
    """The entrants of every drawn stage, in the order in which a draw numbers them."""
    awaiting: tuple[Awaiting, ...]
    champion: Champion | None
    """None if the format has no champion."""
    destinations: Mapping[str, tuple[str, ...]]
    """Destination of each position of a block's table.

    `po1`, `best:po1` (the best of this rank across the blocks), `champion`, `2nd`, ..., `out`, `withdrawn`. Empty
    for a block from which no entrant advances. A tier's final places become those of its series (`up:A1`).
    """
    advance: Mapping[str, Mapping[str, tuple[Entrant, ...]]]
    """For every complete block: entrants by destination, for all whose place does not depend on a ruling."""
