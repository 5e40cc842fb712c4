"""The what-if page: hypothetical results of the tables in play, with the standings and the ladder that would follow."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.forms.standings.what_if import WhatIfForm
from league.models import Competition
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import stamp_of
from league.selectors.standings.what_if import MOST_TABLES, RefusedTrialError, WhatIfOutcome, tables_in_play, try_out
from league.views.base import REPRESENTATION, PageData, conditional, reader_at, show
from league.web.long_lists import Wanted


@require_safe
def what_if(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the form and the outcome; nothing is cached on the server, because inputs hardly ever repeat."""
    reader = reader_at(request, slug)
    if reader.competition.kind != Competition.Kind.LEAGUE:
        raise Http404(_("There is no such competition."))
    tag = etag_of(reader, REPRESENTATION, "what-if", sorted(map(repr, request.GET.lists())))
    with timezone.override(ZoneInfo(reader.competition.time_zone)):
        return conditional(request, tag, lambda: _page(request, reader))


def _page(request: HttpRequest, reader: Reader) -> HttpResponse:
    tables, wanted = tables_in_play(reader), Wanted.of(request)
    found = wanted.only(tables, lambda table: (seat.entrant for seat in table.seats))
    typed = [table for table in tables if any(request.GET.getlist(f"s{table.hanchan.pk}"))]
    form = WhatIfForm(request.GET, list(dict.fromkeys([*typed, *found]))[:MOST_TABLES])
    context: dict[str, object] = {
        "form": form,
        "outcome": outcome_of(form, reader),
        "wanted": wanted,
        "found": [each for each in form.tables if each.table in found],
        # Folded, not left out: what was typed at the other tables goes on counting.
        "others": [each for each in form.tables if each.table not in found],
        "has_long_list": len(tables) > MOST_TABLES,
    }
    return show(
        request,
        "standings/conditions/what_if.html",
        PageData(reader),
        tab="conditions",
        stamp=stamp_of(reader),
        **context,
    )


def outcome_of(form: WhatIfForm, reader: Reader) -> WhatIfOutcome | None:
    """Return the outcome of the typed results as far as they can be settled, or None if none can."""
    # `take` removes the refused trial, so the loop ends.
    while form.trials:
        try:
            return try_out(reader, form.trials)
        except RefusedTrialError as refused:
            form.take(refused)
    return None
