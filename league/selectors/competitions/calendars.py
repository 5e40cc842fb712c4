"""Calendar entries (iCalendar) of scheduled tables: one entry per table session, with one UID in all calendars."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max

from league.models import Block, Entrant, HanchanSeat, SeatResult, TableSession
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedTable, places_held_back, played_tables

MADE = "table_session.created"
PER_HANCHAN = dt.timedelta(hours=1)
"""Time reserved in a calendar for each hanchan of a table; the end of a table is not recorded anywhere."""


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """A table session with a start time; `sequence` grows with each change that this audience may know of."""

    table_session: TableSession
    starts_at: dt.datetime
    ends_at: dt.datetime
    sequence: int
    changed_at: dt.datetime
    seats: tuple[HanchanSeat | SeatResult, ...]
    """One seat for each person at the table, planned or actual, as far as this audience may know."""

    @property
    def uid(self) -> str:
        """Return the UID of the table in every calendar.

        The creation time of the competition makes it differ between installations that use the same primary keys.
        """
        made = self.table_session.competition.created_at.astimezone(dt.UTC)
        return f"table-{self.table_session.pk}.{made:%Y%m%dT%H%M%S%f}@jantaku"


def calendar_of(
    reader: Reader, *, block: Block | None = None, entrant: Entrant | None = None
) -> tuple[CalendarEntry, ...]:
    """Return the tables with a start time of a competition, block or player; cancelled ones too.

    What pages hide of the schedule is in no calendar either: tables under embargo, guests' games at an open table,
    and seats that would reveal results under embargo.
    """
    if reader.guards_guests:
        return ()
    rows = reader.table_sessions().filter(starts_at__isnull=False).select_related("session", "block", "competition")
    if block is not None:
        rows = rows.filter(block=block)
    if entrant is not None:
        # A player's own calendar must not announce a later block while the result that leads there is under embargo.
        untold = [key for key, held_back in places_held_back(reader) if held_back == entrant.pk]
        rows = rows.filter(hanchan__seats__entrant=entrant).exclude(block__in=untold).distinct()
    tables = played_tables(reader, list(rows.order_by("starts_at", "pk")))
    changes = changes_of(reader, [table.table_session for table in tables])
    return tuple(entry_of(table, changes.get(table.table_session.pk)) for table in tables)


def changes_of(reader: Reader, tables: Iterable[TableSession]) -> dict[int, tuple[int, dt.datetime]]:
    """Return by table id the number of changes since the table was made, and the time of the newest."""
    # `subject_id` is text, since it holds ids of several models: compare with strings on both databases.
    rows = reader.changes().filter(subject_type="tablesession", subject_id__in=[str(table.pk) for table in tables])
    counted = rows.exclude(kind=MADE).order_by().values("subject_id").annotate(times=Count("pk"), last=Max("at"))
    return {int(row["subject_id"]): (row["times"], row["last"]) for row in counted}


def entry_of(table: PlayedTable, changes: tuple[int, dt.datetime] | None) -> CalendarEntry:
    """Return the calendar entry of a table; raise ValueError if it has no start time."""
    row = table.table_session
    if row.starts_at is None:
        message = f"table session {row.pk} has no start time"
        raise ValueError(message)
    sequence, changed_at = changes or (0, row.competition.created_at)
    seats = {seat.player_id: seat for game in table.hanchan for seat in (game.results or game.planned)}
    return CalendarEntry(
        table_session=row,
        starts_at=row.starts_at,
        ends_at=row.starts_at + PER_HANCHAN * max(len(table.hanchan), 1),
        sequence=sequence,
        changed_at=changed_at,
        seats=tuple(seats.values()),
    )
