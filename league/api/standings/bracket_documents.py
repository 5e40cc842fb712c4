"""Bracket document: flat arrays of stages, blocks, slots and hanchan that refer to one another by id."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import count, groupby
from typing import Literal, TypedDict

from pydantic import Field

from league.api.competitions.competition_documents import (
    Awaiting,
    Champion,
    HanchanCount,
    Rules,
    SlotStateName,
    awaiting_documents,
    champion_document,
    rules_document,
)
from league.api.competitions.moment_documents import Times, day, times
from league.api.competitions.schedule_documents import (
    HanchanState,
    Number,
    Round,
    TableFacts,
    hanchan_state,
    table_facts,
)
from league.api.standings.bracket_parts import (
    BlockPlace,
    BracketRoundNotPlayed,
    BracketSession,
    Cell,
    DepartureDocument,
    KindNotPlayed,
    PlacedBy,
    departure_document,
    left_as,
    move_labels,
    not_played,
    place_documents,
    placed_by,
    rounds_not_played,
)
from league.api.standings.standings_documents import ledger_document
from league.models import Competition, Entrant, SlotState, Standing
from league.selectors.access.readers import Reader
from league.selectors.competitions.moments import table_moments
from league.selectors.people.visibility import ledgers_shown, person_shown
from league.selectors.seasons.series_places import rank_destinations, tier_names
from league.selectors.standings.advances import advances_of
from league.selectors.standings.bracket import (
    Bracket,
    LadderHanchan,
    LadderTable,
    Link,
    Reached,
    placements_in,
    reached_in,
)
from league.selectors.standings.prepared import SeatRow
from league.selectors.standings.tables import BlockTable
from league.web.document_parts import (
    LANGUAGES,
    CompetitionRef,
    EntrantStatus,
    InBoth,
    LedgerDocument,
    NamedKey,
    both,
    labels,
    person,
    ref,
    status_of,
)
from league.web.documents import Amount, AsOf, Document, Moment, Ref
from league.wording.messages import slot_reason, source_label
from league.wording.names import names_of
from scoring.ruleset import Ledger

FEW = 4
"""The candidates of a slot are listed once there are no more than this number."""
SOURCE = "Such as A#2 (second of block A), seed:3, best:preliminary#5."


class BracketCompetition(CompetitionRef):
    """The competition that the bracket belongs to."""

    status: Competition.Status = Field(description="A closed competition takes no more results.")


class BracketEntrant(Document):
    """An entrant, with affiliation and country of that season."""

    id: Ref = Field(description="The entrant's id.")
    key: str = Field(description="The player's key, the same in every competition.")
    player: Ref = Field(description="The player's id.")
    number: int = Field(description="The entrant's number in the competition.")
    name: str | None = Field(description="The name.")
    kana: str | None = Field(description="The reading of the name in kana.")
    romaji: str | None = Field(description="The name in Latin letters.")
    affiliation: str | None = Field(description="The affiliation as of that season.")
    country: str | None = Field(description="The country or region as of that season.")
    is_team: bool = Field(description="A team, whose members sit for it.")
    is_house: bool = Field(description="A house player, who fills a table and has no rank.")
    withdrawn_at: Moment | None = Field(description="The moment the entrant left.")
    departure: DepartureDocument | None = Field(
        description="How, when and after which hanchan; null for one who plays."
    )
    status: EntrantStatus
    placement: int | None = Field(
        description="The place in the whole competition as it stands: by the last stage reached, then the rank there, "
        "then earlier stages; level entrants share it. Null for an entrant without a rank there."
    )
    final_rank: int | None = Field(
        description="The same once the whole competition is decided (`final`), from 1 to n; null before."
    )
    placed_by: PlacedBy | None = Field(description="What decides the place first; null for an entrant in no block.")


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


class SlotDocument(Document):
    """A place in a block: its entrant, the certainty of that, and the source of the entrant."""

    id: Ref = Field(description="The slot's id.")
    block: Ref = Field(description="The block's id.")
    number: int = Field(description="The slot's number in the block, from 1.")
    state: SlotStateName
    entrant: Ref | None = Field(description="The entrant's id; null while open.")
    source: str = Field(description=SOURCE)
    label: InBoth = Field(description="The source in words.")
    candidates: list[Ref] = Field(description="Who can still take it, once they are few.")
    candidates_count: int = Field(description="The number of entrants who can still take it.")
    reason: str = Field(description="A code for why it is not certain; may be empty.")
    reason_label: InBoth = Field(description="The reason in words.")
    carried: Amount | None = Field(description="Points the entrant carries into the block.")
    note: str = Field(description="The organizer's reason for an override.")


class PlaceInPool(TypedDict):
    """An entrant of a drawn stage as the outcome stores it."""

    number: int
    state: str
    entrant: int | None
    source: str


class Pool(Document):
    """An entrant of a drawn stage."""

    stage: str = Field(description="The stage's key.")
    number: int = Field(description="The place in the order in which a draw counts them.")
    state: SlotStateName
    entrant: Ref | None = Field(description="The entrant's id; null while open.")
    source: str = Field(description=SOURCE)
    label: InBoth = Field(description="The source in words.")


class BracketTable(Times, Cell, TableFacts):
    """A table session with the ids of its hanchan."""

    session: Ref = Field(description="The session's id.")
    block: Ref = Field(description="The block's id.")
    is_complete: bool = Field(description="Every hanchan has its result.")
    hanchan: list[Ref] = Field(description="The ids of its hanchan.")


class BracketSeat(Document):
    """A seat of a hanchan."""

    seat: int = Field(description="The seat, 0 for the first dealer.")
    entrant: Ref | None = Field(description="The id of the entrant who scores.")
    player: Ref | None = Field(description="The id of the player who sits there; null for a team without a line-up.")
    is_substitute: bool = Field(description="Another person sits for the entrant; never true of a team's member.")
    score: int | None = Field(description="The score in table points; null before there is a result.")
    place: int | None = Field(description="The place, from 1.")
    points: Amount | None = Field(description="The points in the ledger that ranks; null where not public.")
    not_played: KindNotPlayed | None = Field(
        description="Why the entrant did not play here, or the result counts nothing; null for an entrant who plays."
    )


class BracketHanchan(Times):
    """A hanchan with its seats."""

    id: Ref = Field(description="The hanchan's id.")
    table_session: Ref = Field(description="The table session's id.")
    block: Ref = Field(description="The block's id.")
    round: Round
    number: Number
    state: HanchanState
    revision: int | None = Field(description="The revision of the result that counts.")
    seats: list[BracketSeat] = Field(description="The seats, first dealer first.")


class LinkDocument(Document):
    """The source of a slot's entrant."""

    slot: Ref = Field(description="The slot's id.")
    to_block: Ref = Field(description="The id of the slot's block.")
    kind: Literal["seed", "rank", "best", "draw", "ruling"] = Field(
        description="A seed, a rank of a block, a comparison across a stage, a draw, or a ruling."
    )
    from_block: Ref | None = Field(description="The id of the block the entrant comes from.")
    from_stage: str | None = Field(description="The key of the stage it is drawn from or compared across.")
    rank: int | None = Field(description="The rank in the block.")
    number: int | None = Field(description="The n-th best of a comparison, or the number of a seed.")
    source: str = Field(description=SOURCE)


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
    into_next_term = rank_destinations(reader.competition, found.league_format.seeds)
    advances = advances_of(found.league_format, found.tables, into_next_term)
    moves = move_labels(advances, names)
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
        blocks=[
            block_document(
                table,
                cells[table.block.pk],
                place_documents(advances.get(table.block.key, {}), reader.competition.tier, moves),
            )
            for table in found.tables
        ],
        slots=[slot_document(state, ledger, sources) for state in states],
        pools=pool_documents(pools, sources),
        rounds_not_played=list(rounds_not_played(found, ledger)),
        sessions=[BracketSession.build(row, date=day(dates[row.pk])) for row in found.sessions],
        table_sessions=list(table_documents(found, cells)),
        hanchan=[hanchan_document(found, each, ledger, teams) for played in found.played for each in played.hanchan],
        links=[link_document(link) for link in found.links],
    )


