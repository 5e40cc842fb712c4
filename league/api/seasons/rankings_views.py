"""Views of rankings: lines as of a day, a person's sum, the place needed at a coming event, and the events listed."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.functional import cached_property
from rest_framework import serializers

from league.api.base import DocumentView
from league.api.fields import PagedQuery, Query
from league.api.schema import describe_get
from league.api.seasons.rankings_documents import (
    RankingAcross,
    RankingEvents,
    RankingOutlook,
    RankingPerson,
    event_document,
    outlook_document,
    person_document,
    ranking_across,
    ranking_head,
)
from league.forms.seasons.what_if import COMING, MOST_COUNTRIES, MOST_DAYS
from league.models import EventListed, Ranking
from league.platform.errors import refuse
from league.selectors.access.etags import database_life, etag
from league.selectors.seasons.rankings import (
    Board,
    RankingLine,
    board_of,
    events_of,
    events_state,
    outlook,
    rules_of_ranking,
    visible_rankings,
)
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


class RankingsView(DocumentView):
    """Base of the list of the rankings across competitions."""

    query_class = PagedQuery
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


class RankingBaseView(DocumentView):
    """Base of documents about one ranking."""

    row: Ranking

    def open(self, **path: object) -> None:
        """Find the ranking; raise Http404 if there is none that the user may read."""
        self.row = get_object_or_404(visible_rankings(self.request.user), slug=self.kwargs["slug"])

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
        events = events_state(self.board.rules, self.board.events.values())
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


class RankingEventsView(RankingBaseView):
    """Base of the list of the competitions that count for a ranking."""

    def events(self) -> list[EventListed]:
        """Return the events of competitions that the user may know of."""
        return events_of(self.row, self.request.user)

    def etag(self) -> str:
        """Return an ETag made of the events."""
        return etag(events_state(rules_of_ranking(self.row), self.events()), database_life(), *self.representation())

    def document(self) -> RankingEvents:
        """Return the events by day."""
        return RankingEvents(events=[event_document(event) for event in self.events()])
