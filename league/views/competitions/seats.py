"""The seats of a round: a page for phones that also prints for the wall, and a screen for the hall."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from league.models import Session
from league.platform.site_url import site_url
from league.selectors.access.readers import Reader
from league.selectors.competitions.clock import clock_of
from league.selectors.competitions.seat_lists import PlayersSeat, SeatList, letters_of, seat_list
from league.views.base import PageData, competition_page, list_page, show
from league.views.competitions.clock import shown_session
from league.web.long_lists import Wanted

MOST_NAMES = 48
"""Names that are listed without folds."""
NAMES_ON_SCREEN = 48
TABLES_ON_SCREEN = 12


@list_page()
def seats(
    request: HttpRequest,
    reader: Reader,
    number: int,
    of_round: int | None = None,
    *,
    wanted: Wanted,
) -> HttpResponse:
    """Show the seats of a round by name and by table."""
    session = shown_session(reader, number)
    found = list_at(reader, session, of_round)
    by_name = wanted.only(found.seats, lambda one: [one.entrant])
    return show(
        request,
        "competitions/hall/seats.html",
        PageData(reader),
        tab="sessions",
        session=session,
        wanted=wanted,
        seats=found,
        letters=letters_of(by_name),
        tables=[table for table in found.tables if wanted.has_any(one.entrant for one in table.seats)],
        all=len(found.seats),
        found=len(by_name),
        has_long_list=len(found.seats) > MOST_NAMES,
        is_folded=len(by_name) > MOST_NAMES and not wanted.shows_all,
        clock=clock_of(session),
    )


@competition_page
def seats_screen(request: HttpRequest, reader: Reader, number: int) -> HttpResponse:
    """Show the seats of the round to be played on a big screen, one part after another."""
    session = shown_session(reader, number)
    found = list_at(reader, session, None)
    address = reverse("pages:seat-list", args=[reader.competition.slug, number])
    parts: list[list[PlayersSeat]] = [
        list(found.seats[first : first + NAMES_ON_SCREEN]) for first in range(0, len(found.seats), NAMES_ON_SCREEN)
    ]
    tables = [table for table in found.tables if table.seats]
    return show(
        request,
        "competitions/hall/seats_screen.html",
        PageData(reader),
        session=session,
        seats=found,
        parts=parts,
        tables=[tables[first : first + TABLES_ON_SCREEN] for first in range(0, len(tables), TABLES_ON_SCREEN)],
        clock=clock_of(session),
        home=f"{site_url(request)}{address}",
    )


def list_at(reader: Reader, session: Session, number: int | None) -> SeatList:
    """Return the seats of a round; raise Http404 if the session has no such round."""
    found = seat_list(reader, session, number)
    if found is None:
        raise Http404(_("There is no such round."))
    return found
