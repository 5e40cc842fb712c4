"""The admin's list of sessions: each with its days, its tables, its progress and one click to match night."""

from __future__ import annotations

from typing import cast

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import LeagueModelAdmin, page_of
from league.models import Session
from league.selectors.competitions.match_days import SessionProgress, session_progress
from league.selectors.parlour.houses import house_slug
from league.wording.formatting import day_text


class SessionList(ChangeList):
    """Changelist that reads the progress of a whole page at once."""

    def get_results(self, request: HttpRequest) -> None:
        """Attach its progress to each row of the page, so that a page costs a fixed number of queries."""
        super().get_results(request)
        rows = cast("list[Session]", list(self.result_list))
        found = session_progress(rows)
        for row in rows:
            vars(row)["progress"] = found[row.pk]
        self.result_list = rows


class DatedSessionsAdmin(LeagueModelAdmin[Session]):
    """Base of the admin of sessions: the columns that are computed from their tables."""

    def get_changelist(self, request: HttpRequest, **kwargs: object) -> type[ChangeList]:
        """Use the changelist that reads progress by the page."""
        return SessionList

    def progress_of(self, row: Session) -> SessionProgress:
        """Return the progress of a row, read with its page if it came in one."""
        found: SessionProgress | None = vars(row).get("progress")
        return found or session_progress([row])[row.pk]

    @admin.display(description=gettext_lazy("days"))
    def days(self, row: Session) -> str:
        """Return the business day, or the days of the first and the last table in the competition's time zone."""
        return day_text(row.day) if row.day else self.progress_of(row).days or _("no date yet")

    @admin.display(description=gettext_lazy("tables"))
    def tables(self, row: Session) -> int:
        """Return the number of tables."""
        return self.progress_of(row).tables

    @admin.display(description=gettext_lazy("results"))
    def results(self, row: Session) -> str:
        """Return the numbers of confirmed and of planned hanchan."""
        progress = self.progress_of(row)
        return f"{progress.done} / {progress.planned}"

    @admin.display(description=gettext_lazy("Match night"))
    def night(self, row: Session) -> SafeString:
        """Return the link to match night, or to the day sheet of a business day."""
        if row.day:
            address = reverse("pages:day", args=[house_slug(row.competition), row.day.isoformat()])
            return format_html('<a class="button quiet" href="{}">{}</a>', address, _("Day sheet"))
        return format_html('<a class="button quiet" href="{}">{}</a>', page_of(row, "night"), _("Match night"))
