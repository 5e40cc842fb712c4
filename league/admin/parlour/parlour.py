"""Read-only admin lists of a parlour's sittings, waiting list and closed days, which its own pages maintain."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy

from league.admin.base import LeagueModelAdmin, ShownInline
from league.admin.lists import DayFilter, RelatedFilter
from league.models import DayClose, Entrant, Sitting, SittingAmount, SittingSeat, WaitingGuest


class SittingSeatInline(ShownInline[SittingSeat, Sitting]):
    """Show the guests of a sitting with the time each one sat down and left."""

    model = SittingSeat


class SittingAmountInline(ShownInline[SittingAmount, Sitting]):
    """Show amounts counted once for the whole sitting."""

    model = SittingAmount


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
    inlines = [SittingSeatInline, SittingAmountInline]


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

    @admin.display(description=gettext_lazy("holds"), boolean=True)
    def holds(self, row: DayClose) -> bool:
        """Return True if the day has not been closed again since."""
        return row.ended_n is None
