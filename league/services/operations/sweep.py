"""What time alone brings about: tables become public, lost messages are made good, old keys go."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from league.models import Competition, Door, IdempotencyKey, TableSession
from league.selectors.access.actors import Actor
from league.services.access.changes import open_change
from league.services.access.token_reminders import remind
from league.services.operations.heartbeats import forget_old
from league.services.operations.independent_jobs import do_for_each
from league.services.standings.prepared import unprepared
from league.services.standings.publishing import prepare_published, publish_standings
from league.services.webhooks.delivery import forget_old_deliveries

KEYS_KEPT = dt.timedelta(hours=48)


def sweep() -> None:
    """Release the tables whose time has come, compute and prepare what is behind, remind, drop old keys and messages.

    A competition that cannot be computed is named in the log and keeps nothing else from being done.
    """
    due = TableSession.objects.filter(is_released=False, public_at__lte=timezone.now())
    do_for_each(release, due, "table session %s could not be released; the next sweep tries again")
    behind = Competition.objects.filter(computed_version__lt=F("version")).values_list("pk", flat=True)
    do_for_each(prepare_published, unprepared(), "competition %s could not be prepared; the next sweep tries again")
    do_for_each(
        publish_standings, behind, "standings of competition %s could not be computed; the next sweep tries again"
    )
    IdempotencyKey.objects.filter(created_at__lt=timezone.now() - KEYS_KEPT).delete()
    forget_old()
    forget_old_deliveries()
    remind()


@transaction.atomic
def release(table_session: TableSession) -> None:
    """Show a table to the public from now on; if somebody else just did, nothing is left to do."""
    if not TableSession.objects.filter(pk=table_session.pk, is_released=False).update(is_released=True):
        return
    change = open_change(table_session.competition, Actor.system(Door.TASK))
    change.record("table_session.released", table_session)
