"""Heartbeats: every kind of process writes a row with the time it last worked.

The sweep is sent by beat, carried by the broker and run by a worker, so one row written in it proves all three. The
odds workers have a queue of their own; beat sends a heartbeat task through it, and a worker that computes writes
its heartbeat after every batch, because the task would wait behind the computation. Rows older than a day are
deleted: a worker in a new container has a new name.
"""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from league.models import Heartbeat
from league.models.operations import BACKUP

FORGOTTEN_AFTER = dt.timedelta(days=1)
LONGEST_NAME = 100


def beat(part: str, name: str = "") -> None:
    """Write that a part of the service is alive now; several processes of a kind each have a row under their name."""
    known_as = f"{part} {name}".strip()[:LONGEST_NAME]
    now = timezone.now()
    if not Heartbeat.objects.filter(part=known_as).update(seen_at=now):
        Heartbeat.objects.update_or_create(part=known_as, defaults={"seen_at": now})


def forget_old() -> None:
    """Delete the rows of parts that have not been seen for a day; the time of the newest backup stays."""
    Heartbeat.objects.filter(seen_at__lt=timezone.now() - FORGOTTEN_AFTER).exclude(part=BACKUP).delete()
