"""Read-only admin lists of decisions on results and places, each with a page that takes one back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import RULES_OF_BLOCK, LeagueModelAdmin, ObjectLink, may, page_of, ranking_scale
from league.admin.lists import RelatedFilter
from league.admin.readable import BLOCKS_OF_BLOCK, source_text
from league.admin.results.rulings import TakeBackDecisionView
from league.models import Adjustment, Closing, Credit, Departure, Draw, Override, Ruling
from league.models.rulings import Decided
from league.selectors.access.actors import Capability
from league.selectors.results.penalty_causes import cause_text
from league.wording.formatting import points_text
from league.wording.names import names_of

D = TypeVar("D", bound=Decided)


class DecisionAdmin(LeagueModelAdmin[D]):
    """Base of the lists of decisions."""

    date_hierarchy = "at"
    ordering = ["-at"]
    views = [("take-back", TakeBackDecisionView)]

    @admin.display(description=gettext_lazy("holds"), boolean=True)
    def holds(self, row: D) -> bool:
        """Return True if the decision has not been taken back."""
        return row.ended_n is None

    def name_of(self, row: D) -> str:
        """Return the kind of decision and its reason."""
        return f"{self.opts.verbose_name}: {row.reason}"

    @override
    def links(self, request: HttpRequest, row: D) -> Iterable[ObjectLink]:
        if row.ended_n is None and may(request, Capability.MANAGE, self.competition_id(row)):
            yield ObjectLink(_("Take back..."), page_of(row, "take-back"), is_grave=True)


@admin.register(Ruling)
class RulingAdmin(DecisionAdmin[Ruling]):
    """List rulings on ties. New ones are made from the start page, which lists the ties to rule on."""

    list_display = ["in_order", "where", "in_competition", "reason", "at", "holds"]
    list_filter = [("competition", RelatedFilter)]
    list_select_related = ["competition"]
    search_fields = ["reason"]
    fields = ["competition", "where", "in_order", "reason", "at", "holds"]
    readonly_fields = ["in_order", "where", "holds"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ruling]:
        """Prefetch the entrants, whose ids the order contains, and the blocks, whose key the scope is."""
        return (
            super()
            .get_queryset(request)
            .prefetch_related("competition__entrants__player", "competition__blocks__stage")
        )

    @admin.display(description=gettext_lazy("block"))
    def where(self, row: Ruling) -> str:
        """Return the name of the block or stage in which the players are level."""
        names = names_of(row.competition.blocks.all())
        return names.stage(row.scope) if row.scope in names.stages else names.block(row.scope)

    @admin.display(description=gettext_lazy("order"))
    def in_order(self, row: Ruling) -> str:
        """Return the names of the players in the order of the ruling, best first."""
        people = {entrant.pk: entrant for entrant in row.competition.entrants.all()}
        return " > ".join(str(people[pk]) for pk in row.order if pk in people)


@admin.register(Adjustment)
class AdjustmentAdmin(DecisionAdmin[Adjustment]):
    """List adjustments of points. New ones are made from the page of the block."""

    competition_path = "block__competition"
    list_display = ["of_entrant", "amount", "penalty", "in_block", "in_competition", "reason", "at", "holds"]
    list_filter = [("block__competition", RelatedFilter)]
    list_select_related = ["entrant__player", "block__competition"]
    search_fields = ["entrant__player__name", "reason", "cause"]
    fields = ["block", "entrant", "amount", "penalty", "reason", "at", "holds"]
    readonly_fields = ["amount", "penalty", "holds"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Adjustment]:
        """Prefetch the rules, which give the scale of the points."""
        return super().get_queryset(request).prefetch_related(RULES_OF_BLOCK)

    @admin.display(description=gettext_lazy("points"))
    def amount(self, row: Adjustment) -> str:
        """Return the points formatted as in the standings."""
        return points_text(row.points, ranking_scale(row.block.competition), plus=True)

    @admin.display(description=gettext_lazy("penalty"))
    def penalty(self, row: Adjustment) -> str:
        """Return the name of the penalty in the rules; empty for other points."""
        return cause_text(row)


@admin.register(Override)
class OverrideAdmin(DecisionAdmin[Override]):
    """List overrides of advancement. New ones are made from the page of the slot or of the block."""

    competition_path = "block__competition"
    list_display = ["in_block", "kind", "slot", "comes_from", "of_entrant", "in_competition", "reason", "at", "holds"]
    list_filter = ["kind", ("block__competition", RelatedFilter)]
    list_select_related = ["block__competition", "slot__block", "entrant__player"]
    search_fields = ["reason", "entrant__player__name"]
    fields = ["block", "kind", "slot", "comes_from", "entrant", "reason", "at", "holds"]
    readonly_fields = ["comes_from", "holds"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Override]:
        """Prefetch the blocks, whose names the sources contain."""
        return super().get_queryset(request).prefetch_related(BLOCKS_OF_BLOCK)

    @admin.display(description=gettext_lazy("source"))
    def comes_from(self, row: Override) -> str:
        """Return the new source of the slot in words."""
        return source_text(row.source, row.block.competition)


@admin.register(Closing)
class ClosingAdmin(DecisionAdmin[Closing]):
    """List closed blocks. A block is closed from its own page, and opened again from here."""

    competition_path = "block__competition"
    list_display = ["in_block", "in_competition", "reason", "at", "holds"]
    list_filter = [("block__competition", RelatedFilter)]
    list_select_related = ["block__competition"]
    search_fields = ["reason"]


@admin.register(Draw)
class DrawAdmin(DecisionAdmin[Draw]):
    """List draws. New ones are made from the page of the stage."""

    competition_path = "stage__competition"
    list_display = ["stage", "in_competition", "seed", "reason", "at", "holds"]
    list_filter = [("stage__competition", RelatedFilter)]
    list_select_related = ["stage__competition"]
    search_fields = ["seed", "reason"]
    fields = ["stage", "seed", "reason", "at", "holds"]
    readonly_fields = ["holds"]


@admin.register(Departure)
class DepartureAdmin(DecisionAdmin[Departure]):
    """List withdrawals and disqualifications. New ones are made from the page of the entrant."""

    competition_path = "entrant__competition"
    list_display = ["of_entrant", "kind", "in_competition", "reason", "at", "holds"]
    list_filter = ["kind", ("entrant__competition", RelatedFilter)]
    list_select_related = ["entrant__player", "entrant__competition"]
    search_fields = ["entrant__player__name", "reason"]
    fields = ["entrant", "kind", "reason", "at", "holds"]
    readonly_fields = ["holds"]


@admin.register(Credit)
class CreditAdmin(DecisionAdmin[Credit]):
    """List rounds that count for entrants who did not play them. New ones are made from the pages of the day."""

    competition_path = "block__competition"
    list_display = ["of_entrant", "kind", "number", "amount", "in_block", "in_competition", "reason", "at", "holds"]
    list_filter = ["kind", ("block__competition", RelatedFilter)]
    list_select_related = ["entrant__player", "block__competition"]
    search_fields = ["entrant__player__name", "reason"]
    fields = ["block", "number", "entrant", "kind", "amount", "place", "reason", "at", "holds"]
    readonly_fields = ["amount", "holds"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Credit]:
        """Prefetch the rules, which give the scale of the points."""
        return super().get_queryset(request).prefetch_related(RULES_OF_BLOCK)

    @admin.display(description=gettext_lazy("points"))
    def amount(self, row: Credit) -> str:
        """Return the points formatted as in the standings, or that they are the mean of the own hanchan."""
        if row.points is None:
            return _("mean of the own hanchan")
        return points_text(row.points, ranking_scale(row.block.competition), plus=True)
