"""Admin of sessions, tables and hanchan: the schedule, embargoes, seats, and links to the entry screens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from typing_extensions import override

from league.admin.base import LeagueModelAdmin, M, ObjectLink, ShownInline, may, own_competitions, page_of, show
from league.admin.competitions.announcements import AnnounceView, TakeDownView, TimerView
from league.admin.competitions.schedule_edits import (
    AddSessionView,
    AddTableView,
    EditSessionView,
    EditTableView,
    HoldBackView,
    ReleaseView,
    SeatView,
    VoidView,
)
from league.admin.competitions.seating import DrawSeatsView, is_in_league
from league.admin.competitions.session_list import DatedSessionsAdmin
from league.admin.competitions.session_moves import MoveBackView, MoveSessionView
from league.admin.lists import DayFilter, RelatedFilter
from league.admin.live.links import TableLinksView
from league.admin.live.log_import import ImportLogView
from league.admin.readable import options_text, rules_text, wind_of
from league.admin.results.entry import EntryView, PreviewView, number_in
from league.admin.results.floor import FloorView
from league.admin.results.night import NightPartsView, NightVersionView, NightView
from league.admin.results.night_slips import SlipsView
from league.admin.results.night_tools import (
    AbandonView,
    PhotosView,
    PictureView,
    ResumeView,
    SubstituteView,
    WalkoverView,
)
from league.admin.seasons.line_ups import LineUpsView
from league.models import Block, Entrant, Hanchan, HanchanSeat, Session, TableSession
from league.platform.rendering import render
from league.selectors.access.actors import Capability
from league.selectors.competitions.session_moves import last_move
from league.selectors.operations.pending_tasks import with_counts
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.selectors.seasons.teams import is_team_league
from league.wording.names import table_name


@admin.register(Session)
class SessionAdmin(DatedSessionsAdmin):
    """List sessions, which are days of play."""

    adding = Capability.MANAGE
    list_display = ["titled", "days", "night", "results", "tables", "in_competition"]
    fields = ["competition", "number", "name", "name_en", "days", "tables", "results", "timer_ends_at"]
    readonly_fields = ["days", "tables", "results"]
    list_filter = [("competition", RelatedFilter)]
    list_select_related = ["competition__parlour"]
    search_fields = ["name", "name_en"]
    views = [
        ("night", NightView),
        ("night-parts", NightPartsView),
        ("night-version", NightVersionView),
        ("edit", EditSessionView),
        ("move", MoveSessionView),
        ("move-back", MoveBackView),
        ("timer", TimerView),
        ("announce", AnnounceView),
        ("take-down", TakeDownView),
        ("draw-seats", DrawSeatsView),
        ("slips", SlipsView),
        ("floor", FloorView),
        ("line-ups", LineUpsView),
    ]

    @override
    def links(self, request: HttpRequest, row: Session) -> Iterable[ObjectLink]:
        yield ObjectLink(_("Match night"), page_of(row, "night"), is_main=True)
        yield ObjectLink(_("State of the tables"), page_of(row, "floor"))
        tables = reverse("admin:league_tablesession_changelist")
        yield ObjectLink(_("Tables"), f"{tables}?session__id__exact={row.pk}")
        if row.day is None and may(request, Capability.SUBMIT, row.competition_id):
            yield ObjectLink(_("Draw the seats"), page_of(row, "draw-seats"))
        if may(request, Capability.MANAGE, row.competition_id):
            add = reverse("admin:league_tablesession_add")
            yield ObjectLink(_("New table"), f"{add}?competition={row.competition_id}&session={row.pk}")
            yield ObjectLink(_("Rename"), page_of(row, "edit"))
            if is_team_league(row.competition):
                yield ObjectLink(_("Line-ups"), page_of(row, "line-ups"))
            if row.day is None:
                yield ObjectLink(_("Move..."), page_of(row, "move"))
                if last_move(row) is not None:
                    yield ObjectLink(_("Move back..."), page_of(row, "move-back"))
            yield ObjectLink(_("Clock"), page_of(row, "timer"))
            yield ObjectLink(_("Announce"), page_of(row, "announce"))
            if row.announcements.filter(ended_at=None).exists():
                yield ObjectLink(_("Take down an announcement"), page_of(row, "take-down"))
            yield ObjectLink(_("Projector"), reverse("pages:projector", args=[row.competition.slug]))

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: object = None) -> HttpResponse:
        """Show the service's form, or first ask for the competition."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if number_in(request.GET, "competition") is None:
            return choose(self, request, _("New session"), own_competitions(request, Capability.MANAGE), "competition")
        return show(AddSessionView, self, request)


