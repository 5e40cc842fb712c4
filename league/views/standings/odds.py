"""The odds page: the probability of each stage and each final rank, and the effect of the next hanchan."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Competition
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import stamp_of
from league.selectors.standings.odds import forecast_of, odds_mark, odds_of, odds_state
from league.views.base import PageData, competition_page_with, show
from league.wording.odds import unforeseen_text
from rulesets.prior import load_prior


@competition_page_with(odds_state)
def odds(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show the odds of a league, and the method and data behind them."""
    if reader.competition.kind != Competition.Kind.LEAGUE:
        raise Http404(_("There are no odds here."))
    shown = PageData(reader)
    forecast = forecast_of(reader)
    has_reason = forecast is not None and "unforeseen" in forecast.payload
    return show(
        request,
        "standings/odds/odds.html",
        shown,
        tab="odds",
        odds_mark=odds_mark(reader),
        odds=odds_of(reader),
        unforeseen=unforeseen_text(forecast.payload["unforeseen"]["reason"])
        if forecast is not None and has_reason
        else "",
        pool=forecast.payload["pool"] if forecast else {},
        prior=load_prior().note,
        places=range(1, shown.ruleset.players + 1),
        stamp=stamp_of(reader),
    )
