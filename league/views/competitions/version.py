"""The published version of a competition, which open pages poll every few seconds.

Polling costs one query for the competition's row. A page is fetched again only if the answer has changed, and is then
rendered once for all clients (`response_cache`).
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.platform.replica import read_from_replica
from league.selectors.access.etags import database_life
from league.selectors.access.public_lookup import public_reader
from league.selectors.competitions.overview import running_mark
from league.selectors.standings.odds import odds_mark
from league.views.base import signed_in_reader
from league.web.access.visitors import is_signed_in
from league.web.response_cache import PRIVATE, SHARED_BRIEFLY, unless_known


@require_safe
def version(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return the version this reader may read, a mark of the odds that belong to it, and one of the running games."""
    if is_signed_in(request):
        reader = signed_in_reader(request, slug)
    else:
        reader = read_from_replica(lambda: public_reader(slug))
    if reader is None:
        raise Http404(_("There is no such competition."))
    odds, games = odds_mark(reader), running_mark(reader)
    life = database_life()  # a restored backup may give version numbers out again

    etag = f'"{reader.audience}-{reader.shown_version}-{odds}-{games}-{life}"'
    found = {"version": reader.shown_version, "odds": odds, "games": games}
    response: HttpResponseBase = unless_known(request, etag, lambda: JsonResponse(found))
    response["Cache-Control"] = PRIVATE if is_signed_in(request) else SHARED_BRIEFLY
    patch_vary_headers(response, ["Cookie"])
    return response
