"""The tables of a bracket with their hanchan and seats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import count

from pydantic import Field

from league.api.competitions.hanchan_documents import HanchanState, Number, Round, hanchan_state
from league.api.competitions.moment_documents import Times, times
from league.api.competitions.schedule_documents import TableFacts, table_facts
from league.api.standings.bracket_parts import Cell, KindNotPlayed, not_played
from league.selectors.access.readers import Reader
from league.selectors.competitions.moments import table_moments
from league.selectors.standings.bracket import Bracket, LadderHanchan, LadderTable
from league.selectors.standings.prepared import SeatRow
from league.web.document_parts import ref
from league.web.documents import Amount, Document, Ref
from scoring.ruleset import Ledger


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
