"""Certain destinations of entrants, read from published rows; none is called eliminated who may still advance.

The one idea: a place further on is certain, or awaits a ruling, only once the block it is filled from is finished. So
the places themselves say which blocks are, and nothing is derived a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.lines import OUT, WITHDRAWN
from scoring.resolution import Resolution, State
from scoring.sources import BestOf, RankOf, Source, parse_source
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class Home:
    """A place in a stage: where its entrant comes from, how sure that is, and who it is."""

    stage: str
    order: int
    """Of the stage."""
    source: Source
    state: str
    entrant: Entrant | None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a block's table, as far as it matters here; `destination` as a standing names it."""

    entrant: Entrant
    rank: int
    destination: str


@dataclass(frozen=True, slots=True)
class Table:
    """A block's table, best first, and the stage it belongs to."""

    block: str
    stage: str
    order: int
    """Of the stage."""
    lines: tuple[Line, ...]


def homes_of(resolution: Resolution, stages: Mapping[str, tuple[str, int]]) -> Iterator[Home]:
    """Return the places of a ladder; `stages` are key and order of each stage, by its key and those of its blocks."""
    for key, states in (*resolution.slots.items(), *resolution.pools.items()):
        for each in states:
            yield Home(*stages[key], parse_source(each.source), each.state.value, each.entrant)


def settled(table: Table, homes: Sequence[Home]) -> Mapping[Entrant, str]:
    """By entrant: the key of the stage they certainly play in next, or `out` if they certainly go no further.

    Entrants are left out while results to come or a ruling can change it, and all of them until the block is finished.
    """
    if not _is_finished(table, homes):
        return {}
    further = {
        home.entrant: home.stage
        for home in sorted(homes, key=lambda home: -home.order)
        if home.order > table.order and home.state == State.CERTAIN and home.entrant is not None
    }
    gone = {line.entrant: OUT for line in _eliminated(table, homes)}
    return {
        line.entrant: place for line in table.lines if (place := further.get(line.entrant) or gone.get(line.entrant))
    }


def _is_finished(table: Table, homes: Iterable[Home]) -> bool:
    """Return whether the block is finished: a later place is filled from it, or from a comparison it takes part in."""
    for home in homes:
        match home.source:
            case RankOf(block) if block == table.block and home.state in {State.CERTAIN, State.RULING}:
                return True
            case BestOf(stage, rank) if stage == table.stage and home.state == State.CERTAIN:
                return len(_staying(table)) >= rank
    return False


def _staying(table: Table) -> list[Line]:
    """The lines without those who were passed over."""
    return [line for line in table.lines if line.destination != WITHDRAWN]


def _eliminated(table: Table, homes: Sequence[Home]) -> Iterator[Line]:
    """Whose rank leads nowhere, or only the best of that rank further, and these are others."""
    staying = _staying(table)
    for position, line in enumerate(staying, start=1):
        leads = {other.destination for other in staying if other.rank == line.rank}
        if leads == {OUT} or (leads == {line.destination} and _was_compared(table, position, line, homes)):
            yield line


def _was_compared(table: Table, position: int, line: Line, homes: Iterable[Home]) -> bool:
    """Return whether the comparison of this rank across blocks is decided."""
    if not line.destination.startswith("best:"):
        return False
    states = [
        home.state
        for home in homes
        if isinstance(home.source, BestOf) and (home.source.stage, home.source.rank) == (table.stage, position)
    ]
    return bool(states) and set(states) == {State.CERTAIN}
