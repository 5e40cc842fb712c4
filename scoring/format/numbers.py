"""Count what a format needs: hanchan for each entrant, tables, rounds, days, entrants who rest.

The one idea: everything is counted from the sizes of the blocks and the turns of their entrants, so that an
organizer sees the numbers before a player is entered. A number that the format leaves open is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scoring.format import Assignment, Format, Seating, Stage, close_roster, smallest_roster
from scoring.format.policies import OddBy
from scoring.sources import BestOf, RankOf, Source

USUAL_PLAYERS = 4
"""Players at a table where the format leaves the number to the ruleset."""


@dataclass(frozen=True, slots=True)
class BlockNumbers:
    """The numbers of one block."""

    block: str
    entrants: int | None
    tables: int | None
    """Tables that play at once."""
    resting: int | None
    """Entrants who rest in a round because the tables are full."""
    rounds: int | None
    """Times at which tables are formed; at each a table plays `hanchan_in_row` hanchan."""
    games: int | None
    """Hanchan at all tables together."""


@dataclass(frozen=True, slots=True)
class StageNumbers:
    """The numbers of one stage; its blocks are played in parallel."""

    stage: str
    hanchan: int | None
    """Hanchan of each entrant."""
    hanchan_in_row: int | None
    """Hanchan that a table plays with the same players before tables are formed again."""
    sessions: int | None
    blocks: tuple[BlockNumbers, ...]

    @property
    def entrants(self) -> int | None:
        """Entrants of all blocks."""
        return _sum(block.entrants for block in self.blocks)

    @property
    def tables(self) -> int | None:
        """Tables that play at once."""
        return _sum(block.tables for block in self.blocks)

    @property
    def resting(self) -> int | None:
        """Entrants who rest in a round."""
        return _sum(block.resting for block in self.blocks)

    @property
    def games(self) -> int | None:
        """Hanchan at all tables together."""
        return _sum(block.games for block in self.blocks)

    @property
    def rounds(self) -> int | None:
        """Rounds of the block that has most."""
        return _most(block.rounds for block in self.blocks)


@dataclass(frozen=True, slots=True)
class FormatNumbers:
    """The numbers of a whole format."""

    players: int
    """Players at a table."""
    entrants: int | None
    stages: tuple[StageNumbers, ...]
    least_hanchan: int | None
    """Hanchan of the entrant who is out first."""
    most_hanchan: int | None
    """Hanchan of the entrant who plays through most stages."""

    @property
    def games(self) -> int | None:
        """Hanchan at all tables together."""
        return _sum(stage.games for stage in self.stages)

    @property
    def tables(self) -> int | None:
        """The most tables that play at once."""
        return _most(stage.tables for stage in self.stages)

    @property
    def sessions(self) -> int | None:
        """Sessions (節) of all stages; None if a stage leaves their number open."""
        return _sum(stage.sessions for stage in self.stages)


def _sum(counts: Iterable[int | None]) -> int | None:
    """Return the sum; None if any part of it is open."""
    known = list(counts)
    return None if None in known else sum(filter(None, known))


def _most(counts: Iterable[int | None]) -> int | None:
    """Return the largest; None if any part of it is open."""
    known = list(counts)
    return None if None in known else max(filter(None, known), default=0)


def format_numbers(format_: Format, entrants: int | None = None, usual_players: int = USUAL_PLAYERS) -> FormatNumbers:
    """Return what a format needs, stage by stage and as a whole.

    A format with bounds is counted for this number of entrants, by default for the fewest that fill every stage. Raise
    ValueError for a number that it does not allow. `usual_players` counts at a table where the format leaves their
    number to the ruleset.
    """
    format_ = sized(format_, entrants)
    players = format_.players or usual_players
    ways = _ways(format_)
    begun = [ways[key] for key in format_.blocks if _takes_newcomers(format_, key)]
    known = [way for way in begun if way is not None]
    is_open = len(known) < len(begun)
    return FormatNumbers(
        players=players,
        entrants=format_.seeds or None,
        stages=tuple(_stage_numbers(format_, stage, players) for stage in format_.stages),
        least_hanchan=None if is_open else min((least for least, _ in known), default=None),
        most_hanchan=None if is_open else max((most for _, most in known), default=None),
    )


def sized(format_: Format, entrants: int | None = None) -> Format:
    """Return a format with bounds for this number of entrants, by default the smallest; any other as it is."""
    if format_.bounds is None or entrants is None:
        return smallest_roster(format_)
    return close_roster(format_, entrants)


def odd_by(format_: Format, stage: Stage) -> OddBy | None:
    """Return the policy for rounds whose tables are not full; None if every entrant plays every hanchan in turn."""
    odd = format_.policies.odd
    return odd.by if odd is not None and odd.by is not OddBy.REFUSE and stage.seating is Seating.ROUNDS else None


def in_row(stage: Stage) -> int | None:
    """Return how many hanchan a table plays before tables are formed again; None for any number."""
    if stage.seating is not Seating.STAY:
        return 1
    if stage.hanchan is None:
        return None
    return stage.hanchan // stage.sessions if stage.sessions else 1


def _stage_numbers(format_: Format, stage: Stage, players: int) -> StageNumbers:
    return StageNumbers(
        stage=stage.key,
        hanchan=stage.hanchan,
        hanchan_in_row=in_row(stage),
        sessions=stage.sessions,
        blocks=tuple(_block_numbers(format_, stage, block.key, players) for block in stage.blocks),
    )


def _block_numbers(format_: Format, stage: Stage, block: str, players: int) -> BlockNumbers:
    size = None if format_.blocks[block].is_open else len(format_.sources(block))
    row = in_row(stage)
    if size is None:
        return BlockNumbers(block, None, None, None, None, None)
    tables = max(size // players, 1)
    resting = max(size - tables * players, 0)
    if stage.hanchan is None or row is None:
        return BlockNumbers(block, size, tables, resting, None, None)
    odd = odd_by(format_, stage)
    if odd is OddBy.SUBSTITUTES:
        tables, resting = -(-size // players), 0
    if odd is not None:
        return BlockNumbers(block, size, tables, resting, rounds=stage.hanchan, games=tables * stage.hanchan)
    sittings = -(-size * (stage.hanchan // row) // players)
    return BlockNumbers(block, size, tables, resting, rounds=-(-sittings // tables), games=sittings * row)


def _takes_newcomers(format_: Format, block: str) -> bool:
    """Return whether entrants begin the competition in this block."""
    stage = format_.stage_of[block]
    sources = format_.pool(stage.key) if stage.assignment is Assignment.DRAWN else format_.sources(block)
    return format_.blocks[block].is_open or any(not isinstance(source, RankOf | BestOf) for source in sources)


Way = tuple[int, int]
"""The fewest and the most hanchan of an entrant from a block on."""


def _ways(format_: Format) -> Mapping[str, Way | None]:
    """Return the way of an entrant from each block on; None if a stage on it leaves its hanchan open.

    Sources lie in earlier stages, so the way from a block is known once the later stages' ways are.
    """
    ways: dict[str, Way | None] = {}
    leads = _leads(format_)
    for stage in reversed(format_.stages):
        for block in stage.blocks:
            ways[block.key] = _way(format_, block.key, leads.get(block.key, {}), ways)
    return ways


def _way(
    format_: Format, block: str, leads: Mapping[int, tuple[str, ...]], ways: Mapping[str, Way | None]
) -> Way | None:
    hanchan = format_.stage_of[block].hanchan
    later = [ways[key] for keys in leads.values() for key in keys if key]
    known = [way for way in later if way is not None]
    if hanchan is None or len(known) < len(later):
        return None
    # A rank that leads nowhere, or only if its holder is among the best across blocks, may end the way here.
    ranks = 0 if format_.blocks[block].is_open else len(format_.sources(block))
    may_end = len(leads) < ranks or not ranks or any("" in keys for keys in leads.values())
    least = 0 if may_end else min((way[0] for way in known), default=0)
    return hanchan + least, hanchan + max((way[1] for way in known), default=0)


def _leads(format_: Format) -> Mapping[str, Mapping[int, tuple[str, ...]]]:
    """Return the blocks to which each rank of each block may lead; an empty key stands for out."""
    found: dict[str, dict[int, tuple[str, ...]]] = {}
    for source, target in _targets(format_):
        for block, rank, is_sure in _ranks(format_, source):
            keys = (target,) if is_sure else (target, "")
            own = found.setdefault(block, {})
            own[rank] = tuple(dict.fromkeys((*own.get(rank, ()), *keys)))
    return found


def _targets(format_: Format) -> Iterator[tuple[Source, str]]:
    """Yield every source with a block that it may lead to."""
    for stage in format_.stages:
        for block in stage.blocks:
            drawn = stage.assignment is Assignment.DRAWN
            for source in format_.pool(stage.key) if drawn else format_.sources(block.key):
                yield source, block.key


def _ranks(format_: Format, source: Source) -> Iterator[tuple[str, int, bool]]:
    """Yield block, rank, and whether every holder of the rank goes on."""
    if isinstance(source, RankOf):
        yield source.block, source.rank, True
    if isinstance(source, BestOf):
        for block in format_.blocks_of[source.stage]:
            yield block, source.rank, False
