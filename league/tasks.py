"""Celery tasks: each takes ids, calls one service, and returns nothing."""

from __future__ import annotations

from functools import partial

from celery import Task, shared_task

from league.models.operations import BEAT, ODDS, WORKER
from league.platform.broker import send_or_leave
from league.services.access.changes import ask_for_standings
from league.services.competitions.seating_searches import (
    ask_to_continue,
    continue_search,
    searches_to_continue,
)
from league.services.exchange import paifu_import
from league.services.operations import heartbeats
from league.services.operations import sweep as sweeping
from league.services.seasons.rankings import refresh_rankings
from league.services.standings import debounce
from league.services.standings.odds import are_odds_behind, odds_behind, publish_odds
from league.services.standings.publishing import publish_standings
from league.services.webhooks.delivery import deliver_webhooks as send_webhooks
from league.services.webhooks.delivery import is_anything_to_send
from league.web.operations.metrics import PUBLISHING

ODDS_ASKED_FOR_SECONDS = 60
"""Expiry of a message to compute odds; while odds are outdated, the sweep sends another."""

WEBHOOKS_ASKED_FOR_SECONDS = 30
"""Expiry of a message to send webhooks; while any are due, the sweep sends another."""


@shared_task(ignore_result=True, acks_late=True)
def recompute_competition(competition_id: int) -> None:
    """Publish a competition's standings from its current facts; late and duplicate messages do nothing."""
    # Debounce: another worker is publishing this competition, and a later message takes the new results along.
    if not debounce.begin_publication(competition_id):
        ask_for_standings(competition_id)
        return
    try:
        with PUBLISHING.time():
            publish_standings(competition_id)
    finally:
        debounce.end_publication(competition_id)
    refresh_rankings(competition_id)
    if are_odds_behind(competition_id):
        ask_for_odds(competition_id)
    ask_for_webhooks()


@shared_task(ignore_result=True, acks_late=True)
def deliver_webhooks() -> None:
    """Queue webhook messages for published changes and send those that are due; parallel runs share the work."""
    send_webhooks()


@shared_task(bind=True, ignore_result=True, acks_late=True)
def compute_odds(self: Task[[int], None], competition_id: int) -> None:
    """Compute a competition's odds for its published standings; late and duplicate messages do nothing."""
    publish_odds(competition_id, after_batch=partial(_beat_for_odds, self))


@shared_task(ignore_result=True, acks_late=True)
def improve_seating(search_id: int, done: int) -> None:
    """Search for a more even seating for some seconds, then let other tasks go first; late messages do nothing."""
    if following := continue_search(search_id, done):
        ask_to_continue(*following)


@shared_task(ignore_result=True, acks_late=True)
def import_paifu(batch_id: int, done: int) -> None:
    """Import online games for some seconds, then let other tasks go first; late messages do nothing."""
    if following := paifu_import.continue_paifu_import(batch_id, done):
        paifu_import.ask_to_continue(*following)


@shared_task(bind=True, ignore_result=True, acks_late=True)
def report_odds_worker(self: Task[[], None]) -> None:
    """Write the heartbeat of the worker that takes this task from the odds queue."""
    _beat_for_odds(self)


def _beat_for_odds(task: Task[..., None]) -> None:
    """Write the heartbeat of the worker that runs a task; without a worker (embedded mode) do nothing."""
    if task.request.hostname:
        heartbeats.beat(ODDS, task.request.hostname)


@shared_task(bind=True, ignore_result=True, acks_late=True)
def sweep(self: Task[[], None]) -> None:
    """Repeat work that a lost message left undone, and release results whose embargo has ended.

    The task's mere execution proves that beat, the broker and this worker are alive, so it writes their heartbeats.
    """
    if self.request.hostname:
        heartbeats.beat(BEAT)
        heartbeats.beat(WORKER, self.request.hostname)
    sweeping.sweep()
    for competition_id in odds_behind():
        ask_for_odds(competition_id)
    for search_id, done in searches_to_continue():
        ask_to_continue(search_id, done)
    for batch_id, done in paifu_import.imports_to_continue():
        paifu_import.ask_to_continue(batch_id, done)
    ask_for_webhooks()


def ask_for_odds(competition_id: int) -> None:
    """Send the task that computes odds, or leave it to the sweep."""
    name = f"the odds task of competition {competition_id}"
    send_or_leave(compute_odds, competition_id, expires=ODDS_ASKED_FOR_SECONDS, name=name)


def ask_for_webhooks() -> None:
    """Send the task that sends webhooks if any are due, or leave it to the sweep."""
    if not deliver_webhooks.app.conf.task_always_eager and is_anything_to_send():
        send_or_leave(deliver_webhooks, expires=WEBHOOKS_ASKED_FOR_SECONDS, name="the webhook task")
