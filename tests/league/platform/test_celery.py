"""Test the configuration of the Celery application."""

from django.conf import settings
from kombu.transport.redis import Channel

from league.celery import app


def test_every_scheduled_task_exists() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= set(app.tasks)


def test_without_a_broker_tasks_run_in_the_process_that_sends_them() -> None:
    assert app.conf.task_always_eager


def test_tasks_are_acknowledged_late_never_requeued_after_a_lost_worker_and_not_prefetched() -> None:
    assert app.conf.task_acks_late
    assert not app.conf.task_reject_on_worker_lost
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.task_ignore_result


def test_a_tasks_time_limit_is_shorter_than_the_redis_visibility_timeout() -> None:
    assert app.conf.task_soft_time_limit < app.conf.task_time_limit < Channel.visibility_timeout
    assert "visibility_timeout" not in settings.CELERY_BROKER_TRANSPORT_OPTIONS
