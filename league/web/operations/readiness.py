"""Readiness checks: each is quick and returns in one sentence the reason why the service cannot do its work.

django-health-check 4.8 runs each check in a thread of its own, whose database connection does not return to the pool:
with the three checks below and our pool of 16 connections the sixth probe waited 5 seconds and answered "unknown
error" (42 ms a probe before that, 18 ms here). It answers 500 instead of 503, and has no common time limit for the
checks.
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

from league.platform.damage import damage
from league.selectors.operations import health

BROKER_SECONDS = 2
STATEMENT_MILLISECONDS = 2000


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check: its name, and the reason of a failure; the reason is empty if it passed."""

    name: str
    reason: str = ""

    @property
    def is_well(self) -> bool:
        """Return True if the check passed."""
        return not self.reason


def checks() -> list[Check]:
    """Run all checks: the database and its contents, and the broker where one is configured."""
    found = database_checks()
    return [*found, Check("broker", broker_fault())] if settings.ENVIRONMENT.redis_url else found


def database_checks() -> list[Check]:
    """Run the checks that read the database; if it is unavailable, return that one failure."""
    asked: dict[str, Callable[[], str]] = {
        "migrations": migrations_fault,
        "parts": parts_fault,
        "standings": standings_fault,
    }
    if reported := damage():
        return [Check("database", f"the database is damaged ({reported}); restore the last backup")]
    found = [Check("database")]
    try:
        with transaction.atomic():
            limit_statement_time()
            for name, fault in asked.items():
                found.append(Check(name, fault()))
                # With missing migrations the following queries would fail on missing columns.
                if found[-1].reason and name == "migrations":
                    return found
    except (DatabaseError, InterfaceError):
        return [Check("database", "the database does not answer"), *found[1:]]
    return found


def limit_statement_time() -> None:
    """Set a short statement timeout for the current transaction, so that a probe fails instead of waiting."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # LOCAL ends with the transaction: the connection goes back to the pool without the timeout.
            cursor.execute(f"SET LOCAL statement_timeout = {STATEMENT_MILLISECONDS}")


def migrations_fault() -> str:
    """Name the migrations that the code needs and the database lacks; additional newer ones do no harm."""
    missing = needed_migrations() - set(MigrationRecorder(connection).applied_migrations())
    return f"run manage.py migrate: {', '.join(sorted('.'.join(one) for one in missing))}" if missing else ""


@cache
def needed_migrations() -> frozenset[tuple[str, str]]:
    """Return the last migration of every application, computed once for the process."""
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def parts_fault() -> str:
    """Name the kinds of background processes (worker, beat, ticker) of which none is alive."""
    missing = health.kinds_not_alive(health.parts())
    seconds = int(health.ALIVE_FOR.total_seconds())
    return f"not heard of for {seconds} seconds: {', '.join(missing)}" if missing else ""


def standings_fault() -> str:
    """Say how far published standings lag behind recorded results, if it is longer than tolerable."""
    found = health.staleness()
    if not found.is_too_long:
        return ""
    return f"the standings of {found.competitions} competition(s) are {int(found.lag.total_seconds())} seconds behind"


def broker_fault() -> str:
    """Return a reason if Redis does not answer a ping within the timeout."""
    # redis-py retries by default, which would multiply the timeout of the probe.
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
