"""The sweep is rung for every few seconds, also when somebody sets the clock."""

from __future__ import annotations

import datetime as dt
import time
from typing import Any

import pytest
from celery import Celery
from celery.beat import ScheduleEntry
from celery.schedules import schedule

from league.beat import SteadyScheduler, seconds_of
from league.celery import app

INTERVAL = 0.1


class Wall:
    """A clock on the wall, which somebody may set."""

    def __init__(self) -> None:
        self.set_by = dt.timedelta(0)

    def __call__(self) -> dt.datetime:
        return dt.datetime.now(dt.UTC) + self.set_by


class Counting(SteadyScheduler):
    """Notes when it would send a task."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        self.rings: list[float] = []
        super().__init__(*arguments, **more)

    def apply_entry(self, entry: ScheduleEntry, producer: object = None) -> None:
        """Note it."""
        self.rings.append(time.monotonic())


@pytest.mark.parametrize("hours", [-1, -24, 0, 1, 24])
def test_a_clock_that_is_set_changes_nothing(hours: int) -> None:
    wall = Wall()
    own = Celery("own", broker="memory://")
    rings_every = schedule(INTERVAL, nowfun=wall, app=own)
    own.conf.beat_schedule = {"sweep": {"task": "sweep", "schedule": rings_every}}
    scheduler = Counting(app=own)
    begun = time.monotonic()
    scheduler.tick()
    while len(scheduler.rings) < 6:
        assert time.monotonic() < begun + 60
        time.sleep(max(0, min(scheduler.tick(), INTERVAL)))
        if len(scheduler.rings) == 2:
            wall.set_by = dt.timedelta(hours=hours)
    pauses = [later - earlier for earlier, later in zip(scheduler.rings, scheduler.rings[1:], strict=False)]
    assert min(pauses) >= INTERVAL * 0.99


def test_it_is_the_scheduler_that_beat_takes() -> None:
    assert app.conf.beat_scheduler == "league.beat.SteadyScheduler"
    (entry,) = SteadyScheduler(app=app).schedule.values()
    assert (entry.task, seconds_of(entry)) == ("league.tasks.sweep", 5)
