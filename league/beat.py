"""Beat's clock: rings every few seconds, whatever happens to the time of day.

The one idea: the sweep asks how long ago, never what time it is, so a machine whose clock is set back an hour must not
stay silent for that hour. Nothing is kept between two starts: the first ring comes after one interval.
"""

from __future__ import annotations

import time
from typing import Any

from celery.beat import ScheduleEntry, Scheduler
from celery.schedules import schedstate, schedule


class SteadyScheduler(Scheduler):
    """Celery's scheduler for intervals alone, by a clock that nobody sets."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        self.rung_at: dict[str, float] = {}
        super().__init__(*arguments, **more)

    def _when(self, _entry: ScheduleEntry, next_time_to_run: float, *_more: object) -> float:
        """When an entry comes up that is due in so many seconds."""
        return time.monotonic() + max(0, next_time_to_run or 0)

    def is_due(self, entry: ScheduleEntry) -> schedstate:
        """Whether it is time to ring, and in how many seconds it is worth asking again."""
        name, interval = str(entry.name), seconds_of(entry)
        left = self.rung_at.get(name, -interval) + interval - time.monotonic()
        if left > 0:
            return schedstate(is_due=False, next=left)
        self.rung_at[name] = time.monotonic()
        return schedstate(is_due=True, next=interval)


def seconds_of(entry: ScheduleEntry) -> float:
    """How often it rings. TypeError if that is no interval, such as a time of day."""
    if not isinstance(entry.schedule, schedule):
        raise TypeError(f"{entry.name} has no interval")
    return float(entry.schedule.seconds)
