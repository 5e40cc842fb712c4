"""The pages "broadcast and share" of a competition and of a table: addresses, overlays, widgets, QR code, posts."""

from __future__ import annotations

from functools import partial

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.models import Competition
from league.platform.site_url import site_url
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.competitions.opening_posts import opening_posts
from league.selectors.competitions.overview import is_closed_to, table_session_of
from league.selectors.competitions.sharing import overlays_of, widgets_of
from league.views.base import REPRESENTATION, PageData, answer, reader_at, render_in_zone, show
from league.views.competitions.schedule import refuse_if_closed
from league.web.response_cache import Render
from league.wording.names import title_of


@require_safe
def share(request: HttpRequest, slug: str, key: int | None = None) -> HttpResponseBase:
    """Show what a competition, or one table session, offers to broadcasts, other sites and social media."""

    def read() -> tuple[str, Render]:
        reader = reader_at(request, slug)
        # Without BASE_URL addresses have the host of the request, so pages for different hosts must not be mixed up.
        etag = etag_of(reader, REPRESENTATION, "share", key, site_url(request), settings.FRAME_HOSTS)
        return etag, partial(render_in_zone, shared, request, reader, key=key)

    return answer(request, read)


def shared(request: HttpRequest, reader: Reader, key: int | None) -> HttpResponse:
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
    return show(
        request,
        "competitions/share/share.html",
        PageData(reader),
        tab="home",
        page_address=page,
        table_session=table_session,
        overlays=overlays_of(reader, site, table_session),
        widgets=() if key is not None else tuple(widgets),
        frame_hosts=settings.FRAME_HOSTS,
        projector=f"{site}{reverse('pages:projector', args=[competition.slug])}"
        if competition.kind == Competition.Kind.LEAGUE
        else "",
        # The next session of an open table is not public.
        bulletins=() if is_closed_to(reader) else opening_posts(competition, page),
    )
