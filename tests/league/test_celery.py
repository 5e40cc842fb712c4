"""The Celery application knows what it is told to do."""

from django.conf import settings

from league.celery import app


def test_every_scheduled_task_exists() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= set(app.tasks)


def test_without_a_broker_tasks_run_in_the_process_that_sends_them() -> None:
    assert app.conf.task_always_eager


def test_a_task_is_given_back_when_its_worker_dies_and_none_is_hoarded() -> None:
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.task_ignore_result
