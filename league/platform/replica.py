"""Anonymous reads from a streaming replica of PostgreSQL (DATABASE_REPLICA_URL), never behind what is published.

A request reads the replica only after the replica has said that it has replayed the write-ahead log up to a position
of the primary that covers everything published before the request. That position is kept in the shared cache for two
seconds and is void as soon as a publication is counted there, so that an unchanged page costs the primary nothing.
A replica that is behind, no longer a replica, slow or unreachable is left out: the request reads the primary.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import TypeVar

from django.conf import settings
from django.core.cache import cache
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, OperationalError, connection, connections
from django.db import transaction as transactions
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from league.platform.cache_backends import REST_SECONDS, Breaker, increment_counter

logger = logging.getLogger(__name__)
T = TypeVar("T")
REPLICA = "replica"
POSITION, PUBLICATIONS = "replica:position", "replica:publications"
POSITION_SECONDS = 2
"""Seconds for which a position is kept: the longest time by which a write that is no publication may be missing."""
COUNTED_SECONDS = 24 * 60 * 60
CONFLICT = "40001"
"""SQLSTATE of a query that the replica cancelled because replay needed its rows; the replica itself is well."""
BREAKER = Breaker()
_alias: ContextVar[str] = ContextVar("alias", default=DEFAULT_DB_ALIAS)


class ReplicaRouter:
    """Database router: reads inside `read_from_replica` go to the replica, everything else to the primary."""

    def db_for_read(self, model: type[Model], **hints: object) -> str:
        """Return the alias to read from."""
        return _alias.get()

    def db_for_write(self, model: type[Model], **hints: object) -> str:
        """Return the primary."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Model, other: Model, **hints: object) -> bool:
        """Allow relations between rows read from either, since they are the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: object) -> bool | None:
        """Forbid migrations of the replica, which receives them from the primary."""
        return False if db == REPLICA else None


def connection_to_read() -> BaseDatabaseWrapper:
    """Return the connection that queries of this context read from, for statements without the ORM."""
    return connections[_alias.get()]


def has_replica() -> bool:
    """Return True if DATABASE_REPLICA_URL is set."""
    return REPLICA in settings.DATABASES


def note_publication() -> None:
    """Void the kept position once the transaction has committed, so that readers wait for what it publishes.

    Called where something becomes public; does nothing without a replica.
    """
    if has_replica():
        transactions.on_commit(lambda: increment_counter(PUBLICATIONS, COUNTED_SECONDS), robust=True)


def read_from_replica(read: Callable[[], T]) -> T:
    """Call `read` with its queries sent to the replica, or to the primary if the replica will not do.

    If the replica fails meanwhile, `read` is called once more, on the primary: it must have no effects. All that the
    response depends on, its ETag included, must be read inside.
    """
    if not has_replica() or not BREAKER.lets_through():
        return read()
    position = published_position()
    try:
        if not has_replayed(position):
            BREAKER.close()
            return read()
        token = _alias.set(REPLICA)
        try:
            found = read()
        finally:
            _alias.reset(token)
    except (OperationalError, InterfaceError) as fault:
        _leave_out(fault)
        return read()
    BREAKER.close()
    return found


def published_position() -> str:
    """Return a position in the primary's log that covers every publication counted so far.

    The number of publications is read before the position: one that is counted later finds another number and does
    not use this position.
    """
    kept = cache.get_many([POSITION, PUBLICATIONS])
    publications, (counted, position) = kept.get(PUBLICATIONS), kept.get(POSITION, (None, ""))
    if position and counted == publications:
        return str(position)
    with connection.cursor() as cursor:
        # The position written to disk: a commit is visible only after its record has been written.
        cursor.execute("SELECT pg_current_wal_lsn()::text")
        position = str(cursor.fetchone()[0])
    cache.set(POSITION, (publications, position), POSITION_SECONDS)
    return position


def has_replayed(position: str) -> bool:
    """Return True if the replica is one, and has replayed the log up to a position.

    Asked on the connection that the request then reads from, since several replicas may share one address.
    """
    with connections[REPLICA].cursor() as cursor:
        cursor.execute("SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= %s::pg_lsn", [position])
        return bool(cursor.fetchone()[0])


def _leave_out(fault: DatabaseError | InterfaceError) -> None:
    """Open the breaker, unless the query alone was cancelled, and drop the connection."""
    if getattr(fault.__cause__, "sqlstate", None) == CONFLICT:
        BREAKER.close()
        return
    BREAKER.open()
    with suppress(DatabaseError, InterfaceError):
        connections[REPLICA].close()
    logger.warning("the replica does not answer (%s); left alone for %s seconds", type(fault).__name__, REST_SECONDS)
