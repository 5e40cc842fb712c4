"""Which version of a competition is published: what open pages ask every few seconds.

The one idea: watching costs one look at the competition's row (`selectors/watching.py`). A page fetches itself again
only where the answer has changed, and is then rendered once for everybody (`kept_answers`).
"""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_safe

from league.models import Audience
from league.selectors.odds import with_odds_marks
from league.selectors.readers import reader_of, visible_competitions
from league.selectors.watching import Marks, marks_for_everybody
from league.views.visitors import is_signed_in

FOR_EVERYBODY = "public, max-age=1"
"""Short enough that a change is on the page within five seconds, asked every three."""
FOR_ONE = "private, no-cache"


@require_safe
def version(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The version this reader may read, and a mark of the odds that go with it."""
    is_known = is_signed_in(request)
    audience, marks = marks_of(request, slug) if is_known else (Audience.PUBLIC, marks_for_everybody(slug))
    if marks is None:
        raise Http404(_("There is no such competition."))
    tag = f'"{audience}-{marks.version}-{marks.odds}"'

    @condition(etag_func=lambda _request: tag)
    def unless_known(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(json.dumps(marks._asdict()), content_type="application/json")

    response: HttpResponseBase = unless_known(request)
    response["Cache-Control"] = FOR_ONE if is_known else FOR_EVERYBODY
    patch_vary_headers(response, ["Cookie"])
    return response


def marks_of(request: HttpRequest, slug: str) -> tuple[str, Marks | None]:
    """The same for somebody signed in: staff read what is held back."""
    competition = with_odds_marks(visible_competitions(request.user).filter(slug=slug)).first()
    if competition is None:
        return Audience.PUBLIC, None
    reader = reader_of(competition, request.user)
    return reader.audience, Marks(reader.version, getattr(competition, f"{reader.audience}_odds"))
