"""Views of careers, and of the records over all competitions."""

from __future__ import annotations

from django.http import Http404
from rest_framework import serializers

from league.api.base import DocumentView
from league.api.fields import Query
from league.api.people.career_documents import (
    AllTimeRecordsDocument,
    CareerDocument,
    book_records,
    career_document,
)
from league.api.schema import describe_get
from league.models import Player
from league.selectors.access.etags import etag_of_all
from league.selectors.access.readers import Reader
from league.selectors.people.careers import CareerEntry, career_of, entries_of_career
from league.selectors.people.record_scopes import RecordScope, RecordWish, UnknownScopeError, record_scope
from league.selectors.people.records import all_time_records
from league.selectors.people.search import known_readers
from league.web.problems import ProblemError, error


class RecordsQuery(Query):
    """The part of the records; parameters that are left out ask for all."""

    year = serializers.IntegerField(
        min_value=1000, max_value=9999, required=False, help_text="Only hanchan of this year; by default all."
    )
    competition = serializers.CharField(
        max_length=64, required=False, help_text="Only this league: the competition's slug, or a former one."
    )
    series = serializers.CharField(
        max_length=64, required=False, help_text="Only the competitions of this series: its slug."
    )
    ranking = serializers.CharField(
        max_length=64, required=False, help_text="Only the competitions that this ranking counts: its slug."
    )
    club = serializers.CharField(
        max_length=100,
        required=False,
        help_text="Only records of players entered for this club in that season; a team's members have the team's.",
    )


@describe_get("get_career", CareerDocument)
class CareerView(DocumentView):
    """Return the career of a player: all competitions, rule books, years, awards and opponents."""

    is_cached = True
    player: Player
    entries: tuple[CareerEntry, ...]

    def open(self, **path: object) -> None:
        """Find the player and the competitions. Raise Http404 if the user may know of none."""
        row = Player.objects.filter(pk=self.kwargs["pk"], merged_into=None).first()
        self.entries = entries_of_career(row, self.request.user) if row else ()
        if row is None or not self.entries:
            raise Http404
        self.player = row

    def etag(self) -> str:
        """Return an ETag made of the published versions of all these competitions."""
        row = self.player
        names = (row.key, row.name, row.name_romaji)
        entered = [entry.entrant.pk for entry in self.entries]
        readers = [entry.reader for entry in self.entries]
        return etag_of_all(readers, *self.representation(), names, entered)

    def document(self) -> CareerDocument:
        """Return the career."""
        return career_document(career_of(self.player, self.entries))


@describe_get("get_records", AllTimeRecordsDocument, query=RecordsQuery, missing=False)
class RecordsView(DocumentView):
    """Return the records over all leagues, by rule book, of teams and of people."""

    is_cached = True
    query_class = RecordsQuery
    readers: tuple[Reader, ...]
    scope: RecordScope

    def open(self, **path: object) -> None:
        """Find the competitions. Raise ProblemError for a part that does not exist."""
        self.readers = known_readers(self.request.user)
        parts = ("competition", "series", "ranking", "club")
        wish = RecordWish(**{name: self.query.get(name, "") for name in parts})
        try:
            self.scope = record_scope(self.readers, self.request.user, wish)
        except UnknownScopeError as unknown:
            wrong = error("no_such_key", unknown.detail, pointer=f"/{unknown.name}", where="query")
            raise ProblemError("invalid_request", errors=[wrong]) from unknown

    def etag(self) -> str:
        """Return an ETag made of the published versions of all these competitions, and of those that count."""
        counted = [reader.competition.pk for reader in self.scope.readers]
        return etag_of_all(self.readers, *self.representation(), counted)

    def document(self) -> AllTimeRecordsDocument:
        """Return the records."""
        found = all_time_records(self.scope.readers, self.query.get("year"), self.scope.entrants)
        return AllTimeRecordsDocument(years=list(found.years), tables=[book_records(table) for table in found.tables])
