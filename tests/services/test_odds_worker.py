"""Test a real worker behind a real Redis that computes odds from its own queue after the standings."""

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
    """Return whether both audiences have odds for the newest standings."""
    competition.refresh_from_db()
    rows = Forecast.objects.filter(competition=competition, computed_version=competition.version)
    return competition.computed_version == competition.version and rows.count() == 2


def is_alive() -> bool:
    """Return whether an odds worker has sent a heartbeat."""
    return any(part.is_alive for part in parts() if part.kind == ODDS)


@pytest.mark.usefixtures("celery_worker")
def test_an_idle_odds_worker_sends_heartbeats_on_requests_from_beat_through_its_queue(
    settings: LazySettings, redis_server: str
) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"redis_url": redis_server})
    assert not is_alive()
    report_odds_worker.apply_async()
    assert eventually(is_alive)


@pytest.mark.usefixtures("celery_worker")
def test_a_busy_odds_worker_sends_heartbeats_by_itself(settings: LazySettings, redis_server: str) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"redis_url": redis_server})
    season = Season()
    recompute_competition.delay(season.competition.pk)
    assert eventually(lambda: have_odds(season.competition))
    assert is_alive()


@pytest.mark.usefixtures("celery_worker")
def test_a_worker_computes_the_odds_after_the_standings() -> None:
    season = preliminary(1)
    recompute_competition.delay(season.competition.pk)
    assert eventually(lambda: have_odds(season.competition))
    assert all(row.seasons for row in Forecast.objects.all())
