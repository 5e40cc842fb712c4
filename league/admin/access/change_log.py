"""Admin of the change log in readable form: action, actor, subject, values before and after. Append-only."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ERROR_FLAG, ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import NoReverseMatch, URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import LeagueModelAdmin
from league.admin.lists import DayFilter, RelatedFilter
from league.files.formulas import escape_formula
from league.models import Change, OrganizationChange
from league.selectors.access.actors import is_master
from league.selectors.access.change_log import AnyChange, ChangeText, people_who_acted, render_changes, search_filter
from league.selectors.seasons.series_rules import may_change_series
from league.services.people.permissions import may_look_after_people
from league.wording.changes import kind_words
from league.wording.names import title_of

EXPORTED_AT_ONCE = 500

L = TypeVar("L", bound=AnyChange)

if TYPE_CHECKING:
    AnyLog = admin.ModelAdmin[Change] | admin.ModelAdmin[OrganizationChange]


class KindFilter(admin.SimpleListFilter):
    """Filter by kind of change, named in words."""

    title = gettext_lazy("what was done")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: AnyLog) -> list[tuple[str, str]]:
        """Return the kinds that occur, sorted by their names."""
        kinds = model_admin.get_queryset(request).order_by().values_list("kind", flat=True).distinct()
        return sorted(((kind, kind_words(kind)) for kind in kinds), key=lambda each: each[1])

    def queryset(self, request: HttpRequest, queryset: QuerySet[AnyChange]) -> QuerySet[AnyChange]:
        """Return the changes of the chosen kind."""
        return queryset.filter(kind=self.value()) if self.value() else queryset


class ActorFilter(admin.SimpleListFilter):
    """Filter by the account that made the change."""

    title = gettext_lazy("who")
    parameter_name = "by"

    def lookups(self, request: HttpRequest, model_admin: AnyLog) -> list[tuple[str, str]]:
        """Return the accounts that made a change."""
        return [(str(pk), name) for pk, name in people_who_acted(model_admin.get_queryset(request))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[AnyChange]) -> QuerySet[AnyChange]:
        """Return the changes made by the chosen account."""
        value = self.value()
        return queryset.filter(actor=int(value)) if value and value.isdecimal() else queryset


class LogList(ChangeList):
    """Changelist that renders the texts of a whole page at once."""

    def get_results(self, request: HttpRequest) -> None:
        """Attach its text to each row of the page, so that a page costs a fixed number of queries."""
        super().get_results(request)
        rows = list(self.result_list)
        for row, words in zip(rows, render_changes(rows), strict=True):
            row.told = words
        self.result_list = rows


class LogAdmin(LeagueModelAdmin[L]):
    """Base of the two logs: of competitions, and of the organization."""

    search_fields = ["reason"]
    search_help_text = gettext_lazy(
        "What was done, a reason, a name to sign in with, or the number of what it is about."
    )
    list_display_links = ["what"]
    ordering = ["-pk"]
    sortable_by = ()
    change_list_template = "admin/league/log.html"

    def get_changelist(self, request: HttpRequest, **kwargs: object) -> type[ChangeList]:
        """Use the changelist that renders texts by the page."""
        return LogList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[L], search_term: str
    ) -> tuple[QuerySet[L], bool]:
        """Search kinds of change by their translated names too, which the database does not hold."""
        return (queryset.filter(search_filter(search_term)) if search_term.strip() else queryset), False

    def name_of(self, row: L) -> str:
        """Return the action in words."""
        return self.what(row)

    def words(self, row: AnyChange) -> ChangeText:
        """Return the text of a row, rendered with its page if it came in one."""
        found: ChangeText = getattr(row, "told", None) or render_changes([row])[0]
        return found

    @admin.display(description=gettext_lazy("what"))
    def what(self, row: AnyChange) -> str:
        """Return the action in words."""
        return self.words(row).what

    @admin.display(description=gettext_lazy("who"))
    def who(self, row: AnyChange) -> str:
        """Return the actor and the channel: admin, REST, page and so on."""
        return f"{self.words(row).who} · {row.get_door_display()}"

    @admin.display(description=gettext_lazy("about"))
    def about(self, row: AnyChange) -> str | SafeString:
        """Return the subject, linked to its admin page if it still exists."""
        words = self.words(row)
        if words.subject is None:
            return words.about
        meta = words.subject._meta
        try:
            address = reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[words.subject.pk])
        except NoReverseMatch:
            return words.about
        return format_html('<a href="{}">{}</a>', address, words.about)

    @admin.display(description=gettext_lazy("before and after"))
    def pieces(self, row: AnyChange) -> SafeString:
        """Return the changed values as an HTML list."""
        found = self.words(row).pieces
        lines = format_html_join("", "<li>{}</li>", ((str(piece),) for piece in found))
        return format_html('<ul class="pieces">{}</ul>', lines)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow filtering by subject, since the history of a row is a filtered log."""
        return lookup in {"subject_type", "subject_id"} or super().lookup_allowed(lookup, value, request)

    def get_urls(self) -> list[URLPattern]:
        """Add the CSV export before Django's own addresses, whose last pattern matches anything."""
        name = f"league_{self.opts.model_name}_csv"
        return [path("csv/", self.admin_site.admin_view(self.csv), name=name), *super().get_urls()]

    def csv(self, request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
        """Stream the list, with the same filters, as a CSV file for spreadsheets."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            rows = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters:  # as Django's own list does for an invalid filter
            return redirect(f"{reverse(f'admin:league_{self.opts.model_name}_changelist')}?{ERROR_FLAG}=1")
        answer = StreamingHttpResponse(self.lines(rows), content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{self.opts.model_name}.csv"'
        return answer

    def lines(self, rows: QuerySet[L]) -> Iterator[str]:
        """Yield the lines of the CSV file. It begins with a byte order mark, which spreadsheets need for UTF-8."""
        writer = csv.writer(Echo())
        yield "\ufeff" + writer.writerow(
            [_("at"), _("what"), _("who"), _("door"), _("about"), _("before and after"), _("reason")]
        )
        page: list[L] = []
        for row in rows.iterator(chunk_size=EXPORTED_AT_ONCE):
            page.append(row)
            if len(page) == EXPORTED_AT_ONCE:
                yield from self.written(writer, page)
                page = []
        yield from self.written(writer, page)

    def written(self, writer: RowWriter, page: Sequence[AnyChange]) -> Iterator[str]:
        """Yield a batch of rows as CSV lines."""
        for row, words in zip(page, render_changes(page), strict=True):
            at = timezone.localtime(row.at).isoformat(timespec="seconds")
            pieces = "; ".join(map(str, words.pieces))
            cells = (at, words.what, words.who, row.get_door_display(), words.about, pieces, row.reason)
            # A reason that begins with "=" would run as a formula in a spreadsheet.
            yield writer.writerow([escape_formula(cell) for cell in cells])


class RowWriter(Protocol):
    """A writer of the csv module over an `Echo`."""

    def writerow(self, row: Sequence[object], /) -> str:
        """Return the row as a line."""


class Echo:
    """A pseudo-file for csv.writer that returns each line instead of storing it."""

    def write(self, line: str) -> str:
        """Return the line."""
        return line


@admin.register(Change)
class ChangeAdmin(LogAdmin[Change]):
    """List all changes of competitions in order."""

    list_display = ["at", "what", "about", "pieces", "reason", "who", "where"]
    list_filter = [KindFilter, ActorFilter, ("at", DayFilter), "door", ("competition", RelatedFilter), "is_public"]
    list_select_related = ["competition", "actor"]
    fields = ["at", "what", "about", "pieces", "reason", "who", "where", "n", "is_public", "request_id"]
    readonly_fields = ["what", "about", "pieces", "who", "where"]

    @admin.display(description=gettext_lazy("competition"))
    def where(self, row: Change) -> str:
        """Return the competition's name in the user's language."""
        return title_of(row.competition)


@admin.register(OrganizationChange)
class OrganizationChangeAdmin(LogAdmin[OrganizationChange]):
    """List changes that belong to no competition: accounts, tokens, players."""

    competition_path = ""
    list_display = ["at", "what", "about", "pieces", "reason", "who"]
    list_filter = [KindFilter, ActorFilter, ("at", DayFilter), "door"]
    list_select_related = ["actor"]
    fields = ["at", "what", "about", "pieces", "reason", "who", "request_id"]
    readonly_fields = ["what", "about", "pieces", "who"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[OrganizationChange]:
        """Return all rows for superusers; for other users those about players, and about series they may change."""
        rows = super().get_queryset(request)
        subjects = ["player", *(["series"] if may_change_series(request.user) else [])]
        return rows if is_master(request.user) else rows.filter(subject_type__in=subjects)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return True if the user may manage players."""
        return bool(request.user.is_active and request.user.is_staff) and may_look_after_people(request.user)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Return True if the user may manage players."""
        return self.has_module_permission(request)
