"""Celery tasks: thin doors to services. Ids go in, nothing comes back."""

from __future__ import annotations

import logging

from celery import shared_task

from league.services import sweeping
from league.services.odds import odds_behind, publish_odds
from league.services.standings import publish_standings

ODDS_ASKED_FOR_SECONDS = 60
"""A message for odds older than this is dropped; while they are behind, the sweep asks again."""

logger = logging.getLogger(__name__)


@shared_task(ignore_result=True, acks_late=True)
def recompute_competition(competition_id: int) -> None:
    """Bring the competition's standings up to its facts; late and double deliveries do nothing."""
    publish_standings(competition_id)
    ask_for_odds(competition_id)


@shared_task(ignore_result=True, acks_late=True)
def compute_odds(competition_id: int) -> None:
    """Bring the competition's odds up to its published standings; late and double deliveries do nothing."""
    publish_odds(competition_id)


@shared_task(ignore_result=True, acks_late=True)
def sweep() -> None:
    """Make good what a lost message left undone, and release what has become public."""
    sweeping.sweep()
    for competition_id in odds_behind():
        ask_for_odds(competition_id)


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
