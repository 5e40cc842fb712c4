"""Players' rates in a competition."""

from __future__ import annotations

from league.api.documents.common import Document
from league.api.documents.rates import rates_document
from league.api.schema import reads
from league.api.shapes_of_rates import RatesShape
from league.api.views.base import CompetitionView
from league.selectors.readers import Reader


@reads("get_rates", RatesShape)
class RatesView(CompetitionView):
    """How often everybody wins, deals in, declares riichi: over the hanchan that were followed hand by hand."""

    is_kept = True

    def write(self, reader: Reader) -> Document:
        """The figures for this audience."""
        return rates_document(reader)
