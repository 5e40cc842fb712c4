"""Read-only admin of derived rows as published: standings, slots of the ladder, outcome and tallies.

Each row exists once for the staff and once for the public; lists show those of one audience.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import RULES_OF_BLOCK, LeagueModelAdmin, ranking_scale
from league.admin.lists import RelatedFilter
from league.admin.readable import (
    BLOCKS_OF_BLOCK,
    EMPTY,
    AudienceFilter,
    source_text,
    totals_text,
)
from league.models import Competition, Entrant, Outcome, SlotState, Standing, Tally
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.selectors.seasons.series_places import tier_names
from league.wording.formatting import place_text, points_text, rank_text, score_text
from league.wording.messages import decision_sentence, destination_label, slot_reason
from league.wording.names import names_of, person_name, title_of


def counted_places(counts: Iterable[int]) -> str:
    """Return how often each place was reached, the first one first."""
    return _(", ").join(f"{place_text(place)} × {count}" for place, count in enumerate(counts, start=1))


@admin.register(Standing)
class StandingAdmin(LeagueModelAdmin[Standing]):
    """List the standings of blocks."""

    competition_path = "block__competition"
    list_display = ["rank", "of_entrant", "shown_total", "played", "in_block", "in_competition"]
    list_display_links = ["of_entrant"]
    list_filter = [
        AudienceFilter,
        ("block__competition", RelatedFilter),
        ("block", RelatedFilter),
    ]
    list_select_related = ["entrant__player", "block__competition"]
    ordering = ["block__competition", "block__stage__order", "block__order", "audience", "position"]
    search_fields = ["entrant__player__name", "entrant__player__name_romaji"]
    fields = [
        "block",
        "entrant",
        "rank",
        "is_tied",
        "shown_total",
        "shown_carried",
        "shown_adjustment",
        "played",
        "shown_places",
        "leads_to",
        "decided_by",
        "audience",
    ]
    readonly_fields = ["shown_total", "shown_carried", "shown_adjustment", "shown_places", "leads_to", "decided_by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Standing]:
        """Prefetch the rules, which give the scale of the points."""
        return super().get_queryset(request).prefetch_related(RULES_OF_BLOCK)

    def name_of(self, row: Standing) -> str:
        """Return block, rank and player."""
        return f"{title_of(row.block)} · {rank_text(row.rank)} {person_name(row.entrant.player)}"

    @admin.display(description=gettext_lazy("points"))
    def shown_total(self, row: Standing) -> str:
        """Return the total formatted as on public pages."""
        return points_text(row.total, ranking_scale(row.block.competition), plus=True)

    @admin.display(description=gettext_lazy("carried over"))
    def shown_carried(self, row: Standing) -> str:
        """Return the points carried over."""
        return points_text(row.carried, ranking_scale(row.block.competition), plus=True)

    @admin.display(description=gettext_lazy("adjustment"))
    def shown_adjustment(self, row: Standing) -> str:
        """Return the sum of the adjustments."""
        return points_text(row.adjustment, ranking_scale(row.block.competition), plus=True)

    @admin.display(description=gettext_lazy("places"))
    def shown_places(self, row: Standing) -> str:
        """Return how often each place was reached."""
        return counted_places(row.places)

    @admin.display(description=gettext_lazy("leads to"))
    def leads_to(self, row: Standing) -> str:
        """Return where the rank leads."""
        if not row.destination:
            return EMPTY
        competition = row.block.competition
        names = names_of(competition.blocks.select_related("stage"), tiers=tier_names(competition))
        return destination_label(row.destination, names)

    @admin.display(description=gettext_lazy("what decided"))
    def decided_by(self, row: Standing) -> str:
        """Return what separates the entrant from the neighbour above on the same total."""
        if not row.decision:
            return EMPTY
        return decision_sentence(row.decision, ranking_scale(row.block.competition))


@admin.register(SlotState)
class SlotStateAdmin(LeagueModelAdmin[SlotState]):
    """List the entrant of each slot with its state: certain, provisional, open or awaiting a ruling."""

    competition_path = "slot__block__competition"
    list_display = ["slot", "state", "of_entrant", "comes_from", "in_competition"]
    list_filter = [AudienceFilter, "state", ("slot__block__competition", RelatedFilter)]
    list_select_related = ["slot__block__competition", "entrant__player"]
    ordering = ["slot__block__competition", "slot__block__stage__order", "slot__block__order", "slot__number"]
    search_fields = ["entrant__player__name", "slot__block__name"]
    fields = ["slot", "state", "entrant", "comes_from", "still_open", "note", "audience"]
    readonly_fields = ["comes_from", "still_open"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[SlotState]:
        """Prefetch the blocks, whose names the sources contain."""
        return super().get_queryset(request).prefetch_related(f"slot__{BLOCKS_OF_BLOCK}")

    def name_of(self, row: SlotState) -> str:
        """Return the slot's name."""
        return str(row.slot)

    @admin.display(description=gettext_lazy("source"))
    def comes_from(self, row: SlotState) -> str:
        """Return the source in words."""
        return source_text(row.source, row.slot.block.competition)

    @admin.display(description=gettext_lazy("reason"))
    def still_open(self, row: SlotState) -> str:
        """Return the reason for which the slot is still open."""
        return slot_reason(row.reason) or EMPTY


