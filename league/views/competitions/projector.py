"""The hall screen: large type, one picture after another, with the clock and announcements above.

All pictures are in the page; a script shows one at a time, and `live.js` keeps the page up to date with the published
version. The script reads its options (`?every=8`, seconds) from the URL, so that the page is the same, and cached
once, for every screen.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Competition
from league.selectors.access.readers import Reader
from league.selectors.competitions.projector import hall_of
from league.selectors.standings.tables import substituted_in
from league.views.base import PageData, competition_page, show


@competition_page
def projector(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show the pictures of the current session."""
    if reader.competition.kind != Competition.Kind.LEAGUE:
        raise Http404(_("There is nothing to project here."))
    shown, hall = PageData(reader), hall_of(reader)
    substituted = substituted_in(reader, [part.table.block for part in hall.parts])
    return show(request, "competitions/projector.html", shown, hall=hall, substituted=substituted)
