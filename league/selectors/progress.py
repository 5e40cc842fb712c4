"""How a block came to stand as it does: totals and ranks after each hanchan, and who moved since the last evening.

The one idea: an earlier table is ranked anew from the facts of today without the results that came later, so a
correction shows in the past too, and nothing of it is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from league.models import Block, Session
from league.selectors.readers import Reader
from league.services.standings import Facts, derive, facts_at, id_of, ranked_block
from scoring.stages import Resolution
from scoring.standings import Played


@dataclass(frozen=True, slots=True)
class Step:
    """Where an entrant stood: the total at the ranking ledger's scale, and the rank."""

    total: int
    rank: int


@dataclass(frozen=True, slots=True)
class Progress:
    """A block hanchan by hanchan: `steps` by entrant, the first before any was played."""

    steps: tuple[Mapping[int, Step], ...]
    has_adjustments: bool
    """Points given or taken outside a hanchan are in every step."""


@dataclass(frozen=True, slots=True)
class Movement:
    """The ranks before the newest session of a block, or, where it has only one, before its newest hanchan."""

    ranks: Mapping[int, int]
    session: Session | None
    number: int

    def of(self, entrant: int, rank: int) -> int:
        """How many ranks the entrant has gone up since; below zero: down."""
        return self.ranks.get(entrant, rank) - rank


def progress_of_block(reader: Reader, block: Block) -> Progress:
    """Everybody's total and rank after each hanchan of the block; a hanchan not played yet leaves a total as it is."""
    facts = facts_at(reader)
    resolution = derive(facts).resolution
    own = facts.played.get(block.key, {})
    last = max((game.number for games in own.values() for game in games), default=0)
    steps = tuple(_steps(facts, block.key, resolution, lambda game, k=k: game.number <= k) for k in range(last + 1))
    return Progress(steps, any(key == block.key for key, _entrant in facts.adjustments))


def movement_of(reader: Reader, block: Block) -> Movement | None:
    """Who moved lately; None while there is nothing to compare with."""
    sessions = _sessions(reader, block)
    facts = facts_at(reader)
    games = [game for own in facts.played.get(block.key, {}).values() for game in own]
    if not games:
        return None
    numbers = {sessions[game.ref].number for game in games if game.ref in sessions}
    newest = max(sessions.values(), key=lambda session: session.number) if len(numbers) > 1 else None
    last = max(game.number for game in games)
    if newest is None and last == 1:
        return None

    def was_there(game: Played) -> bool:
        return game.number < last if newest is None else sessions[game.ref].number < newest.number

    steps = _steps(facts, block.key, derive(facts).resolution, was_there)
    return Movement({entrant: step.rank for entrant, step in steps.items()}, newest, last)


def _sessions(reader: Reader, block: Block) -> Mapping[object, Session]:
    """The session of every hanchan of the block that counts."""
    rows = reader.sheets().filter(hanchan__block=block).select_related("hanchan__table_session__session")
    return {row.hanchan_id: row.hanchan.table_session.session for row in rows}


def _steps(facts: Facts, key: str, resolution: Resolution, was_there: Callable[[Played], bool]) -> Mapping[int, Step]:
    """The block with these hanchan alone; rulings on ties came after them."""
    own = {entrant: tuple(filter(was_there, games)) for entrant, games in facts.played.get(key, {}).items()}
    earlier = replace(facts, played={**facts.played, key: own}, rulings={})
    ranked = ranked_block(earlier, key, resolution).standings.ranked
    return {id_of(line.entrant): Step(line.total, line.rank) for line in ranked}
