"""The page on which a visitor sets the spoiler guard; it shows no results."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Competition
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import sessions_shown
from league.views.base import PageData, competition_page, show


@competition_page
def spoilers(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Choose the session up to which results are shown; the page itself lists sessions only."""
    if reader.competition.kind != Competition.Kind.LEAGUE:
        raise Http404(_("There are no sessions to wait for here."))
    return show(request, "access/spoilers.html", PageData(reader), sessions=sessions_shown(reader))
