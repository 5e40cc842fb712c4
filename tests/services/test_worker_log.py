"""A worker's log has a line for what was asked for, and none for a sweep that went well."""

from __future__ import annotations

from pathlib import Path

from redis import Redis

from league.tasks import recompute_competition, sweep
from tests.factories import league
from tests.services.test_worker import eventually


def test_sweeps_that_go_well_are_not_logged(worker_log: Path, redis_server: str) -> None:
    before = len(worker_log.read_text())
    for _time in range(3):
        sweep.delay()
    recompute_competition.delay(league().pk)
    with Redis.from_url(redis_server) as client:
        assert eventually(lambda: client.llen("celery") == 0 and client.hlen("unacked") == 0)
    said = worker_log.read_text()[before:]
    assert "league.tasks.sweep" not in said
    assert said.count('"event": "task_succeeded"') == said.count("\n") >= 1
