"""Widgets for other sites to show in a frame: a competition's standings, its ladder, and the games now and next.

They always show the public's view, also to signed-in users, so that a frame never exposes a user's rights. They are
the only pages that may be framed, by the sites that the operator names (`FRAME_HOSTS`). The URL names theme, language,
block and the session of the spoiler guard, because browsers send no cookies with frames.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from zoneinfo import ZoneInfo

from csp.constants import SELF
from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from league.models import Competition
from league.platform.rendering import render
from league.selectors.access.etags import etag_of
from league.selectors.access.public_lookup import public_reader
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import running_mark, sessions_around, shown_tables, stamp_of
from league.selectors.standings.ladder import ladder_of, shortened
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import substituted_in
from league.views.base import PageData, conditional
from league.views.competitions.home import champion_of, current_stages, now_of, results_of, shown_blocks
from league.web.access.competition_cookies import UNTIL
from league.web.middleware.language import language_asked
from league.web.middleware.spoiler_guard import PARAMETER
from league.web.standings.ladder_svg import draw

THEMES = ("auto", "light", "dark")
Contents = Callable[[Reader, PageData, HttpRequest], dict[str, object]]


def standings_contents(reader: Reader, _shown: PageData, request: HttpRequest) -> dict[str, object]:
    """Return the tables of all blocks, or of the block in the URL; raise Http404 if there is none."""
    key = request.GET.get("block", "")
    tables = [table for table in shown_tables(reader) if key in ("", table.block.key)]
    if not tables:
        raise Http404(_("There is no such block."))
    stages = ladder_of(tables, None).stages
    results, current = results_of(reader, stages), current_stages(stages)
    stages = (*current, *(stage for stage in stages if stage not in current))
    return {
        "blocks": [block for stage in stages for block in shown_blocks(stage, {}, results)],
        "substituted": substituted_in(reader, [table.block for table in tables]),
    }


def next_contents(reader: Reader, _shown: PageData, _request: HttpRequest) -> dict[str, object]:
    """Return the games being played, and the next ones otherwise; raise Http404 for an open table, which has none."""
    if reader.competition.kind != Competition.Kind.LEAGUE:
        raise Http404(_("There is no such page."))
    _latest, upcoming = sessions_around(reader, stamp_of(reader))
    return {
        "now": now_of(reader, upcoming),
        "upcoming": upcoming,
        "champion": champion_of(outcome_of(reader)),
    }


def ladder_contents(reader: Reader, shown: PageData, _request: HttpRequest) -> dict[str, object]:
    """Return the ladder: its slots with their players, and the destinations of the ranks."""
    ladder = ladder_of(shown_tables(reader), outcome_of(reader))
    made = shortened(ladder)
    return {
        "ladder": ladder,
        "drawing": draw(made) if len(ladder.stages) > 1 else None,
        "has_long_list": made.stages != ladder.stages,
        "substituted": substituted_in(reader, shown.blocks),
    }


def widget(request: HttpRequest, slug: str, template: str, contents: Contents) -> HttpResponseBase:
    """Return the page with headers that let the sites in FRAME_HOSTS frame it."""

    @xframe_options_exempt
    # Current browsers obey frame-ancestors; X-Frame-Options knows no list of sites, hence the exemption above.
    @csp_replace({"frame-ancestors": [SELF, *settings.FRAME_HOSTS]})
    def framed(_request: HttpRequest) -> HttpResponseBase:
        return shown_in_frame(request, slug, template, contents)

    return framed(request)


def shown_in_frame(request: HttpRequest, slug: str, template: str, contents: Contents) -> HttpResponseBase:
    """Return the page in the theme and language of the URL, or 304."""
    # Never the signed-in user's reader: the response is cached for all and shown on a foreign site.
    found = public_reader(slug)
    if found is None:
        raise Http404(_("There is no such competition."))
    competition = found.competition
    reader = replace(found, until=until_asked(request, competition))
    asked = request.GET.get("theme", "")
    theme = asked if asked in THEMES else THEMES[0]
    with (
        translation.override(language_asked(request) or translation.get_language()),
        timezone.override(ZoneInfo(competition.time_zone)),
    ):
        etag = etag_of(reader, template, theme, request.GET.get("block", ""), running_mark(reader))

        def make() -> HttpResponse:
            shown = PageData(reader)
            more = {"theme": theme, "stamp": stamp_of(reader)} | contents(reader, shown, request)
            return render(request, template, shown.context() | more)

        return conditional(request, etag, make)


def until_asked(request: HttpRequest, competition: Competition) -> int | None:
    """Return the session number after which the URL asks to hide results, the spoiler guard of frames.

    None for no limit.
    """
    chosen = request.GET.get(PARAMETER, "")
    return int(chosen) if competition.kind == Competition.Kind.LEAGUE and UNTIL.values.fullmatch(chosen) else None


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the tables of a competition in a frame."""
    return widget(request, slug, "standings/embed/standings.html", standings_contents)


@require_safe
def ladder(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the ladder of a competition in a frame."""
    return widget(request, slug, "standings/embed/ladder.html", ladder_contents)


@require_safe
def upcoming(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the games being played or the next ones of a league in a frame."""
    return widget(request, slug, "standings/embed/next.html", next_contents)
