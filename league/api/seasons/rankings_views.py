"""Views of rankings: lines as of a day, a person's sum, the place needed at a coming event, and the events listed."""

from __future__ import annotations

import datetime as dt
from typing import NotRequired, TypedDict

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.authentication import actor_of
from league.api.base import DocumentView
from league.api.fields import PagedQuery, Query, StrictSerializer
from league.api.schema import COMMON_STATUSES, LANGUAGE, describe_get, describe_post, problems
from league.api.seasons.rankings_documents import (
    RankingAcross,
    RankingEvent,
    RankingEvents,
    RankingHead,
    RankingOutlook,
    RankingPerson,
    event_document,
    outlook_document,
    person_document,
    ranking_across,
    ranking_head,
)
from league.api.throttles import ReadThrottle, WriteThrottle
from league.forms.seasons.what_if import COMING, MOST_COUNTRIES, MOST_DAYS
from league.models import EventListed, Ranking
from league.platform.errors import refuse
from league.selectors.access.etags import database_life, etag
from league.selectors.access.readers import visible_competitions
from league.selectors.seasons.rankings import Board, RankingLine, board_of, events_of, outlook, visible_rankings
from league.services.seasons.rankings import (
    MOST_NUMBER,
    EventFacts,
    create_ranking,
    list_event,
    require_rankings,
    unlist_event,
)
from league.web.documents import Page
from scoring.rankings.events import Event
from scoring.rankings.what_if import MOST_PLAYERS


class DayQuery(Query):
    """The day of calculation."""

    day = serializers.DateField(required=False, help_text="The day of calculation; by default today.")


class RankingWhatIfQuery(DayQuery):
    """A coming event, and the player to stand above."""

    rival = serializers.SlugField(max_length=64, help_text="The key of the player to stand above.")
    players = serializers.IntegerField(min_value=2, max_value=MOST_PLAYERS, help_text="Players in the event.")
    days = serializers.IntegerField(min_value=1, max_value=MOST_DAYS, default=1, help_text="Days of play.")
    countries = serializers.IntegerField(
        min_value=1, max_value=MOST_COUNTRIES, default=1, help_text="Countries taking part."
    )
    qualification = serializers.BooleanField(default=False, help_text="True if players have to qualify.")


class NewRankingInput(StrictSerializer):
    """A ranking, by a file of the product or by the text of one."""

    slug = serializers.SlugField(max_length=64, help_text="The address.")
    name = serializers.CharField(max_length=100, help_text="The name.")
    name_en = serializers.CharField(max_length=100, required=False, allow_blank=True, help_text="The English name.")
    rules = serializers.CharField(max_length=64, required=False, help_text="A ranking of the product, such as mers.")
    text = serializers.CharField(
        max_length=60_000, required=False, trim_whitespace=False, help_text="Or the text of a file."
    )
    is_public = serializers.BooleanField(default=False, help_text="True if the public may read it.")


class NewRankingValues(TypedDict):
    """A validated `NewRankingInput`."""

    slug: str
    name: str
    name_en: NotRequired[str]
    rules: NotRequired[str]
    text: NotRequired[str]
    is_public: bool


class ListEventInput(StrictSerializer):
    """A competition that is to count, with what its weight depends on."""

    competition = serializers.SlugField(max_length=64, help_text="The competition's slug.")
    day = serializers.DateField(help_text="The last day of the event.")
    days = serializers.IntegerField(min_value=1, max_value=MOST_NUMBER, default=1, help_text="Days of play.")
    countries = serializers.IntegerField(
        min_value=1, max_value=MOST_NUMBER, default=1, help_text="Countries taking part."
    )
    needs_qualification = serializers.BooleanField(default=False, help_text="True if players had to qualify.")
    reason = serializers.CharField(
        max_length=1000, required=False, allow_blank=True, help_text="The reason, kept in the log."
    )


class ListEventValues(TypedDict):
    """A validated `ListEventInput`."""

    competition: str
    day: dt.date
    days: int
    countries: int
    needs_qualification: bool
    reason: NotRequired[str]


@describe_get("list_rankings", Page[RankingHead], query=PagedQuery)
@describe_post("make_ranking", NewRankingInput, RankingHead, status=201)
class RankingsView(DocumentView):
    """List the rankings across competitions. A POST makes one."""

    query_class = PagedQuery
    throttle_classes = [ReadThrottle, WriteThrottle]
    rows: QuerySet[Ranking]

    def open(self, **path: object) -> None:
        """Find the rankings that the user may read."""
        self.rows = visible_rankings(self.request.user)

    def etag(self) -> str:
        """Return an ETag made of the rankings."""
        rows = self.rows.values_list("pk", "name", "name_en", "rules__sha256", "is_public")
        return etag(list(rows), database_life(), *self.representation())

    def document(self) -> dict[str, object]:
        """Return one page."""
        return self.page_of(self.rows, lambda rows: [ranking_head(row) for row in rows])

    def post(self, request: Request, **path: object) -> Response:
        """Make a ranking."""
        by = actor_of(request)
        require_rankings(by)
        values: NewRankingValues = NewRankingInput.check(request.data).validated_data
        row = create_ranking(
            slug=values["slug"],
            name=values["name"],
            name_en=values.get("name_en", ""),
            source=values.get("rules", ""),
            text=values.get("text", ""),
            is_public=values["is_public"],
            by=by,
        )
        return Response(ranking_head(row), status=201)


