"""Read-only admin lists of a parlour's sittings, waiting list, statements and closed days; its own pages write them."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from league.admin.base import LeagueModelAdmin, M, ShownInline
from league.admin.lists import DayFilter, RelatedFilter
from league.admin.readable import options_text, totals_text
from league.models import (
    Competition,
    DayClose,
    Entrant,
    Payment,
    Sitting,
    SittingAmount,
    SittingSeat,
    Statement,
    StatementLine,
    TillClose,
    WaitingGuest,
)
from league.selectors.parlour.houses import house_slug
from league.selectors.parlour.till import Till
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.wording.formatting import day_text, money_text
from league.wording.names import title_of


class SittingSeatInline(ShownInline[SittingSeat, Sitting]):
    """Show the guests of a sitting with the time each one sat down and left."""

    model = SittingSeat
    fields = ["entrant", "stand_in", "stand_in_stays", "is_house", "is_last_game", "joined_at", "left_at"]


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


class StatementLineInline(ShownInline[StatementLine, Statement]):
    """Show the lines of a statement."""

    model = StatementLine
    fields = ["kind", "day", "hanchan", "owed", "is_late"]
    readonly_fields = ["owed"]

    @admin.display(description=gettext_lazy("amount"))
    def owed(self, row: StatementLine) -> str:
        """Return the money of the line."""
        return money_text(row.money, row.statement.parlour.currency)


class OfParlourAdmin(LeagueModelAdmin[M]):
    """A read-only list of rows that belong to a parlour; the staff of its open tables read it."""

    competition_path = "parlour__books"
    list_select_related = ["parlour", "player", "by"]

    def competition_of(self, row: Model) -> Competition | None:
        """Return the first book of the row's parlour, whose staff works for all of its books."""
        return Competition.objects.filter(parlour__in=[getattr(row, "parlour_id", None)]).first()

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        """Return each row once, however many books its parlour has."""
        rows: QuerySet[M] = super().get_queryset(request)
        return rows.distinct()

    @admin.display(description=gettext_lazy("amount"))
    def owed(self, row: Statement | Payment) -> str:
        """Return the money of the row."""
        return money_text(row.money, row.parlour.currency)


@admin.register(Statement)
class StatementAdmin(OfParlourAdmin[Statement]):
    """List statements, cancelled ones included."""

    list_display = ["number", "parlour", "player", "day", "owed", "at", "by", "cancelled_at"]
    list_filter = [("parlour", admin.RelatedOnlyFieldListFilter), ("day", DayFilter)]
    search_fields = ["player__name", "player__name_kana"]
    fields = ["parlour", "number", "player", "day", "owed", "at", "by", "cancelled_at", "cancelled_by", "cancel_reason"]
    readonly_fields = ["owed"]
    inlines = [StatementLineInline]


@admin.register(Payment)
class PaymentAdmin(OfParlourAdmin[Payment]):
    """List payments, positive if the guest paid."""

    list_display = ["at", "parlour", "player", "owed", "statement", "by"]
    list_select_related = [*OfParlourAdmin.list_select_related, "statement"]
    list_filter = [("parlour", admin.RelatedOnlyFieldListFilter), ("day", DayFilter)]
    search_fields = ["player__name", "player__name_kana"]


@admin.register(TillClose)
class TillCloseAdmin(OfParlourAdmin[TillClose]):
    """List closes of the till. Closing a day again adds a row."""

    list_display = ["day", "parlour", "by", "at", "ended_at"]
    list_select_related = ["parlour", "by"]
    list_filter = [("parlour", admin.RelatedOnlyFieldListFilter)]
    date_hierarchy = "day"
    fields = ["parlour", "day", "closing", "cash", "by", "at", "ended_at"]
    readonly_fields = ["closing", "cash"]

    @admin.display(description=gettext_lazy("takings of the day"))
    def closing(self, row: TillClose) -> str:
        """Return the money that the day earned."""
        return money_text(Till.of_json(row.day, row.till).closing.money, row.parlour.currency)

    @admin.display(description=gettext_lazy("cash of the day"))
    def cash(self, row: TillClose) -> str:
        """Return the money taken on the day, less the money given back."""
        return money_text(Till.of_json(row.day, row.till).cash, row.parlour.currency)
