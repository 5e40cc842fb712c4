"""Views of series: their terms, and the moves after a term."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer

from league.api.base import DocumentView
from league.api.exchange.views import CsvRenderer
from league.api.fields import PagedQuery, Query
from league.api.renderers import JsonRenderer
from league.api.schema import describe_get
from league.api.seasons.series_documents import (
    MovesDocument,
    SeriesDocument,
    moves_document,
    series_document,
    series_head,
)
from league.files.writing_tables import csv_lines
from league.models import Series, Term
from league.selectors.access.etags import etag, etag_of_all
from league.selectors.seasons.series import TermSeasons, seasons_of_series, series_for, series_mark
from league.selectors.seasons.series_moves import TermMoves, shown_moves
from league.web.problems import not_found
from league.web.seasons.series_tables import move_sheet
from league.web.table_files import as_attachment


class MovesQuery(Query):
    """The representation of the moves."""

    format = serializers.ChoiceField(["json", "csv"], required=False, help_text="The representation.")


class SeriesListView(DocumentView):
    """Base of the list of the series that the client may know of."""

    query_class = PagedQuery

    def open(self, **path: object) -> None:
        """Find the series."""
        self.rows = series_for(self.request.user).order_by("name", "pk")

    def etag(self) -> str:
        """Return an ETag that changes with every change of a series."""
        return etag(series_mark(), list(self.rows.values_list("pk", flat=True)), *self.representation())

    def document(self) -> dict[str, object]:
        """Return one page."""
        return self.page_of(self.rows, lambda rows: [series_head(row) for row in rows])


class OfSeriesView(DocumentView):
    """Base of documents of one series."""

    series: Series

    def open(self, **path: object) -> None:
        """Find the series. Raise Http404 unless the client may know of it."""
        self.series = get_object_or_404(series_for(self.request.user), slug=self.kwargs["slug"])


@describe_get("get_series", SeriesDocument)
class SeriesView(OfSeriesView):
    """Return a series with its rules, and its terms with the champions of their tiers."""

    terms: list[TermSeasons]

    def open(self, **path: object) -> None:
        """Find the series and the terms that may be read."""
        super().open(**path)
        self.terms = [each for each in seasons_of_series(self.series, self.request.user) if each.is_shown]

    def etag(self) -> str:
        """Return an ETag made of the published versions of all tiers."""
        readers = [tier.reader for term in self.terms for tier in term.tiers if tier.reader is not None]
        return etag_of_all(readers, series_mark(), self.series.pk, *self.representation())

    def document(self) -> SeriesDocument:
        """Return the series."""
        return series_document(self.series, self.terms)


class OfTermView(OfSeriesView):
    """Base of documents of one term."""

    term: Term
    found: TermMoves

    def open(self, **path: object) -> None:
        """Find the term and its moves. Raise ProblemError if none of its competitions may be read."""
        super().open(**path)
        self.term = get_object_or_404(Term, series=self.series, number=self.kwargs["number"])
        self.term.series = self.series
        self.found = shown_moves(self.term, self.request.user)
        if not self.found.tables.readers:
            raise not_found(_("There is no such term."))

    def etag(self) -> str:
        """Return an ETag made of the published versions of all tiers."""
        return etag_of_all(self.found.tables.readers, series_mark(), self.term.pk, *self.representation())

    def document(self) -> MovesDocument:
        """Return the moves."""
        return moves_document(self.found)


@describe_get("list_moves", MovesDocument, query=MovesQuery, files={"text/csv": OpenApiTypes.STR})
class MovesView(OfTermView):
    """Return who goes where after a term and why, with the roster that follows; `csv` has one line for each player."""

    query_class = MovesQuery
    renderer_classes: list[type[BaseRenderer]] = [JsonRenderer, CsvRenderer]

    def answer(self, request: HttpRequest, tag: str) -> HttpResponseBase:
        """Return the document, or the lines as CSV."""
        if self.form != "csv":
            return super().answer(request, tag)
        # The header has the keys that programs go by, in every language.
        lines = "".join(csv_lines(move_sheet(self.found), "en"))
        made = HttpResponse(lines, content_type="text/csv; charset=utf-8")
        return as_attachment(made, f"{self.series.slug}-{self.term.number}-moves.csv")
