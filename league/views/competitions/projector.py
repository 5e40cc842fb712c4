"""The hall's screen: large type, one picture after another, the clock and announcements above.

Every picture is in the page; a script shows one at a time, and `live.js` keeps the page at what is published. What the
script is told (`?every=8`, seconds) it reads from the address, so that the page is the same for every screen.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Competition
from league.selectors.access.readers import Reader
from league.selectors.competitions.projector import hall_of
from league.selectors.standings.tables import substituted_in
from league.views.base import Shown, competition_page, show


@competition_page
def projector(request: HttpRequest, reader: Reader) -> HttpResponse:
    """The pictures of this evening."""
    if reader.competition.kind != Competition.Kind.LEAGUE:
        raise Http404(_("There is nothing to project here."))
    shown, hall = Shown(reader), hall_of(reader)
    substituted = substituted_in(reader, [part.table.block for part in hall.parts])
    return show(request, "competitions/projector.html", shown, hall=hall, substituted=substituted)
