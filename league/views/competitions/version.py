"""Which version of a competition is published: what open pages ask every few seconds.

Watching costs one query for the competition's row. A page fetches itself again only where the answer has changed, and
is then rendered once for everybody (`response_cache`).
"""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_safe

from league.selectors.access.public_lookup import public_reader
from league.selectors.access.readers import Reader, reader_of, visible_competitions
from league.selectors.standings.odds import odds_mark
from league.web.response_cache import PRIVATE
from league.web.visitors import is_signed_in

SHARED_BRIEFLY = "public, max-age=1"
"""Short enough that a change is on the page within five seconds, asked every three."""


@require_safe
def version(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The version this reader may read, and a mark of the odds that go with it."""
    reader = reader_signed_in(request, slug) if is_signed_in(request) else public_reader(slug)
    if reader is None:
        raise Http404(_("There is no such competition."))
    odds = odds_mark(reader)

    @condition(etag_func=lambda _request: f'"{reader.audience}-{reader.version}-{odds}"')
    def unless_known(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(json.dumps({"version": reader.version, "odds": odds}), content_type="application/json")

    response: HttpResponseBase = unless_known(request)
    response["Cache-Control"] = PRIVATE if is_signed_in(request) else SHARED_BRIEFLY
    patch_vary_headers(response, ["Cookie"])
    return response


def reader_signed_in(request: HttpRequest, slug: str) -> Reader | None:
    """The same for somebody signed in: staff read what is held back."""
    competition = visible_competitions(request.user).filter(slug=slug).first()
    return reader_of(competition, request.user) if competition else None
