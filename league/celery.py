"""The Celery application: `celery --app league worker` and `celery --app league beat`.

Its configuration holds the `CELERY_` settings of `league.settings` and the broker's URL, nothing else, because `celery
inspect conf` and Flower print everything in it. Without a broker (embedded mode) tasks run in the process that sends
them.

A log line of a task carries the task's name and the id of the request that sent it. Format and level of log lines are
set in `league.settings` alone, for workers as for web processes.
"""

import logging
import os

import structlog
from celery import Celery, Task
from celery.signals import setup_logging
from django.conf import settings
from django.dispatch import receiver
from django_structlog.celery.signals import bind_extra_task_metadata
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

PREFIX = "CELERY_"


def celery_settings() -> dict[str, object]:
    """Return Celery's configuration under its own names, such as `task_routes` for `CELERY_TASK_ROUTES`."""
    ours = {name: getattr(settings, name) for name in dir(settings) if name.startswith(PREFIX)}
    found = {name.removeprefix(PREFIX).lower(): value for name, value in ours.items()}
    return found | {"broker_url": settings.ENVIRONMENT.redis_url or "memory://localhost"}


app = Celery("league")
app.add_defaults(celery_settings)
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)  # a task logs under the id of the request that sent it


@setup_logging.connect
def keep_our_logging(**_told: object) -> None:
    """Keep our logging: without a receiver of this signal Celery would set up its own, with a higher level."""


@receiver(bind_extra_task_metadata)
def name_the_task(task: Task[..., object], **_told: object) -> None:
    """Bind the task's name to the log context, so that every line logged by the task carries it."""
    structlog.contextvars.bind_contextvars(task=task.name)


class HideRoutineTasks(logging.Filter):
    """Drop the success line of beat's periodic tasks, which run every few seconds; failures are still logged."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return False for the "succeeded" line of a task that beat sends."""
        told = record.msg if isinstance(record.msg, dict) else {}
        routine = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
        return told.get("event") != "task_succeeded" or told.get("task") not in routine