def cells_of(found: Bracket) -> Mapping[int, tuple[int, int]]:
    """Return column and row of each block by id."""
    columns: dict[int, list[int]] = {}
    for table in found.tables:
        columns.setdefault(table.block.stage_id, []).append(table.block.pk)
    return {block: (column, row) for column, own in enumerate(columns.values()) for row, block in enumerate(own)}


def entrant_document(
    found: Bracket,
    row: Entrant,
    placement: int | None,
    line: Standing | None,
    reached: Reached | None,
    *,
    is_final: bool,
) -> BracketEntrant:
    """Return an entrant with names, affiliation and country of that season; `line` is the last row of the standings."""
    left = departure_document(found, row, line)
    return BracketEntrant(
        id=str(row.pk),
        key=row.player.key,
        player=str(row.player_id),
        number=row.number,
        **person(found.reader, row),
        is_team=row.player.is_team,
        is_house=row.is_house,
        withdrawn_at=left.at if left else None,
        departure=left,
        status=status_of(line) if line else left_as(left) if left else "playing",
        placement=placement,
        final_rank=placement if is_final else None,
        placed_by=placed_by(reached),
    )


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


def source_of(state: SlotState) -> str:
    """Return the source of a slot's entrant: that of its state (an override), else the format's."""
    return state.source or state.slot.source


