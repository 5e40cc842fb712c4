"""Recognize temporary faults of the infrastructure: database unreachable, disk full, or database read-only.

Such a fault is no bug and passes by itself, so pages and the REST API answer it alike with 503, its kind, and a
Retry-After header. Every other exception remains an error of ours (500).
"""

from __future__ import annotations

import errno
from enum import StrEnum

from django.db import DatabaseError, Error, InterfaceError, OperationalError


class Outage(StrEnum):
    """The kind of a temporary fault."""

    UNAVAILABLE = "unavailable"
    """The database cannot be reached or is too busy; it may be unknown whether a change was made."""

    STORAGE_FULL = "storage_full"
    """The disk is full: nothing was changed, and all stored data is safe."""

    READ_ONLY = "read_only"
    """The database accepts no changes at present, as during maintenance."""

    @property
    def retry_after(self) -> int:
        """Return the seconds after which a retry makes sense: a restart is short, clearing a disk takes longer."""
        return 5 if self is Outage.UNAVAILABLE else 60


OF_SQLSTATE = {"25006": Outage.READ_ONLY, "53100": Outage.STORAGE_FULL, "58030": Outage.STORAGE_FULL}
"""PostgreSQL's error codes read_only_sql_transaction, disk_full and io_error."""
OF_SQLITE_MESSAGE = {
    "readonly database": Outage.READ_ONLY,
    "disk is full": Outage.STORAGE_FULL,
    "disk i/o error": Outage.STORAGE_FULL,
    "unable to open database file": Outage.UNAVAILABLE,
    "database is locked": Outage.UNAVAILABLE,
    "database table is locked": Outage.UNAVAILABLE,
}
"""The outage by a part of SQLite's error message in lower case."""
OF_ERRNO = {errno.ENOSPC: Outage.STORAGE_FULL, errno.EDQUOT: Outage.STORAGE_FULL, errno.EROFS: Outage.READ_ONLY}
PASSING_CLASSES = ("08", "40", "53", "55", "57")
"""Classes of PostgreSQL errors that pass: connection, rollback, resources, locks, operator intervention."""


def outage_of(fault: BaseException | None) -> Outage | None:
    """Return the outage behind an exception or one of its causes, or None if the exception is something else."""
    while fault is not None:
        found = _of_one(fault)
        if found:
            return found
        fault = fault.__cause__
    return None


def _of_one(fault: BaseException) -> Outage | None:
    if isinstance(fault, OSError):
        return OF_ERRNO.get(fault.errno or 0)
    if not isinstance(fault, DatabaseError | InterfaceError):
        return None
    if type(fault.__cause__).__module__.startswith("sqlite3"):
        said = str(fault).lower()
        return next((outage for words, outage in OF_SQLITE_MESSAGE.items() if words in said), None)
    return _of_postgresql(fault)


def _of_postgresql(fault: Error) -> Outage | None:
    """Return the outage of a PostgreSQL error by its SQLSTATE; without one the connection itself has failed."""
    state: str | None = getattr(fault.__cause__, "sqlstate", None)
    if state is None:
        return Outage.UNAVAILABLE if isinstance(fault, OperationalError | InterfaceError) else None
    return OF_SQLSTATE.get(state) or (Outage.UNAVAILABLE if state.startswith(PASSING_CLASSES) else None)
