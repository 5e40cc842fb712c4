"""Views of changes of rankings: making one, names and audience, other rules, the events listed and their facts."""

from __future__ import annotations

from dataclasses import fields
from http import HTTPStatus

from django.http import Http404, HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from league.api.authentication import actor_of
from league.api.fields import CompetitionField, NothingInput, OptionalTextField, PagedQuery, StrictSerializer
from league.api.schema import describe_get
from league.api.seasons.rankings_documents import (
    RankingAcross,
    RankingEvent,
    RankingEvents,
    RankingHead,
    event_document,
    ranking_across,
    ranking_head,
)
from league.api.seasons.rankings_views import RankingEventsView, RankingsView
from league.api.seasons.writes import NamesDocument, NamesInput, RankingWriteView
from league.api.writing import Checked, WritingView, describe_write
from league.models import EventListed, Ranking
from league.selectors.access.actors import Actor
from league.selectors.competitions.addresses import competition_at
from league.selectors.seasons.rankings import board_of, events_of
from league.services.seasons.rankings import (
    LONGEST_TEXT,
    MOST_NUMBER,
    EventFacts,
    change_event,
    change_rules,
    create_ranking,
    edit_ranking,
    list_event,
    require_rankings,
    unlist_event,
)
from league.web.documents import Page


class NewRankingInput(StrictSerializer):
    """A ranking, by a file of the product or by the text of one."""

    slug = serializers.SlugField(max_length=64, help_text="The address.")
    name = serializers.CharField(max_length=100, help_text="The name.")
    name_en = OptionalTextField(max_length=100, help_text="The English name.")
    rules = OptionalTextField(max_length=64, help_text="A ranking of the product, such as `mers`.")
    text = OptionalTextField(max_length=LONGEST_TEXT, trim_whitespace=False, help_text="Or the text of a file.")
    is_public = serializers.BooleanField(default=False, help_text="True if the public may read it.")


class RankingRulesInput(StrictSerializer):
    """Other rules of a ranking: a file of the product, or the text of one."""

    rules = OptionalTextField(max_length=64, help_text="A name, such as `mers`.")
    text = OptionalTextField(max_length=LONGEST_TEXT, trim_whitespace=False, help_text="Or the text of a file.")
    reason = OptionalTextField(max_length=1000, help_text="The reason, kept in the log.")


class EventFactsInput(StrictSerializer):
    """The facts on which the weight of an event depends."""

    day = serializers.DateField(help_text="The last day of the event.")
    days = serializers.IntegerField(min_value=1, max_value=MOST_NUMBER, default=1, help_text="Days of play.")
    countries = serializers.IntegerField(
        min_value=1, max_value=MOST_NUMBER, default=1, help_text="Countries taking part."
    )
    needs_qualification = serializers.BooleanField(default=False, help_text="True if players had to qualify.")
    reason = OptionalTextField(max_length=1000, help_text="The reason, kept in the log.")


class ListEventInput(EventFactsInput):
    """A competition that is to count, with what its weight depends on."""

    competition = CompetitionField()


def facts_of(values: Checked) -> EventFacts:
    """Return the facts of a validated event."""
    return EventFacts(**{each.name: values[each.name] for each in fields(EventFacts)})


@describe_get("list_rankings", Page[RankingHead], query=PagedQuery)
@describe_write("make_ranking", NewRankingInput, RankingHead)
class NewRankingView(RankingsView, WritingView):
    """List the rankings across competitions. A POST makes one."""

    creates = True
    key_is_optional = True
    pointers = {"/source": "/rules"}

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Make a ranking."""
        require_rankings(actor_of(request))
        values: Checked = NewRankingInput.check(request.data or {})
        return self.run_once(lambda by: self.make(values, by), HTTPStatus.CREATED)

    def make(self, values: Checked, by: Actor) -> RankingHead:
        """Make the ranking and return it."""
        row = create_ranking(
            slug=values["slug"],
            name=values["name"],
            name_en=values["name_en"],
            source=values["rules"],
            text=values["text"],
            is_public=values["is_public"],
            by=by,
        )
        return ranking_head(row)


@describe_get("get_ranking_settings", NamesDocument, refusals=(403,))
@describe_write("edit_ranking", NamesInput, NamesDocument, method="patch", match=True)
class RankingSettingsView(RankingWriteView):
    """Return the names and the audience of a ranking, for users allowed to change it. A PATCH changes those sent."""

    http_method_names = ["get", "head", "patch", "options"]

    def build(self) -> NamesDocument:
        """Return names and audience."""
        return NamesDocument.build(self.ranking)

    def patch(self, request: Request, **path: object) -> HttpResponse:
        """Change names or audience; fields left out stay."""
        return self.make_change(NamesInput)

    def change(self, values: Checked, by: Actor) -> NamesDocument:
        """Change the fields sent."""
        self.ranking = edit_ranking(ranking=self.ranking, by=by, **{**dict(self.build()), **values})
        return self.build()


@describe_write("change_ranking_rules", RankingRulesInput, RankingAcross)
class RankingRulesView(RankingWriteView):
    """Let a ranking follow another file, and return its lines as of today; every day is computed by it."""

    input_class = RankingRulesInput
    pointers = {"/source": "/rules"}

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


@describe_get("list_ranking_events", RankingEvents)
@describe_write("list_ranking_event", ListEventInput, RankingEvent)
class NewRankingEventView(RankingEventsView, WritingView):
    """List the competitions that count for a ranking. A POST adds one."""

    creates = True
    key_is_optional = True

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Let a competition count."""
        require_rankings(actor_of(request))
        self.open()
        values: Checked = ListEventInput.check(request.data or {})
        return self.run_once(lambda by: self.add(values, by), HTTPStatus.CREATED)

    def add(self, values: Checked, by: Actor) -> RankingEvent:
        """List the event and return it. Raise Http404 for an unknown competition."""
        competition = competition_at(values["competition"], self.request.user)
        if competition is None:
            raise Http404
        event = list_event(
            ranking=self.row, competition=competition, facts=facts_of(values), by=by, reason=values["reason"]
        )
        return event_document(event)


@describe_write("change_ranking_event", EventFactsInput, RankingEvent, method="put")
@describe_write("unlist_ranking_event", None, None, method="delete")
class RankingEventView(RankingWriteView):
    """Replace the facts of an event of a ranking, or take the competition out of it.

    The row before stays in the history, so that the event has another id afterwards.
    """

    http_method_names = ["put", "delete", "options"]

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Replace the facts that the weight of an event depends on; the event has another id afterwards."""
        return self.make_change(EventFactsInput)

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Let the competition count no more."""
        return self.make_change(NothingInput)

    def change(self, values: Checked, by: Actor) -> RankingEvent | None:
        """Replace the facts, or let the competition count no more."""
        if self.request.method == "DELETE":
            unlist_event(event=self.event(), by=by)
            return None
        changed = change_event(event=self.event(), facts=facts_of(values), by=by, reason=values["reason"])
        return event_document(changed)

    def event(self) -> EventListed:
        """Return the event of the path. Raise Http404 if it is not listed."""
        for event in events_of(self.ranking, self.request.user):
            if event.pk == self.kwargs["pk"]:
                return event
        raise Http404
