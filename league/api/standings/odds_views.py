"""View of the odds of a competition."""

from __future__ import annotations

from league.api.base import CompetitionView
from league.api.schema import describe_get
from league.api.standings.odds_documents import Odds, odds_document
from league.selectors.access.readers import Reader
from league.selectors.standings.odds import forecast_for, odds_of, odds_state


@describe_get("get_odds", Odds)
class OddsView(CompetitionView):
    """Return the simulated chances of each rank, each stage and the title, and by the place in the next hanchan."""

    is_cached = True

    def parts(self) -> list[object]:
        """Add the state of the figures, which are computed after the version is published."""
        return [*super().parts(), odds_state(self.reader)]

    def write(self, reader: Reader) -> Odds:
        """Return the figures for this audience."""
        return odds_document(reader, forecast_for(reader.competition, reader.audience), odds_of(reader))
