"""The page of the ladder: upright for phones, from left to right for wide screens, and as a list.

With `?path=KEY` it lights the path of that player.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.platform.throttling import rate_limited
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import shown_tables, stamp_of
from league.selectors.people.player_records import entrant_of
from league.selectors.standings.ladder import Ladder, ladder_of, shortened
from league.selectors.standings.ladder_paths import paths_of
from league.selectors.standings.prepared import BLOCK, season_with
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import substituted_in
from league.views.base import REPRESENTATION, PageData, answer, reader_at, render_in_zone, show
from league.web.error_pages import ExplainedError
from league.web.long_lists import Wanted
from league.web.response_cache import Render
from league.web.standings.ladder_svg import draw
from league.web.standings.ladder_upright import draw_upright

PARAMETER = "path"
"""The key of the player whose path is lit."""


@require_safe
def ladder(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the ladder; raise `ExplainedError` if there is only one stage.

    Only pages without a player, or with a player of the competition, are cached: there are no others to be asked for.
    """
    key, wanted = request.GET.get(PARAMETER, ""), Wanted.of(request)
    if wanted.text:
        return found_in_list(request, slug, key, wanted)
    if key:
        reader = reader_at(request, slug)
        if entrant_of(reader, key) is None:
            return render_in_zone(render_ladder, request, reader, key="", wanted=wanted, is_unknown=True)

    def read() -> tuple[str, Render]:
        reader = reader_at(request, slug)
        etag = etag_of(reader, REPRESENTATION, "path", key, wanted.shows_all)
        return etag, partial(render_in_zone, render_ladder, request, reader, key=key, wanted=wanted)

    return answer(request, read)


@rate_limited("search")
def found_in_list(request: HttpRequest, slug: str, key: str, wanted: Wanted) -> HttpResponse:
    """Render the ladder with only those players in the list whom the reader searches for."""
    reader = reader_at(request, slug)
    is_known = not key or entrant_of(reader, key) is not None
    known = key if is_known else ""
    return render_in_zone(render_ladder, request, reader, key=known, wanted=wanted, is_unknown=not is_known)


def render_ladder(
    request: HttpRequest, reader: Reader, key: str, wanted: Wanted, *, is_unknown: bool = False
) -> HttpResponse:
    """Render the ladder with the path of this player lit; an empty key lights none."""
    season_with(reader, BLOCK)
    shown = PageData(reader)
    whole = ladder_of(shown_tables(reader), outcome_of(reader))
    if len(whole.stages) < 2:  # noqa: PLR2004 - a ladder leads from one stage to another
        raise ExplainedError(_("There is no ladder here: the competition has only one stage."))
    made, paths = shortened(whole), paths_of(whole)
    found = found_rows(whole, wanted)
    count = sum(len(block.rows) for stage in whole.stages for block in stage.blocks)
    return show(
        request,
        "standings/ladder_page.html",
        shown,
        tab="home",
        wanted=wanted,
        has_long_list=made.stages != whole.stages,
        all=count,
        found=sum(len(block.rows) for stage in found.stages for block in stage.blocks),
        ladder=found if wanted.text or wanted.shows_all else made,
        drawing=draw(made),
        upright=draw_upright(made),
        paths=paths,
        lit=key,
        chosen=paths.entrants.get(key),
        is_unknown=is_unknown,
        substituted=substituted_in(reader, shown.blocks),
        stamp=stamp_of(reader),
    )


def found_rows(ladder: Ladder, wanted: Wanted) -> Ladder:
    """Return the ladder with the rows of those players whom the reader searches for, for the list."""
    if not wanted.text:
        return ladder
    stages = (
        replace(
            stage,
            blocks=tuple(
                replace(block, rows=rows, hidden=0)
                for block in stage.blocks
                if (rows := tuple(wanted.only(block.rows, lambda row: (row.entrant,))))
            ),
        )
        for stage in ladder.stages
    )
    return replace(ladder, stages=tuple(stage for stage in stages if stage.blocks))
