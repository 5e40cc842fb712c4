"""Pages worth passing on: the champion with the way to the title, and the players who advanced from a stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from league.models import Outcome, Prepared, SlotState, Stage, Standing
from league.platform.site_url import site_url
from league.selectors.access.readers import Reader
from league.selectors.competitions.opening_posts import title_posts
from league.selectors.competitions.overview import shown_tables, stamp_of
from league.selectors.seasons.members import member_table
from league.selectors.standings.ladder import ladder_of
from league.selectors.standings.prepared import season_with
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import BlockTable, result_grids, substituted_in
from league.templatetags.front import ShownBlock
from league.views.base import PageData, competition_page, show
from league.views.competitions.home import champion_of, is_complete
from league.views.competitions.schedule import refuse_if_closed
from league.web.error_pages import NotYetError
from scoring.lines import CHAMPION


@dataclass(frozen=True, slots=True)
class Advanced:
    """The players of a stage who go on to one later stage."""

    stage: Stage
    lines: tuple[Standing, ...]


@competition_page
def champion(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show the champion, the last table with its rounds, and the way from the first stage to the title."""
    refuse_if_closed(reader)
    season_with(reader, Prepared.Part.BLOCK)
    shown = PageData(reader)
    tables, outcome = shown_tables(reader), outcome_of(reader)
    winner = champion_of(outcome)
    if winner is None:
        raise NotYetError(_("The title is not decided yet. This page opens when it is certain."))
    way = [row for table in tables for row in standings_in(table) if row.entrant_id == winner.pk and row.played]
    last = next((row for row in way if row.destination == CHAMPION), way[-1] if way else None)
    blocks = [drawn for stage in ladder_of(tables, outcome).stages for drawn in stage.blocks]
    drawn = next((each for each in blocks if last is not None and each.block.pk == last.block_id), None)
    return show(
        request,
        "competitions/champion/champion.html",
        shown,
        tab="home",
        tables=tables,
        champion=winner,
        last=last,
        way=way,
        members=[row for row in member_table(reader) if row.team.pk == winner.pk] if shown.has_teams else (),
        table=ShownBlock(drawn, None, result_grids(reader, [drawn.block])[drawn.block.pk]) if drawn else None,
        substituted=substituted_in(reader, [drawn.block]) if drawn else frozenset(),
        stamp=stamp_of(reader),
        bulletins=title_posts(
            reader.competition,
            winner,
            f"{site_url(request)}{reverse('pages:champion', args=[reader.competition.slug])}",
        ),
    )


@competition_page
def advanced(request: HttpRequest, reader: Reader, key: str) -> HttpResponse:
    """Show who goes on from a finished stage, the best destination first."""
    refuse_if_closed(reader)
    shown = PageData(reader)
    tables, outcome = shown_tables(reader), outcome_of(reader)
    found = next((stage for stage in ladder_of(tables, outcome).stages if stage.stage.key == key), None)
    if found is None:
        raise Http404(_("There is no such stage."))
    if not is_complete(found):
        raise NotYetError(_("This stage is not finished yet. Who advances is shown here when it is."))
    return show(
        request,
        "competitions/champion/advanced.html",
        shown,
        tab="home",
        stage=found.stage,
        groups=advanced_from(found.stage, tables, outcome),
        stamp=stamp_of(reader),
    )


def standings_in(table: BlockTable) -> list[Standing]:
    """Return the standings of a block, best first."""
    return [line.standing for line in table.lines]


def advanced_from(stage: Stage, tables: Sequence[BlockTable], outcome: Outcome | None) -> list[Advanced]:
    """Return the players certain to play in a later stage by the first such stage, the latest stage first."""
    lines = [row for table in tables if table.block.stage_id == stage.pk for row in standings_in(table)]
    later = [table for table in tables if table.block.stage.order > stage.order]
    stages = {table.block.stage.key: table.block.stage for table in later}
    pools = outcome.pools if outcome else {}
    homes = [
        (table.block.stage.order, table.block.stage.key, slot.entrant_id)
        for table in later
        for slot in table.slots
        if slot.state == SlotState.State.CERTAIN
    ] + [
        (stages[key].order, key, place["entrant"])
        for key, pool in pools.items()
        if key in stages
        for place in pool
        if place["state"] == SlotState.State.CERTAIN
    ]
    # The earliest of several later stages comes last, and counts.
    goes = {
        entrant: key for _order, key, entrant in sorted((home for home in homes if home[2] is not None), reverse=True)
    }
    return [
        Advanced(row, own)
        for row in sorted(stages.values(), key=lambda row: -row.order)
        if (own := tuple(line for line in lines if goes.get(line.entrant_id) == row.key))
    ]
