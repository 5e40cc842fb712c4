"""View of players' rates in a competition."""

from __future__ import annotations

from league.api.base import CompetitionView
from league.api.people.rate_documents import Rates, rates_document
from league.api.schema import describe_get
from league.selectors.access.readers import Reader


@describe_get("get_rates", Rates)
class RatesView(CompetitionView):
    """Return win, deal-in and riichi rates of all players, over the hanchan with a log."""

    is_cached = True

    def write(self, reader: Reader) -> Rates:
        """Return the figures for this audience."""
        return rates_document(reader)
