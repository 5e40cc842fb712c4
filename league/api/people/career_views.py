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
from league.selectors.people.careers import Entry, career_of, entries_of_career
from league.selectors.people.records import all_time_records
from league.selectors.people.search import known_readers


class YearQuery(Query):
    """The year of the hanchan."""

    year = serializers.IntegerField(
        min_value=1000, max_value=9999, required=False, help_text="Only hanchan of this year; by default all."
    )


@describe_get("get_career", CareerDocument)
class CareerView(DocumentView):
    """Return the career of a player: all competitions, rule books, years, awards and opponents."""

    is_cached = True
    player: Player
    entries: tuple[Entry, ...]

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


@describe_get("get_records", AllTimeRecordsDocument, query=YearQuery, missing=False)
class RecordsView(DocumentView):
    """Return the records over all leagues, by rule book, of teams and of people."""

    is_cached = True
    query_class = YearQuery
    readers: tuple[Reader, ...]

    def open(self, **path: object) -> None:
        """Find the competitions."""
        self.readers = known_readers(self.request.user)

    def etag(self) -> str:
        """Return an ETag made of the published versions of all these competitions."""
        return etag_of_all(self.readers, *self.representation())

    def document(self) -> AllTimeRecordsDocument:
        """Return the records."""
        found = all_time_records(self.readers, self.query.get("year"))
        return AllTimeRecordsDocument(years=list(found.years), tables=[book_records(table) for table in found.tables])
