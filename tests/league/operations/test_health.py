"""Tests of heartbeats, dead parts of the service and the lag of standings."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.utils import timezone

from league.management.embedded import beat_ticker
from league.models import Change, Competition, Heartbeat
from league.models.operations import WORKER
from league.selectors.operations.health import kinds_not_alive, parts, staleness
from league.services.operations import heartbeats
from league.services.operations.sweep import sweep
from league.tasks import sweep as sweep_task
from tests.factories import final_table, play, table

pytestmark = pytest.mark.django_db


def test_a_part_is_alive_for_a_minute_after_its_heartbeat() -> None:
    now = timezone.now()
    with time_machine.travel(now, tick=False):
        beat_ticker()
    for seconds, alive in ((5, True), (59, True), (61, False), (-59, True), (-3600, False)):
        with time_machine.travel(now + dt.timedelta(seconds=seconds), tick=False):
            (part,) = parts()
            assert (part.kind, part.seen_at, part.is_alive) == ("ticker", now, alive)
            assert kinds_not_alive([part]) == ([] if alive else ["ticker"])


def test_a_required_part_without_a_heartbeat_is_listed_as_not_alive() -> None:
    (part,) = parts()
    assert (part.kind, part.seen_at, part.age, part.is_alive) == ("ticker", None, None, False)


def test_workers_are_listed_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.selectors.operations.health.expected_kinds", lambda: ("beat", "worker"))
    for name in ("celery@two", "celery@one", "celery@one"):
        heartbeats.beat(WORKER, name)
    assert [(part.kind, part.name) for part in parts()] == [
        ("beat", ""),
        ("worker", "celery@one"),
        ("worker", "celery@two"),
    ]
    assert kinds_not_alive(parts()) == ["beat"]


def test_the_sweep_deletes_heartbeats_older_than_a_day() -> None:
    Heartbeat.objects.create(part="worker gone", seen_at=timezone.now() - dt.timedelta(hours=25))
    Heartbeat.objects.create(part="worker late", seen_at=timezone.now() - dt.timedelta(hours=23))
    sweep()
    assert list(Heartbeat.objects.values_list("part", flat=True)) == ["worker late"]


def test_a_sweep_outside_a_worker_writes_no_heartbeat() -> None:
    sweep_task()
    assert not Heartbeat.objects.exists()


@pytest.mark.both_databases
def test_the_lag_is_the_age_of_the_oldest_change_missing_from_the_standings() -> None:
    season = final_table()
    play(table(season.blocks.get()).hanchan.get(round=1))
    Competition.objects.update(computed_version=0)
    first = Change.objects.order_by("n").first()
    assert first
    found = staleness()
    assert (found.competitions, found.since) == (1, first.at)
    with time_machine.travel(first.at + dt.timedelta(seconds=121), tick=False):
        assert staleness().is_too_long


def test_published_standings_do_not_lag() -> None:
    season = final_table()
    sweep()
    season.refresh_from_db()
    assert season.computed_version == season.version
    found = staleness()
    assert (found.competitions, found.since, found.lag, found.is_too_long) == (0, None, dt.timedelta(0), False)
