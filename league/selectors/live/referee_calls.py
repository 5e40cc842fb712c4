"""Calls for a referee that wait for an answer."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from league.models import Competition, RefereeCall, TableSession


def open_call_at(table_session: TableSession) -> RefereeCall | None:
    """Return the call of a table that waits for an answer; None without one."""
    return RefereeCall.objects.filter(table_session=table_session, answered_at=None).first()


def open_calls(tables: Iterable[TableSession]) -> list[RefereeCall]:
    """Return the calls of these tables that wait for an answer, the longest waiting first."""
    rows = RefereeCall.objects.filter(table_session__in=[table.pk for table in tables], answered_at=None)
    return list(rows.select_related("table_session__session", "table_session__block").order_by("made_at", "pk"))


def open_calls_in(competitions: QuerySet[Competition]) -> QuerySet[RefereeCall]:
    """Return the calls in these competitions that wait for an answer, the longest waiting first."""
    rows = RefereeCall.objects.filter(table_session__competition__in=competitions, answered_at=None)
    return rows.select_related("table_session__competition", "table_session__session", "table_session__block").order_by(
        "made_at", "pk"
    )
