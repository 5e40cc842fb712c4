"""Tables as files: CSV that Excel opens, XLSX, JSON, for pages, the admin and the API; personal data as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation

from league.files.writing_tables import Sheet, csv_lines, json_pieces

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ZIP = "application/zip"

R = TypeVar("R", bound=HttpResponseBase)


def translate_pieces(pieces: Iterator[str], language: str) -> Iterator[str]:
    """Yield pieces of a streamed response, each produced in the given language."""
    while True:
        # The pieces are produced after the view and its middleware have ended, when no language is active any more.
        with translation.override(language):
            piece = next(pieces, None)
        if piece is None:
            return
        yield piece


def as_csv(sheet: Sheet, language: str) -> HttpResponseBase:
    """Stream the table as CSV, line by line."""
    return StreamingHttpResponse(
        translate_pieces(csv_lines(sheet, language), language), content_type="text/csv; charset=utf-8"
    )


def as_xlsx(sheet: Sheet, language: str) -> HttpResponse:
    """Return the table as an XLSX file, in one piece: a ZIP file has its directory at its end."""
    from league.files.writing_xlsx import xlsx_bytes  # noqa: PLC0415 - loads openpyxl

    return HttpResponse(xlsx_bytes(sheet, language), content_type=XLSX)


def as_json(sheet: Sheet, language: str) -> HttpResponseBase:
    """Stream the table as JSON, row by row."""
    return StreamingHttpResponse(translate_pieces(json_pieces(sheet), language), content_type="application/json")


WRITERS: dict[str, Callable[[Sheet, str], HttpResponseBase]] = {"csv": as_csv, "xlsx": as_xlsx, "json": as_json}


def as_attachment(response: R, name: str) -> R:
    """Set the name under which browsers save a response as a file."""
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def personal_data_file(document: Mapping[str, object], name: str) -> HttpResponse:
    """Return all data kept about a person as a JSON file, which no browser or proxy may store."""
    text = json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Cache-Control"] = "private, no-store"
    return as_attachment(response, name)
