"""Test the worker's log: a line for each requested task, none for a successful sweep."""

from __future__ import annotations

from pathlib import Path

from redis import Redis

from league.tasks import recompute_competition, sweep
from tests.factories import league
from tests.services.test_worker import eventually


def test_successful_sweeps_are_not_logged(worker_log: Path, redis_server: str) -> None:
    before = len(worker_log.read_text())
    for _time in range(3):
        sweep.delay()
    recompute_competition.delay(league().pk)
    with Redis.from_url(redis_server) as client:
        assert eventually(lambda: client.llen("celery") == 0 and client.hlen("unacked") == 0)
    said = worker_log.read_text()[before:]
    assert "league.tasks.sweep" not in said
    assert said.count('"event": "task_succeeded"') == said.count("\n") >= 1
