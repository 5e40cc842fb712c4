"""Read-only admin lists of a parlour's sittings, waiting list and closed days, which its own pages maintain."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from league.admin.base import LeagueModelAdmin, ShownInline
from league.admin.lists import DayFilter, RelatedFilter
from league.admin.readable import options_text, totals_text
from league.models import DayClose, Entrant, Sitting, SittingAmount, SittingSeat, WaitingGuest
from league.selectors.parlour.houses import house_slug
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.wording.formatting import day_text
from league.wording.names import title_of


class SittingSeatInline(ShownInline[SittingSeat, Sitting]):
    """Show the guests of a sitting with the time each one sat down and left."""

    model = SittingSeat
    fields = ["entrant", "stand_in", "is_house", "is_last_game", "joined_at", "left_at"]


class SittingAmountInline(ShownInline[SittingAmount, Sitting]):
    """Show amounts counted once for the whole sitting."""

    model = SittingAmount
    fields = ["entrant", "counted"]
    readonly_fields = ["counted"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[SittingAmount]:
        """Leave out amounts that were counted again."""
        return super().get_queryset(request).filter(ended_n=None).select_related("entrant__player")

    @admin.display(description=gettext_lazy("amount"))
    def counted(self, row: SittingAmount) -> str:
        """Return the amount with the name of its ledger."""
        return totals_text(ruleset_of(rules_at(row.sitting.table_session.competition)), {row.ledger: row.amount})


@admin.register(Sitting)
class SittingAdmin(LeagueModelAdmin[Sitting]):
    """List sittings: the same guests at one table, game after game."""

    competition_path = "table_session__competition"
    list_display = ["table_session", "kind", "chips", "opened_at", "closed_at"]
    list_filter = ["kind", ("opened_at", DayFilter), ("table_session__competition", RelatedFilter)]
    list_select_related = ["table_session__session", "table_session__block"]
    search_fields = ["table_session__table"]
    found_through = {"seats__entrant": Entrant}
    ordering = ["-pk"]
    sortable_by = ()
    fields = ["table_session", "kind", "chips", "chosen", "yen_per_hour", "opened_at", "closed_at"]
    readonly_fields = ["chosen"]
    inlines = [SittingSeatInline, SittingAmountInline]

    @admin.display(description=gettext_lazy("options of this table"))
    def chosen(self, row: Sitting) -> str:
        """Return the options of the table in words."""
        return options_text(ruleset_of(rules_at(row.table_session.competition)), row.options)


@admin.register(WaitingGuest)
class WaitingGuestAdmin(LeagueModelAdmin[WaitingGuest]):
    """List the guests on the waiting list."""

    list_display = ["player", "since", "seated_at", "gone_at", "in_competition"]
    list_filter = [("competition", RelatedFilter), ("seated_at", admin.EmptyFieldListFilter)]
    list_select_related = ["player", "competition"]
    search_fields = ["player__name", "player__handle"]


@admin.register(DayClose)
class DayCloseAdmin(LeagueModelAdmin[DayClose]):
    """List closed business days. Closing a day again adds a row."""

    list_display = ["day", "in_competition", "by", "at", "holds"]
    list_filter = [("competition", RelatedFilter)]
    list_select_related = ["competition", "by"]
    search_fields = ["competition__name"]
    date_hierarchy = "day"
    fields = ["competition", "day", "day_sheet", "by", "at", "holds"]
    readonly_fields = ["day_sheet", "holds"]

    def name_of(self, row: DayClose) -> str:
        """Return the competition and the day."""
        return f"{title_of(row.competition)} · {day_text(row.day)}"

    @admin.display(description=gettext_lazy("day sheet"))
    def day_sheet(self, row: DayClose) -> SafeString:
        """Return a link to the day sheet."""
        address = reverse("pages:day", args=[house_slug(row.competition), row.day.isoformat()])
        return format_html('<a href="{}">{}</a>', address, day_text(row.day))

    @admin.display(description=gettext_lazy("holds"), boolean=True)
    def holds(self, row: DayClose) -> bool:
        """Return True if the day has not been closed again since."""
        return row.ended_n is None