class RankingBaseView(DocumentView):
    """Base of documents about one ranking."""

    row: Ranking

    def open(self, **path: object) -> None:
        """Find the ranking; raise Http404 if there is none that the user may read."""
        row = visible_rankings(self.request.user).filter(slug=self.kwargs["slug"]).first()
        if row is None:
            raise Http404
        self.row = row

    @cached_property
    def board(self) -> Board:
        """The ranking as of the day asked for."""
        return board_of(self.row, self.query.get("day"), self.request.user)

    @cached_property
    def lines(self) -> list[RankingLine]:
        """The lines that the user may see."""
        return self.board.lines()

    def line(self) -> RankingLine:
        """Return the line of the player in the address; raise Http404 without one."""
        return self.line_at(str(self.kwargs["key"]))

    def line_at(self, key: str) -> RankingLine:
        """Return a player's line by the key; raise Http404 without one."""
        for line in self.lines:
            if line.player is not None and line.player.key == key:
                return line
        raise Http404

    def etag(self) -> str:
        """Return an ETag made of the rules, the day and the lines."""
        people = [(line.person, str(line.player), line.place, line.total, line.counting) for line in self.lines]
        events = [(event.pk, event.digest, event.competition.name) for event in self.board.events.values()]
        names = (self.row.name, self.row.name_en, self.row.is_public, self.row.rules.sha256, database_life())
        return etag(names, self.board.day, people, events, *self.representation())


@describe_get("get_ranking_across", RankingAcross, query=DayQuery)
class RankingAcrossView(RankingBaseView):
    """Return a ranking as of a day."""

    query_class = DayQuery

    def document(self) -> RankingAcross:
        """Return all lines."""
        return ranking_across(self.board, self.lines)


@describe_get("get_ranking_player", RankingPerson, query=DayQuery)
class RankingPersonView(RankingBaseView):
    """Return a player's line with the sum behind it, term by term, or game by game."""

    query_class = DayQuery

    def document(self) -> RankingPerson:
        """Return the line with its terms."""
        return person_document(self.board, self.line())


@describe_get("get_ranking_what_if", RankingOutlook, query=RankingWhatIfQuery, refusals=(422,))
class RankingWhatIfView(RankingBaseView):
    """Return which places at a coming event lift the player above another."""

    query_class = RankingWhatIfQuery

    def document(self) -> RankingOutlook:
        """Return the total of each place."""
        mine, other = self.line().player, self.line_at(self.query["rival"]).player
        coming = Event[int](
            key=COMING,
            day=self.query.get("day") or timezone.localdate(),
            players=self.query["players"],
            results={},
            days=self.query["days"],
            countries=self.query["countries"],
            needs_qualification=self.query["qualification"],
        )
        answer = outlook(self.board, mine, other, coming) if mine and other and mine != other else None
        if answer is None:
            message = "Places decide only in rankings over events by place, and between two players."
            raise refuse("no_what_if", message)
        return outlook_document(self.board, answer)


@describe_get("list_ranking_events", RankingEvents)
@describe_post("list_ranking_event", ListEventInput, RankingEvent, status=201)
class RankingEventsView(RankingBaseView):
    """List the competitions that count for a ranking. A POST adds one."""

    throttle_classes = [ReadThrottle, WriteThrottle]

    def events(self) -> list[EventListed]:
        """Return the events of competitions that the user may know of."""
        return events_of(self.row, self.request.user)

    def etag(self) -> str:
        """Return an ETag made of the events."""
        rows = [(event.pk, event.digest, event.competition.name, event.competition.slug) for event in self.events()]
        return etag(rows, database_life(), *self.representation())

    def document(self) -> RankingEvents:
        """Return the events by day."""
        return RankingEvents(events=[event_document(event) for event in self.events()])

    def post(self, request: Request, **path: object) -> Response:
        """Let a competition count."""
        by = actor_of(request)
        require_rankings(by)
        self.open()
        values: ListEventValues = ListEventInput.check(request.data).validated_data
        competition = visible_competitions(request.user).filter(slug=values["competition"]).first()
        if competition is None:
            raise Http404
        facts = EventFacts(
            day=values["day"],
            days=values["days"],
            countries=values["countries"],
            needs_qualification=values["needs_qualification"],
        )
        event = list_event(
            ranking=self.row, competition=competition, facts=facts, by=by, reason=values.get("reason", "")
        )
        return Response(event_document(event), status=201)


@extend_schema_view(
    delete=extend_schema(
        operation_id="unlist_ranking_event",
        request=None,
        parameters=[LANGUAGE],
        responses={204: None, **problems(*COMMON_STATUSES, 403, 404, 409, 422)},
    )
)
class RankingEventView(RankingBaseView):
    """Take a competition out of a ranking."""

    http_method_names = ["delete", "options"]
    throttle_classes = [WriteThrottle]

    def document(self) -> RankingEvent:
        """Return the event."""
        return event_document(self.event())

    def event(self) -> EventListed:
        """Return the event; raise Http404 if it is not listed."""
        for event in events_of(self.row, self.request.user):
            if event.pk == self.kwargs["pk"]:
                return event
        raise Http404

    def delete(self, request: Request, **path: object) -> Response:
        """Let the competition count no more."""
        by = actor_of(request)
        require_rankings(by)
        self.open()
        unlist_event(event=self.event(), by=by)
        return Response(status=204)
