"""Published standings, slots and outcome as a reader may see them.

Published rows are read as stored. For a reader behind the spoiler guard (`Reader.until`) they are derived from
the facts without the later sessions, by the same code that publishes. Such a derivation is cached under its
version; people's names are read fresh each time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TypeVar

from django.core.cache import cache

from league.models import Block, Entrant, Outcome, Slot, SlotState, Standing
from league.selectors.access.etags import database_life, software_digest
from league.selectors.access.readers import Reader
from league.selectors.standings.certainty import BlockLine, Home, RankedBlock, certain_destinations
from league.selectors.standings.derivation import derive, facts_at, tallied_blocks
from league.selectors.standings.derived_rows import RowTargets, derivation_rows
from league.selectors.standings.prepared import season_of
from league.selectors.standings.tallies import standing_in
from scoring.lines import OUT
from scoring.sources import parse_source

KEPT_SECONDS = 3600
Row = TypeVar("Row", Standing, SlotState)
STANDING_BLOCK, STATE_BLOCK = attrgetter("block_id"), attrgetter("slot.block_id")
"""The id of a row's block."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """A derivation as unsaved rows."""

    standings: tuple[Standing, ...]
    slots: tuple[SlotState, ...]
    outcome: Outcome


def standings_of(
    reader: Reader, *, blocks: Collection[Block] | None = None, entrant: Entrant | None = None
) -> list[Standing]:
    """Return the standings of these blocks, or of one entrant, in the order of the format, best first.

    `total` of a line is the player's total in its block, wherever it is shown.
    """
    if (season := season_of(reader)) is not None:
        own = _in_blocks(season.standings, blocks, STANDING_BLOCK)
        return [row for row in own if entrant is None or row.entrant_id == entrant.pk]
    if "standings" in reader.known:
        lines = _in_blocks(reader.known["standings"], blocks, STANDING_BLOCK)
    elif reader.until is None:
        rows = Standing.objects.filter(block__competition=reader.competition, audience=reader.audience)
        if blocks is not None:
            rows = rows.filter(block__in=blocks)
        if entrant is not None:
            # `_settle` needs the rows of whole blocks, so the entrant's neighbours are read too and dropped at the end.
            rows = rows.filter(block__in=rows.filter(entrant=entrant).order_by().values("block"))
        found = rows.select_related("entrant__player", "block__stage")
        lines = list(found.order_by("block__stage__order", "block__order", "position"))
    else:
        derived = _in_blocks(_derived(reader).standings, blocks, STANDING_BLOCK)
        lines = _with_people(reader, _with_blocks(reader, derived))
    _settle(reader, lines)
    if entrant is None:
        return lines
    return [*_tallied(reader, entrant), *(row for row in lines if row.entrant_id == entrant.pk)]


def _tallied(reader: Reader, entrant: Entrant) -> list[Standing]:
    """Return the entrant's lines in the blocks of an open table, which are tallied instead of ranked."""
    blocks = tallied_blocks(reader.competition).select_related("stage")
    return [row for block in blocks if (row := standing_in(reader, block, entrant))]


def _settle(reader: Reader, rows: Sequence[Standing]) -> None:
    """Set `goes`, the certain destination, on the rows of finished blocks; the rows must be those of whole blocks."""
    if not any(row.played and (row.destination == OUT or row.destination.startswith("best:")) for row in rows):
        return
    homes = list(_homes(reader))
    for block, group in groupby(rows, key=lambda row: row.block):
        own = list(group)
        lines = tuple(BlockLine(row.entrant_id, row.rank, row.destination) for row in own)
        goes = certain_destinations(RankedBlock(block.key, block.stage.key, block.stage.order, lines), homes)
        for row in own:
            row.goes = goes.get(row.entrant_id, "")


def _homes(reader: Reader) -> Iterator[Home]:
    """Yield the slots of every block, and the pool of every drawn stage."""
    states = slot_states_of(reader)
    for row in states:
        stage = row.slot.block.stage
        yield Home(stage.key, stage.order, parse_source(row.source), row.state, row.entrant_id)
    drawn = {
        row.slot.block.stage.key: row.slot.block.stage.order for row in states if row.slot.source.startswith("draw:")
    }
    outcome = outcome_of(reader) if drawn else None
    for key, pool in (outcome.pools if outcome else {}).items():
        for each in pool:
            yield Home(key, drawn[key], parse_source(each["source"]), each["state"], each["entrant"])


