"""The Celery application knows what it is told to do."""

from django.conf import settings
from kombu.transport.redis import Channel

from league.celery import app


def test_every_scheduled_task_exists() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= set(app.tasks)


def test_without_a_broker_tasks_run_in_the_process_that_sends_them() -> None:
    assert app.conf.task_always_eager


def test_a_task_that_ended_its_process_is_not_sent_to_end_the_next_and_none_is_hoarded() -> None:
    assert app.conf.task_acks_late
    assert not app.conf.task_reject_on_worker_lost
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.task_ignore_result


def test_a_task_is_ended_before_redis_would_hand_its_message_to_somebody_else() -> None:
    assert app.conf.task_soft_time_limit < app.conf.task_time_limit < Channel.visibility_timeout
    assert "visibility_timeout" not in settings.CELERY_BROKER_TRANSPORT_OPTIONS
