"""Health checks: heartbeats of parts, the lag of standings, overdue webhook deliveries, the age of backups."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.db.models import F, Min
from django.utils import timezone

from league.models import Change, Competition, Heartbeat, WebhookDelivery
from league.models.operations import BACKUP, BEAT, ODDS, TICKER, WORKER
from league.selectors.access.etags import database_life

ALIVE_FOR = dt.timedelta(seconds=60)
"""A part with a heartbeat within this time counts as alive; healthy parts send one every few seconds."""
LONGEST_LAG = dt.timedelta(seconds=120)
"""Standings that lag longer than this are reported as a fault."""
FIRST_BACKUP_WITHIN = dt.timedelta(minutes=15)
"""The time after the installation without a warning of missing backups; an embedded service takes a minute or two."""


@dataclass(frozen=True, slots=True)
class ServicePart:
    """A process of the service: its kind (`worker`, `odds`, `beat`, `ticker`), and a name if there may be several."""

    kind: str
    name: str
    seen_at: dt.datetime | None
    """Time of the latest heartbeat; None if there was never one."""
    now: dt.datetime

    @property
    def age(self) -> dt.timedelta | None:
        """Return the time since the latest heartbeat; None if there was never one."""
        return None if self.seen_at is None else max(self.now - self.seen_at, dt.timedelta(0))

    @property
    def is_alive(self) -> bool:
        """Return True if the latest heartbeat is recent.

        A heartbeat far in the future does not count: it was written before a clock was set back.
        """
        return self.seen_at is not None and abs(self.now - self.seen_at) <= ALIVE_FOR


@dataclass(frozen=True, slots=True)
class Staleness:
    """The lag of the standings: how many competitions lag, and since when the oldest change waits."""

    competitions: int
    since: dt.datetime | None
    now: dt.datetime

    @property
    def lag(self) -> dt.timedelta:
        """Return the age of the oldest change that is missing in the standings; zero if none is."""
        return dt.timedelta(0) if self.since is None else max(self.now - self.since, dt.timedelta(0))

    @property
    def is_too_long(self) -> bool:
        """Return True if the lag is long enough that an operator should look into it."""
        return self.lag > LONGEST_LAG


@dataclass(frozen=True, slots=True)
class DueDeliveries:
    """Webhook deliveries that are due but not sent, and the time since when the oldest is due."""

    deliveries: int
    since: dt.datetime | None


@dataclass(frozen=True, slots=True)
class BackupAge:
    """The time of the newest backup, None if none was ever made, and the age from which it counts as outdated."""

    made_at: dt.datetime | None
    overdue_after: dt.timedelta
    """Zero if outdated backups are not reported."""
    installed_at: dt.datetime
    """When the database was created or restored."""
    now: dt.datetime

    @property
    def age(self) -> dt.timedelta | None:
        """Return the time since the newest backup; None if none was ever made."""
        return None if self.made_at is None else max(self.now - self.made_at, dt.timedelta(0))

    @property
    def is_overdue(self) -> bool:
        """Return True if no backup is as new as it should be; a new installation has some minutes for its first one."""
        if self.age is None:
            return bool(self.overdue_after) and self.now - self.installed_at > FIRST_BACKUP_WITHIN
        return bool(self.overdue_after) and self.age > self.overdue_after


def backup_age() -> BackupAge:
    """Return the age of the newest backup that any machine has made of this database."""
    made_at = Heartbeat.objects.filter(part=BACKUP).values_list("seen_at", flat=True).first()
    overdue_after = dt.timedelta(hours=settings.ENVIRONMENT.backup_overdue_hours)
    installed = database_life()
    installed_at = dt.datetime.fromisoformat(installed) if installed else dt.datetime.min.replace(tzinfo=dt.UTC)
    return BackupAge(made_at, overdue_after, installed_at, timezone.now())


def expected_kinds() -> tuple[str, ...]:
    """Return the kinds of processes that must run besides the web server."""
    # Without Redis the service runs embedded: a ticker in the web process replaces beat and the workers.
    return (BEAT, ODDS, WORKER) if settings.ENVIRONMENT.redis_url else (TICKER,)


def parts() -> list[ServicePart]:
    """Return every part that ever sent a heartbeat, by kind and name.

    An expected kind without any has `seen_at` None.
    """
    now = timezone.now()
    found = [
        ServicePart(kind, name, row.seen_at, now)
        for row in Heartbeat.objects.order_by("part")
        for kind, _space, name in [row.part.partition(" ")]
        if kind in expected_kinds()
    ]
    missing = [kind for kind in expected_kinds() if kind not in {part.kind for part in found}]
    return sorted(
        [*found, *(ServicePart(kind, "", None, now) for kind in missing)], key=lambda part: (part.kind, part.name)
    )


def kinds_not_alive(found: list[ServicePart]) -> list[str]:
    """Return the expected kinds of which no process is alive."""
    alive = {part.kind for part in found if part.is_alive}
    return [kind for kind in expected_kinds() if kind not in alive]


def staleness() -> Staleness:
    """Return the lag of the standings behind the facts over all competitions."""
    behind = Competition.objects.filter(computed_version__lt=F("version"))
    # Change numbers have no gaps, so the first unpublished change is the next number.
    oldest = Change.objects.filter(competition__in=behind, n=F("competition__computed_version") + 1)
    return Staleness(behind.count(), oldest.aggregate(since=Min("at"))["since"], timezone.now())


def waiting_deliveries() -> DueDeliveries:
    """Return the number of webhook deliveries that are due, with the oldest due time."""
    due = WebhookDelivery.objects.filter(state=WebhookDelivery.State.WAITING, next_attempt_at__lte=timezone.now())
    return DueDeliveries(due.count(), due.aggregate(since=Min("next_attempt_at"))["since"])
