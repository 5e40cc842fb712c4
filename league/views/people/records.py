"""The records of a competition, each with the hanchan in which it was set."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import stamp_of
from league.selectors.people.competition_records import RecordKind, RecordLine, records_of
from league.views.base import PageData, competition_page, show
from league.views.competitions.schedule import refuse_if_closed
from league.wording.formatting import points_text, score_text


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """A record in words."""

    title: str
    text: str
    line: RecordLine


@competition_page
def records(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show the records of a competition."""
    refuse_if_closed(reader)
    shown = PageData(reader)
    scale = shown.ruleset.ranking_ledger.scale
    return show(
        request,
        "people/records.html",
        shown,
        tab="records",
        records=[in_words(line, scale) for line in records_of(reader, shown.ruleset.players)],
        stamp=stamp_of(reader),
    )


def in_words(line: RecordLine, scale: int) -> ShownRecord:
    """Return a record's title and value as text."""
    title = {
        RecordKind.HIGHEST_SCORE: _("Highest score"),
        RecordKind.MOST_POINTS: _("Most points from one hanchan"),
        RecordKind.MOST_LOST: _("Most points lost in one hanchan"),
        RecordKind.MOST_FIRSTS: _("Most firsts"),
        RecordKind.FIRSTS_IN_A_ROW: _("Most firsts in a row"),
        RecordKind.NOT_LAST_IN_A_ROW: _("Longest run without a last place"),
        RecordKind.COMEBACK: _("Largest comeback: from so far behind to first of the block alone"),
    }[line.kind]
    if line.kind is RecordKind.HIGHEST_SCORE:
        return ShownRecord(title, score_text(line.value), line)
    if line.kind is RecordKind.MOST_LOST:
        return ShownRecord(title, points_text(-line.value, scale), line)
    if line.kind in (RecordKind.MOST_POINTS, RecordKind.COMEBACK):
        return ShownRecord(title, points_text(line.value, scale), line)
    if line.kind is RecordKind.MOST_FIRSTS:
        return ShownRecord(title, _("%(count)s times") % {"count": line.value}, line)
    return ShownRecord(title, _("%(count)s hanchan") % {"count": line.value}, line)
