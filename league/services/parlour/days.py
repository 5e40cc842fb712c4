"""Closing a parlour's business day: day sheets and till are stored; only a director can reopen the books."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Competition, DayClose, Parlour, Player, Sitting, TillClose
from league.platform.errors import Finding, Level, conflict, raise_for, refuse, refuse_without_reason
from league.selectors.access.actors import Actor, Capability
from league.selectors.parlour.board import business_day, closed_day
from league.selectors.parlour.days import day_sheet
from league.selectors.parlour.dues import Due, dues_of
from league.selectors.parlour.till import till_closed, till_of
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing
from league.services.parlour.checks import lock_parlour, note
from league.services.parlour.statements import refuse_closed_till, settle_on_account
from league.services.parlour.terms import carry_stamps
from league.wording.formatting import day_text
from league.wording.names import person_name


@all_or_nothing
def close_day(
    *, parlour: Parlour, day: dt.date, by: Actor, accept: Collection[str] = (), at: dt.datetime | None = None
) -> TillClose:
    """Close a business day of all books of a parlour. Closing it again later adds another row.

    1. Refuse a day to come, and while a table of the day is open.
    2. Warn about guests who have not settled up (`guests_unsettled`); accepted, what they owe goes on account, as do
       differences of corrections that are open.
    3. Store the day sheet of each book, the till, and the stamps on the cards for the next day.
    """
    books = lock_parlour(parlour, by, Capability.CONFIRM)
    refuse_closed_till(parlour, day)
    if day > business_day(books[0], at):
        raise refuse("day_to_come", _("%(day)s has not begun yet.") % {"day": day_text(day)}, "/day")
    refuse_open_tables(books, day)
    moment = at or timezone.now()
    dues = _of_day(dues_of(parlour, moment).values(), day)
    raise_for(_unsettled(dues), accept)
    for due in dues:
        settle_on_account(parlour, due, day, books[0], moment, by)
    carry_stamps(parlour, day, by)
    for book in books:
        if closed_day(book, day) is None:
            _store_sheet(book, day, by)
    change = open_change(books[0], by)
    row = TillClose.objects.create(
        parlour=parlour, day=day, till=till_of(parlour, day).as_json(), at=moment, by=by.user
    )
    note(change, "till.closed", row, after={"day": day.isoformat(), "money": till_money(row)})
    return row


def till_money(row: TillClose) -> int:
    """Return the money that a closed day earned."""
    return sum(int(row.till[name]["money"]) for name in ("settled", "late", "unsettled"))


def refuse_open_tables(books: Sequence[Competition], day: dt.date) -> None:
    """Raise ConflictError while a table of the business day is open."""
    there = Sitting.objects.filter(table_session__competition__in=books, table_session__session__day=day)
    if open_tables := list(there.filter(closed_at=None).values_list("table_session__table", flat=True)):
        raise conflict(
            "tables_open",
            _("These tables are still open: %(tables)s. Close them first.") % {"tables": _(", ").join(open_tables)},
        )


def _of_day(dues: Collection[Due], day: dt.date) -> list[Due]:
    """Return what guests owe of one business day; those who owe nothing of it are left out."""
    parts = [due.of_day(day) for due in dues]
    return [due for due in sorted(parts, key=lambda due: due.person) if due.lines]


def _unsettled(dues: Sequence[Due]) -> list[Finding]:
    """Return the warning about guests with lines that are not only differences."""
    people = [due.person for due in dues if not all(line.is_late for line in due.lines)]
    if not people:
        return []
    names = _(", ").join(person_name(player) for player in Player.objects.filter(pk__in=people))
    message = _("Not settled up: %(names)s. Settle up with them, or put what they owe on account.")
    return [Finding("guests_unsettled", message % {"names": names}, "/guests", Level.WARNING)]


def _store_sheet(book: Competition, day: dt.date, by: Actor) -> None:
    change = open_change(book, by)
    row = DayClose.objects.create(
        competition=book,
        day=day,
        # A snapshot: corrections made later show as a difference to this sheet.
        sheet=day_sheet(book, day).as_json(),
        by=by.user,
        made_n=change.n,
    )
    note(change, "day.closed", row, after={"day": day.isoformat(), "games": row.sheet["games"]})


@all_or_nothing
def reopen_day(*, parlour: Parlour, day: dt.date, by: Actor, reason: str) -> None:
    """Reopen a closed day's books, with a reason; day sheets, till and statements of the close stay on record."""
    books = lock_parlour(parlour, by, Capability.CORRECT)
    rows = [row for row in (closed_day(book, day) for book in books) if row is not None]
    till = till_closed(parlour, day)
    if not rows and till is None:
        raise conflict("day_not_closed", _("The books of %(day)s are not closed.") % {"day": day_text(day)})
    refuse_without_reason(reason)
    for row in rows:
        change = open_change(row.competition, by)
        row.ended_n = change.n
        row.save(update_fields=["ended_n"])
        note(change, "day.reopened", row, reason=reason, after={"day": day.isoformat()})
    if till is not None:
        change = open_change(books[0], by)
        till.ended_at = timezone.now()
        till.save(update_fields=["ended_at"])
        note(change, "till.reopened", till, reason=reason, after={"day": day.isoformat()})
