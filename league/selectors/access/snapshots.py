"""Consistent reads: repeat a read if a version is published meanwhile, or read from one database snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from django.db import connection, transaction

from league.models import Audience, Competition
from league.selectors.access.readers import Reader

Found = TypeVar("Found")
ATTEMPTS = 3


def read_one_version(reader: Reader, read: Callable[[Reader], Found]) -> Found:
    """Return the result of `read`, repeated if another version was published meanwhile.

    Publications are rare compared with reads; after `ATTEMPTS` reads the last result is returned.
    """
    for _attempt in range(ATTEMPTS - 1):
        found = read(reader)
        version = published_version(reader)
        if version == reader.version:
            return found
        # A copy also starts with an empty cache (`known`): data of the old version must not be mixed in.
        reader = replace(reader, version=version)
    return read(reader)


def published_version(reader: Reader) -> int:
    """Return the version now published for the reader's audience."""
    column = "computed_version" if reader.audience == Audience.STAFF else "public_version"
    version: int = Competition.objects.values_list(column, flat=True).get(pk=reader.competition.pk)
    return version


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Read from one consistent snapshot of the database, without locks.

    A SQLite transaction started with BEGIN DEFERRED reads one snapshot in WAL mode; PostgreSQL needs REPEATABLE
    READ. Inside an enclosing transaction the isolation of that transaction applies. The block must only read:
    PostgreSQL refuses writes, SQLite rolls them back.
    """
    # `atomic` would begin IMMEDIATE here (settings.py) and take SQLite's only write lock for a mere read.
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        connection.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
        return
    with transaction.atomic():
        # PostgreSQL allows SET TRANSACTION only before the first query, so not in a nested block.
        if connection.vendor == "postgresql" and len(connection.savepoint_ids) == 0:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
