"""Schema of a stage: its blocks or tables, the sources of their entrants, its rounds, the points carried into it."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Self

from pydantic import ConfigDict, Field, model_validator

from scoring.format.arranging import Arrangement
from scoring.format.parts import Cited, Key, Name, Share
from scoring.format.rounds import RoundPlan
from scoring.ruleset.base import Amount, Positive, SentenceError, Strict

SENTENCES: Mapping[str, str] = {
    "rounding_of_part": "rounding belongs to half and part, which need it (one of %(allowed)s)",
    "of_part": 'of belongs to part, which needs it: a share such as "1/3"',
    "points_of_table": "points belong to a table, and a table needs them",
}
"""A sentence for each fault of a carry-over."""


class Seating(StrEnum):
    """Policy for changing tables between the hanchan of a stage."""

    STAY = "stay"
    """Four players stay at one table for all hanchan of a session."""
    ROUNDS = "rounds"
    """Every round is seated afresh over the block's tables."""
    FIXTURES = "fixtures"
    """The organizer says which entrants meet in a hanchan; by the end all have played equally often."""


class Assignment(StrEnum):
    """Way in which the entrants of a stage are assigned to its blocks."""

    SEEDED = "seeded"
    """Each block names the sources of its slots."""
    DRAWN = "drawn"
    """The stage lists its entrants; a recorded draw spreads them over its blocks."""
    ARRANGED = "arranged"
    """The stage lists its entrants; a named arrangement spreads them over its tables."""


class Carry(StrEnum):
    """Points with which an entrant starts a stage."""

    NONE = "none"
    """Every entrant starts from zero."""
    HALF = "half"
    """Half the total from the block that the entrant comes from."""
    PART = "part"
    """A share of the total from the block that the entrant comes from."""
    FULL = "full"
    """The total from the block that the entrant comes from."""
    TABLE = "table"
    """A table of points by slot."""


class CarryRounding(StrEnum):
    """Direction in which a share of a total is rounded, in the smallest unit of the ledger."""

    UP = "up"
    """Towards the greater number: -0.05 becomes 0.0."""
    DOWN = "down"
    """Towards the smaller number: -0.05 becomes -0.1."""
    AWAY_FROM_ZERO = "away_from_zero"
    """As in commercial rounding by hand: -0.05 becomes -0.1, 0.05 becomes 0.1."""
    TOWARDS_ZERO = "towards_zero"
    """Cut off: -0.05 and 0.05 become 0.0."""


class Intake(Cited):
    """Entrants of a block or a stage, given by their sources."""

    sources: str = Field(alias="from")
    """In the notation of `scoring.sources`, ranges allowed."""


class CarryOver(Cited):
    """The points an entrant brings into a stage."""

    kind: Carry
    of: Share | None = None
    """For `part`: the share of the total."""
    rounding: CarryRounding | None = None
    """For `half` and `part`: the rounding of what is no whole unit of the ledger."""
    points: tuple[Amount, ...] = ()
    """For `table`: the points of slot 1, 2, ... (in a drawn or arranged stage: of its entrants in list order)."""

    @model_validator(mode="after")
    def _says_what_its_kind_needs(self) -> Self:
        if (self.kind in {Carry.HALF, Carry.PART}) != (self.rounding is not None):
            raise SentenceError(SENTENCES, "rounding_of_part", allowed=", ".join(CarryRounding))
        if (self.kind is Carry.PART) != (self.of is not None):
            raise SentenceError(SENTENCES, "of_part")
        if (self.kind is Carry.TABLE) != bool(self.points):
            raise SentenceError(SENTENCES, "points_of_table")
        return self

    @property
    def share(self) -> Fraction | None:
        """Return the share of the total that is carried over; None if points do not follow from a total."""
        known = {Carry.HALF: Fraction(1, 2), Carry.PART: self.of, Carry.FULL: Fraction(1)}
        return known.get(self.kind)


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


class Tables(Strict):
    """The tables of an arranged stage: blocks that differ in their number alone."""

    key: Key
    """Table n is the block with this key followed by n; in a source this key stands for all of them."""
    title: Name
    """With `{n}` in the place of the table's number."""
    count: int = Field(ge=1, le=2500)
    size: int = Field(default=4, ge=3, le=4)
    """Entrants at a table."""

    def blocks(self) -> tuple[Block, ...]:
        """Return the blocks, without their entrants."""
        return tuple(
            Block(
                key=f"{self.key}{number}",
                title=Name(ja=self.title.ja.replace("{n}", str(number)), en=self.title.en.replace("{n}", str(number))),
            )
            for number in range(1, self.count + 1)
        )


class Stage(Cited):
    """One part of a competition; its blocks are played in parallel."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        strict=True, frozen=True, extra="forbid", ignored_types=(cached_property,)
    )

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
    """In a drawn or arranged stage: the entrants to be spread over the blocks."""
    blocks: tuple[Block, ...] = ()
    """In an arranged stage empty until the roster is closed."""
    arrange: Arrangement | None = None
    """In an arranged stage: the way in which its entrants are spread over its tables."""
    tables: Tables | None = None
    """In an arranged stage: its tables."""
    rounds: tuple[RoundPlan, ...] = ()
    """The way in which rounds are seated, if the format says so; together they cover every hanchan once."""

    @cached_property
    def all_blocks(self) -> tuple[Block, ...]:
        """Return the blocks of the stage, those of its tables included."""
        return self.blocks + (self.tables.blocks() if self.tables else ())
