"""Certain destinations of entrants from published rows.

An entrant that may still advance is never called eliminated.

A slot of a later stage is certain, or awaits a ruling, only once the block that fills it is finished. The slots
therefore show which blocks are finished, and no second derivation is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.lines import OUT, WITHDRAWN
from scoring.resolution import Certainty, Resolution
from scoring.sources import BestOf, RankOf, Source, parse_source
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class Home:
    """A slot of a stage: its source, state and entrant."""

    stage: str
    order: int
    """Order of the stage."""
    source: Source
    state: str
    entrant: Entrant | None


@dataclass(frozen=True, slots=True)
class BlockLine:
    """A line of a block's table as needed here; `destination` as a standing names it."""

    entrant: Entrant
    rank: int
    destination: str


@dataclass(frozen=True, slots=True)
class RankedBlock:
    """A block's table, best first, with its stage."""

    block: str
    stage: str
    order: int
    """Order of the stage."""
    lines: tuple[BlockLine, ...]


def homes_of(resolution: Resolution, stages: Mapping[str, tuple[str, int]]) -> Iterator[Home]:
    """Yield the slots of a ladder; `stages` maps keys of stages and blocks to key and order of the stage."""
    for key, states in (*resolution.slots.items(), *resolution.pools.items()):
        for each in states:
            yield Home(*stages[key], parse_source(each.source), each.state.value, each.entrant)


def certain_destinations(table: RankedBlock, homes: Sequence[Home]) -> Mapping[Entrant, str]:
    """Return by entrant the key of the stage they certainly play in next, or `out` if they are certainly eliminated.

    Entrants are missing while coming results or a ruling can change their destination, and all of them until the
    block is finished.
    """
    if not _is_finished(table, homes):
        return {}
    further = {
        home.entrant: home.stage
        # Furthest stage first, so that the nearest one overwrites it in the mapping.
        for home in sorted(homes, key=lambda home: -home.order)
        if home.order > table.order and home.state == Certainty.CERTAIN and home.entrant is not None
    }
    gone = {line.entrant: OUT for line in _eliminated(table, homes)}
    return {
        line.entrant: place for line in table.lines if (place := further.get(line.entrant) or gone.get(line.entrant))
    }


def _is_finished(table: RankedBlock, homes: Iterable[Home]) -> bool:
    """Return True if a later slot was filled from this block, or from a comparison that includes it."""
    for home in homes:
        match home.source:
            case RankOf(block) if block == table.block and home.state in {Certainty.CERTAIN, Certainty.RULING}:
                return True
            case BestOf(stage, rank) if stage == table.stage and home.state == Certainty.CERTAIN:
                return len(_staying(table)) >= rank
    return False


def _staying(table: RankedBlock) -> list[BlockLine]:
    """Return the lines without passed-over entrants."""
    return [line for line in table.lines if line.destination != WITHDRAWN]


def _eliminated(table: RankedBlock, homes: Sequence[Home]) -> Iterator[BlockLine]:
    """Yield the lines whose rank leads nowhere, or only to a comparison that others won."""
    staying = _staying(table)
    for position, line in enumerate(staying, start=1):
        # Entrants that share a rank have positions in arbitrary order: eliminated only if no position of that rank
        # advances.
        leads = {other.destination for other in staying if other.rank == line.rank}
        if leads == {OUT} or (leads == {line.destination} and _was_compared(table, position, line, homes)):
            yield line


def _was_compared(table: RankedBlock, position: int, line: BlockLine, homes: Iterable[Home]) -> bool:
    """Return True if the comparison of this rank across blocks is decided."""
    if not line.destination.startswith("best:"):
        return False
    states = [
        home.state
        for home in homes
        if isinstance(home.source, BestOf) and (home.source.stage, home.source.rank) == (table.stage, position)
    ]
    return bool(states) and set(states) == {Certainty.CERTAIN}
