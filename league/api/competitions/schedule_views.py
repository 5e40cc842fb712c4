"""Views of sessions, table sessions and hanchan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import Http404

from league.api.base import RowView, UpdatedCollectionView
from league.api.competitions.hanchan_documents import OVER, HanchanDocument, hanchan_document
from league.api.competitions.schedule_documents import (
    SessionDocument,
    TableSessionDocument,
    session_document,
    table_document,
)
from league.api.competitions.sheet_documents import RulesOf
from league.api.queries import HanchanQuery, SessionsQuery, TableSessionsQuery
from league.api.schema import describe_get
from league.models import Hanchan, HanchanSeat, Session, TableSession
from league.selectors.access.readers import Reader
from league.selectors.competitions.moments import game_moments, session_dates, table_numbers
from league.selectors.competitions.schedule import played_hanchan, played_tables
from league.web.documents import UpdatedPage

Found = TypeVar("Found")


def sessions_shown(reader: Reader) -> QuerySet[Session]:
    """Return the sessions that the reader may know of; for the public, those with a visible table.

    The public never sees an empty session: otherwise it would vanish, and reveal an embargo, as soon as a table in it
    is held back.
    """
    rows = Session.objects.filter(competition=reader.competition).order_by("number")
    if reader.is_staff:
        return rows
    return rows.filter(Exists(reader.table_sessions().filter(session=OuterRef("pk"))))


def session_documents(reader: Reader, rows: Sequence[Session]) -> list[SessionDocument]:
    """Return sessions with the ids of their tables."""
    tables: defaultdict[int, list[int]] = defaultdict(list)
    shown = reader.table_sessions().filter(session__in=rows).order_by("order", "pk")
    for session, pk in shown.values_list("session", "pk"):
        tables[session].append(pk)
    dates = session_dates(reader, rows)
    return [session_document(reader, row, tables[row.pk], dates[row.pk]) for row in rows]


def tables_shown(reader: Reader) -> QuerySet[TableSession]:
    """Return the table sessions that the reader may know of, in order."""
    rows = reader.table_sessions().select_related("session", "block__stage")
    return rows.order_by("session__number", "order", "pk")


def table_documents(reader: Reader, rows: Sequence[TableSession]) -> list[TableSessionDocument]:
    """Return table sessions with a short form of their hanchan."""
    tables, numbers = played_tables(reader, list(rows)), table_numbers(reader, rows)
    moments = game_moments(reader, [each for played in tables for each in played.hanchan])
    return [table_document(reader, played, moments, numbers[played.table_session.pk]) for played in tables]


def hanchan_shown(reader: Reader) -> QuerySet[Hanchan]:
    """Return the hanchan that the reader may know of, in order, with their planned seats."""
    seats = HanchanSeat.objects.select_related("entrant__player", "player").order_by("seat")
    rows = reader.hanchan().select_related("table_session", "block__stage").prefetch_related(Prefetch("seats", seats))
    return rows.order_by("table_session__session__number", "table_session__order", "table_session", "round")


def in_state(reader: Reader, state: str) -> Q:
    """Return the condition of the hanchan whose document shows this state (`hanchan_state`)."""
    counts = Exists(reader.sheets().filter(hanchan=OuterRef("pk")))
    if state == Hanchan.State.RUNNING:
        return Q(state=state) | Q(~counts, state__in=OVER)
    return Q(counts, state=state) if state in OVER else Q(state=state)


def hanchan_documents(reader: Reader, rows: Sequence[Hanchan], *, lines: bool) -> list[HanchanDocument]:
    """Return hanchan with the sheets that count."""
    rules, games = RulesOf(reader), played_hanchan(reader, list(rows))
    moments = game_moments(reader, games)
    return [hanchan_document(reader, each, rules, moments[each.hanchan.pk], lines=lines) for each in games]


def single(found: Sequence[Found]) -> Found:
    """Return the first row of a list. Raise Http404 if it is empty."""
    if not found:
        raise Http404
    return found[0]


@describe_get("list_sessions", UpdatedPage[SessionDocument], query=SessionsQuery)
class SessionsView(UpdatedCollectionView[Session]):
    """List the sessions (節) of a competition."""

    query_class = SessionsQuery

    def rows(self, reader: Reader) -> QuerySet[Session]:
        """Return the sessions that the reader may know of."""
        rows = sessions_shown(reader)
        return rows.filter(number=self.query["number"]) if "number" in self.query else rows

    def write_rows(self, reader: Reader, rows: Sequence[Session]) -> Sequence[object]:
        """Return each session with its tables."""
        return session_documents(reader, rows)


@describe_get("get_session", SessionDocument)
class SessionView(RowView):
    """Return one session."""

    path_to_release = "table_sessions__is_released"
    all_rows = Session.objects.all()

    def write(self, reader: Reader) -> SessionDocument:
        """Return the session with its tables."""
        return single(session_documents(reader, list(sessions_shown(reader).filter(pk=self.kwargs["pk"]))))


@describe_get("list_table_sessions", UpdatedPage[TableSessionDocument], query=TableSessionsQuery)
class TableSessionsView(UpdatedCollectionView[TableSession]):
    """List the table sessions (対局) of a competition."""

    query_class = TableSessionsQuery

    def rows(self, reader: Reader) -> QuerySet[TableSession]:
        """Return the table sessions that match the query."""
        rows = tables_shown(reader).filter(**self.where())
        return rows.filter(session=self.query["session"]) if "session" in self.query else rows

    def write_rows(self, reader: Reader, rows: Sequence[TableSession]) -> Sequence[object]:
        """Return each table session with a short form of its hanchan."""
        return table_documents(reader, rows)


@describe_get("get_table_session", TableSessionDocument)
class TableSessionView(RowView):
    """Return one table session."""

    path_to_release = "is_released"
    all_rows = TableSession.objects.all()

    def write(self, reader: Reader) -> TableSessionDocument:
        """Return the table session with a short form of its hanchan."""
        return single(table_documents(reader, list(tables_shown(reader).filter(pk=self.kwargs["pk"]))))


@describe_get("list_hanchan", UpdatedPage[HanchanDocument], query=HanchanQuery)
class HanchanListView(UpdatedCollectionView[Hanchan]):
    """List the hanchan of a competition, each with the sheet that counts."""

    query_class = HanchanQuery

    def rows(self, reader: Reader) -> QuerySet[Hanchan]:
        """Return the hanchan that match the query."""
        columns = {"session": "table_session__session", "table_session": "table_session", "number": "number"}
        wanted = {column: self.query[key] for key, column in columns.items() if key in self.query}
        rows = hanchan_shown(reader).filter(**wanted, **self.where())
        if "state" in self.query:
            rows = rows.filter(in_state(reader, self.query["state"]))
        if "entrant" in self.query:
            rows = rows.filter(sheets__in=reader.sheets().filter(seats__entrant=self.query["entrant"]))
        return rows

    def write_rows(self, reader: Reader, rows: Sequence[Hanchan]) -> Sequence[object]:
        """Return each hanchan with its seats."""
        return hanchan_documents(reader, rows, lines=False)
