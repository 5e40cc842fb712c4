"""What a ladder looks like at one moment: slots and their states, ties that wait for a ruling, destinations."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.standings import Standings
from scoring.tiebreak import Entrant


class State(StrEnum):
    """How sure it is who sits in a slot."""

    CERTAIN = "certain"
    """Everything it depends on has been played and nothing about it is tied."""
    PROVISIONAL = "provisional"
    """The block it depends on is under way: this is how it stands now."""
    OPEN = "open"
    """Nothing has been played, drawn or seeded yet that could say."""
    RULING = "ruling"
    """A tie that no rule breaks stands in the way; the organizer has to rule."""


class Reason(StrEnum):
    """Why a slot is in its state, where the state alone does not say."""

    NONE = ""
    """The state says it all."""
    UNSEEDED = "unseeded"
    """Nobody has this seed yet."""
    UNDRAWN = "undrawn"
    """The draw has not been recorded yet."""
    NOT_STARTED = "not_started"
    """No hanchan of the block has counted yet."""
    UNDER_WAY = "under_way"
    """The block is being played."""
    TIED = "tied"
    """Entrants share the place and no rule separates them (so far, where the block is under way)."""
    VACANT = "vacant"
    """The block has fewer entrants than this rank needs."""
    TWICE = "twice"
    """The entrant holds another slot of the stage as well; the organizer has to change one of the two."""


@dataclass(frozen=True, slots=True)
class BlockStandings:
    """A block as it stands."""

    standings: Standings
    complete: bool
    """Every hanchan of the block has counted for every entrant."""


@dataclass(frozen=True, slots=True)
class SlotState:
    """Who sits in a slot, how sure that is and why."""

    block: str
    """The block, or the key of a drawn stage for one of its entrants before the draw."""
    number: int
    state: State
    entrant: Entrant | None
    source: str
    """Where the player comes from, as `scoring.sources` writes it; overrides applied."""
    candidates: tuple[Entrant, ...] = ()
    """Who can still take it, as far as the sources say; nobody else can."""
    reason: Reason = Reason.NONE
    carried: int | None = 0
    """The points the entrant starts with, at the ledger's scale; None while nobody can say."""
    note: str = ""
    """The organizer's reason, if the slot was overridden."""


@dataclass(frozen=True, slots=True)
class Awaiting:
    """A tie on which places depend and that only the organizer can break."""

    scope: str
    """The block, or the comparison across blocks (`best:preliminary#5`); rulings are filed under it."""
    entrants: tuple[Entrant, ...]
    ranks: tuple[int, ...]
    """The positions they share."""
    places: tuple[str, ...]
    """The places in question, best first: keys of stages, `champion`, `2nd`, ..., `out`."""
    slots: tuple[tuple[str, int], ...]
    """The slots that stay open, as block and number."""


@dataclass(frozen=True, slots=True)
class Champion:
    """Who has won, or leads the final block."""

    state: State
    entrant: Entrant | None = None
    candidates: tuple[Entrant, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution:
    """The whole ladder at one moment."""

    slots: Mapping[str, tuple[SlotState, ...]]
    """The slots of every block, slot 1 first; none for an open block."""
    pools: Mapping[str, tuple[SlotState, ...]]
    """The entrants of every drawn stage in the order a draw counts them."""
    awaiting: tuple[Awaiting, ...]
    champion: Champion | None
    """None if the format has no champion."""
    destinations: Mapping[str, tuple[str, ...]]
    """Where each position of a block's table leads: `po1`, `best:po1` (the best of this rank across the blocks),
    `champion`, `2nd`, ..., `out`, `withdrawn`. Empty where nobody goes anywhere."""
    advance: Mapping[str, Mapping[str, tuple[Entrant, ...]]]
    """Of every complete block: who goes where, for all whose place does not hang on a ruling."""
