"""Which version of a competition is published: what open pages ask every few seconds.

The one idea: watching costs one look at the competition's row. A page fetches itself again only where the answer has
changed, and is then rendered once for everybody (`views/base.rendered_once`).
"""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_safe

from league.selectors.odds import with_odds_marks
from league.selectors.readers import reader_of, visible_competitions

FOR_EVERYBODY = "public, max-age=1"
"""Short enough that a change is on the page within five seconds, asked every three."""
FOR_ONE = "private, no-cache"


@require_safe
def version(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The version this reader may read, and a mark of the odds that go with it."""
    competition = with_odds_marks(visible_competitions(request.user).filter(slug=slug)).first()
    if competition is None:
        raise Http404(_("There is no such competition."))
    reader = reader_of(competition, request.user)
    marks = {"version": reader.version, "odds": getattr(competition, f"{reader.audience}_odds")}
    tag = f'"{reader.audience}-{marks["version"]}-{marks["odds"]}"'

    @condition(etag_func=lambda _request: tag)
    def unless_known(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(json.dumps(marks), content_type="application/json")

    response: HttpResponseBase = unless_known(request)
    response["Cache-Control"] = FOR_ONE if request.user.is_authenticated else FOR_EVERYBODY
    patch_vary_headers(response, ["Cookie"])
    return response
