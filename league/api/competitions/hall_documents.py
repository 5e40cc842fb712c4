"""Documents of an event's hall: the round clock, seat lists, the state of the tables, calls for a referee."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from league.api.competitions.seat_documents import Seated, seat_of
from league.models import RefereeCall
from league.selectors.access.readers import Reader
from league.selectors.competitions.clock import Clock
from league.selectors.competitions.floor import Floor, TableStage, TableState
from league.selectors.competitions.seat_lists import PlayersSeat, SeatList
from league.web.document_parts import moment
from league.web.documents import Document, Moment, Ref
from scoring.ruleset.end import TimeUp

Round = Annotated[int, Field(description="The round of the session (回戦), from 1.")]
Rounds = Annotated[list[int], Field(description="All rounds of the session.")]
SessionId = Annotated[Ref, Field(description="The session's id.")]


class ClockDocument(Document):
    """The round clock of a session."""

    session: SessionId
    ends_at: Moment | None = Field(description="The end of the time; null while the clock is off.")
    call_at: Moment | None = Field(description="The call before the end by the rules; null without one.")
    minutes: int | None = Field(description="The minutes of a round by the rules; null if they have no time limit.")
    last: TimeUp | None = Field(description="What may still be played by the rules; null if they have no time limit.")
    clauses: list[str] = Field(description="The clauses of the time limit.")


class SeatOfList(Seated):
    """A player's seat in a round."""

    table_session: Ref = Field(description="The table session's id.")
    hanchan: Ref = Field(description="The hanchan's id.")
    table: str = Field(description="The table's name in the hall; may be empty.")


class SeatsDocument(Document):
    """The seats of a round, in the order of tables and seats; empty until the round is paired."""

    session: SessionId
    round: Round
    rounds: Rounds
    seats: list[SeatOfList] = Field(description="The seats.")


class CallDocument(Document):
    """A call for a referee."""

    id: Ref = Field(description="The call's id.")
    about: str = Field(description="The table's words; may be empty.")
    made_at: Moment = Field(description="The moment of the call.")
    answered_at: Moment | None = Field(description="The moment it was answered or taken back; null while it waits.")


class TableStateDocument(Document):
    """The state of a table in a round."""

    table_session: Ref = Field(description="The table session's id.")
    hanchan: Ref = Field(description="The hanchan's id.")
    table: str = Field(description="The table's name in the hall; may be empty.")
    stage: TableStage = Field(description="The stage it has reached; results that wait are told to the staff only.")
    kyoku: str = Field(description="The kyoku of a game followed hand by hand; empty for other games and readers.")
    call: CallDocument | None = Field(description="The call for a referee that waits; for the staff only.")


class FloorDocument(Document):
    """The state of all tables of a round."""

    session: SessionId
    round: Round
    rounds: Rounds
    tables: list[TableStateDocument] = Field(description="The tables in order.")


def clock_document(reader: Reader, clock: Clock) -> ClockDocument:
    """Return the document of a clock."""
    return ClockDocument(
        session=str(clock.session.pk),
        ends_at=moment(clock.ends_at, reader.competition),
        call_at=moment(clock.call_at, reader.competition),
        minutes=clock.minutes,
        last=clock.limit.last if clock.limit else None,
        clauses=list(clock.clauses),
    )


def seats_document(reader: Reader, found: SeatList) -> SeatsDocument:
    """Return the document of the seats of a round."""
    return SeatsDocument(
        session=str(found.session.pk),
        round=found.round,
        rounds=list(found.rounds),
        seats=[_seat(reader, seat) for table in found.tables for seat in table.seats],
    )


def _seat(reader: Reader, one: PlayersSeat) -> SeatOfList:
    table = one.table.table_session
    return SeatOfList(
        **seat_of(reader, one.seat),
        table_session=str(table.pk),
        hanchan=str(one.hanchan.pk),
        table=table.table,
    )


def floor_document(reader: Reader, floor: Floor) -> FloorDocument:
    """Return the document of the state of the tables."""
    return FloorDocument(
        session=str(floor.session.pk),
        round=floor.round,
        rounds=list(floor.rounds),
        tables=[_table(reader, state) for state in floor.states],
    )


def _table(reader: Reader, state: TableState) -> TableStateDocument:
    return TableStateDocument(
        table_session=str(state.table.pk),
        hanchan=str(state.hanchan.pk),
        table=state.table.table,
        stage=state.stage,
        kyoku=state.kyoku,
        call=call_document(reader, state.call) if state.call else None,
    )


def call_document(reader: Reader, call: RefereeCall) -> CallDocument:
    """Return the document of a call."""
    return CallDocument(
        id=str(call.pk),
        about=call.about,
        made_at=moment(call.made_at, reader.competition),
        answered_at=moment(call.answered_at, reader.competition),
    )
