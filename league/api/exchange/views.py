"""A competition's tables as files, and its archive: what the pages and the desk hand out, for programs with tokens."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer

from league.api.authentication import actor_of
from league.api.base import CompetitionView
from league.api.fields import Query
from league.api.renderers import FileRenderer
from league.api.schema import reads
from league.files.archive import packed
from league.files.writing_tables import Sheet
from league.selectors.access.readers import Reader
from league.selectors.access.snapshots import read_steadily
from league.selectors.competitions.overview import is_closed_to
from league.selectors.exchange.table_export import Export
from league.services.exchange.archives import archive_of
from league.web.table_files import WRITERS, XLSX, named
from league.wording.formatting import language_of

KINDS = ("standings", "results", "seats", "roster", "schedule")
ZIP = "application/zip"


class CsvRenderer(FileRenderer):
    """A table as CSV."""

    media_type, format = "text/csv", "csv"


class XlsxRenderer(FileRenderer):
    """A table as a spreadsheet."""

    media_type, format = XLSX, "xlsx"


class ZipRenderer(FileRenderer):
    """An archive."""

    media_type, format = ZIP, "zip"


class ExportQuery(Query):
    """In which form, and under which headers."""

    format = serializers.ChoiceField(list(WRITERS), required=False, help_text="The representation.")
    lang = serializers.ChoiceField(
        ["ja", "en"],
        required=False,
        help_text="Headers in Japanese, or the keys that programs go by; without it as `Accept-Language` says.",
    )


class ArchiveQuery(Query):
    """Nothing but the form."""

    format = serializers.ChoiceField(["zip"], required=False, help_text="The representation.")


ROWS = OpenApiResponse({"type": "array", "items": {"type": "object", "additionalProperties": {}}})


@extend_schema_view(get=extend_schema(parameters=[OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=KINDS)]))
@reads("get_export", ROWS, query=ExportQuery, files={"text/csv": OpenApiTypes.STR, XLSX: OpenApiTypes.BINARY})
class ExportView(CompetitionView):
    """One table of a competition, whole, as far as the reader may know it."""

    query_class = ExportQuery
    renderer_classes = [JSONRenderer, CsvRenderer, XlsxRenderer]

    def open(self, **path: Any) -> None:
        """The competition, if its games are the reader's business, and a table there is."""
        super().open(**path)
        if is_closed_to(self.reader):
            raise Http404(_("The games of this table are not public."))
        if path["kind"] not in KINDS:
            raise Http404(_("There is no such file. Take standings, results, seats, roster or schedule."))

    def answer(self, request: HttpRequest, tag: str) -> HttpResponse:
        """The file, sent while it is made."""
        language = language_of(self.query.get("lang") or get_language())
        with override(language):
            made = WRITERS[self.form](read_steadily(self.reader, self.write), language)
        return named(made, f"{self.reader.competition.slug}-{self.kwargs['kind']}.{self.form}")

    def write(self, reader: Reader) -> Sheet:
        """The table. Facts stay as of their version while they are sent; standings are rewritten: read at once."""
        kind = self.kwargs["kind"]
        sheet = Export(reader).kinds[kind]()
        return replace(sheet, rows=list(sheet.rows)) if kind == "standings" else sheet


@reads("get_archive", None, query=ArchiveQuery, files={ZIP: OpenApiTypes.BINARY}, refusals=(403,))
class ArchiveView(CompetitionView):
    """The whole competition with its standings and what is held back, as a file that proves itself; for directors."""

    query_class = ArchiveQuery
    renderer_classes = [ZipRenderer]
    permission_classes = [IsAuthenticated]
    archive: bytes

    def open(self, **path: Any) -> None:
        """Make it: its tag is made of its bytes."""
        super().open(**path)
        self.archive = packed(archive_of(competition=self.reader.competition, by=actor_of(self.request)))

    def etag(self) -> str:
        """The digest of the file."""
        return f'"{hashlib.sha256(self.archive).hexdigest()[:32]}"'

    def answer(self, request: HttpRequest, tag: str) -> HttpResponse:
        """The file."""
        return named(HttpResponse(self.archive, content_type=ZIP), f"{self.reader.competition.slug}-archive.zip")

    def write(self, reader: Reader) -> bytes:
        """The file."""
        return self.archive
