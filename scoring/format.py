"""The shape of a league format: stages, blocks, where their entrants come from, tie-breaks; never a value.

The one idea: a slot says where its player comes from (`scoring.sources`), and everything else follows from that:
who advances where, who is out, what a tie leaves open. Nothing says twice who advances.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, ClassVar, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from scoring import format_faults
from scoring.ruleset.base import Amount, ClauseId, Positive, Strict, Title
from scoring.ruleset.faults import INCONSISTENT
from scoring.sources import KEY, Drawn, Source, parse_sources
from scoring.tiebreak import TieBreak

Key = Annotated[str, Field(pattern=rf"^{KEY}$", max_length=40)]


class Seating(StrEnum):
    """Who changes tables within a stage."""

    STAY = "stay"
    """Four players stay at one table for all hanchan of a session."""
    ROUNDS = "rounds"
    """Every round is seated anew over the block's tables."""


class Assignment(StrEnum):
    """How the entrants of a stage come to their blocks."""

    SEEDED = "seeded"
    """Each block names the sources of its slots."""
    DRAWN = "drawn"
    """The stage names its entrants; a recorded draw spreads them over its blocks."""


class Carry(StrEnum):
    """With how many points an entrant starts a stage."""

    NONE = "none"
    """Everybody starts from zero."""
    HALF = "half"
    """Half the total of the block the entrant comes from."""
    FULL = "full"
    """The total of the block the entrant comes from."""
    TABLE = "table"
    """A table of points by slot."""


class Rounding(StrEnum):
    """Where half of an odd total goes, in the smallest unit of the ledger."""

    UP = "up"
    """To the greater number: -0.05 becomes 0.0."""
    DOWN = "down"
    """To the smaller number: -0.05 becomes -0.1."""
    AWAY_FROM_ZERO = "away_from_zero"
    """As people round by hand: -0.05 becomes -0.1, 0.05 becomes 0.1."""
    TOWARDS_ZERO = "towards_zero"
    """Cut off: -0.05 and 0.05 become 0.0."""


class Cited(Strict):
    """A rule: with the clauses it comes from, or a note where no book has one."""

    clauses: tuple[ClauseId, ...] = ()
    note: Title | None = None

    @model_validator(mode="after")
    def _says_where_it_comes_from(self) -> Self:
        if not self.clauses and self.note is None:
            raise ValueError("name the clauses it comes from, or give a note in ja and en where no book has one")
        return self


class Intake(Cited):
    """Entrants of a block or a stage, by where they come from."""

    sources: str = Field(alias="from")
    """As `scoring.sources` writes it, ranges allowed."""


class CarryOver(Cited):
    """The points an entrant brings into a stage."""

    kind: Carry
    rounding: Rounding | None = None
    """For half: where the odd unit goes."""
    points: tuple[Amount, ...] = ()
    """For a table: the points of slot 1, 2, ... (of a drawn stage: of its entrants in their order)."""

    @model_validator(mode="after")
    def _says_what_its_kind_needs(self) -> Self:
        if (self.kind is Carry.HALF) != (self.rounding is not None):
            raise ValueError(f"rounding belongs to half, and half needs it (one of {', '.join(Rounding)})")
        if (self.kind is Carry.TABLE) != bool(self.points):
            raise ValueError("points belong to a table, and a table needs them")
        return self


class Block(Strict):
    """Entrants who are ranked against each other."""

    key: Key
    title: Title
    entrants: tuple[Intake, ...] = ()
    """In a seeded stage: where the players of the slots come from, slot 1 first."""
    size: Positive | None = None
    """In a drawn stage: how many entrants are drawn into this block."""
    is_open: bool = False
    """Anybody may join at any time; there are no slots."""


class Stage(Cited):
    """One part of a competition; its blocks are played side by side."""

    key: Key
    title: Title
    hanchan: Positive | None = None
    """How many hanchan each entrant plays; None: any number."""
    sessions: Positive | None = None
    """Over how many sessions (節) they are spread; None: any number."""
    seating: Seating
    assignment: Assignment
    carry_over: CarryOver
    entrants: tuple[Intake, ...] = ()
    """In a drawn stage: who is drawn into the blocks."""
    blocks: tuple[Block, ...] = Field(min_length=1)


class Winner(Cited):
    """Whose first place wins the competition."""

    block: Key


class Format(Cited):
    """A whole league format.

    Once it has been read, every source in it is known to exist and to lie in an earlier stage.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(
        strict=True, frozen=True, extra="forbid", ignored_types=(cached_property,)
    )

    name: Key
    title: Title
    rulebook: str | None = None
    """The ruleset whose clauses are cited."""
    players: Annotated[int, Field(ge=3, le=4)] | None = None
    """How many sit at a table; None: as many as the ruleset says."""
    entrants: Positive | None = None
    """How many seeds there are; None: the roster is open."""
    tiebreak: TieBreak
    stages: tuple[Stage, ...] = Field(min_length=1)
    champion: Winner | None = None
    """None: there is a ranking and no champion."""

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
        """Every block by its key, in the order of play."""
        return {block.key: block for stage in self.stages for block in stage.blocks}

    @cached_property
    def stage_of(self) -> Mapping[str, Stage]:
        """The stage that each block belongs to."""
        return {block.key: stage for stage in self.stages for block in stage.blocks}

    @cached_property
    def blocks_of(self) -> Mapping[str, tuple[str, ...]]:
        """The keys of each stage's blocks."""
        return {stage.key: tuple(block.key for block in stage.blocks) for stage in self.stages}

    def stage(self, key: str) -> Stage:
        """The stage of this key; KeyError if there is none."""
        return self._by_key[key]

    def sources(self, block: str) -> tuple[Source, ...]:
        """Where the players of a block's slots come from, slot 1 first; none for an open block."""
        if self.stage_of[block].assignment is Assignment.DRAWN:
            return (Drawn(self.stage_of[block].key),) * (self.blocks[block].size or 0)
        return self._expanded(self.blocks[block].entrants)

    def pool(self, stage: str) -> tuple[Source, ...]:
        """Where the entrants of a drawn stage come from, in the order a draw counts them."""
        return self._expanded(self.stage(stage).entrants)

    def _expanded(self, entrants: tuple[Intake, ...]) -> tuple[Source, ...]:
        return tuple(source for intake in entrants for source in parse_sources(intake.sources, self.blocks_of))
