"""What time alone brings about: tables become public, lost messages are made good, old keys go."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from league.models import Competition, Door, IdempotencyKey, TableSession
from league.services.actor import Actor
from league.services.changes import open_change
from league.services.heartbeats import forget_old
from league.services.standings import publish_standings
from league.services.webhooks_sending import forget_old_deliveries

KEYS_KEPT = dt.timedelta(hours=48)


def sweep() -> None:
    """Release the tables whose time has come, compute what is behind, drop old keys, signs of life and messages."""
    for table_session in TableSession.objects.filter(is_released=False, public_at__lte=timezone.now()):
        release(table_session)
    behind = Competition.objects.filter(computed_version__lt=F("version"))
    for competition_id in behind.values_list("pk", flat=True):
        publish_standings(competition_id)
    IdempotencyKey.objects.filter(created_at__lt=timezone.now() - KEYS_KEPT).delete()
    forget_old()
    forget_old_deliveries()


@transaction.atomic
def release(table_session: TableSession) -> None:
    """Show a table to the public from now on; if somebody else just did, nothing is left to do."""
    if not TableSession.objects.filter(pk=table_session.pk, is_released=False).update(is_released=True):
        return
    change = open_change(table_session.competition, Actor.system(Door.TASK))
    change.record("table_session.released", table_session)
