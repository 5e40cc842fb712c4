"""Schema of a league format: stages, blocks, the sources of their entrants, and tie-breaks; never a value.

The one idea: each slot names the source of its player (`scoring.sources`), and everything else follows from
it: advancement, elimination, the positions that a tie leaves open. Advancement is never stated a second time.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, ClassVar, Self

from pydantic import BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from scoring import format_faults
from scoring.ruleset.base import Amount, ClauseId, Positive, Strict, Title
from scoring.ruleset.faults import INCONSISTENT
from scoring.sources import KEY, Drawn, Source, parse_sources
from scoring.tiebreak import TieBreak


def _in_both_languages(value: object) -> object:
    return {"ja": value, "en": value} if isinstance(value, str) else value


Name = Annotated[Title, BeforeValidator(_in_both_languages)]
"""A title in both languages; a text alone, as in an organizer's own format, stands for both."""

Key = Annotated[str, Field(pattern=rf"^{KEY}$", max_length=40)]


class Seating(StrEnum):
    """Policy for changing tables between the hanchan of a stage."""

    STAY = "stay"
    """Four players stay at one table for all hanchan of a session."""
    ROUNDS = "rounds"
    """Every round is seated afresh over the block's tables."""


class Assignment(StrEnum):
    """Way in which the entrants of a stage are assigned to its blocks."""

    SEEDED = "seeded"
    """Each block names the sources of its slots."""
    DRAWN = "drawn"
    """The stage lists its entrants; a recorded draw spreads them over its blocks."""


class Carry(StrEnum):
    """Points with which an entrant starts a stage."""

    NONE = "none"
    """Every entrant starts from zero."""
    HALF = "half"
    """Half the total from the block that the entrant comes from."""
    FULL = "full"
    """The total from the block that the entrant comes from."""
    TABLE = "table"
    """A table of points by slot."""


class HalfRounding(StrEnum):
    """Direction in which half of an odd total is rounded, in the smallest unit of the ledger."""

    UP = "up"
    """Towards the greater number: -0.05 becomes 0.0."""
    DOWN = "down"
    """Towards the smaller number: -0.05 becomes -0.1."""
    AWAY_FROM_ZERO = "away_from_zero"
    """As in commercial rounding by hand: -0.05 becomes -0.1, 0.05 becomes 0.1."""
    TOWARDS_ZERO = "towards_zero"
    """Cut off: -0.05 and 0.05 become 0.0."""


class Cited(Strict):
    """A rule with the clauses it comes from, or with a note where no rule book has a clause for it.

    Every format of the product has one of the two; an organizer's own format may leave out both.
    """

    clauses: tuple[ClauseId, ...] = ()
    note: Name | None = None


class Intake(Cited):
    """Entrants of a block or a stage, given by their sources."""

    sources: str = Field(alias="from")
    """In the notation of `scoring.sources`, ranges allowed."""


class CarryOver(Cited):
    """The points an entrant brings into a stage."""

    kind: Carry
    rounding: HalfRounding | None = None
    """For `half`: the rounding of an odd total."""
    points: tuple[Amount, ...] = ()
    """For `table`: the points of slot 1, 2, ... (in a drawn stage: of its entrants in list order)."""

    @model_validator(mode="after")
    def _says_what_its_kind_needs(self) -> Self:
        if (self.kind is Carry.HALF) != (self.rounding is not None):
            raise ValueError(f"rounding belongs to half, and half needs it (one of {', '.join(HalfRounding)})")
        if (self.kind is Carry.TABLE) != bool(self.points):
            raise ValueError("points belong to a table, and a table needs them")
        return self


class Block(Strict):
    """A group of entrants who are ranked against each other."""

    key: Key
    title: Name
    entrants: tuple[Intake, ...] = ()
    """In a seeded stage: the sources of the slots, slot 1 first."""
    size: Positive | None = None
    """In a drawn stage: the number of entrants drawn into this block."""
    is_open: bool = False
    """Players may join at any time; the block has no slots."""


class Stage(Cited):
    """One part of a competition; its blocks are played in parallel."""

    key: Key
    title: Name
    hanchan: Positive | None = None
    """Number of hanchan for each entrant; None: any number."""
    sessions: Positive | None = None
    """Number of sessions (節) over which the hanchan are spread; None: any number."""
    seating: Seating
    assignment: Assignment
    carry_over: CarryOver
    entrants: tuple[Intake, ...] = ()
    """In a drawn stage: the entrants to be drawn into the blocks."""
    blocks: tuple[Block, ...] = Field(min_length=1)


class Winner(Cited):
    """The block whose first place wins the competition."""

    block: Key


class Format(Cited):
    """A whole league format.

    Parsing validates it: every source in it is known to exist and to lie in an earlier stage.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(
        strict=True, frozen=True, extra="forbid", ignored_types=(cached_property,)
    )

    name: Key
    title: Name
    rulebook: str | None = None
    """Key of the ruleset whose clauses are cited."""
    players: Annotated[int, Field(ge=3, le=4)] | None = None
    """Players at a table; None: the number that the ruleset gives."""
    entrants: Positive | None = None
    """Number of seeds; None: the roster is open."""
    tiebreak: TieBreak
    stages: tuple[Stage, ...] = Field(min_length=1)
    champion: Winner | None = None
    """None: the format has a ranking but no champion."""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        found = tuple(format_faults.faults(self))
        if found:
            raise PydanticCustomError(INCONSISTENT, "inconsistent", {"found": found})
        return self

    @cached_property
    def _by_key(self) -> Mapping[str, Stage]:
        return {stage.key: stage for stage in self.stages}

    @cached_property
    def blocks(self) -> Mapping[str, Block]:
        """Map each block's key to the block, in the order of play."""
        return {block.key: block for stage in self.stages for block in stage.blocks}

    @cached_property
    def stage_of(self) -> Mapping[str, Stage]:
        """Map each block's key to the stage that the block belongs to."""
        return {block.key: stage for stage in self.stages for block in stage.blocks}

    @cached_property
    def blocks_of(self) -> Mapping[str, tuple[str, ...]]:
        """Map each stage's key to the keys of its blocks."""
        return {stage.key: tuple(block.key for block in stage.blocks) for stage in self.stages}

    def stage(self, key: str) -> Stage:
        """Return the stage with this key; raise KeyError if there is none."""
        return self._by_key[key]

    def sources(self, block: str) -> tuple[Source, ...]:
        """Return the sources of a block's slots, slot 1 first; empty for an open block."""
        if self.stage_of[block].assignment is Assignment.DRAWN:
            return (Drawn(self.stage_of[block].key),) * (self.blocks[block].size or 0)
        return self._expanded(self.blocks[block].entrants)

    def pool(self, stage: str) -> tuple[Source, ...]:
        """Return the sources of a drawn stage's entrants, in the order in which a draw numbers them."""
        return self._expanded(self.stage(stage).entrants)

    def _expanded(self, entrants: tuple[Intake, ...]) -> tuple[Source, ...]:
        return tuple(source for intake in entrants for source in parse_sources(intake.sources, self.blocks_of))
