"""A competition's home: the ladder, every block in short, what was just played and what comes next."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from league.models import SlotState
from league.selectors.ladder import ladder_of
from league.selectors.pages import (
    entrants_by_id,
    latest_session,
    next_session,
    progress_of,
    shown_tables,
    stamp_of,
)
from league.selectors.published import outcome_of
from league.selectors.readers import Reader
from league.views.base import Shown, competition_page, show
from league.views.drawing import draw


@competition_page
def home(request: HttpRequest, reader: Reader) -> HttpResponse:
    """The league's home page."""
    shown = Shown(reader)
    tables = shown_tables(reader)
    outcome = outcome_of(reader)
    ladder = ladder_of(tables, outcome)
    stamp = stamp_of(reader)
    tied = {entrant for tie in (outcome.awaiting if outcome else ()) for entrant in tie["entrants"]}
    people = entrants_by_id(reader.competition, tied) if tied else {}
    return show(
        request,
        "competitions/home.html",
        shown,
        tab="home",
        tables=tables,
        ladder=ladder,
        drawing=draw(ladder) if len(ladder.stages) > 1 else None,
        champion=outcome.champion if outcome and outcome.champion_state == SlotState.State.CERTAIN else None,
        awaiting=[
            {**tie, "people": [people[entrant] for entrant in tie["entrants"] if entrant in people]}
            for tie in (outcome.awaiting if outcome else ())
        ],
        stamp=stamp,
        progress=progress_of(tables),
        latest=latest_session(reader, stamp),
        upcoming=next_session(reader),
    )
