"""The page of the ladder: upright for phones, from left to right for wide screens, and as a list."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import shown_tables, stamp_of
from league.selectors.standings.ladder import ladder_of, shortened
from league.selectors.standings.prepared import BLOCK, season_with
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import substituted_in
from league.views.base import PageData, competition_page, show
from league.web.error_pages import ExplainedError
from league.web.ladder_svg import draw
from league.web.ladder_upright import draw_upright


@competition_page
def ladder(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show the ladder; raise `ExplainedError` if there is only one stage."""
    season_with(reader, BLOCK)
    shown = PageData(reader)
    made = shortened(ladder_of(shown_tables(reader), outcome_of(reader)))
    if len(made.stages) < 2:  # noqa: PLR2004 - a ladder leads from one stage to another
        raise ExplainedError(_("There is no ladder here: the competition has only one stage."))
    return show(
        request,
        "standings/ladder_page.html",
        shown,
        tab="home",
        ladder=made,
        drawing=draw(made),
        upright=draw_upright(made),
        substituted=substituted_in(reader, shown.blocks),
        stamp=stamp_of(reader),
    )
