"""Schema of a league format: stages, blocks, the sources of their entrants, and tie-breaks; never a value.

The one idea: each slot names the source of its player (`scoring.sources`), and everything else follows from
it: advancement, elimination, the positions that a tie leaves open. Advancement is never stated a second time.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from scoring.format import faults
from scoring.format.arranging import arrange
from scoring.format.parts import Bounds, Cited, Key, Name, fields_of
from scoring.format.policies import Policies
from scoring.format.stage import Assignment, Block, Intake, Stage
from scoring.format.team import Award, Limit, TeamRules
from scoring.ruleset.base import Positive
from scoring.ruleset.faults import INCONSISTENT
from scoring.sources import SEEDS, Drawn, Source, parse_sources, takes_rest
from scoring.tiebreak import TieBreak


class EntrantKind(StrEnum):
    """The entrants of a competition."""

    PLAYERS = "players"
    """Each entrant is a player."""
    TEAMS = "teams"
    """Each entrant is a team, for which one of its members plays."""


class Winner(Cited):
    """The block whose first place wins the competition."""

    block: Key


class Format(Cited):
    """A whole league format.

    Parsing validates it: every source in it is known to exist and to lie in an earlier stage. A format whose roster
    is not closed yet (`scoring.format.roster`) has bounds for its entrants, and its slots are not known.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(
        strict=True, frozen=True, extra="forbid", ignored_types=(cached_property,)
    )

    name: Key
    kind: EntrantKind = EntrantKind.PLAYERS
    title: Name
    rulebook: str | None = None
    """Key of the ruleset whose clauses are cited."""
    players: Annotated[int, Field(ge=3, le=4)] | None = None
    """Players at a table; None: the number that the ruleset gives."""
    entrants: Positive | Bounds | None = None
    """Number of seeds, or its bounds until the roster is closed; None: the roster is open."""
    tiebreak: TieBreak
    policies: Policies = Policies()
    team: TeamRules | None = None
    """For `teams`: the composition of a team."""
    limits: tuple[Limit, ...] = ()
    awards: tuple[Award, ...] = ()
    stages: tuple[Stage, ...] = Field(min_length=1)
    champion: Winner | None = None
    """None: the format has a ranking but no champion."""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        found = tuple(faults.faults(self))
        if found:
            raise PydanticCustomError(INCONSISTENT, "inconsistent", {"found": found})
        return self

    @property
    def seeds(self) -> int:
        """Return the number of seeds: none in a format with an open roster, or before the roster is closed."""
        return self.entrants if isinstance(self.entrants, int) else 0

    @property
    def bounds(self) -> Bounds | None:
        """Return the bounds of the number of entrants until the roster is closed; None if it has no bounds."""
        return self.entrants if isinstance(self.entrants, Bounds) else None

    @cached_property
    def _by_key(self) -> Mapping[str, Stage]:
        return {stage.key: stage for stage in self.stages}

    @cached_property
    def _order(self) -> Mapping[str, int]:
        return {stage.key: number for number, stage in enumerate(self.stages)}

    @cached_property
    def blocks(self) -> Mapping[str, Block]:
        """Map each block's key to the block, in the order of play."""
        return {block.key: block for stage in self.stages for block in stage.all_blocks}

    @cached_property
    def stage_of(self) -> Mapping[str, Stage]:
        """Map each block's key to the stage that the block belongs to."""
        return {block.key: stage for stage in self.stages for block in stage.all_blocks}

    @cached_property
    def blocks_of(self) -> Mapping[str, tuple[str, ...]]:
        """Map each stage's key to the keys of its blocks."""
        return {stage.key: tuple(block.key for block in stage.all_blocks) for stage in self.stages}

    @cached_property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Map each key that stands for several blocks in a source to these: stages, and tables of arranged stages."""
        tables = {stage.tables.key: self.blocks_of[stage.key] for stage in self.stages if stage.tables}
        return {**tables, **self.blocks_of}

    @cached_property
    def _parsed(self) -> dict[tuple[str, str], tuple[Source, ...]]:
        """Keep the sources of lines of entrants by their text and stage: checks ask for them again and again."""
        return {}

    @property
    def table_keys(self) -> frozenset[str]:
        """Return the keys of the tables of arranged stages; written out they are gone."""
        return frozenset(stage.tables.key for stage in self.stages if stage.tables)

    def crowns(self, block: str) -> bool:
        """Return True if the first of this block is the champion."""
        return self.champion is not None and self.champion.block == block

    def stage(self, key: str) -> Stage:
        """Return the stage with this key; raise KeyError if there is none."""
        return self._by_key[key]

    def sources(self, block: str) -> tuple[Source, ...]:
        """Return the sources of a block's slots, slot 1 first; empty for an open block.

        Raise ValueError if they are not known, as before the roster is closed.
        """
        stage = self.stage_of[block]
        if stage.assignment is Assignment.DRAWN:
            return (Drawn(stage.key),) * (self.blocks[block].size or 0)
        is_own = any(own.key == block for own in stage.blocks)  # beside tables a fault of its own
        if stage.tables is not None and stage.arrange is not None and not is_own:
            tables = arrange(self.pool(stage.key), stage.tables.count, stage.arrange)
            return tables[self.blocks_of[stage.key].index(block) - len(stage.blocks)]
        return self._expanded(self.blocks[block].entrants, stage)

    def pool(self, stage: str) -> tuple[Source, ...]:
        """Return the entrants of a drawn or arranged stage, in the order in which a draw numbers them."""
        return self._expanded(self.stage(stage).entrants, self.stage(stage))

    def sources_of(self, intake: Intake, stage: Stage) -> tuple[Source, ...]:
        """Return the sources that one line of a stage's entrants stands for; raise SourceError if it is unreadable."""

        def size_of(key: str) -> int | None:
            if key == SEEDS:
                return self.seeds or None
            before = self.stage_of.get(key)
            # A block of the same or a later stage is a fault of its own, and looking into it might never end.
            if before is None or self._order[before.key] >= self._order[stage.key]:
                return None
            return self.size(key)

        line = (intake.sources, stage.key)
        if line not in self._parsed:
            self._parsed[line] = parse_sources(intake.sources, self.groups, size_of)
        return self._parsed[line]

    def size(self, block: str) -> int | None:
        """Return the number of entrants of a block; None if it is open or its sources are not known."""
        if self.blocks[block].is_open:
            return None
        try:
            return len(self.sources(block))
        except ValueError:
            return None

    @property
    def is_closed(self) -> bool:
        """Return whether the number of entrants is fixed and every slot has a source of its own."""
        texts = (intake.sources for stage in self.stages for intake in intakes(stage))
        return self.bounds is None and not self.table_keys and not any(map(takes_rest, texts))

    def of_size(self, entrants: int) -> "Format":
        """Return the same format with this number of entrants, unchecked and not written out."""
        fields: dict[str, Any] = {**fields_of(self), "entrants": entrants}
        return Format.model_construct(**fields)

    def _expanded(self, entrants: tuple[Intake, ...], stage: Stage) -> tuple[Source, ...]:
        return tuple(source for intake in entrants for source in self.sources_of(intake, stage))


def intakes(stage: Stage) -> Iterator[Intake]:
    """Yield every line of entrants of a stage: of the stage itself, then of its blocks."""
    yield from stage.entrants
    for block in stage.blocks:
        yield from block.entrants
