"""The home page of a competition: the ladder, every block in short, the latest and the next session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import HttpRequest, HttpResponse

from league.models import Competition, SlotState
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import (
    Stamp,
    entrants_by_id,
    progress_of,
    sessions_around,
    shown_tables,
    stamp_of,
)
from league.selectors.rulebooks.rules_in_force import format_of
from league.selectors.standings.ladder import LadderStage, ladder_of
from league.selectors.standings.progress import Movement, movements_of
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import BlockTable, substituted_in
from league.views.base import PageData, competition_page, show
from league.web.ladder_svg import draw


@competition_page
def home(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show the competition's home page."""
    shown = PageData(reader)
    tables = shown_tables(reader)
    outcome = outcome_of(reader)
    ladder = ladder_of(tables, outcome)
    stamp = stamp_of(reader)
    latest, upcoming = sessions_around(reader, stamp)
    movements = movements_since(shown, tables, stamp)
    tied = {entrant for tie in (outcome.awaiting if outcome else ()) for entrant in tie["entrants"]}
    people = entrants_by_id(reader.competition, tied) if tied else {}
    return show(
        request,
        "competitions/home.html",
        shown,
        tab="home",
        tables=tables,
        ladder=ladder,
        stages=[
            (stage, [(drawn, movements.get(drawn.block.pk)) for drawn in stage.blocks])
            for stage in newest_first(ladder.stages)
        ],
        substituted=substituted_in(reader, shown.blocks),
        drawing=draw(ladder) if len(ladder.stages) > 1 else None,
        champion=outcome.champion if outcome and outcome.champion_state == SlotState.State.CERTAIN else None,
        awaiting=[
            {**tie, "people": [people[entrant] for entrant in tie["entrants"] if entrant in people]}
            for tie in (outcome.awaiting if outcome else ())
        ],
        stamp=stamp,
        progress=progress_of(tables),
        latest=latest,
        upcoming=upcoming,
    )


def newest_first(stages: Sequence[LadderStage]) -> list[LadderStage]:
    """Return unfinished stages in the order of play, then finished ones, newest first."""
    finished = [stage for stage in stages if all(drawn.table.is_complete for drawn in stage.blocks)]
    return [stage for stage in stages if stage not in finished] + finished[::-1]


def movements_since(shown: PageData, tables: Sequence[BlockTable], stamp: Stamp) -> Mapping[int, Movement]:
    """Return the rank movements in the blocks that played in the newest session; none for an open table."""
    if stamp.session is None or shown.reader.competition.kind == Competition.Kind.OPEN:
        return {}
    return movements_of(shown.reader, tables, stamp.session, format_of(shown.rules), shown.ruleset.players)
