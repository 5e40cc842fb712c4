"""Closing a business day: its day sheet is stored; only a director can reopen the books."""

from __future__ import annotations

import datetime as dt

from django.utils.translation import gettext as _

from league.models import Competition, DayClose, Sitting
from league.platform.errors import conflict, refuse, refuse_without_reason
from league.selectors.access.actors import Actor, Capability
from league.selectors.parlour.board import business_day, closed_day
from league.selectors.parlour.days import day_sheet
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing
from league.services.parlour.checks import lock_open_table, note, refuse_closed_day
from league.wording.formatting import day_text


@all_or_nothing
def close_day(*, competition: Competition, day: dt.date, by: Actor) -> DayClose:
    """Close a business day; raise while one of its tables is open. Closing it again later adds another row."""
    competition = lock_open_table(competition, by, Capability.CONFIRM)
    refuse_closed_day(competition, day)
    if day > business_day(competition):
        raise refuse("day_to_come", _("%(day)s has not begun yet.") % {"day": day_text(day)}, "/day")
    there = Sitting.objects.filter(table_session__competition=competition, table_session__session__day=day)
    if open_tables := list(there.filter(closed_at=None).values_list("table_session__table", flat=True)):
        raise conflict(
            "tables_open",
            _("These tables are still open: %(tables)s. Close them first.") % {"tables": ", ".join(open_tables)},
        )
    change = open_change(competition, by)
    row = DayClose.objects.create(
        competition=competition,
        day=day,
        # A snapshot: corrections made later show as a difference to this sheet.
        sheet=day_sheet(competition, day).as_json(),
        by=by.user,
        made_n=change.n,
    )
    note(change, "day.closed", row, after={"day": day.isoformat(), "games": row.sheet["games"]})
    return row


@all_or_nothing
def reopen_day(*, competition: Competition, day: dt.date, by: Actor, reason: str) -> None:
    """Reopen a closed day's books, with a reason; the day sheet of the close stays on record."""
    competition = lock_open_table(competition, by, Capability.CORRECT)
    row = closed_day(competition, day)
    if row is None:
        raise conflict("day_not_closed", _("The books of %(day)s are not closed.") % {"day": day_text(day)})
    refuse_without_reason(reason)
    change = open_change(competition, by)
    row.ended_n = change.n
    row.save(update_fields=["ended_n"])
    note(change, "day.reopened", row, reason=reason, after={"day": day.isoformat()})
