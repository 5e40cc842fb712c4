"""Records, each with the hanchan in which it was set: of a competition, and of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from league.platform.rendering import render
from league.selectors.access.etags import etag_of_all
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import stamp_of
from league.selectors.people.played_seats import RulesOfResults
from league.selectors.people.record_scopes import (
    RecordScope,
    RecordWish,
    UnknownScopeError,
    clubs_of,
    record_choices,
    record_scope,
)
from league.selectors.people.records import RecordKind, RecordLine, RecordTable, all_time_records, records_of
from league.selectors.people.search import LONGEST, known_readers
from league.selectors.seasons.rankings import rankings_counting
from league.views.base import REPRESENTATION, PageData, answer, competition_page_with, show
from league.views.competitions.schedule import refuse_if_closed
from league.web.error_pages import ExplainedError
from league.web.middleware.spoiler_guard import apply_guard
from league.web.response_cache import Render
from league.wording.formatting import day_text, points_text, score_text
from league.wording.names import title_in

SCORES = frozenset({RecordKind.HIGHEST_SCORE, RecordKind.LARGEST_MARGIN, RecordKind.LARGEST_HAND})
POINTS = frozenset({RecordKind.MOST_POINTS, RecordKind.MOST_LOST, RecordKind.COMEBACK})
TIMES = frozenset({RecordKind.MOST_FIRSTS, RecordKind.MOST_YAKUMAN})


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """A record in words."""

    title: str
    text: str
    line: RecordLine


@dataclass(frozen=True, slots=True)
class RecordsTable:
    """A table of records in words; `book` and `title` are empty where the page has one table only."""

    book: str
    title: str
    unit: str
    records: tuple[ShownRecord, ...]


def rankings_mark(reader: Reader) -> list[object]:
    """Return the rankings that count the competition by name; counting it there publishes no new version."""
    return [(row.slug, row.name, row.name_en) for row in rankings_counting(reader.competition)]


@competition_page_with(rankings_mark)
def records(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show the records of a competition."""
    refuse_if_closed(reader)
    tables = tuple(shown_tables(records_of(reader)))
    return show(
        request,
        "people/records.html",
        PageData(reader),
        tab="records",
        tables=tables,
        stamp=stamp_of(reader),
        rankings=rankings_counting(reader.competition),
    )


@require_safe
def all_time(request: HttpRequest) -> HttpResponseBase:
    """Show the records over all competitions that the visitor may read.

    `?year=`, `?competition=`, `?series=`, `?ranking=` and `?club=` choose a part of them; raise ExplainedError for
    an unknown one.
    """
    text, wish = request.GET.get("year", ""), wish_of(request)
    if text and not (text.isascii() and text.isdigit() and len(text) == len("2026")):
        raise ExplainedError(_("“%(year)s” is no year. Write one as 2026, or leave it out.") % {"year": text[:LONGEST]})

    def read() -> tuple[str, Render]:
        readers = [apply_guard(request, reader) for reader in known_readers(request.user)]
        choices = record_choices(readers, request.user)
        try:
            scope = record_scope(readers, request.user, wish)
        except UnknownScopeError as unknown:
            raise ExplainedError(unknown.detail) from unknown
        counted = [reader.competition.pk for reader in scope.readers]
        etag = etag_of_all(readers, REPRESENTATION, "records", text, wish.parts, choices.mark(), counted)

        def make() -> HttpResponse:
            choice = {"wish": scope.wish, "is_part": any(wish.parts), "choices": choices, "clubs": clubs_of(readers)}
            return render(request, "people/all_time.html", all_time_context(scope, text) | choice)

        return etag, make

    return answer(request, read)


def wish_of(request: HttpRequest) -> RecordWish:
    """Return the part of the records that the address asks for."""
    names = ("competition", "series", "ranking", "club")
    return RecordWish(**{name: request.GET.get(name, "").strip()[:LONGEST] for name in names})


def all_time_context(scope: RecordScope, text: str) -> dict[str, object]:
    """Return the tables of records, and the years that have any."""
    found = all_time_records(scope.readers, int(text) if text else None, scope.entrants)
    return {"tables": tuple(shown_tables(found.tables)), "years": found.years, "year": text}


def shown_tables(tables: Sequence[RecordTable]) -> Iterator[RecordsTable]:
    """Yield tables of records in words, with the titles that tell several apart."""
    books = len({table.book for table in tables})
    has_teams = any(table.of_teams for table in tables)
    for table in tables:
        yield RecordsTable(
            book=title_in(table.book.title) if books > 1 else "",
            title=(_("Teams") if table.of_teams else _("Players")) if has_teams else "",
            unit=title_in(table.book.ledger.title),
            records=tuple(in_words(line, table.book) for line in table.lines),
        )


def in_words(line: RecordLine, book: RulesOfResults) -> ShownRecord:
    """Return a record's title and value as text."""
    return ShownRecord(record_title(line.kind), value_text(line, book), line)


def record_title(kind: RecordKind) -> str:
    """Return the name of a record."""
    return {
        RecordKind.HIGHEST_SCORE: _("Highest score"),
        RecordKind.MOST_POINTS: _("Most points from one hanchan"),
        RecordKind.MOST_LOST: _("Most points lost in one hanchan"),
        RecordKind.LARGEST_MARGIN: _("Largest margin between first and second"),
        RecordKind.MOST_FIRSTS: _("Most firsts"),
        RecordKind.FIRSTS_IN_A_ROW: _("Most firsts in a row"),
        RecordKind.NOT_LAST_IN_A_ROW: _("Longest run without a last place"),
        RecordKind.COMEBACK: _("Largest comeback: from so far behind to first of the block alone"),
        RecordKind.MOST_HANCHAN: _("Most hanchan played"),
        RecordKind.LARGEST_HAND: _("Largest hand"),
        RecordKind.FIRST_YAKUMAN: _("First yakuman"),
        RecordKind.MOST_YAKUMAN: _("Most yakuman"),
    }[kind]


def value_text(line: RecordLine, book: RulesOfResults) -> str:
    """Return the value of a record with its unit."""
    if line.kind in SCORES:
        return score_text(line.value)
    if line.kind in POINTS:
        return points_text(-line.value if line.kind is RecordKind.MOST_LOST else line.value, book.scale)
    if line.kind is RecordKind.FIRST_YAKUMAN:
        return day_text(line.holders[0].day)
    if line.kind in TIMES:
        return _("%(count)s times") % {"count": line.value}
    return pgettext("length of a run", "%(count)s hanchan") % {"count": line.value}