def choose(
    model_admin: LeagueModelAdmin[M], request: HttpRequest, title: str, rows: QuerySet[Model], name: str
) -> HttpResponse:
    """Render a page that asks for one of the rows; if there is only one, redirect as if it had been chosen."""
    listed = list(rows)
    if len(listed) == 1:
        query = request.GET.copy()
        query[name] = str(listed[0].pk)
        return HttpResponseRedirect(f"?{query.urlencode()}")
    context = {
        **model_admin.admin_site.each_context(request),
        "title": title,
        "opts": model_admin.opts,
        "rows": listed,
        "name": name,
        "session": number_in(request.GET, "session"),
    }
    return render(request, "admin/league/choose.html", context)


class WithCounts(Protocol):
    """A table with the annotations of `with_counts`, and whether the user enters results there."""

    pk: int
    may_enter: bool
    done: int
    planned: int


@admin.register(TableSession)
class TableSessionAdmin(LeagueModelAdmin[TableSession]):
    """List tables with their progress; each leads to its entry screen."""

    adding = Capability.MANAGE
    list_display = ["in_session", "in_block", "named", "starts_at", "results", "is_released", "in_competition"]
    list_filter = [
        ("competition", RelatedFilter),
        ("session", RelatedFilter),
        ("block", RelatedFilter),
        ("starts_at", DayFilter),
        "is_released",
        "is_cancelled",
    ]
    list_select_related = ["session", "block", "competition"]
    search_fields = ["table", "venue"]
    found_through = {"session": Session, "block": Block, "hanchan__seats__entrant": Entrant}
    fields = [
        "competition",
        "session",
        "block",
        "named",
        "starts_at",
        "venue",
        "results",
        "public_at",
        "is_released",
        "is_cancelled",
        "stream",
    ]
    readonly_fields = ["named", "stream", "results"]
    ordering = ["-session_id", "order"]
    sortable_by = ()
    views = [
        ("entry", EntryView),
        ("edit", EditTableView),
        ("hold-back", HoldBackView),
        ("release", ReleaseView),
        ("links", TableLinksView),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[TableSession]:
        """Annotate the numbers of planned and of confirmed hanchan, and if the user may enter results."""
        entering = own_competitions(request, Capability.SUBMIT).filter(pk=OuterRef("competition"))
        return with_counts(super().get_queryset(request)).annotate(may_enter=Exists(entering))

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow the link from a session's page to its tables."""
        return lookup == "session__id__exact" or super().lookup_allowed(lookup, value, request)

    @admin.display(description=gettext_lazy("table"))
    def named(self, row: TableSession) -> str:
        """Return the name of the table in the reader's language."""
        return table_name(row.table)

    @admin.display(description=gettext_lazy("stream"))
    def stream(self, row: TableSession) -> str:
        """Return the stream's address, as a link only if it is an http(s) address."""
        link = row.stream_link
        return format_html('<a href="{0}">{0}</a>', link) if link else row.stream_url or self.get_empty_value_display()

    @admin.display(description=gettext_lazy("results"))
    def results(self, row: WithCounts) -> str:
        """Return the numbers of confirmed and planned hanchan, linked to the entry screen for those who may use it."""
        if not row.may_enter:
            return f"{row.done} / {row.planned}"
        address = reverse("admin:league_tablesession_entry", args=[row.pk])
        return format_html('<a href="{}">{} / {}</a>', address, row.done, row.planned)

    @override
    def links(self, request: HttpRequest, row: TableSession) -> Iterable[ObjectLink]:
        if may(request, Capability.SUBMIT, row.competition_id):
            yield ObjectLink(_("Enter results"), page_of(row, "entry"), is_main=True)
            yield ObjectLink(_("Match night"), page_of(row.session, "night"))
            yield ObjectLink(_("Score sheet"), reverse("pages:table-sheet", args=[row.pk]))
            yield ObjectLink(_("Links..."), page_of(row, "links"))
        if not may(request, Capability.MANAGE, row.competition_id):
            return
        yield ObjectLink(_("Edit"), page_of(row, "edit"))
        yield ObjectLink(_("Hold back..."), page_of(row, "hold-back"))
        if not row.is_released:
            yield ObjectLink(_("Release now..."), page_of(row, "release"))

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: object = None) -> HttpResponse:
        """Show the service's form, or first ask for the competition and the block."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if number_in(request.GET, "block") is not None:
            return show(AddTableView, self, request)
        own = own_competitions(request, Capability.MANAGE)
        competition = own.filter(pk=number_in(request.GET, "competition") or 0).first()
        if competition is None:
            return choose(self, request, _("New table"), own, "competition")
        if not competition.sessions.exists():
            return HttpResponseRedirect(f"{reverse('admin:league_session_add')}?competition={competition.pk}")
        blocks = competition.blocks.select_related("stage").order_by("stage__order", "order")
        return choose(self, request, _("New table"), blocks, "block")


class SeatInline(ShownInline[HanchanSeat, Hanchan]):
    """Show the planned seats of a hanchan."""

    model = HanchanSeat
    fields = ["wind", "entrant", "player"]
    readonly_fields = ["wind"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[HanchanSeat]:
        """Fetch the rules, which name the winds of the seats."""
        rows = super().get_queryset(request)
        return rows.select_related("hanchan__rules__ruleset", "entrant__player", "player")

    @admin.display(description=gettext_lazy("seat"))
    def wind(self, row: HanchanSeat) -> str:
        """Return the wind of the seat."""
        return wind_of(ruleset_of(row.hanchan.rules), row.seat)


@admin.register(Hanchan)
class HanchanAdmin(LeagueModelAdmin[Hanchan]):
    """List hanchan. Their results are entered on the screen of their table."""

    competition_path = "block__competition"
    list_display = ["titled", "round", "state", "in_competition"]
    list_filter = ["state", ("block__competition", RelatedFilter)]
    list_select_related = ["table_session__session", "table_session__block", "block__competition"]
    fields = ["table_session", "block", "round", "number", "state", "played_under", "chosen", "started_at"]
    readonly_fields = ["played_under", "chosen"]
    search_fields = []
    found_through = {"table_session__session": Session, "block": Block, "seats__entrant": Entrant}
    ordering = ["-table_session_id", "round"]
    sortable_by = ()
    inlines = [SeatInline]
    views = [
        ("seats", SeatView),
        ("void", VoidView),
        ("log", ImportLogView),
        ("substitute", SubstituteView),
        ("abandon", AbandonView),
        ("walkover", WalkoverView),
        ("resume", ResumeView),
        ("photos", PhotosView),
        ("preview", PreviewView),
    ]
    other_views = [("<int:pk>/photos/<int:photo>.jpg", "picture", PictureView)]

    @admin.display(description=gettext_lazy("rules in force"))
    def played_under(self, row: Hanchan) -> str:
        """Return the titles of the rules and of the format."""
        return rules_text(row.rules)

    @admin.display(description=gettext_lazy("options of this table"))
    def chosen(self, row: Hanchan) -> str:
        """Return the options of the table in words."""
        return options_text(ruleset_of(row.rules), row.options)

    @override
    def links(self, request: HttpRequest, row: Hanchan) -> Iterable[ObjectLink]:
        yield ObjectLink(pgettext("result", "Revisions"), page_of(row, "revisions"))
        if may(request, Capability.SUBMIT, row.block.competition_id):
            yield ObjectLink(_("Enter results"), page_of(row.table_session, "entry"), is_main=True)
            yield ObjectLink(_("Seats"), page_of(row, "seats"))
            if may(request, Capability.MANAGE, row.block.competition_id) and is_in_league(row.block):
                yield ObjectLink(_("Change places"), page_of(row.block, "swap"))
            if not row.events.exists():
                yield ObjectLink(_("Import a log..."), page_of(row, "log"))