@admin.register(Outcome)
class OutcomeAdmin(LeagueModelAdmin[Outcome]):
    """List the leader or the champion of each league."""

    list_display = ["in_competition", "champion", "champion_state", "ties"]
    list_filter = [AudienceFilter, ("competition", RelatedFilter)]
    list_select_related = ["competition", "champion__player"]
    search_fields = ["competition__name"]
    fields = ["competition", "champion", "champion_state", "ties", "audience"]
    readonly_fields = ["ties"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Outcome]:
        """Leave out open tables, which have no champion."""
        return super().get_queryset(request).filter(competition__kind=Competition.Kind.LEAGUE)

    def name_of(self, row: Outcome) -> str:
        """Return the competition's name."""
        return title_of(row.competition)

    @admin.display(description=gettext_lazy("ties that await a ruling"))
    def ties(self, row: Outcome) -> int:
        """Return the number of ties that await a ruling."""
        return len(row.awaiting)


@admin.register(Tally)
class TallyAdmin(LeagueModelAdmin[Tally]):
    """List the games and points of each guest of an open table by day, by month and in total."""

    competition_path = "block__competition"
    list_display = ["of_entrant", "term", "games", "shown_points", "in_competition"]
    list_filter = [AudienceFilter, "period", ("block__competition", RelatedFilter)]
    list_select_related = ["entrant__player", "block__competition"]
    ordering = ["block_id", "audience", "period", "since", "-points", "entrant_id"]
    sortable_by = ()
    search_fields = []
    found_through = {"entrant": Entrant}
    fields = ["entrant", "term", "games", "shown_places", "amounts", "busts", "best", "audience"]
    readonly_fields = ["term", "shown_places", "amounts", "best"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tally]:
        """Prefetch the rules, which give the scale of the points."""
        return super().get_queryset(request).prefetch_related(RULES_OF_BLOCK)

    def name_of(self, row: Tally) -> str:
        """Return the guest and the period."""
        return f"{person_name(row.entrant.player)} · {self.term(row)}"

    @admin.display(description=gettext_lazy("period"))
    def term(self, row: Tally) -> str:
        """Return the month, or all time."""
        is_month = row.period == Tally.Period.MONTH
        return date_format(row.since, "YEAR_MONTH_FORMAT") if is_month else row.get_period_display()

    @admin.display(description=gettext_lazy("places"))
    def shown_places(self, row: Tally) -> str:
        """Return how often each place was reached."""
        return counted_places(row.places)

    @admin.display(description=gettext_lazy("points"))
    def shown_points(self, row: Tally) -> str:
        """Return the points formatted as on public pages."""
        return points_text(row.points, ranking_scale(row.block.competition), plus=True)

    @admin.display(description=gettext_lazy("totals"))
    def amounts(self, row: Tally) -> str:
        """Return the totals of all ledgers."""
        return totals_text(ruleset_of(rules_at(row.block.competition)), row.totals)

    @admin.display(description=gettext_lazy("highest score"))
    def best(self, row: Tally) -> str:
        """Return the highest score of a game."""
        return score_text(row.best_score)
