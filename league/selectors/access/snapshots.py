"""Read as of one version, or as of one moment, though others write meanwhile."""

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


def read_steadily(reader: Reader, read: Callable[[Reader], Found]) -> Found:
    """What `read` finds; read anew if another version was published meanwhile.

    Versions are published seldom compared with reading; after a few attempts the newest one read is taken.
    """
    for _attempt in range(ATTEMPTS - 1):
        found = read(reader)
        version = published_version(reader)
        if version == reader.version:
            return found
        reader = replace(reader, version=version)
    return read(reader)


def published_version(reader: Reader) -> int:
    """The version now published for the reader's audience."""
    column = "computed_version" if reader.audience == Audience.STAFF else "public_version"
    version: int = Competition.objects.values_list(column, flat=True).get(pk=reader.competition.pk)
    return version


@contextmanager
def one_moment() -> Iterator[None]:
    """Read what stood at one moment, whatever is written meanwhile; nobody waits for it."""
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
        if connection.vendor == "postgresql" and len(connection.savepoint_ids) == 0:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
