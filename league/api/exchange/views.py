"""Views of a competition's exports: single tables as files, and the whole archive, for programs with tokens."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer

from league.api.authentication import actor_of
from league.api.base import CompetitionView, DocumentView
from league.api.fields import Query
from league.api.renderers import FileRenderer
from league.api.schema import describe_get
from league.files.archive import pack_archive
from league.files.writing_tables import Sheet
from league.selectors.access.readers import Reader
from league.selectors.access.snapshots import read_one_version
from league.selectors.exchange.table_export import Export
from league.services.exchange.archives import archive_of
from league.web.problems import not_found
from league.web.table_files import WRITERS, XLSX, ZIP, as_attachment
from league.wording.formatting import language_of

KINDS = ("standings", "results", "seats", "roster", "schedule", "members", "individuals", "line-ups")


class CsvRenderer(FileRenderer):
    """Offers a table as CSV."""

    media_type, format = "text/csv", "csv"


class XlsxRenderer(FileRenderer):
    """Offers a table as an XLSX spreadsheet."""

    media_type, format = XLSX, "xlsx"


class ZipRenderer(FileRenderer):
    """Offers an archive."""

    media_type, format = ZIP, "zip"


class ExportQuery(Query):
    """The format of the file, and the language of its headers."""

    format = serializers.ChoiceField(list(WRITERS), required=False, help_text="The representation.")
    lang = serializers.ChoiceField(
        ["ja", "en"],
        required=False,
        help_text="Headers in Japanese, or the keys that programs go by; without it as `Accept-Language` says.",
    )


class ArchiveQuery(Query):
    """The format of the archive."""

    format = serializers.ChoiceField(["zip"], required=False, help_text="The representation.")


ROWS = OpenApiResponse({"type": "array", "items": {"type": "object", "additionalProperties": {}}})


@extend_schema_view(get=extend_schema(parameters=[OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=KINDS)]))
@describe_get("get_export", ROWS, query=ExportQuery, files={"text/csv": OpenApiTypes.STR, XLSX: OpenApiTypes.BINARY})
class ExportView(CompetitionView):
    """Return one complete table of a competition, as far as the reader may know it."""

    query_class = ExportQuery
    renderer_classes = [JSONRenderer, CsvRenderer, XlsxRenderer]

    def open(self, **path: object) -> None:
        """Find the competition. Raise ProblemError if its games are hidden from the reader, or for an unknown table."""
        super().open(**path)
        if self.reader.guards_guests:
            raise not_found(_("The games of this table are not public."))
        if path["kind"] not in Export(self.reader).kinds:
            raise not_found(_("There is no such file. Take standings, results, seats, roster or schedule."))

    def answer(self, request: HttpRequest, tag: str) -> HttpResponseBase:
        """Return the file, streamed while it is written."""
        language = language_of(self.query.get("lang") or get_language())
        with override(language):
            made = WRITERS[self.form](read_one_version(self.reader, self.write), language)
        return as_attachment(made, f"{self.reader.competition.slug}-{self.kwargs['kind']}.{self.form}")

    def write(self, reader: Reader) -> Sheet:
        """Return the table.

        Facts are constant as of their version, so their rows may be read while they are sent; standings are rewritten
        in place, so they are read at once.
        """
        kind = self.kwargs["kind"]
        sheet = Export(reader).kinds[kind]()
        return replace(sheet, rows=list(sheet.rows)) if kind in {"standings", "individuals"} else sheet


class ArchiveFileView(DocumentView):
    """Base of the archives, which are packed before their ETag because it is made of their bytes."""

    query_class = ArchiveQuery
    renderer_classes = [ZipRenderer]
    permission_classes = [IsAuthenticated]
    slug: str
    archive: bytes

    @abstractmethod
    def pack(self) -> tuple[str, bytes]:
        """Return the slug that names the file, and the archive. Raise Http404 for an unknown address."""

    def open(self, **path: object) -> None:
        """Build the archive, because its ETag is made of its bytes."""
        self.slug, self.archive = self.pack()

    def etag(self) -> str:
        """Return the digest of the file as an ETag."""
        return f'"{hashlib.sha256(self.archive).hexdigest()[:32]}"'

    def answer(self, request: HttpRequest, tag: str) -> HttpResponse:
        """Return the archive as a download."""
        return as_attachment(HttpResponse(self.archive, content_type=ZIP), f"{self.slug}-archive.zip")

    def document(self) -> bytes:
        """Return the bytes of the archive."""
        return self.archive


@describe_get("get_archive", None, query=ArchiveQuery, files={ZIP: OpenApiTypes.BINARY}, refusals=(403,))
class ArchiveView(ArchiveFileView, CompetitionView):
    """Return the whole competition with its standings and embargoed results as a verifiable file; directors only."""

    def pack(self) -> tuple[str, bytes]:
        """Return the archive of the competition."""
        self.find(slug=self.kwargs["slug"])
        competition = self.reader.competition
        return competition.slug, pack_archive(archive_of(competition=competition, by=actor_of(self.request)))

    def write(self, reader: Reader) -> bytes:
        """Return the bytes of the archive."""
        return self.archive
