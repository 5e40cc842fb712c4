"""Celery tasks: thin doors to services. Ids go in, nothing comes back."""

from __future__ import annotations

from celery import shared_task

from league.services import sweeping
from league.services.standings import publish_standings


@shared_task(ignore_result=True, acks_late=True)
def recompute_competition(competition_id: int) -> None:
    """Bring the competition's standings up to its facts; late and double deliveries do nothing."""
    publish_standings(competition_id)


@shared_task(ignore_result=True, acks_late=True)
def sweep() -> None:
    """Make good what a lost message left undone, and release what has become public."""
    sweeping.sweep()
