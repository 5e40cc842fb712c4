"""Test a real worker behind a real Redis that computes standings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from celery import Celery
from django.conf import LazySettings
from redis import Redis

from league.models import Competition, Standing
from league.platform.environment import ROOT
from league.tasks import recompute_competition
from scripts.servers import started
from tests.factories import league, play, table

SECRET = "hidden-word"
LONG_SECRET = f"{SECRET}-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJ"
PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "league.settings",
    "MODE": "production",
    "SECRET_KEY": LONG_SECRET,
    "SECRET_KEY_FALLBACKS": f"{LONG_SECRET}-2 {LONG_SECRET}-3",
    "DATABASE_URL": f"postgres://jantaku:{SECRET}@127.0.0.1:1/jantaku",
    "EMAIL_URL": f"smtp+tls://league:{SECRET}@127.0.0.1:1",
    "EMAIL_FROM": "league@example.org",
    "METRICS_TOKEN": LONG_SECRET,
    "SENTRY_DSN": f"http://{SECRET}@127.0.0.1:1/1",
    "BASE_URL": "https://league.example.org",
    "LOG_LEVEL": "DEBUG",
}
"""The environment of a production worker that gets no task; every secret contains the same word."""


def eventually(holds: Callable[[], bool], seconds: float = 120) -> bool:
    """Return whether the condition holds within this time."""
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
def test_a_worker_publishes_the_standings_after_a_result() -> None:
    season = league()
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    assert eventually(lambda: is_published(season))
    assert Standing.objects.filter(audience="public", total=512, block__key="A").exists()


def test_a_burst_of_results_is_published_together(settings: LazySettings, worker_log: Path, redis_server: str) -> None:
    games = table(league().blocks.get(key="A")).hanchan.all()
    wait_for_empty_queue(redis_server)
    settings.PUBLISHED_APART_SECONDS = 1
    before = computations(worker_log)
    for game in games:
        play(game, (41200 - 100 * game.round, 30100, 18700, 10000 + 100 * game.round))
    wait_for_empty_queue(redis_server)
    assert is_published(games[0].block.competition)
    assert 1 <= computations(worker_log) - before < len(games)


def wait_for_empty_queue(address: str) -> None:
    """Wait until no message is queued or unacknowledged, including delayed ones."""
    with Redis.from_url(address) as client:
        assert eventually(lambda: client.llen("celery") == client.hlen("unacked") == 0)


def computations(log: Path) -> int:
    """Return the number of finished tasks that compute standings."""
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    return sum((line["event"], line.get("task")) == ("task_succeeded", recompute_competition.name) for line in lines)


@pytest.mark.usefixtures("celery_worker")
def test_duplicate_and_late_messages_do_no_harm(redis_server: str) -> None:
    season = league()
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    for _ in range(50):
        recompute_competition.delay(season.pk)
    assert eventually(lambda: is_published(season))
    with Redis.from_url(redis_server) as client:
        assert eventually(lambda: client.llen("celery") == 0)
    assert is_published(season)
    assert Standing.objects.filter(audience="public", total=512, block__key="A").count() == 1


@pytest.fixture
def redis_with_a_password(redis_server: str) -> Iterator[str]:
    """Yield the URL of an empty database on the real Redis, for a user whose password is the secret word."""
    with Redis.from_url(redis_server) as client:
        rights = {"keys": "*", "channels": "*", "categories": ["+@all"]}
        client.acl_setuser("worker", enabled=True, passwords=[f"+{SECRET}"], **rights)
        yield redis_server.replace("redis://", f"redis://worker:{SECRET}@").removesuffix("/0") + "/1"
        client.acl_deluser("worker")


def test_a_production_worker_prints_and_answers_no_secret(redis_with_a_password: str, tmp_path: Path) -> None:
    environment = os.environ | PRODUCTION | {"REDIS_URL": redis_with_a_password, "DATA_DIR": str(tmp_path)}
    celery = [sys.executable, "-m", "celery", "--app", "league", "--skip-checks"]
    log = tmp_path / "log"
    with (
        Celery("flower", broker=redis_with_a_password, set_as_current=False) as flower,
        started([*celery, "worker", "--pool", "solo"], log, env=environment) as worker,
    ):
        assert eventually(lambda: bool(flower.control.ping(timeout=1)) or worker.poll() is not None)
        assert worker.poll() is None, log.read_text()
        printed = subprocess.run(
            [*celery, "inspect", "conf", "--json"],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=120,
        )  # fmt: skip
        ask = flower.control.inspect(timeout=10, limit=1)
        answers = {
            "conf": ask.conf(),
            "conf with defaults": ask.conf(with_defaults=True),
            "report": ask.report(),
            "stats": ask.stats(),
        }
    texts = {name: json.dumps(answer) for name, answer in answers.items()} | {"printed": printed.stdout}
    told = {name for name, text in texts.items() if "task_soft_time_limit" in text.lower()}
    assert told == {"printed", "conf", "conf with defaults", "report"}, "the worker answers with its settings"
    texts |= {"log": log.read_text(), "errors": printed.stderr}
    assert "celery@" in texts["log"]
    assert [name for name, text in texts.items() if SECRET in text] == []
