"""A competition's tables as files: CSV that Excel opens, XLSX, JSON; whoever may not read something finds it in none.

`?lang=` names the language of the headers: Japanese has headers in Japanese, English the keys that programs go by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.exchange.writing_tables import Sheet, csv_lines, json_pieces, xlsx_bytes
from league.formatting import language_of
from league.limits import limited
from league.selectors.etags import etag_of
from league.selectors.exporting_tables import Export
from league.selectors.pages import is_closed_to
from league.selectors.readers import visible_competitions
from league.views.base import conditional
from league.views.guard import reader_for
from league.views.language import language_asked

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


@require_safe
@limited("file")
def export(request: HttpRequest, slug: str, kind: str, suffix: str) -> HttpResponseBase:
    """One table of a competition; the games of an open table are its guests' own business."""
    competition = visible_competitions(request.user).filter(slug=slug).first()
    if competition is None:
        raise Http404(_("There is no such competition."))
    reader = reader_for(request, competition)
    if is_closed_to(reader):
        raise Http404(_("The games of this table are not public."))
    tables = Export(reader)
    if kind not in tables.kinds or suffix not in WRITERS:
        raise Http404(_("There is no such file. Take standings, results, seats, roster or schedule."))
    language = language_of(language_asked(request))
    etag = etag_of(reader, suffix, kind, language)

    def made() -> HttpResponse:
        with translation.override(language):
            return named(WRITERS[suffix](tables.kinds[kind](), language), f"{slug}-{kind}.{suffix}")

    return conditional(request, etag, made)


def named(response: HttpResponse, name: str) -> HttpResponse:
    """An answer that is kept as a file of this name."""
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
