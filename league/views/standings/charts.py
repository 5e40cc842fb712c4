"""Charts of a block: totals and ranks hanchan by hanchan, meetings between players, starts from each wind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Block, Competition, Entrant
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import result_count, shown_table, stamp_of
from league.selectors.standings.meetings import Meeting, Meetings, meetings_of
from league.selectors.standings.progress import MOST_RESULTS, Progress, ProgressStep, progress_of_block
from league.views.base import PageData, competition_page, show
from league.views.standings.progress_graph import MOST_CURVES, ProgressGraph, points_graph, ranks_graph
from league.wording.messages import wind_name
from league.wording.names import short_names

MOST_MEETINGS = 20
"""Maximum number of players in the table of meetings; a larger one would not fit a page."""


@dataclass(frozen=True, slots=True)
class CourseRow:
    """An entrant's total and rank after each hanchan."""

    entrant: Entrant
    steps: tuple[ProgressStep, ...]


@dataclass(frozen=True, slots=True)
class CompanyRow:
    """An entrant's meetings with each entrant (None with themselves), and the number of starts from each wind."""

    entrant: Entrant
    meetings: tuple[Meeting | None, ...]
    starts: tuple[int, ...]


@competition_page
def charts(request: HttpRequest, reader: Reader, key: str) -> HttpResponse:
    """Show the charts of one block."""
    if reader.competition.kind != Competition.Kind.LEAGUE:
        raise Http404(_("There are no charts here."))
    shown = PageData(reader)
    block = shown.block(key)
    return show(
        request,
        "standings/blocks/charts.html",
        shown,
        tab="home",
        this_block=block,
        stamp=stamp_of(reader, block),
        **_charts(reader, shown, block),
    )


def _charts(reader: Reader, shown: PageData, block: Block) -> dict[str, object]:
    """Return the context of the charts: nothing before the first result, or with more results than a page can hold."""
    results = result_count(reader, block)
    if not 0 < results <= MOST_RESULTS:
        return {"is_large": results > 0}
    table = shown_table(reader, block)
    people = [line.standing.entrant for line in table.lines]
    progress = progress_of_block(reader, block)
    meetings = meetings_of(reader, block, [entrant.pk for entrant in people])
    points, ranks = graphs(people, progress)
    return {
        "points_graph": points,
        "ranks_graph": ranks,
        "left_out": max(len(people) - MOST_CURVES, 0),
        "has_outside": progress.has_outside,
        "numbers": range(1, len(progress.steps)),
        "course": [CourseRow(each, tuple(step[each.pk] for step in progress.steps[1:])) for each in people],
        "company": company(people, meetings),
        "has_meetings": len(people) <= MOST_MEETINGS,
        "winds": [wind_name(wind) for wind in shown.ruleset.setup.seat_winds],
        "meetings": meetings,
    }


def graphs(people: Sequence[Entrant], progress: Progress) -> tuple[ProgressGraph, ProgressGraph]:
    """Return the graphs of points and of ranks for the first entrants of the table.

    Points begin with the totals before the first hanchan, ranks after it.
    """
    drawn = people[:MOST_CURVES]
    short = short_names({entrant.pk: entrant.player for entrant in drawn})
    names = [short[entrant.pk] for entrant in drawn]
    totals = [[step[entrant.pk].total for entrant in drawn] for step in progress.steps]
    ranks = [[step[entrant.pk].rank for entrant in drawn] for step in progress.steps[1:]]
    titles = [str(number) for number in range(len(progress.steps))]
    return points_graph(names, totals, titles), ranks_graph(names, ranks, titles[1:])


def company(people: Sequence[Entrant], meetings: Meetings) -> list[CompanyRow]:
    """Return the meetings of all entrants with each other, in the order of the table."""
    winds = meetings.starts
    return [
        CompanyRow(
            own,
            tuple(
                None if other.pk == own.pk else meetings.pairs.get((own.pk, other.pk), Meeting()) for other in people
            ),
            tuple(winds[place]),
        )
        for place, own in enumerate(people)
    ]
