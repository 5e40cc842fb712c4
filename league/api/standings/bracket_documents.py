"""Bracket document: flat arrays of stages, blocks, slots and hanchan that refer to one another by id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from pydantic import Field

from league.api.competitions.competition_documents import (
    Awaiting,
    Champion,
    HanchanCount,
    Rules,
    awaiting_documents,
    champion_document,
    rules_document,
)
from league.api.competitions.moment_documents import day
from league.api.standings.bracket_entrants import BracketEntrant, entrant_document
from league.api.standings.bracket_parts import (
    BlockPlace,
    BracketRoundNotPlayed,
    BracketSession,
    Cell,
    move_labels,
    place_documents,
    rounds_not_played,
)
from league.api.standings.bracket_slots import (
    LinkDocument,
    Pool,
    SlotDocument,
    link_document,
    pool_documents,
    slot_document,
    source_of,
)
from league.api.standings.bracket_tables import BracketHanchan, BracketTable, hanchan_document, table_documents
from league.api.standings.standings_documents import ledger_document
from league.models import Competition
from league.selectors.people.visibility import ledgers_shown, person_shown
from league.selectors.seasons.series_places import rank_destinations, tier_names
from league.selectors.standings.advances import advances_of
from league.selectors.standings.bracket import Bracket, placements_in, reached_in
from league.selectors.standings.tables import BlockTable
from league.web.document_parts import LANGUAGES, CompetitionRef, LedgerDocument, NamedKey, labels
from league.web.documents import AsOf, Document, Ref
from league.wording.messages import source_label
from league.wording.names import Names, names_of


class BracketCompetition(CompetitionRef):
    """The competition that the bracket belongs to."""

    status: Competition.Status = Field(description="A closed competition takes no more results.")


class BracketStage(NamedKey):
    """A stage with the ids of its blocks."""

    order: int = Field(description="The stage's place in the order of play.")
    column: int = Field(description="The stage's column in a drawing, from 0.")
    hanchan_count: HanchanCount
    blocks: list[Ref] = Field(description="The ids of its blocks.")


class BracketBlock(Cell, NamedKey):
    """A block with its progress."""

    stage: Ref = Field(description="The stage's id.")
    order: int = Field(description="The block's place in the stage.")
    planned: int | None = Field(description="Hanchan each entrant plays; null in an open table.")
    played: int = Field(description="Hanchan that count for every entrant who is still in.")
    is_complete: bool = Field(description="All hanchan are played, or the organizers have closed the block.")
    places: list[BlockPlace] = Field(description="The ranks that lead on, best first; others lead nowhere.")


class BracketDocument(Document):
    """The whole bracket at one published version: flat arrays that refer to one another by id."""

    competition: BracketCompetition
    as_of: AsOf
    final: bool = Field(description="Everything is played and nothing awaits a ruling.")
    rules: Rules = Field(description="The rules in force.")
    ledger: LedgerDocument = Field(description="The ledger of all points.")
    champion: Champion | None = Field(description="Null where the format has no champion.")
    awaiting: list[Awaiting] = Field(description="Ties that wait for a ruling.")
    entrants: list[BracketEntrant] = Field(description="All entrants the reader may know of.")
    stages: list[BracketStage] = Field(description="The stages in the order of play.")
    blocks: list[BracketBlock] = Field(description="The blocks in the order of play.")
    slots: list[SlotDocument] = Field(description="The slots of all blocks.")
    pools: list[Pool] = Field(description="The entrants of drawn stages.")
    rounds_not_played: list[BracketRoundNotPlayed] = Field(
        description="Byes, absences, walkovers and other hanchan that count without having been played."
    )
    sessions: list[BracketSession] = Field(description="The sessions of the table sessions.")
    table_sessions: list[BracketTable] = Field(description="The table sessions in order.")
    hanchan: list[BracketHanchan] = Field(description="The hanchan of all table sessions.")
    links: list[LinkDocument] = Field(description="The lines of the ladder, one for each slot.")


def bracket_document(found: Bracket) -> BracketDocument:
    """Return the whole bracket."""
    reader = found.reader
    blocks = [table.block for table in found.tables]
    names = {language: names_of(blocks, language, tier_names(reader.competition, language)) for language in LANGUAGES}
    ranking = found.ruleset.ranking_ledger
    ledger = ranking if ranking in ledgers_shown(reader, found.ruleset) else None
    awaiting = awaiting_documents(found.outcome)
    states = [state for table in found.tables for state in table.slots]
    pools = found.outcome.pools if found.outcome else {}
    # All labels at once: switching the language for each slot would take longer than the rest.
    sources = labels(
        [*map(source_of, states), *(place["source"] for pool in pools.values() for place in pool)],
        lambda source, language: source_label(source, names[language]),
    )
    placements = placements_in(found)
    teams = frozenset(row.player_id for row in found.entrants if row.player.is_team)
    lines = {line.standing.entrant_id: line.standing for table in found.tables for line in table.lines}
    is_final = all(table.is_complete for table in found.tables) and not awaiting
    reached, cells, dates = reached_in(found), cells_of(found), found.dates
    return BracketDocument.build(
        reader,
        as_of=reader.shown_version,
        final=is_final,
        rules=rules_document(found.rules, reader.competition),
        ledger=ledger_document(ranking),
        champion=champion_document(found.outcome),
        awaiting=awaiting,
        entrants=[
            entrant_document(
                found, row, placements.get(row.pk), lines.get(row.pk), reached.get(row.pk), is_final=is_final
            )
            for row in found.entrants
            if person_shown(reader, row.player) is not None
        ],
        stages=stage_documents(found),
        blocks=list(block_documents(found, cells, names)),
        slots=[slot_document(state, ledger, sources) for state in states],
        pools=pool_documents(pools, sources),
        rounds_not_played=list(rounds_not_played(found, ledger)),
        sessions=[BracketSession.build(row, date=day(dates[row.pk])) for row in found.sessions],
        table_sessions=list(table_documents(found, cells)),
        hanchan=[hanchan_document(found, each, ledger, teams) for played in found.played for each in played.hanchan],
        links=[link_document(link) for link in found.links],
    )


def block_documents(
    found: Bracket, cells: Mapping[int, tuple[int, int]], names: Mapping[str, Names]
) -> Iterator[BracketBlock]:
    """Yield the blocks with the ranks that lead on, within the competition and into the next term of a series."""
    competition = found.reader.competition
    into_next_term = rank_destinations(competition, found.league_format.seeds)
    advances = advances_of(found.league_format, found.tables, into_next_term)
    moves = move_labels(advances, names)
    for table in found.tables:
        places = place_documents(advances.get(table.block.key, {}), competition.tier, moves)
        yield block_document(table, cells[table.block.pk], places)


def cells_of(found: Bracket) -> Mapping[int, tuple[int, int]]:
    """Return column and row of each block by id."""
    columns: dict[int, list[int]] = {}
    for table in found.tables:
        columns.setdefault(table.block.stage_id, []).append(table.block.pk)
    return {block: (column, row) for column, own in enumerate(columns.values()) for row, block in enumerate(own)}


def stage_documents(found: Bracket) -> Iterator[BracketStage]:
    """Yield the stages in order, each with the ids of its blocks."""
    for column, (stage, tables) in enumerate(groupby(found.tables, lambda table: table.block.stage)):
        yield BracketStage.build(stage, column=column, blocks=[table.block.pk for table in tables])


def block_document(table: BlockTable, cell: tuple[int, int], places: list[BlockPlace]) -> BracketBlock:
    """Return a block with its progress, its cell in a drawing and the ranks that lead on."""
    return BracketBlock.build(
        table.block,
        stage=table.block.stage_id,
        planned=table.planned,
        played=table.played,
        is_complete=table.is_complete,
        column=cell[0],
        row=cell[1],
        places=places,
    )
