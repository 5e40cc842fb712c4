"""A real worker behind a real Redis computes the odds, after the standings and from a queue of their own."""

from __future__ import annotations

import pytest

from league.models import Competition, Forecast
from league.tasks import recompute_competition
from tests.league.played_season import Season
from tests.services.test_worker import eventually


def have_odds(competition: Competition) -> bool:
    """Whether both audiences have figures for the newest standings."""
    competition.refresh_from_db()
    rows = Forecast.objects.filter(competition=competition, computed_version=competition.version)
    return competition.computed_version == competition.version and rows.count() == 2


@pytest.mark.usefixtures("celery_worker")
def test_odds_follow_the_standings_through_the_worker() -> None:
    season = Season()
    season.play_preliminary(1)
    recompute_competition.delay(season.competition.pk)
    assert eventually(lambda: have_odds(season.competition))
    assert all(row.seasons for row in Forecast.objects.all())
