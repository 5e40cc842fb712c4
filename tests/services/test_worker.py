"""A real worker behind a real Redis computes the standings."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import LazySettings
from redis import Redis

from league.models import Competition, Standing
from league.tasks import recompute_competition
from tests.factories import league, play, table


def eventually(holds: Callable[[], bool], seconds: float = 120) -> bool:
    """Whether it comes to hold within the time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return holds()


def is_published(competition: Competition) -> bool:
    competition.refresh_from_db()
    return competition.computed_version == competition.version


@pytest.mark.usefixtures("celery_worker")
def test_a_result_reaches_the_standings_through_the_worker() -> None:
    season = league()
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    assert eventually(lambda: is_published(season))
    assert Standing.objects.filter(audience="public", total=512, block__key="A").exists()


def test_a_burst_of_results_is_published_together(settings: LazySettings, worker_log: Path, redis_server: str) -> None:
    games = table(league().blocks.get(key="A")).hanchan.all()
    wait_until_all_is_done(redis_server)
    settings.PUBLISHED_APART_SECONDS = 1
    before = computations(worker_log)
    for game in games:
        play(game, (41200 - 100 * game.round, 30100, 18700, 10000 + 100 * game.round))
    wait_until_all_is_done(redis_server)
    assert is_published(games[0].block.competition)
    assert 1 <= computations(worker_log) - before < len(games)


def wait_until_all_is_done(address: str) -> None:
    """Messages that wait for their time are with the worker, and not yet done with."""
    with Redis.from_url(address) as client:
        assert eventually(lambda: client.llen("celery") == client.hlen("unacked") == 0)


def computations(log: Path) -> int:
    """How often the worker has been told to compute by now."""
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    return sum((line["event"], line.get("task")) == ("task_succeeded", recompute_competition.name) for line in lines)


@pytest.mark.usefixtures("celery_worker")
def test_double_and_late_messages_do_no_harm(redis_server: str) -> None:
    season = league()
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    for _ in range(50):
        recompute_competition.delay(season.pk)
    assert eventually(lambda: is_published(season))
    with Redis.from_url(redis_server) as client:
        assert eventually(lambda: client.llen("celery") == 0)
    assert is_published(season)
    assert Standing.objects.filter(audience="public", total=512, block__key="A").count() == 1
