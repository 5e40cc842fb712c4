"""The path of each entrant over a ladder: the lines they have gone along, and those still open to them.

A line that is settled, or begins at a row of a finished block, has one owner. Any other is open to all who still play
in a block below it, so that a page names a few blocks at each player instead of all lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from league.models import Entrant, SlotState
from league.selectors.standings.ladder import Ladder, LadderBlock, LadderLink, LadderRow
from scoring.lines import OUT, WITHDRAWN

NO_BLOCKS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Stop:
    """A block in which a player has a row; the row is a rank if `block.has_ranks`."""

    block: LadderBlock
    row: LadderRow


@dataclass(frozen=True, slots=True)
class Paths:
    """The paths of all entrants, by player key."""

    entrants: Mapping[str, Entrant]
    stops: Mapping[str, tuple[Stop, ...]]
    """The blocks in which each player has a row, in playing order."""
    owners: Mapping[LadderLink, str]
    """The player of each line that is settled or begins at a row of a finished block."""
    below: Mapping[LadderLink, frozenset[str]]
    """The blocks from which each unsettled line can still be reached."""
    playing: Mapping[str, frozenset[str]]
    """The blocks from which each player's path still goes on; none for players who are out."""
    numbers: Mapping[str, int]
    """The number of each block within its stage, from 0."""

    def is_past(self, link: LadderLink, key: str) -> bool:
        """Return True if the player has certainly gone along this line."""
        return self.owners.get(link) == key and link not in self.below

    def is_open(self, link: LadderLink, key: str) -> bool:
        """Return True if the player may still go along this line."""
        blocks = self.below.get(link)
        if blocks is None:
            return False
        return self.owners.get(link) == key or not blocks.isdisjoint(self.playing.get(key, NO_BLOCKS))


def paths_of(ladder: Ladder) -> Paths:
    """Return the paths of all entrants of a ladder."""
    blocks = {block.block.key: block for stage in ladder.stages for block in stage.blocks}
    entrants: dict[str, Entrant] = {}
    stops: dict[str, list[Stop]] = {}
    for block in blocks.values():
        for row in block.rows:
            if row.entrant is not None:
                entrants.setdefault(row.entrant.player.key, row.entrant)
                stops.setdefault(row.entrant.player.key, []).append(Stop(block, row))
    owners = dict(_owned(ladder.links, blocks))
    unsettled = [link for link in ladder.links if link not in owners or not _is_settled(link, blocks)]
    targets = {link: _targets(link, ladder) for link in unsettled}
    return Paths(
        entrants,
        {key: tuple(own) for key, own in stops.items()},
        owners,
        _below(unsettled, targets, blocks),
        {key: frozenset(_playing(key, own, unsettled, owners, targets)) for key, own in stops.items()},
        {own.block.key: number for stage in ladder.stages for number, own in enumerate(stage.blocks)},
    )


def _owned(links: Iterable[LadderLink], blocks: Mapping[str, LadderBlock]) -> Iterator[tuple[LadderLink, str]]:
    for link in links:
        start = blocks[link.from_block]
        row = start.rows[link.from_row]
        is_fixed = start.table.is_complete and not _is_out(row)
        if row.entrant is not None and (is_fixed or _is_settled(link, blocks)):
            yield link, row.entrant.player.key


def _is_out(row: LadderRow) -> bool:
    """Return True if the row's entrant has certainly been eliminated, or has withdrawn."""
    return row.standing is not None and (row.standing.goes == OUT or row.standing.destination == WITHDRAWN)


def _is_settled(link: LadderLink, blocks: Mapping[str, LadderBlock]) -> bool:
    """Return True if the entrant at the line's beginning is certain at its end."""
    start = blocks[link.from_block].rows[link.from_row].entrant
    if link.state != SlotState.State.CERTAIN or start is None:
        return False
    end = start if link.to_row is None else blocks[link.to_block].rows[link.to_row].entrant
    return end is not None and end.pk == start.pk


def _targets(link: LadderLink, ladder: Ladder) -> tuple[str, ...]:
    """Return the blocks a line may lead to: before a draw all blocks of the stage."""
    if link.to_row is not None:
        return (link.to_block,)
    return next(
        keys for stage in ladder.stages if link.to_block in (keys := tuple(own.block.key for own in stage.blocks))
    )


def _below(
    unsettled: Sequence[LadderLink], targets: Mapping[LadderLink, tuple[str, ...]], blocks: Mapping[str, LadderBlock]
) -> dict[LadderLink, frozenset[str]]:
    """Return the unfinished blocks from which each unsettled line can be reached; blocks are in playing order."""
    reached: dict[str, frozenset[str]] = {}
    for key, block in blocks.items():
        own = NO_BLOCKS if block.table.is_complete else frozenset({key})
        into = (reached.get(link.from_block, NO_BLOCKS) for link in unsettled if key in targets[link])
        reached[key] = own.union(*into)
    return {
        link: NO_BLOCKS if blocks[link.from_block].table.is_complete else reached[link.from_block] for link in unsettled
    }


def _playing(
    key: str,
    stops: Sequence[Stop],
    unsettled: Sequence[LadderLink],
    owners: Mapping[LadderLink, str],
    targets: Mapping[LadderLink, tuple[str, ...]],
) -> Iterator[str]:
    """Yield the unfinished blocks of a player who is not out, and those to which their open lines lead."""
    for stop in stops:
        if not (stop.block.table.is_complete or _is_out(stop.row)):
            yield stop.block.block.key
    for link in unsettled:
        if owners.get(link) == key:
            yield from targets[link]
