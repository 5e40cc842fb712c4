"""Business days of a parlour: the list, and the day sheet (日計表) of each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.models import Competition, DayClose, Entrant, Sitting
from league.platform.errors import PermissionRefusedError, ServiceError
from league.selectors.access.actors import Capability
from league.selectors.parlour.board import business_day, closed_day
from league.selectors.parlour.days import DaySheet, PlayerDay, TableDay, day_sheet, days_of
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.parlour.days import close_day, reopen_day
from league.views.parlour.board import actor_of, add_error_messages, back_to, frame, may, staff_page
from league.wording.formatting import day_text, points_text
from league.wording.names import title_in
from scoring.ruleset import Ruleset


@require_safe
@staff_page
def days(request: HttpRequest, competition: Competition) -> HttpResponse:
    """List the newest business days."""
    context = frame(request, competition, "days", days=days_of(competition), today=business_day(competition))
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


@require_safe
@staff_page
def day(request: HttpRequest, competition: Competition, date: str) -> HttpResponse:
    """Show one day's sheet: as it was closed, or computed now if it is open."""
    wanted = day_of(date)
    closed = closed_day(competition, wanted)
    now = day_sheet(competition, wanted)
    if closed is None and not now.tables and not now.games and wanted != business_day(competition):
        raise Http404(_("There is no such day."))
    sheet = DaySheet.of_json(closed.sheet) if closed else now
    context = frame(
        request,
        competition,
        "days",
        day=wanted,
        sheet=sheet,
        closed=closed,
        has_changed=closed is not None and _says(sheet) != _says(now),
        may_close=may(request, competition, Capability.CONFIRM),
        may_reopen=may(request, competition, Capability.CORRECT),
        earlier=DayClose.objects.filter(competition=competition, day=wanted).exclude(ended_n=None).count(),
        **sheet_context(competition, sheet),
    )
    return render(request, "parlour/day.html", context)


def _says(sheet: DaySheet) -> dict[str, object]:
    """Return the content of a sheet, to compare it with a later one."""
    return sheet.as_json()


def sheet_context(competition: Competition, sheet: DaySheet) -> dict[str, object]:
    """Return the sheet's lines with names, which are looked up at the time of reading."""
    rules = ruleset_of(rules_at(competition))
    ledgers = list(sheet.ledgers)
    # A stored sheet has ids only, so that renaming or erasing a person changes closed sheets too.
    entrants = Entrant.objects.select_related("player").in_bulk([row.entrant for row in sheet.players])
    sittings = Sitting.objects.select_related("table_session").in_bulk([row.sitting for row in sheet.tables])
    lines = [PlayerLine(entrants[row.entrant], row, amounts_of(row.totals, sheet)) for row in sheet.players]
    order = rules.ranking_ledger.key
    lines.sort(key=lambda line: (-line.row.totals.get(order, 0), line.entrant.number))
    return {
        "ledger_names": [ledger_name(key, rules) for key in ledgers],
        "players": lines,
        "sums": amounts_of(sheet.totals, sheet),
        "tables": [TableLine(sittings[row.sitting], row) for row in sheet.tables],
        "place_numbers": range(1, rules.players + 1),
        "open_tables": [row for row in sittings.values() if row.closed_at is None],
    }


def amounts_of(totals: Mapping[str, int], sheet: DaySheet) -> tuple[str, ...]:
    """Format amounts ledger by ledger, each at its own scale."""
    return tuple(
        points_text(totals[key], scale, plus=True) if key in totals else "–" for key, scale in sheet.ledgers.items()
    )


def ledger_name(key: str, rules: Ruleset) -> str:
    """Return a ledger's title, or its key if the current rules no longer have it."""
    return next((title_in(ledger.title) for ledger in rules.ledgers if ledger.key == key), key)


@require_POST
@staff_page
def close(request: HttpRequest, competition: Competition, date: str) -> HttpResponse:
    """Close the day."""
    wanted = day_of(date)
    try:
        close_day(competition=competition, day=wanted, by=actor_of(request))
    except PermissionRefusedError:
        raise
    except ServiceError as error:
        add_error_messages(request, error)
    else:
        messages.success(request, _("The books of %(day)s are closed.") % {"day": day_text(wanted)})
    return back_to("day", competition.slug, date)


@require_POST
@staff_page
def reopen(request: HttpRequest, competition: Competition, date: str) -> HttpResponse:
    """Reopen a closed day."""
    wanted = day_of(date)
    try:
        reopen_day(competition=competition, day=wanted, by=actor_of(request), reason=request.POST.get("reason", ""))
    except PermissionRefusedError:
        raise
    except ServiceError as error:
        add_error_messages(request, error)
    else:
        messages.success(request, _("The books of %(day)s are open again.") % {"day": day_text(wanted)})
    return back_to("day", competition.slug, date)
