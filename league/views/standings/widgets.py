"""Small pages for other sites to show in a frame: a competition's standings, and its ladder.

They show what everybody may see, whoever looks, so that a frame gives nobody's rights away; they alone may be framed,
by the sites that the operator names (`FRAME_HOSTS`).
Theme, language, block and the last session to be told of are named by the address, since frames are sent no cookie.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from csp.constants import SELF
from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from league.models import Competition
from league.selectors.access.etags import etag_of
from league.selectors.access.public_lookup import public_reader
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import shown_tables, stamp_of
from league.selectors.standings.ladder import ladder_of
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import substituted_in
from league.views.base import Shown, conditional
from league.web.ladder_svg import draw
from league.web.middleware.language import language_asked
from league.web.middleware.spoiler_guard import NUMBER, PARAMETER

THEMES = ("auto", "light", "dark")
Contents = Callable[[Reader, Shown, HttpRequest], dict[str, Any]]


def standings_contents(reader: Reader, _shown: Shown, request: HttpRequest) -> dict[str, Any]:
    """Every block's table, or that of the block asked for."""
    key = request.GET.get("block", "")
    tables = [table for table in shown_tables(reader) if key in ("", table.block.key)]
    if not tables:
        raise Http404(_("There is no such block."))
    return {"tables": tables, "substituted": substituted_in(reader, [table.block for table in tables])}


def ladder_contents(reader: Reader, shown: Shown, _request: HttpRequest) -> dict[str, Any]:
    """Who sits where, and which rank leads where."""
    ladder = ladder_of(shown_tables(reader), outcome_of(reader))
    return {
        "ladder": ladder,
        "drawing": draw(ladder) if len(ladder.stages) > 1 else None,
        "substituted": substituted_in(reader, shown.blocks),
    }


def widget(request: HttpRequest, slug: str, template: str, contents: Contents) -> HttpResponseBase:
    """The page, which other sites may frame."""

    @xframe_options_exempt
    @csp_replace({"frame-ancestors": [SELF, *settings.FRAME_HOSTS]})
    def framed(_request: HttpRequest) -> HttpResponseBase:
        return shown_in_frame(request, slug, template, contents)

    return framed(request)


def shown_in_frame(request: HttpRequest, slug: str, template: str, contents: Contents) -> HttpResponseBase:
    """The page in the theme and language asked for, 304 where it is known."""
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
        etag = etag_of(reader, template, theme, request.GET.get("block", ""))

        def make() -> HttpResponse:
            shown = Shown(reader)
            more = {"theme": theme, "stamp": stamp_of(reader)} | contents(reader, shown, request)
            return render(request, template, shown.context() | more)

        return conditional(request, etag, make)


def until_asked(request: HttpRequest, competition: Competition) -> int | None:
    """The session after which the address wants to hear of no result: the spoiler guard of frames."""
    chosen = request.GET.get(PARAMETER, "")
    return int(chosen) if competition.kind == Competition.Kind.LEAGUE and NUMBER.fullmatch(chosen) else None


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The tables of a competition, in a frame."""
    return widget(request, slug, "standings/embed/standings.html", standings_contents)


@require_safe
def ladder(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The ladder of a competition, in a frame."""
    return widget(request, slug, "standings/embed/ladder.html", ladder_contents)