def slot_states_of(reader: Reader, blocks: Collection[Block] | None = None) -> list[SlotState]:
    """Return the slot states of these blocks, or of all blocks, by block and slot number."""
    if (season := season_of(reader)) is not None:
        return season.slot_states({block.pk for block in blocks} if blocks is not None else None)
    if reader.until is None:
        return _in_blocks(_stored_states(reader), blocks, STATE_BLOCK)
    own = Slot.objects.filter(block__competition=reader.competition)
    slots = {row.pk: row for row in own.select_related("block__stage")}
    derived = _derived(reader).slots
    for state in derived:
        state.slot = slots[state.slot_id]
    states = sorted(derived, key=lambda state: (state.slot.block_id, state.slot.number))
    return _with_people(reader, _in_blocks(states, blocks, STATE_BLOCK))


def _in_blocks(rows: Iterable[Row], blocks: Collection[Block] | None, block_of: Callable[[Row], int]) -> list[Row]:
    """Return the rows of these blocks, or all rows."""
    kept = None if blocks is None else {block.pk for block in blocks}
    return [row for row in rows if kept is None or block_of(row) in kept]


def _stored_states(reader: Reader) -> list[SlotState]:
    """Return all published slot states of the competition, read once per reader."""
    if "states" not in reader.known:
        rows = SlotState.objects.filter(slot__block__competition=reader.competition, audience=reader.audience)
        found = rows.select_related("slot__block__stage", "entrant__player")
        reader.known["states"] = list(found.order_by("slot__block", "slot__number"))
    states: list[SlotState] = reader.known["states"]
    return states


def outcome_of(reader: Reader) -> Outcome | None:
    """Return the champion, ties awaiting a ruling and pools of drawn stages; None before the first publication."""
    if (season := season_of(reader)) is not None:
        return season.outcome
    if "outcome" in reader.known:
        stored: Outcome | None = reader.known["outcome"]
        return stored
    if reader.until is None:
        rows = Outcome.objects.filter(competition=reader.competition, audience=reader.audience)
        return rows.select_related("champion__player").first()
    outcome = _derived(reader).outcome
    people = _people(reader, [outcome.champion_id])
    outcome.champion = people.get(outcome.champion_id or 0)
    return outcome


def _derived(reader: Reader) -> _Rows:
    competition = reader.competition
    # `database_life` is part of the key because a restored backup gives the same version numbers out again.
    key = ":".join(
        map(str, ("until", database_life(), competition.pk, competition.created_at.timestamp(), reader.audience,
                  reader.version, reader.until, software_digest()))
    )  # fmt: skip
    kept: _Rows | None = cache.get(key)
    if kept is not None:
        return kept
    standings, slots, outcomes = derivation_rows(RowTargets.of(competition), derive(facts_at(reader)), reader.audience)
    for number, slot in enumerate(slots, start=1):
        slot.pk = number  # other code tells rows apart by pk; these are never saved
    rows = _Rows(tuple(standings), tuple(slots), outcomes[0])
    cache.set(key, rows, KEPT_SECONDS)
    return rows


def _with_blocks(reader: Reader, rows: list[Standing]) -> list[Standing]:
    found = Block.objects.filter(competition=reader.competition).select_related("stage")
    blocks: Mapping[int, Block] = {block.pk: block for block in found}
    for row in rows:
        row.block = blocks[row.block_id]
    return sorted(rows, key=lambda row: (row.block.stage.order, row.block.order, row.position))


def _with_people(reader: Reader, rows: list[Row]) -> list[Row]:
    people = _people(reader, (row.entrant_id for row in rows))
    for row in rows:
        if row.entrant_id is not None:
            row.entrant = people[row.entrant_id]
    return rows


def _people(reader: Reader, ids: Iterable[int | None]) -> Mapping[int, Entrant]:
    rows = Entrant.objects.filter(competition=reader.competition, pk__in={pk for pk in ids if pk is not None})
    return {row.pk: row for row in rows.select_related("player")}
