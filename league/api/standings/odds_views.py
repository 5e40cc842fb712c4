"""Odds of a competition."""

from __future__ import annotations

from typing import Any

from league.api.base import CompetitionView
from league.api.schema import reads
from league.api.standings.odds_documents import Odds, odds_document
from league.selectors.access.readers import Reader
from league.selectors.standings.odds import forecast_for, odds_of, odds_state


@reads("get_odds", Odds)
class OddsView(CompetitionView):
    """How likely each rank, each stage and the title are, and what hangs on the next hanchan: by simulation."""

    is_cached = True

    def parts(self) -> list[Any]:
        """Also the figures, which follow the version."""
        return [*super().parts(), odds_state(self.reader)]

    def write(self, reader: Reader) -> Odds:
        """The figures for this audience."""
        return odds_document(reader, forecast_for(reader.competition, reader.audience), odds_of(reader))