def slot_document(state: SlotState, ledger: Ledger | None, sources: Mapping[str, InBoth]) -> SlotDocument:
    """Return a slot with its entrant, certainty and source; `sources` maps a source to its label."""
    source = source_of(state)
    return SlotDocument(
        id=str(state.slot_id),
        block=str(state.slot.block_id),
        number=state.slot.number,
        state=SlotState.State(state.state),
        entrant=ref(state.entrant_id),
        source=source,
        label=sources[source],
        candidates=[str(pk) for pk in state.candidates] if len(state.candidates) <= FEW else [],
        candidates_count=len(state.candidates),
        reason=state.reason,
        reason_label=reason_label(state.reason),
        carried=None if state.carried is None or ledger is None else ledger.text(state.carried),
        note=state.note,
    )


@lru_cache(maxsize=16)
def reason_label(reason: str) -> InBoth:
    """Return the reason for a slot's state in both languages."""
    return both(lambda _language: slot_reason(reason))


def pool_documents(pools: Mapping[str, Iterable[PlaceInPool]], sources: Mapping[str, InBoth]) -> list[Pool]:
    """Return the entrants of drawn stages, in the order in which a draw counts them."""
    return [
        Pool.model_validate({**place, "stage": stage, "label": sources[place["source"]]})
        for stage, pool in pools.items()
        for place in pool
    ]


def table_documents(found: Bracket, cells: Mapping[int, tuple[int, int]]) -> Iterator[BracketTable]:
    """Yield the table sessions in order; `cells` are those of the blocks."""
    rows, numbers = defaultdict[int, Iterator[int]](count), found.table_numbers
    for played in found.played:
        row = played.table_session
        cell = (cells[row.block_id][0], next(rows[row.block_id]))
        yield table_document(found.reader, played, numbers[row.pk], cell)


def table_document(reader: Reader, played: LadderTable, number: int, cell: tuple[int, int]) -> BracketTable:
    """Return a table session with its number, its cell in a drawing and the ids of its hanchan."""
    row = played.table_session
    moments = table_moments([each.moments for each in played.hanchan], is_complete=played.is_complete)
    return BracketTable.build(
        row,
        **table_facts(reader, row, number),
        **times(moments, reader.competition),
        column=cell[0],
        row=cell[1],
        session=row.session_id,
        block=row.block_id,
        is_complete=played.is_complete,
        hanchan=[each.hanchan.pk for each in played.hanchan],
    )


def hanchan_document(
    found: Bracket, played: LadderHanchan, ledger: Ledger | None, teams: frozenset[int]
) -> BracketHanchan:
    """Return a hanchan with its seats; `teams` are the ids of teams as players."""
    row = played.hanchan
    return BracketHanchan(
        id=str(row.pk),
        table_session=str(row.table_session_id),
        block=str(row.block_id),
        round=row.round,
        number=row.number,
        state=hanchan_state(row, is_over=played.revision is not None),
        revision=played.revision,
        **times(played.moments, found.reader.competition),
        seats=[seat_document(seat, ledger, teams, not_played(found, played, seat)) for seat in played.seats],
    )


def seat_document(
    seat: SeatRow, ledger: Ledger | None, teams: frozenset[int], why: KindNotPlayed | None
) -> BracketSeat:
    """Return a seat by ids, with its result if there is one; a team without a line-up is no player."""
    return BracketSeat(
        seat=seat.seat,
        entrant=ref(seat.entrant),
        player=None if seat.player in teams else ref(seat.player),
        is_substitute=seat.is_substitute,
        score=seat.score,
        place=seat.place,
        points=None if seat.points is None or ledger is None else ledger.text(seat.points),
        not_played=why,
    )


def link_document(link: Link) -> LinkDocument:
    """Return the source of a slot's entrant as a line of the bracket."""
    return LinkDocument.build(
        link,
        slot=link.slot.slot_id,
        to_block=link.slot.slot.block_id,
        from_block=link.block,
        from_stage=link.stage,
        source=source_of(link.slot),
    )
