"""A real worker behind a real Redis computes the odds, after the standings and from a queue of their own."""

from __future__ import annotations

import pytest
from django.conf import LazySettings

from league.models import Competition, Forecast
from league.models.operations import ODDS
from league.selectors.operations.health import parts
from league.tasks import recompute_competition, report_odds_worker
from tests.league.played_season import Season, preliminary
from tests.services.test_worker import eventually


def have_odds(competition: Competition) -> bool:
    """Whether both audiences have figures for the newest standings."""
    competition.refresh_from_db()
    rows = Forecast.objects.filter(competition=competition, computed_version=competition.version)
    return competition.computed_version == competition.version and rows.count() == 2


def is_alive() -> bool:
    """Whether an odds worker has been heard of."""
    return any(part.is_alive for part in parts() if part.kind == ODDS)


@pytest.mark.usefixtures("celery_worker")
def test_an_idle_odds_worker_reports_when_beat_asks_through_its_queue(
    settings: LazySettings, redis_server: str
) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"redis_url": redis_server})
    assert not is_alive()
    report_odds_worker.apply_async()
    assert eventually(is_alive)


@pytest.mark.usefixtures("celery_worker")
def test_an_odds_worker_that_computes_reports_without_being_asked(settings: LazySettings, redis_server: str) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"redis_url": redis_server})
    season = Season()
    recompute_competition.delay(season.competition.pk)
    assert eventually(lambda: have_odds(season.competition))
    assert is_alive()


@pytest.mark.usefixtures("celery_worker")
def test_odds_follow_the_standings_through_the_worker() -> None:
    season = preliminary(1)
    recompute_competition.delay(season.competition.pk)
    assert eventually(lambda: have_odds(season.competition))
    assert all(row.seasons for row in Forecast.objects.all())
