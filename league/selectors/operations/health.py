"""How the service is doing: which parts are alive, and how far what is published lags behind what was recorded."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.db.models import F, Min
from django.utils import timezone

from league.models import Change, Competition, Heartbeat, WebhookDelivery
from league.models.operations import BEAT, ODDS, TICKER, WORKER

ALIVE_FOR = dt.timedelta(seconds=60)
"""A part that was heard of within this time is taken to be alive; healthy ones are heard of every few seconds."""
LONGEST_LAG = dt.timedelta(seconds=120)
"""Standings that are behind for longer than this are a fault."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the service: its kind (`worker`, `odds`, `beat`, `ticker`), its own name where there may be several."""

    kind: str
    name: str
    seen_at: dt.datetime | None
    """When it was last heard of; None if never."""
    now: dt.datetime

    @property
    def age(self) -> dt.timedelta | None:
        """How long ago it was last heard of."""
        return None if self.seen_at is None else max(self.now - self.seen_at, dt.timedelta(0))

    @property
    def is_alive(self) -> bool:
        """Was it heard of just now? What is said to have been heard in times to come tells of a clock that was set."""
        return self.seen_at is not None and abs(self.now - self.seen_at) <= ALIVE_FOR


@dataclass(frozen=True, slots=True)
class Staleness:
    """How far standings are behind: in how many competitions, and since when the oldest change waits."""

    competitions: int
    since: dt.datetime | None
    now: dt.datetime

    @property
    def lag(self) -> dt.timedelta:
        """How long the oldest change that is not in the standings has waited; zero where there is none."""
        return dt.timedelta(0) if self.since is None else max(self.now - self.since, dt.timedelta(0))

    @property
    def is_too_long(self) -> bool:
        """Does it take so long that somebody should look?"""
        return self.lag > LONGEST_LAG


@dataclass(frozen=True, slots=True)
class Waiting:
    """Webhook deliveries that are due and not sent yet, and since when the oldest is due."""

    deliveries: int
    since: dt.datetime | None


def expected_kinds() -> tuple[str, ...]:
    """The kinds of parts there must be besides the web process."""
    return (BEAT, ODDS, WORKER) if settings.ENVIRONMENT.redis_url else (TICKER,)


def parts() -> list[Part]:
    """Every part ever heard of, by kind and name; a kind that is needed and was never heard of comes with no time."""
    now = timezone.now()
    found = [
        Part(kind, name, row.seen_at, now)
        for row in Heartbeat.objects.order_by("part")
        for kind, _space, name in [row.part.partition(" ")]
        if kind in expected_kinds()
    ]
    missing = [kind for kind in expected_kinds() if kind not in {part.kind for part in found}]
    return sorted([*found, *(Part(kind, "", None, now) for kind in missing)], key=lambda part: (part.kind, part.name))


def kinds_not_alive(found: list[Part]) -> list[str]:
    """The kinds of which not a single part is alive."""
    alive = {part.kind for part in found if part.is_alive}
    return [kind for kind in expected_kinds() if kind not in alive]


def staleness() -> Staleness:
    """How far standings lag behind the facts, in all competitions together."""
    behind = Competition.objects.filter(computed_version__lt=F("version"))
    oldest = Change.objects.filter(competition__in=behind, n=F("competition__computed_version") + 1)
    return Staleness(behind.count(), oldest.aggregate(since=Min("at"))["since"], timezone.now())


def waiting_deliveries() -> Waiting:
    """Webhook deliveries whose time has come."""
    due = WebhookDelivery.objects.filter(state=WebhookDelivery.State.WAITING, next_attempt_at__lte=timezone.now())
    return Waiting(due.count(), due.aggregate(since=Min("next_attempt_at"))["since"])
