"""Tables written as files: CSV that Excel opens, XLSX, JSON, for pages, the admin and the API."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.http import HttpResponse, StreamingHttpResponse
from django.utils import translation

from league.files.writing_tables import Sheet, csv_lines, json_pieces, xlsx_bytes

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def spoken(pieces: Iterator[str], language: str) -> Iterator[str]:
    """Pieces that are made after the view is done, each in the language it was asked for in."""
    while True:
        with translation.override(language):
            piece = next(pieces, None)
        if piece is None:
            return
        yield piece


def as_csv(sheet: Sheet, language: str) -> HttpResponse:
    """Line by line."""
    return StreamingHttpResponse(spoken(csv_lines(sheet, language), language), content_type="text/csv; charset=utf-8")  # type: ignore[return-value]


def as_xlsx(sheet: Sheet, language: str) -> HttpResponse:
    """Whole: a packed file has its contents at its end."""
    return HttpResponse(xlsx_bytes(sheet, language), content_type=XLSX)


def as_json(sheet: Sheet, language: str) -> HttpResponse:
    """Row by row."""
    return StreamingHttpResponse(spoken(json_pieces(sheet), language), content_type="application/json")  # type: ignore[return-value]


WRITERS: dict[str, Callable[[Sheet, str], HttpResponse]] = {"csv": as_csv, "xlsx": as_xlsx, "json": as_json}


def named(response: HttpResponse, name: str) -> HttpResponse:
    """An answer that is kept as a file of this name."""
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
