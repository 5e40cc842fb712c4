"""Players' rates in a competition."""

from __future__ import annotations

from league.api.base import CompetitionView
from league.api.people.rate_documents import Rates, rates_document
from league.api.schema import reads
from league.selectors.access.readers import Reader


@reads("get_rates", Rates)
class RatesView(CompetitionView):
    """How often everybody wins, deals in, declares riichi: over the hanchan that were followed hand by hand."""

    is_cached = True

    def write(self, reader: Reader) -> Rates:
        """The figures for this audience."""
        return rates_document(reader)
