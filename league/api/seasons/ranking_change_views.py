"""Views of changes of rankings: names and audience, other rules, the facts of an event."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from league.api.authentication import actor_of
from league.api.fields import StrictSerializer
from league.api.schema import describe_get
from league.api.seasons.rankings_documents import (
    RankingAcross,
    RankingEvent,
    event_document,
    ranking_across,
)
from league.api.seasons.rankings_views import RankingEventView
from league.api.seasons.writes import Checked, NamesDocument, NamesInput, RankingWriteView
from league.api.writing import WritingView, describe_write
from league.models import Ranking
from league.selectors.access.actors import Actor
from league.selectors.seasons.rankings import board_of
from league.services.seasons.rankings import (
    LONGEST_TEXT,
    MOST_NUMBER,
    EventFacts,
    change_event,
    change_rules,
    edit_ranking,
    require_rankings,
)


class RankingRulesInput(StrictSerializer):
    """Other rules of a ranking: a file of the product, or the text of one."""

    rules = serializers.CharField(max_length=64, default="", allow_blank=True, help_text="A name, such as `mers`.")
    text = serializers.CharField(
        max_length=LONGEST_TEXT, default="", allow_blank=True, trim_whitespace=False, help_text="Or the text of a file."
    )
    reason = serializers.CharField(
        max_length=1000, default="", allow_blank=True, help_text="The reason, kept in the log."
    )


class EventFactsInput(StrictSerializer):
    """The facts on which the weight of an event depends."""

    day = serializers.DateField(help_text="The last day of the event.")
    days = serializers.IntegerField(min_value=1, max_value=MOST_NUMBER, default=1, help_text="Days of play.")
    countries = serializers.IntegerField(
        min_value=1, max_value=MOST_NUMBER, default=1, help_text="Countries taking part."
    )
    needs_qualification = serializers.BooleanField(default=False, help_text="True if players had to qualify.")
    reason = serializers.CharField(
        max_length=1000, default="", allow_blank=True, help_text="The reason, kept in the log."
    )


@describe_get("get_ranking_settings", NamesDocument, refusals=(403,))
@describe_write("edit_ranking", NamesInput, NamesDocument, method="patch", match=True)
class RankingSettingsView(RankingWriteView):
    """Return the names and the audience of a ranking, for those who may change it. A PATCH changes those sent."""

    http_method_names = ["get", "head", "patch", "options"]

    def build(self) -> NamesDocument:
        """Return names and audience."""
        return NamesDocument.build(self.ranking)

    def patch(self, request: Request, **path: object) -> HttpResponse:
        """Change names or audience; what is left out stays."""
        return self.make_change(NamesInput)

    def change(self, values: Checked, by: Actor) -> NamesDocument:
        """Change what was sent."""
        self.ranking = edit_ranking(ranking=self.ranking, by=by, **{**dict(self.build()), **values})
        return self.build()


@describe_write("change_ranking_rules", RankingRulesInput, RankingAcross)
class RankingRulesView(RankingWriteView):
    """Let a ranking follow another file, and return its lines as of today; every day is computed by it."""

    input_class = RankingRulesInput

    def change(self, values: Checked, by: Actor) -> RankingAcross:
        """Change the rules."""
        row: Ranking = change_rules(
            ranking=self.ranking, by=by, source=values["rules"], text=values["text"], reason=values["reason"]
        )
        board = board_of(row, None, self.request.user)
        return ranking_across(board, board.lines())


@describe_write("preview_ranking_rules", RankingRulesInput, RankingAcross)
class RankingRulesPreviewView(RankingRulesView):
    """Return the lines of a ranking under other rules. Nothing is written."""

    is_preview = True


@describe_write("change_ranking_event", EventFactsInput, RankingEvent, method="put")
class RankingEventChangeView(RankingEventView, WritingView):
    """Replace the facts of an event of a ranking, or take the competition out of it.

    The row before stays in the history, so that the event has another id afterwards.
    """

    http_method_names = ["put", "delete", "options"]

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Replace the facts that the weight of an event depends on; the event has another id afterwards."""
        self.open()
        require_rankings(actor_of(request))
        values = EventFactsInput.check(request.data or {}).validated_data
        reason = values.pop("reason")
        event = self.event()
        return self.run_once(
            lambda by: event_document(change_event(event=event, facts=EventFacts(**values), by=by, reason=reason))
        )
