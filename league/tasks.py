"""Celery tasks: thin doors to services. Ids go in, nothing comes back."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from celery import Task, shared_task

from league.models.operations import BEAT, ODDS, WORKER
from league.services.access.changes import ask_for_standings
from league.services.operations import heartbeats
from league.services.operations import sweep as sweeping
from league.services.standings import debounce
from league.services.standings.odds import are_odds_behind, odds_behind, publish_odds
from league.services.standings.publishing import publish_standings
from league.services.webhooks.delivery import deliver_webhooks as send_webhooks
from league.services.webhooks.delivery import is_anything_to_send
from league.web.metrics import PUBLISHING

ODDS_ASKED_FOR_SECONDS = 60
"""A message for odds older than this is dropped; while they are behind, the sweep asks again."""

WEBHOOKS_ASKED_FOR_SECONDS = 30
"""A message to send webhooks older than this is dropped; while any are due, the sweep asks again."""

logger = logging.getLogger(__name__)


@shared_task(ignore_result=True, acks_late=True)
def recompute_competition(competition_id: int) -> None:
    """Bring the competition's standings up to its facts; late and double deliveries do nothing."""
    if not debounce.begin(competition_id):
        ask_for_standings(competition_id)
        return
    try:
        with PUBLISHING.time():
            publish_standings(competition_id)
    finally:
        debounce.end(competition_id)
    if are_odds_behind(competition_id):
        ask_for_odds(competition_id)
    ask_for_webhooks()


@shared_task(ignore_result=True, acks_late=True)
def deliver_webhooks() -> None:
    """Tell webhooks of what was published, and send what is due; several at once take turns."""
    send_webhooks()


@shared_task(bind=True, ignore_result=True, acks_late=True)
def compute_odds(self: Task[[int], None], competition_id: int) -> None:
    """Bring the competition's odds up to its published standings; late and double deliveries do nothing."""
    publish_odds(competition_id, after_batch=partial(_beat_for_odds, self))


@shared_task(bind=True, ignore_result=True, acks_late=True)
def report_odds_worker(self: Task[[], None]) -> None:
    """Write the heartbeat of the odds worker that takes this from the queue of odds."""
    _beat_for_odds(self)


def _beat_for_odds(task: Task[Any, None]) -> None:
    """Write the heartbeat of the worker that runs a task; there is none where tasks run in the sending process."""
    if task.request.hostname:
        heartbeats.beat(ODDS, task.request.hostname)


@shared_task(bind=True, ignore_result=True, acks_late=True)
def sweep(self: Task[[], None]) -> None:
    """Make good what a lost message left undone, and release what has become public.

    That it runs at all proves beat, the broker and this worker.
    """
    if self.request.hostname:
        heartbeats.beat(BEAT)
        heartbeats.beat(WORKER, self.request.hostname)
    sweeping.sweep()
    for competition_id in odds_behind():
        ask_for_odds(competition_id)
    ask_for_webhooks()


def ask_for_odds(competition_id: int) -> None:
    """Send the task that computes odds; if that fails the sweep makes it good.

    Where tasks run in the process that sends them nobody shall wait for odds: the ticker computes them.
    """
    if compute_odds.app.conf.task_always_eager:
        return
    try:
        compute_odds.apply_async((competition_id,), expires=ODDS_ASKED_FOR_SECONDS)
    except Exception:
        logger.exception("odds of competition %s could not be asked for; the sweep asks again", competition_id)


def ask_for_webhooks() -> None:
    """Send the task that sends webhooks, if there is anything to send; if that fails the sweep makes it good.

    Where tasks run in the process that sends them nobody shall wait for a receiver: the messenger sends.
    """
    if deliver_webhooks.app.conf.task_always_eager or not is_anything_to_send():
        return
    try:
        deliver_webhooks.apply_async(expires=WEBHOOKS_ASKED_FOR_SECONDS)
    except Exception:
        logger.exception("webhooks could not be asked for; the sweep asks again")
