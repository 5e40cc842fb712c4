"""The odds page: the probability of each stage and each final rank, and the effect of the next hanchan."""

from __future__ import annotations

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Competition, Entrant
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import stamp_of
from league.selectors.standings.odds import CompetitionOdds, forecast_of, odds_mark, odds_of, odds_state
from league.views.base import PageData, list_page, show
from league.web.long_lists import Wanted
from league.web.standings.large_fields import is_large
from league.wording.standings.odds import unforeseen_text
from rulesets.prior import load_prior


@list_page(odds_state)
def odds(request: HttpRequest, reader: Reader, *, wanted: Wanted) -> HttpResponse:
    """Show the odds of a league, and the method and data behind them."""
    if reader.competition.kind != Competition.Kind.LEAGUE:
        raise Http404(_("There are no odds here."))
    shown = PageData(reader)
    forecast = forecast_of(reader)
    whole = odds_of(reader)
    known = entrants_in(whole) if whole else []
    found = found_in(whole, wanted) if whole else None
    has_reason = forecast is not None and "unforeseen" in forecast.payload
    return show(
        request,
        "standings/odds/odds.html",
        shown,
        tab="odds",
        odds_mark=odds_mark(reader),
        odds=found,
        wanted=wanted,
        all=len(known),
        found=sum(map(wanted.finds, known)),
        has_long_list=is_large(len(known)),
        unforeseen=unforeseen_text(forecast.payload["unforeseen"]["reason"])
        if forecast is not None and has_reason
        else "",
        pool=forecast.payload["pool"] if forecast else {},
        prior=load_prior().note,
        places=range(1, shown.ruleset.players + 1),
        stamp=stamp_of(reader),
    )


def entrants_in(odds: CompetitionOdds) -> list[Entrant]:
    """Return every entrant with a figure on the page."""
    entrants = [
        *(row.entrant for row in odds.players),
        *(row.entrant for block in odds.blocks for row in block.rows),
        *(row.entrant for row in odds.next_hanchan),
    ]
    return list({entrant.pk: entrant for entrant in entrants}.values())


def found_in(odds: CompetitionOdds, wanted: Wanted) -> CompetitionOdds:
    """Return the odds of those players whom the reader searches for."""
    return replace(
        odds,
        players=tuple(wanted.only(odds.players, lambda row: (row.entrant,))),
        blocks=tuple(
            replace(block, rows=tuple(wanted.only(block.rows, lambda row: (row.entrant,)))) for block in odds.blocks
        ),
        next_hanchan=tuple(wanted.only(odds.next_hanchan, lambda row: (row.entrant,))),
    )
