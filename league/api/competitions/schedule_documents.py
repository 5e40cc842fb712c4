"""Schedule documents: sessions and table sessions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from pydantic import Field

from league.api.competitions.hanchan_documents import HanchanRef, state_of
from league.api.competitions.moment_documents import Day, Times, day, times
from league.models import Session, TableSession
from league.selectors.access.readers import Reader
from league.selectors.competitions.moments import GameMoments, local_date, table_moments
from league.selectors.competitions.schedule import PlayedTable
from league.web.document_parts import CompetitionRef, EntrantDocument, NamedKey, SessionRef, entrant, moment
from league.web.documents import Document, Moment, Ref


class TableFacts(Document):
    """Time and place of a table session."""

    id: Ref = Field(description="The table session's id.")
    table: str = Field(description="The table's name in the hall; may be empty.")
    table_number: int = Field(
        description="The table's number among those of its session that the reader may know of, from 1 in their order; "
        "new tables of a later round count from 1 again."
    )
    date: Day | None = Field(description="The date of the planned beginning in the competition's time zone.")
    starts_at: Moment | None = Field(description="The planned beginning.")
    venue: str = Field(description="Where it is played; may be empty.")
    stream_url: str = Field(description="The address of the broadcast; may be empty.")
    public_at: Moment | None = Field(description="The moment until which results are held back from the public.")
    is_cancelled: bool = Field(description="It will not be played.")


class SessionDocument(Document):
    """A session (節), that is, a day of play."""

    id: Ref = Field(description="The session's id.")
    competition: CompetitionRef
    number: int = Field(description="The session's number in the competition, from 1.")
    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")
    date: Day | None = Field(description="Its first day in the competition's time zone; null without dated tables.")
    table_sessions: list[Ref] = Field(description="The ids of its table sessions, in order.")


class TableSessionDocument(Times, TableFacts):
    """The players at one table on a date (対局), for one or several hanchan."""

    competition: CompetitionRef
    session: SessionRef
    stage: NamedKey
    block: NamedKey
    is_complete: bool = Field(description="Every hanchan has its result.")
    entrants: list[EntrantDocument] = Field(description="The entrants at the table.")
    hanchan: list[HanchanRef] = Field(description="The hanchan in order.")


def session_document(reader: Reader, row: Session, tables: list[int], date: dt.date | None) -> SessionDocument:
    """Return a session with its first day and the ids of its tables."""
    return SessionDocument.build(row, competition=reader.competition, date=day(date), table_sessions=tables)


def table_document(
    reader: Reader, played: PlayedTable, moments: Mapping[int, GameMoments], number: int
) -> TableSessionDocument:
    """Return a table session with its number and a short form of its hanchan; `moments` are theirs by id."""
    row, competition = played.table_session, reader.competition
    own = [moments[each.hanchan.pk] for each in played.hanchan]
    return TableSessionDocument.build(
        row,
        **table_facts(reader, row, number),
        **times(table_moments(own, is_complete=played.is_complete), competition),
        competition=competition,
        stage=row.block.stage,
        is_complete=played.is_complete,
        entrants=[EntrantDocument(**entrant(reader, seat.entrant)) for seat in played.entrants],
        hanchan=[
            HanchanRef.build(each.hanchan, **times(found, competition), state=state_of(each))
            for each, found in zip(played.hanchan, own, strict=True)
        ],
    )


def table_facts(reader: Reader, row: TableSession, number: int) -> dict[str, object]:
    """Return the fields of `TableFacts` that differ from the row's attributes."""
    return {
        "table_number": number,
        "date": day(local_date(row.starts_at, reader.competition)),
        "starts_at": moment(row.starts_at, reader.competition),
        "stream_url": row.stream_link,
        "public_at": moment(row.public_at, reader.competition),
    }
