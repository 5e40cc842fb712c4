"""Read-only admin of derived rows as published: standings, slots of the ladder, outcome and tallies."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from league.admin.base import RULES_OF_BLOCK, LeagueModelAdmin, ranking_scale
from league.admin.lists import RelatedFilter
from league.models import Entrant, Outcome, SlotState, Standing, Tally
from league.wording.formatting import points_text


@admin.register(Standing)
class StandingAdmin(LeagueModelAdmin[Standing]):
    """List the standings of blocks."""

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
        """Prefetch the rules, which give the scale of the points."""
        return super().get_queryset(request).prefetch_related(RULES_OF_BLOCK)

    @admin.display(description=gettext_lazy("points"))
    def shown_total(self, row: Standing) -> str:
        """Return the total formatted as on public pages."""
        return points_text(row.total, ranking_scale(row.block.competition), plus=True)


@admin.register(SlotState)
class SlotStateAdmin(LeagueModelAdmin[SlotState]):
    """List the entrant of each slot with its state: certain, provisional, open or awaiting a ruling."""

    competition_path = "slot__block__competition"
    list_display = ["slot", "state", "of_entrant", "source", "in_competition", "audience"]
    list_filter = ["audience", "state", ("slot__block__competition", RelatedFilter)]
    list_select_related = ["slot__block__competition", "entrant__player"]
    search_fields = ["entrant__player__name", "source"]


@admin.register(Outcome)
class OutcomeAdmin(LeagueModelAdmin[Outcome]):
    """List the leader or the champion of each competition."""

    list_display = ["in_competition", "champion", "champion_state", "audience"]
    list_filter = ["audience", ("competition", RelatedFilter)]
    list_select_related = ["competition", "champion__player"]
    search_fields = ["competition__name"]


@admin.register(Tally)
class TallyAdmin(LeagueModelAdmin[Tally]):
    """List the games and points of each guest of an open table by day, by month and in total."""

    competition_path = "block__competition"
    list_display = ["of_entrant", "period", "since", "games", "shown_points", "in_competition", "audience"]
    list_filter = ["audience", "period", ("block__competition", RelatedFilter)]
    list_select_related = ["entrant__player", "block__competition"]
    ordering = ["block_id", "audience", "period", "since", "-points", "entrant_id"]
    sortable_by = ()
    search_fields = []
    found_through = {"entrant": Entrant}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tally]:
        """Prefetch the rules, which give the scale of the points."""
        return super().get_queryset(request).prefetch_related(RULES_OF_BLOCK)

    @admin.display(description=gettext_lazy("points"))
    def shown_points(self, row: Tally) -> str:
        """Return the points formatted as on public pages."""
        return points_text(row.points, ranking_scale(row.block.competition), plus=True)
