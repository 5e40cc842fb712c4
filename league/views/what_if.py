"""What if: results of the tables in play tried out, with the standings and the ladder that would follow."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

from league.forms.what_if import WhatIfForm
from league.models import Competition
from league.selectors.etags import etag_of
from league.selectors.pages import stamp_of
from league.selectors.readers import Reader, visible_competitions
from league.selectors.what_if import Outcome, RefusedTrialError, tables_in_play, try_out
from league.views.base import FOR_EVERYBODY, FOR_ONE, REPRESENTATION, Shown, show
from league.views.guard import reader_for


@require_safe
@gzip_page
def what_if(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The form, and what would follow; its states are many, so no page is kept."""
    competition = visible_competitions(request.user).filter(slug=slug, kind=Competition.Kind.LEAGUE).first()
    if competition is None:
        raise Http404(_("There is no such competition."))
    reader = reader_for(request, competition)
    tag = etag_of(reader, REPRESENTATION, "what-if", sorted(map(repr, request.GET.lists())))

    @condition(etag_func=lambda _request: tag)
    def unless_known(asked: HttpRequest) -> HttpResponse:
        return _page(asked, reader)

    with timezone.override(ZoneInfo(competition.time_zone)):
        response: HttpResponseBase = unless_known(request)
    response["Cache-Control"] = FOR_ONE if request.user.is_authenticated else FOR_EVERYBODY
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def _page(request: HttpRequest, reader: Reader) -> HttpResponse:
    form = WhatIfForm(request.GET, tables_in_play(reader))
    context: dict[str, Any] = {"form": form, "outcome": outcome_of(form, reader)}
    return show(request, "conditions/what_if.html", Shown(reader), tab="conditions", stamp=stamp_of(reader), **context)


def outcome_of(form: WhatIfForm, reader: Reader) -> Outcome | None:
    """What would follow from what was typed, as far as it can be settled; None where nothing can."""
    while form.trials:
        try:
            return try_out(reader, form.trials)
        except RefusedTrialError as refused:
            form.take(refused)
    return None
