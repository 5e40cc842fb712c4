"""Business days of a parlour: the list, and the day sheet (日計表) of each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.models import Competition, DayClose, Entrant, Parlour, Sitting
from league.platform.rendering import render
from league.selectors.access.actors import Capability
from league.selectors.parlour.board import closed_day
from league.selectors.parlour.days import DaySheet, PlayerDay, TableDay, day_sheet, days_of, has_money
from league.selectors.parlour.dues import dues_of
from league.selectors.parlour.houses import books_of, house_day
from league.selectors.parlour.till import Till, till_closed, till_of
from league.selectors.rulebooks.rules_in_force import every_rules, latest, ledgers_of, ruleset_of
from league.services.parlour.days import close_day, reopen_day
from league.views.parlour.board import actor_of, back_to, frame, may, refusals_as_messages, staff_page
from league.views.parlour.slips import Books, figures_of, till_sheet
from league.views.parlour.tables import debtors_of
from league.wording.formatting import day_text, points_text
from league.wording.names import title_in
from scoring.ruleset import Ruleset


@require_safe
@staff_page
def days(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """List the newest business days."""
    context = frame(request, parlour, "days", days=days_of(books_of(parlour)), today=house_day(parlour))
    return render(request, "parlour/days.html", context)


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A guest's line of the day sheet, with the entrant."""

    entrant: Entrant
    row: PlayerDay
    amounts: tuple[str, ...]
    """Formatted amounts by ledger; a dash where there is none."""


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table's line of the day sheet."""

    sitting: Sitting
    row: TableDay


def day_of(text: str) -> dt.date:
    """Parse the date in the URL; raise Http404 if it is none."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise Http404(_("There is no such day.")) from error


@dataclass(frozen=True, slots=True)
class BookDay:
    """A book's part of a business day: its sheet as it was closed, or computed now if it is open.

    `amounts` are the sums by ledger; `has_changed` is True if results were changed after the close.
    """

    book: Competition
    rules: Ruleset
    sheet: DaySheet
    closed: DayClose | None
    has_changed: bool
    earlier: int
    """Number of closes before the present one."""
    players: tuple[PlayerLine, ...]
    tables: tuple[TableLine, ...]
    ledger_names: tuple[str, ...]
    """Titles of the sheet's ledgers."""

    @property
    def amounts(self) -> tuple[str, ...]:
        """Return the sums of the ledgers."""
        return amounts_of(self.sheet.totals, self.sheet)

    @property
    def place_numbers(self) -> range:
        """Return the places of a game."""
        return range(1, self.rules.players + 1)

    @property
    def open_tables(self) -> list[Sitting]:
        """Return the sittings that have not ended."""
        return [line.sitting for line in self.tables if line.sitting.closed_at is None]


@require_safe
@staff_page
def day(request: HttpRequest, parlour: Parlour, date: str) -> HttpResponse:
    """Show a business day of the house, with a part for each book that was played."""
    wanted, today = day_of(date), house_day(parlour)
    parts = [part for book in books_of(parlour) if (part := book_day(book, wanted))]
    if not parts and wanted != today and not has_money(parlour, wanted):
        raise Http404(_("There is no such day."))
    closes = [part.closed for part in parts if part.closed]
    till_row = till_closed(parlour, wanted)
    dues = {} if till_row else dues_of(parlour)
    till = Till.of_json(wanted, till_row.till) if till_row else till_of(parlour, wanted, dues)
    context = frame(
        request,
        parlour,
        "days",
        day=wanted,
        parts=[part for part in parts if part.tables or part.sheet.games],
        closed=closes[-1] if closes and len(closes) == len(parts) else None,
        has_changed=any(part.has_changed for part in parts),
        earlier=max((part.earlier for part in parts), default=0),
        till=till_sheet(till),
        till_closed=till_row,
        ledgers=list(figures_of(till.closing.amounts, Books(parlour))),
        debtors=debtors_of(parlour, {person: due.of_day(wanted) for person, due in dues.items()}),
        open_tables=[sitting for part in parts for sitting in part.open_tables],
        may_close=may(request, parlour, Capability.CONFIRM),
        may_reopen=may(request, parlour, Capability.CORRECT),
    )
    return render(request, "parlour/day.html", context)


def book_day(book: Competition, wanted: dt.date) -> BookDay | None:
    """Return a book's part of a day, or None if it was neither played nor closed on that day."""
    closed, now = closed_day(book, wanted), day_sheet(book, wanted)
    if closed is None and not now.tables and not now.games:
        return None
    sheet, in_force = DaySheet.of_json(closed.sheet) if closed else now, every_rules(book)
    rules = ruleset_of(latest(in_force))
    titles = {ledger.key: title_in(ledger.title) for ledger in ledgers_of(in_force)}
    # A stored sheet has ids only, so that renaming or erasing a person changes closed sheets too.
    entrants = Entrant.objects.select_related("player").in_bulk([row.entrant for row in sheet.players])
    sittings = Sitting.objects.select_related("table_session").in_bulk([row.sitting for row in sheet.tables])
    lines = [PlayerLine(entrants[row.entrant], row, amounts_of(row.totals, sheet)) for row in sheet.players]
    order = rules.ranking_ledger.key
    return BookDay(
        book=book,
        rules=rules,
        sheet=sheet,
        closed=closed,
        has_changed=closed is not None and sheet.as_json() != now.as_json(),
        earlier=DayClose.objects.filter(competition=book, day=wanted).exclude(ended_n=None).count(),
        players=tuple(sorted(lines, key=lambda line: (-line.row.totals.get(order, 0), line.entrant.number))),
        tables=tuple(TableLine(sittings[row.sitting], row) for row in sheet.tables),
        ledger_names=tuple(titles.get(key, key) for key in sheet.ledgers),
    )


def amounts_of(totals: Mapping[str, int], sheet: DaySheet) -> tuple[str, ...]:
    """Format amounts ledger by ledger, each at its own scale."""
    return tuple(
        points_text(totals[key], scale, plus=True) if key in totals else "–" for key, scale in sheet.ledgers.items()
    )


@require_POST
@staff_page
def close(request: HttpRequest, parlour: Parlour, date: str) -> HttpResponse:
    """Close the day."""
    wanted = day_of(date)
    with refusals_as_messages(request):
        close_day(parlour=parlour, day=wanted, by=actor_of(request), accept=request.POST.getlist("accept"))
        messages.success(request, _("The books of %(day)s are closed.") % {"day": day_text(wanted)})
    return back_to("day", parlour.slug, date)


@require_POST
@staff_page
def reopen(request: HttpRequest, parlour: Parlour, date: str) -> HttpResponse:
    """Reopen a closed day."""
    wanted, reason = day_of(date), request.POST.get("reason", "")
    with refusals_as_messages(request):
        reopen_day(parlour=parlour, day=wanted, by=actor_of(request), reason=reason)
        messages.success(request, _("The books of %(day)s are open again.") % {"day": day_text(wanted)})
    return back_to("day", parlour.slug, date)
