"""Views of the files of series and rankings: their tables for spreadsheets and programs, and their archives."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import get_language, override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer

from league.api.authentication import actor_of
from league.api.exchange.views import (
    ROWS,
    ArchiveFileView,
    ArchiveQuery,
    CsvRenderer,
    ExportQuery,
    XlsxRenderer,
)
from league.api.schema import describe_get
from league.api.seasons.rankings_views import RankingBaseView
from league.api.seasons.series_views import OfTermView
from league.files.season_archive import pack_season
from league.files.writing_tables import Sheet
from league.selectors.seasons.rankings import visible_rankings
from league.selectors.seasons.series import series_for
from league.services.exchange.season_archives import archive_of_ranking, archive_of_series
from league.web.problems import not_found
from league.web.seasons.ranking_tables import RANKING_TABLES, no_such_ranking_table
from league.web.seasons.series_tables import TERM_TABLES, no_such_term_table
from league.web.table_files import WRITERS, XLSX, ZIP, as_attachment
from league.wording.formatting import language_of

FILES = {"text/csv": OpenApiTypes.STR, XLSX: OpenApiTypes.BINARY}


def named_table(parameter: str, known: Iterable[str]) -> OpenApiParameter:
    """Return the path parameter that names a table."""
    return OpenApiParameter(parameter, str, OpenApiParameter.PATH, enum=list(known))


@extend_schema_view(get=extend_schema(parameters=[named_table("term_table", TERM_TABLES)]))
@describe_get("get_term_export", ROWS, query=ExportQuery, files=FILES)
class TermExportView(OfTermView):
    """Return the moves after a term, or the tables of its tiers, as far as the reader may know them."""

    query_class = ExportQuery
    renderer_classes = [JSONRenderer, CsvRenderer, XlsxRenderer]

    def open(self, **path: object) -> None:
        """Find the term. Raise ProblemError for an unknown table."""
        if self.kwargs["term_table"] not in TERM_TABLES:
            raise not_found(no_such_term_table())
        super().open(**path)

    def answer(self, request: HttpRequest, tag: str) -> HttpResponseBase:
        """Return the file."""
        kind, language = self.kwargs["term_table"], language_of(self.query.get("lang") or get_language())
        with override(language):
            made = WRITERS[self.form](TERM_TABLES[kind](self.found), language)
        return as_attachment(made, f"{self.series.slug}-{self.term.number}-{kind}.{self.form}")


class RankingExportQuery(ExportQuery):
    """The day of calculation, the format of the file, and the language of its headers."""

    day = serializers.DateField(required=False, help_text="The day of calculation; by default today.")


@extend_schema_view(get=extend_schema(parameters=[named_table("ranking_table", RANKING_TABLES)]))
@describe_get("get_ranking_export", ROWS, query=RankingExportQuery, files=FILES)
class RankingExportView(RankingBaseView):
    """Return a ranking as of a day, or every term of its sums."""

    query_class = RankingExportQuery
    renderer_classes = [JSONRenderer, CsvRenderer, XlsxRenderer]

    def open(self, **path: object) -> None:
        """Find the ranking. Raise ProblemError for an unknown table."""
        if self.kwargs["ranking_table"] not in RANKING_TABLES:
            raise not_found(no_such_ranking_table())
        super().open(**path)

    def document(self) -> Sheet:
        """Return the table."""
        return RANKING_TABLES[self.kwargs["ranking_table"]](self.board, self.lines)

    def answer(self, request: HttpRequest, tag: str) -> HttpResponseBase:
        """Return the file."""
        kind, language = self.kwargs["ranking_table"], language_of(self.query.get("lang") or get_language())
        with override(language):
            made = WRITERS[self.form](self.document(), language)
        return as_attachment(made, f"{self.row.slug}-{kind}-{self.board.day.isoformat()}.{self.form}")


@describe_get("get_series_archive", None, query=ArchiveQuery, files={ZIP: OpenApiTypes.BINARY}, refusals=(403,))
class SeriesArchiveView(ArchiveFileView):
    """Return a series with its competitions, embargoed results included, as a verifiable file."""

    def pack(self) -> tuple[str, bytes]:
        """Return the archive of the series."""
        series = get_object_or_404(series_for(self.request.user), slug=self.kwargs["slug"])
        return self.kwargs["slug"], pack_season(archive_of_series(series=series, by=actor_of(self.request)))


@describe_get("get_ranking_archive", None, query=ArchiveQuery, files={ZIP: OpenApiTypes.BINARY}, refusals=(403,))
class RankingArchiveView(ArchiveFileView):
    """Return a ranking with the competitions ever listed, embargoed results included, as a verifiable file."""

    def pack(self) -> tuple[str, bytes]:
        """Return the archive of the ranking."""
        ranking = get_object_or_404(visible_rankings(self.request.user), slug=self.kwargs["slug"])
        return self.kwargs["slug"], pack_season(archive_of_ranking(ranking=ranking, by=actor_of(self.request)))
