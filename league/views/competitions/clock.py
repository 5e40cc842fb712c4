"""The round clock of a session, for phones and for pages that show it beside something else."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Session
from league.selectors.access.readers import Reader
from league.selectors.competitions.clock import clock_of
from league.selectors.competitions.schedule import sessions_shown
from league.views.base import PageData, competition_page, show
from league.views.competitions.schedule import refuse_if_closed


@competition_page
def clock(request: HttpRequest, reader: Reader, number: int) -> HttpResponse:
    """Show the clock of one session."""
    session = shown_session(reader, number)
    shown = PageData(reader)
    return show(
        request, "competitions/hall/clock_page.html", shown, tab="sessions", session=session, clock=clock_of(session)
    )


def shown_session(reader: Reader, number: int) -> Session:
    """Return the session of this number; raise Http404 if the reader may not know of it."""
    refuse_if_closed(reader)
    found = next((row for row in sessions_shown(reader) if row.number == number), None)
    if found is None:
        raise Http404(_("There is no such session."))
    return found
