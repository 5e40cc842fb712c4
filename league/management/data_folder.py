"""The data folder of an embedded service: one service at a time, readable by its owner alone, its database intact."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.core.management.base import CommandError
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.exceptions import MigrationSchemaMissing

LOCK_FILE = "serve.lock"
OWNER_ALONE = 0o077
"""Permissions that a file made by the service does not have."""
BESIDE_DATABASE = ("", "-wal", "-shm", "-journal")
"""Endings of the files that SQLite keeps for one database."""


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Hold the folder for this service; the operating system releases it when the process ends, however it ends.

    1. Make new files readable by their owner alone, also in a folder that others may read.
    2. Make the folder if it is missing. Raise CommandError if that is impossible or another service holds it.
    3. Take the permissions of others from the files of an SQLite database.
    """
    os.umask(OWNER_ALONE)
    with explained(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as taken:
            msg = f"Another service uses the data in {folder}. Stop it first, or set DATA_DIR to another folder."
            raise CommandError(msg) from taken
        with explained(folder):
            hide_database()
        yield
    finally:
        os.close(descriptor)


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Turn errors of a full, read-only or forbidden disk into a CommandError that tells the operator what to do."""
    try:
        yield
    except (OSError, OperationalError, MigrationSchemaMissing) as reason:
        raise CommandError(advice(folder, reason)) from reason


def advice(folder: Path, reason: OSError | DatabaseError) -> str:
    """Return the sentence for an operator about a folder that cannot be written."""
    said = str(reason)
    number = getattr(reason, "errno", None)
    if number in (errno.ENOSPC, errno.EDQUOT) or "is full" in said:
        return f"The disk of {folder} is full: make room and start again. Nothing that was saved is lost."
    return (
        f"The data folder {folder} cannot be used ({said}). Make it writable for the user who starts the service, "
        "or set DATA_DIR to another folder."
    )


def database_file() -> Path | None:
    """Return the file of the SQLite database, or None on PostgreSQL or in memory."""
    if connection.vendor != "sqlite":
        return None
    file = Path(str(connection.settings_dict["NAME"]))
    return file if file.is_file() else None


def hide_database() -> None:
    """Take the permissions of group and others from the files of the database."""
    file = database_file()
    for ending in BESIDE_DATABASE if file else ():
        part = file.with_name(file.name + ending) if file else Path()
        if part.exists() and part.stat().st_mode & OWNER_ALONE:
            part.chmod(part.stat().st_mode & 0o700)


def refuse_damaged_database() -> None:
    """Raise CommandError with the way to a restore if SQLite finds a damaged page (`PRAGMA quick_check`)."""
    file = database_file()
    if file is None:
        return
    try:
        with closing(sqlite3.connect(file)) as opened:
            found = opened.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError:
        return  # locked or not writable: opening it for migrating explains that better
    except sqlite3.DatabaseError as unreadable:
        found = str(unreadable)
    if found != "ok":
        msg = (
            f"The database {file} is damaged ({str(found).splitlines()[-1]}). Move it and the files beside it that "
            f"begin with {file.name} away, and restore the last backup: manage.py migrate, then manage.py restore "
            "FILE. See docs/backup.md."
        )
        raise CommandError(msg)
