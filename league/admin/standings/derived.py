"""Standings, the ladder and the outcome as published: derived rows, to be read."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from league.admin.base import RULES_OF_BLOCK, DeskAdmin, ranking_scale
from league.admin.lists import RelatedFilter
from league.models import Entrant, Outcome, SlotState, Standing, Tally
from league.wording.formatting import points_text


@admin.register(Standing)
class StandingAdmin(DeskAdmin[Standing]):
    """A block's table."""

    competition_path = "block__competition"
    list_display = ["rank", "of_entrant", "shown_total", "played", "in_block", "in_competition", "audience"]
    list_display_links = ["of_entrant"]
    list_filter = [
        "audience",
        ("block__competition", RelatedFilter),
        ("block", RelatedFilter),
    ]
    list_select_related = ["entrant__player", "block__competition"]
    ordering = ["block__competition", "block__stage__order", "block__order", "audience", "position"]
    search_fields = ["entrant__player__name", "entrant__player__name_romaji"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Standing]:
        """With the rules, which say how points are counted."""
        return super().get_queryset(request).prefetch_related(RULES_OF_BLOCK)

    @admin.display(description=gettext_lazy("points"))
    def shown_total(self, row: Standing) -> str:
        """The total as pages show it."""
        return points_text(row.total, ranking_scale(row.block.competition), plus=True)


@admin.register(SlotState)
class SlotStateAdmin(DeskAdmin[SlotState]):
    """Who sits in a slot, and how sure that is."""

    competition_path = "slot__block__competition"
    list_display = ["slot", "state", "of_entrant", "source", "in_competition", "audience"]
    list_filter = ["audience", "state", ("slot__block__competition", RelatedFilter)]
    list_select_related = ["slot__block__competition", "entrant__player"]
    search_fields = ["entrant__player__name", "source"]


@admin.register(Outcome)
class OutcomeAdmin(DeskAdmin[Outcome]):
    """Who leads or has won."""

    list_display = ["in_competition", "champion", "champion_state", "audience"]
    list_filter = ["audience", ("competition", RelatedFilter)]
    list_select_related = ["competition", "champion__player"]
    search_fields = ["competition__name"]


@admin.register(Tally)
class TallyAdmin(DeskAdmin[Tally]):
    """What somebody has played in an open table, by day, month and altogether."""

    competition_path = "block__competition"
    list_display = ["of_entrant", "period", "since", "games", "shown_points", "in_competition", "audience"]
    list_filter = ["audience", "period", ("block__competition", RelatedFilter)]
    list_select_related = ["entrant__player", "block__competition"]
    ordering = ["block_id", "audience", "period", "since", "-points", "entrant_id"]
    sortable_by = ()
    search_fields = []
    found_through = {"entrant": Entrant}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tally]:
        """With the rules, which say how points are counted."""
        return super().get_queryset(request).prefetch_related(RULES_OF_BLOCK)

    @admin.display(description=gettext_lazy("points"))
    def shown_points(self, row: Tally) -> str:
        """The points as pages show them."""
        return points_text(row.points, ranking_scale(row.block.competition), plus=True)
