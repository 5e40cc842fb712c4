"""The sweep, run every few seconds: it releases tables, announces line-ups, and makes up for lost messages."""

from __future__ import annotations

import datetime as dt
from functools import partial

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from league.models import Competition, Door, IdempotencyKey, TableSession
from league.selectors.access.actors import Actor
from league.selectors.seasons.series_tables import rosters_out_of_step
from league.services.access.changes import open_change
from league.services.access.token_reminders import remind
from league.services.competitions.seating_searches import forget_old_searches
from league.services.exchange.paifu_import import forget_old_imports
from league.services.operations.heartbeats import forget_old
from league.services.operations.independent_jobs import do_for_each
from league.services.seasons.line_ups import announce_line_ups
from league.services.seasons.next_rosters import switch_release
from league.services.seasons.rankings import refresh_rankings
from league.services.standings.prepared import unprepared
from league.services.standings.publishing import count_public_versions, prepare_published, publish_standings
from league.services.webhooks.delivery import forget_old_deliveries

KEYS_KEPT = dt.timedelta(hours=48)


def sweep() -> None:
    """Release tables and rosters, publish what is behind, copy results into rankings, remind, and delete old rows.

    Old rows are idempotency keys, heartbeats, webhook messages, searches for a seating and imports of online games.

    A competition that cannot be computed is logged and does not block the others.
    """
    due = TableSession.objects.filter(is_released=False, public_at__lte=timezone.now())
    do_for_each(release, due, "table session %s could not be released; the next sweep tries again")
    named = TableSession.objects.filter(line_ups_due_at__lte=timezone.now(), hanchan__line_ups__is_secret=True)
    named = named.filter(hanchan__line_ups__ended_n=None).distinct()
    do_for_each(show_line_ups, named, "line-ups of table session %s could not be announced; the next sweep tries again")
    switch = partial(switch_release, by=Actor.system(Door.TASK))
    do_for_each(switch, rosters_out_of_step(), "next roster %s could not be released; the next sweep tries again")
    behind = Competition.objects.filter(computed_version__lt=F("version")).values_list("pk", flat=True)
    do_for_each(prepare_published, unprepared(), "competition %s could not be prepared; the next sweep tries again")
    do_for_each(
        publish_standings, behind, "standings of competition %s could not be computed; the next sweep tries again"
    )
    count_public_versions()
    refresh_rankings()
    IdempotencyKey.objects.filter(created_at__lt=timezone.now() - KEYS_KEPT).delete()
    forget_old()
    forget_old_deliveries()
    forget_old_searches()
    forget_old_imports()
    remind()


def show_line_ups(table_session: TableSession) -> None:
    """Show the secret line-ups of a table whose deadline has passed."""
    announce_line_ups(table_session, Actor.system(Door.TASK))


@transaction.atomic
def release(table_session: TableSession) -> None:
    """Make a table public from now on; do nothing if another worker has just released it."""
    # Conditional UPDATE: of several sweeps at once exactly one records the change.
    if not TableSession.objects.filter(pk=table_session.pk, is_released=False).update(is_released=True):
        return
    change = open_change(table_session.competition, Actor.system(Door.TASK))
    change.record("table_session.released", table_session)
