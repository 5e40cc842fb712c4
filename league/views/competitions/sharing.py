"""The pages "broadcast and share" of a competition and of a table: addresses, overlays, widgets, QR code, posts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.models import Competition
from league.platform.site_url import site_url
from league.platform.throttling import rate_limited
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.competitions.opening_posts import opening_posts
from league.selectors.competitions.overview import table_session_of
from league.selectors.competitions.schedule import played_tables
from league.selectors.competitions.sharing import Overlay, overlays_of, widgets_of
from league.views.base import REPRESENTATION, PageData, answer, reader_at, render_in_zone, show
from league.views.competitions.schedule import refuse_if_closed
from league.views.competitions.session_list import MOST_TABLES
from league.web.long_lists import Wanted
from league.web.response_cache import Render
from league.wording.names import title_of


@require_safe
def share(request: HttpRequest, slug: str, key: int | None = None) -> HttpResponseBase:
    """Show what a competition, or one table session, offers to broadcasts, other sites and social media."""
    wanted = Wanted.of(request)
    if wanted.text:
        return found(request, slug, key, wanted)

    def read() -> tuple[str, Render]:
        reader = reader_at(request, slug)
        # Without BASE_URL addresses have the host of the request, so pages for different hosts must not be mixed up.
        shown = [key, site_url(request), settings.FRAME_HOSTS, wanted.shows_all]
        etag = etag_of(reader, REPRESENTATION, "share", *shown)
        return etag, partial(render_in_zone, shared, request, reader, key=key, wanted=wanted)

    return answer(request, read)


@rate_limited("search")
def found(request: HttpRequest, slug: str, key: int | None, wanted: Wanted) -> HttpResponseBase:
    """Return the page with the tables of the players searched for; it is not cached."""
    return render_in_zone(shared, request, reader_at(request, slug), key=key, wanted=wanted)


def found_overlays(reader: Reader, overlays: Sequence[Overlay], wanted: Wanted) -> tuple[Overlay, ...]:
    """Return the overlays of tables with a player who is searched for, as far as the reader may know the seats."""
    if not wanted.text:
        return tuple(overlays)
    tables = played_tables(reader, [each.table_session for each in overlays])
    people = {
        table.table_session.pk: [seat.entrant for game in table.hanchan for seat in game.planned] for table in tables
    }
    return tuple(each for each in overlays if wanted.has_any(people.get(each.table_session.pk, ())))


def shared(request: HttpRequest, reader: Reader, key: int | None, wanted: Wanted) -> HttpResponse:
    """Render the page of the competition, or of the table session of this id."""
    table_session = None
    if key is not None:
        refuse_if_closed(reader)
        table_session = table_session_of(reader, key)
        if table_session is None:
            raise Http404(_("There is no such table."))
    competition, site = reader.competition, site_url(request)
    route = ("pages:home", [competition.slug]) if key is None else ("pages:table", [competition.slug, key])
    page = f"{site}{reverse(route[0], args=route[1])}"
    name = title_of(competition)
    widgets = widgets_of(
        competition,
        site,
        _("%(name)s: standings") % {"name": name},
        _("%(name)s: ladder") % {"name": name},
        _("%(name)s: next games") % {"name": name},
    )
    overlays = overlays_of(reader, site, table_session)
    shown_overlays = found_overlays(reader, overlays, wanted)
    return show(
        request,
        "competitions/share/share.html",
        PageData(reader),
        tab="home",
        page_address=page,
        table_session=table_session,
        overlays=shown_overlays,
        wanted=wanted,
        found=len(shown_overlays),
        all=len(overlays),
        has_long_list=len(overlays) > MOST_TABLES,
        widgets=() if key is not None else tuple(widgets),
        frame_hosts=settings.FRAME_HOSTS,
        projector=f"{site}{reverse('pages:projector', args=[competition.slug])}"
        if competition.kind == Competition.Kind.LEAGUE
        else "",
        # The next session of an open table is not public.
        bulletins=() if reader.guards_guests else opening_posts(competition, page),
    )
