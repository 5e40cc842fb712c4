"""Read-only admin of result sheets, and the queue of those that await confirmation by a second person."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from django.contrib import admin
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from typing_extensions import override

from league.admin.base import F, LeagueModelAdmin, ObjectLink, ServiceView, ShownInline, may, own_competitions, page_of
from league.admin.lists import DayFilter, RelatedFilter
from league.admin.operations.start import hidden_from, sheets_waiting
from league.admin.readable import lines_text, options_text, rules_text, totals_text, wind_of
from league.admin.results.corrections import RevertView, revisions_page
from league.admin.results.entry import Panel, rules_of
from league.forms.service import ServiceForm, StaffReasonForm
from league.models import Entrant, Hanchan, ResultSheet, SeatResult, Session, TableEvent
from league.platform.rendering import render
from league.selectors.access.actors import Actor, Capability
from league.selectors.results.revisions import accepted_words
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.services.results.results import confirm_result, reject_result
from league.wording.formatting import place_text, points_text, score_text
from league.wording.log_entries import event_text
from league.wording.names import person_name
from scoring.written_log import read_entry


class SheetView(ServiceView[ResultSheet, F]):
    """Base of the pages about a submitted result sheet."""

    capability = Capability.CONFIRM

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        table = self.row.hanchan.table_session
        return [(str(self.competition()), page_of(self.competition())), (str(table), page_of(table, "entry"))]

    def after(self, form: object) -> str:
        """Return to the queue while it holds more sheets, otherwise to the table of this one."""
        # Confirmed on the table's own page: return there, whatever the queue holds.
        waits = self.request.POST.get("back") != "table"
        if waits and sheets_waiting(own_competitions(self.request, Capability.CONFIRM), self.request).exists():
            return reverse("admin:league_resultsheet_queue")
        return page_of(self.row.hanchan.table_session, "entry")


class ConfirmView(SheetView[ServiceForm]):
    """Confirm a result sheet as the second person."""

    title = gettext_lazy("Confirm")
    explanation = gettext_lazy("Compare it with the slip. Once confirmed it counts.")
    submit = gettext_lazy("Confirm")

    @override
    def notes(self) -> Iterable[object]:
        seats = self.row.seats.select_related("entrant__player").order_by("place", "seat")
        return [f"{place_text(one.place)} {person_name(one.entrant.player)} {score_text(one.score)}" for one in seats]

    @override
    def perform(self, form: ServiceForm, by: Actor) -> str:
        confirm_result(sheet=self.row, by=by, accept=form.accepted)
        return _("Hanchan %(number)s is confirmed.") % {"number": self.row.hanchan.round}


class RejectView(SheetView[StaffReasonForm]):
    """Reject a submitted result sheet with a reason."""

    form_class = StaffReasonForm
    title = gettext_lazy("Reject")
    explanation = gettext_lazy("Its scorer reads the reason and enters the result again.")
    submit = gettext_lazy("Reject")
    is_grave = True

    @override
    def perform(self, form: StaffReasonForm, by: Actor) -> str:
        reject_result(sheet=self.row, by=by, reason=form.cleaned_data["reason"])
        return _("The sheet is rejected.")


class SeatTexts:
    """The values of a seat in words, for the list of seats and for the page of a sheet."""

    @admin.display(description=gettext_lazy("seat"))
    def wind(self, row: SeatResult) -> str:
        """Return the wind of the seat."""
        return wind_of(ruleset_of(row.sheet.rules), row.seat)

    @admin.display(description=gettext_lazy("score"))
    def entered(self, row: SeatResult) -> str:
        """Return the score as entered."""
        return score_text(row.score)

    @admin.display(description=gettext_lazy("final score"))
    def counted(self, row: SeatResult) -> str:
        """Return the score with the deposits that were distributed."""
        return score_text(row.final_score)

    @admin.display(description=gettext_lazy("totals"))
    def amounts(self, row: SeatResult) -> str:
        """Return the amounts in all ledgers."""
        return totals_text(ruleset_of(row.sheet.rules), row.totals)


class SeatResultInline(SeatTexts, ShownInline[SeatResult, ResultSheet]):
    """Show the seats of a result sheet."""

    model = SeatResult
    fields = ["wind", "entrant", "player", "entered", "counted", "chonbo", "place", "amounts"]
    readonly_fields = ["wind", "entered", "counted", "amounts"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[SeatResult]:
        """Fetch the rules, which name the winds and the ledgers."""
        return super().get_queryset(request).select_related("sheet__rules__ruleset", "entrant__player", "player")


@admin.register(ResultSheet)
class ResultSheetAdmin(LeagueModelAdmin[ResultSheet]):
    """List every revision of every result."""

    competition_path = "hanchan__block__competition"
    list_display = ["titled", "state", "entered_by", "entered_at", "confirmed_by", "reason"]
    list_filter = ["state", ("entered_at", DayFilter), ("hanchan__block__competition", RelatedFilter)]
    list_select_related = [
        "hanchan__table_session__session",
        "hanchan__table_session__block",
        "entered_by",
        "confirmed_by",
    ]
    search_fields = ["reason"]
    found_through = {"hanchan__table_session__session": Session, "seats__entrant": Entrant}
    ordering = ["-pk"]
    sortable_by = ()
    inlines = [SeatResultInline]
    fields = [
        "hanchan",
        "revision",
        "state",
        "played_under",
        "chosen",
        "kyoutaku",
        "reason",
        "entered_by",
        "entered_at",
        "confirmed_by",
        "confirmed_at",
        "accepted",
    ]
    readonly_fields = ["played_under", "chosen", "accepted"]
    change_list_template = "admin/league/resultsheet_list.html"
    views = [("confirm", ConfirmView), ("reject", RejectView), ("revert", RevertView)]

    @admin.display(description=gettext_lazy("rules in force"))
    def played_under(self, row: ResultSheet) -> str:
        """Return the titles of the rules and of the format."""
        return rules_text(row.rules)

    @admin.display(description=gettext_lazy("options of this table"))
    def chosen(self, row: ResultSheet) -> str:
        """Return the options of the table in words."""
        return options_text(ruleset_of(row.rules), row.options)

    @admin.display(description=gettext_lazy("warnings accepted"))
    def accepted(self, row: ResultSheet) -> str:
        """Return the accepted warnings as text."""
        return _(", ").join(accepted_words(row)) or "–"

    def get_queryset(self, request: HttpRequest) -> QuerySet[ResultSheet]:
        """Leave out sheets hidden from the user by blind entry."""
        return super().get_queryset(request).exclude(pk__in=hidden_from(request))

    def get_urls(self) -> list[URLPattern]:
        """Add the confirmation queue and the revisions of a hanchan."""
        queue = self.admin_site.admin_view(self.queue)
        revisions = self.admin_site.admin_view(partial(revisions_page, self))
        return [
            path("queue/", queue, name="league_resultsheet_queue"),
            path("of-hanchan/<int:pk>/", revisions, name="league_hanchan_revisions"),
            *super().get_urls(),
        ]

    def queue(self, request: HttpRequest) -> HttpResponse:
        """Render all sheets that await confirmation with their scores, oldest first."""
        seats = SeatResult.objects.select_related("entrant__player", "player").order_by("seat")
        sheets = (
            sheets_waiting(own_competitions(request, Capability.CONFIRM), request)
            .select_related("hanchan__rules__ruleset")
            .prefetch_related(Prefetch("seats", seats))
        )
        context = {
            **self.admin_site.each_context(request),
            "title": _("Awaiting confirmation"),
            "is_nav_sidebar_enabled": False,
            "opts": self.opts,
            "panels": [
                Panel(hanchan=sheet.hanchan, rules=rules_of(sheet.hanchan), counting=None, waiting=sheet, form=None)
                for sheet in sheets
            ],
        }
        return render(request, "admin/league/queue.html", context)

    @override
    def subject(self, row: ResultSheet) -> Hanchan:
        return row.hanchan

    @override
    def links(self, request: HttpRequest, row: ResultSheet) -> Iterable[ObjectLink]:
        competition = row.hanchan.block.competition_id
        if may(request, Capability.SUBMIT, competition):
            yield ObjectLink(_("Table"), page_of(row.hanchan.table_session, "entry"))
        yield ObjectLink(pgettext("result", "Revisions"), page_of(row.hanchan, "revisions"))
        if row.state == ResultSheet.State.SUBMITTED and may(request, Capability.CONFIRM, competition):
            yield ObjectLink(_("Confirm..."), page_of(row, "confirm"), is_main=True)
            yield ObjectLink(_("Reject..."), page_of(row, "reject"))


@admin.register(SeatResult)
class SeatResultAdmin(SeatTexts, LeagueModelAdmin[SeatResult]):
    """List the seats of all result sheets."""

    competition_path = "block__competition"
    list_display = ["sheet", "wind", "of_entrant", "entered", "place", "shown_points"]
    fields = [
        "sheet",
        "block",
        "wind",
        "entrant",
        "player",
        "entered",
        "counted",
        "chonbo",
        "is_bust",
        "place",
        "shown_points",
        "amounts",
        "settlement",
    ]
    readonly_fields = ["wind", "entered", "counted", "shown_points", "amounts", "settlement"]
    list_filter = ["sheet__state", ("block__competition", RelatedFilter)]
    list_select_related = [
        "sheet__hanchan__table_session__session",
        "sheet__hanchan__table_session__block",
        "entrant__player",
        "sheet__rules__ruleset",
    ]
    search_fields = []
    found_through = {"entrant": Entrant}
    ordering = ["-sheet_id", "seat"]
    sortable_by = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[SeatResult]:
        """Leave out the seats of sheets hidden from the user by blind entry."""
        return super().get_queryset(request).exclude(sheet__in=hidden_from(request))

    def name_of(self, row: SeatResult) -> str:
        """Return the result sheet and the player."""
        return f"{row.sheet} · {person_name(row.entrant.player)}"

    @admin.display(description=gettext_lazy("settlement"))
    def settlement(self, row: SeatResult) -> SafeString:
        """Return the lines of the settlement."""
        return lines_text(ruleset_of(row.sheet.rules), row.lines)

    @admin.display(description=gettext_lazy("points"))
    def shown_points(self, row: SeatResult) -> str:
        """Return the points formatted as on public pages."""
        return points_text(row.points, ruleset_of(row.sheet.rules).ranking_ledger.scale, plus=True)


@admin.register(TableEvent)
class TableEventAdmin(LeagueModelAdmin[TableEvent]):
    """List the hand-by-hand log of tables. The score sheet appends events; none is ever changed."""

    competition_path = "hanchan__block__competition"
    list_display = ["hanchan", "sequence", "what", "entered_by", "at"]
    list_filter = [("hanchan__block__competition", RelatedFilter)]
    list_select_related = ["hanchan__table_session__session", "hanchan__table_session__block", "entered_by"]
    search_fields = ["client_id"]
    sortable_by = ()
    fields = ["hanchan", "sequence", "what", "entered_by", "at"]
    readonly_fields = ["what"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[TableEvent]:
        """Prefetch the seats, whose players the texts name."""
        return super().get_queryset(request).prefetch_related("hanchan__seats__player")

    def name_of(self, row: TableEvent) -> str:
        """Return the hanchan and the number of the event."""
        return f"{row.hanchan} · {row.sequence}"

    @admin.display(description=gettext_lazy("what"))
    def what(self, row: TableEvent) -> str:
        """Return the event in words."""
        written = row.payload.get("entry")
        seated = [person_name(seat.player) for seat in row.hanchan.seats.all()]
        return event_text(row.kind, read_entry(written) if written else None, seated)
