"""Import of teams and their members in the admin, checked before they are written."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext_lazy, ngettext
from typing_extensions import override

from league.admin.base import actor_of, page_of
from league.admin.exchange.files import Count, TableView, outcome_words, shown_faults
from league.files.tables import ParsedTable, read_table
from league.files.team_rows import COLUMNS
from league.platform.errors import ServiceError
from league.services.exchange.team_import import TeamReport, import_teams
from league.services.results.batches import BatchOutcome


class MembersInView(TableView):
    """Import teams with their members from a table."""

    title = gettext_lazy("Teams and members from a table")
    explanation = gettext_lazy(
        "One row for each member: team, member, and if you like the first and the last day, captain, reading, short "
        "name, colour and tile of the team. A row without a team belongs to the team above it. A transfer is two rows "
        "with days. The template holds the teams and members there are."
    )
    template_kind = "members"

    @override
    def read(self, source: bytes | str) -> ParsedTable:
        return read_table(source, COLUMNS)

    @override
    def look(self, table: ParsedTable, sealed: str) -> HttpResponse:
        return self._imported(self.request, table, sealed)

    @override
    def decide(self, table: ParsedTable) -> HttpResponse:
        return self._imported(self.request, table, self.request.POST["table"], keep=True)

    def _imported(self, request: HttpRequest, table: ParsedTable, sealed: str, *, keep: bool = False) -> HttpResponse:
        """Import the table, or show the outcome of each row."""
        previewed = request.POST.get("previewed", "") if keep else ""
        try:
            report = import_teams(
                competition=self.row, table=table, by=actor_of(request), previewed=previewed, keep=keep
            )
        except ServiceError as error:
            return self.bring_again(str(error))
        if not report.is_kept:
            return self._shown(report, sealed, has_changed=keep and previewed != report.digest)
        written = report.counts[BatchOutcome.NEW]
        said = ngettext("%(count)s member entered.", "%(count)s members entered.", written)
        messages.success(request, said % {"count": written})
        return HttpResponseRedirect(page_of(self.row, "data"))

    def _shown(self, report: TeamReport, sealed: str, *, has_changed: bool) -> HttpResponse:
        words, faults = outcome_words(), report.all_faults
        return self.page(
            "members",
            status=422 if faults else 200,
            report=report,
            rows=[(row, words[row.outcome]) for row in report.rows],
            counts=[
                Count(outcome, words[outcome], report.counts[outcome]) for outcome in words if report.counts[outcome]
            ],
            **shown_faults(faults),
            sealed=sealed,
            writes=report.counts[BatchOutcome.NEW],
            has_changed=has_changed,
        )
