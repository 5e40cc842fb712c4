"""Readiness checks: each is quick and gives in one sentence the reason why the service cannot do its work.

django-health-check 4.8 runs each check in a thread of its own, whose database connection does not return to the pool:
with the three checks below and our pool of 16 connections the sixth probe waited 5 seconds and answered "unknown error"
(42 ms a probe before that, 18 ms here). It answers 500 instead of 503, and has no common limit of time for the checks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from league.selectors.operations import health

BROKER_SECONDS = 2
STATEMENT_MILLISECONDS = 2000


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, and why it is not well; no reason where it is."""

    name: str
    reason: str = ""

    @property
    def is_well(self) -> bool:
        """Nothing is wrong."""
        return not self.reason


def checks() -> list[Check]:
    """The database with all that stands in it, and the broker where there is one."""
    found = database_checks()
    return [*found, Check("broker", broker_fault())] if settings.ENVIRONMENT.redis_url else found


def database_checks() -> list[Check]:
    """Everything that is read from the database; where it is away there is nothing else to say."""
    asked: dict[str, Callable[[], str]] = {
        "migrations": migrations_fault,
        "parts": parts_fault,
        "standings": standings_fault,
    }
    found = [Check("database")]
    try:
        with transaction.atomic():
            hurry()
            for name, fault in asked.items():
                found.append(Check(name, fault()))
                if found[-1].reason and name == "migrations":
                    return found
    except (DatabaseError, InterfaceError):
        return [Check("database", "the database does not answer"), *found[1:]]
    return found


def hurry() -> None:
    """Let a query fail rather than make the one who asks wait."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {STATEMENT_MILLISECONDS}")


def migrations_fault() -> str:
    """The tables are not older than the code; newer ones do no harm."""
    missing = needed_migrations() - set(MigrationRecorder(connection).applied_migrations())
    return f"run manage.py migrate: {', '.join(sorted('.'.join(one) for one in missing))}" if missing else ""


@cache
def needed_migrations() -> frozenset[tuple[str, str]]:
    """The last migration of every app."""
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def parts_fault() -> str:
    """Each kind of part that does the work behind the pages is alive."""
    missing = health.kinds_not_alive(health.parts())
    seconds = int(health.ALIVE_FOR.total_seconds())
    return f"not heard of for {seconds} seconds: {', '.join(missing)}" if missing else ""


def standings_fault() -> str:
    """What is published follows what was recorded within a bearable time."""
    found = health.staleness()
    if not found.is_too_long:
        return ""
    return f"the standings of {found.competitions} competition(s) are {int(found.lag.total_seconds())} seconds behind"


def broker_fault() -> str:
    """Redis answers."""
    retry = Retry(NoBackoff(), 0)
    url = settings.ENVIRONMENT.redis_url
    try:
        with Redis.from_url(
            url, socket_timeout=BROKER_SECONDS, socket_connect_timeout=BROKER_SECONDS, retry=retry
        ) as client:
            client.ping()
    except RedisError:
        return "the broker does not answer"
    return ""
