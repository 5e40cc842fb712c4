"""When the service itself is well and what it stands on is not: the database is away, its disk full, or read-only.

The one idea: such a fault is nobody's mistake and passes, so it is told as what it is, with 503 and when to try again,
by pages and by REST alike. Everything else that fails stays a fault of ours.
"""

from __future__ import annotations

import errno
from enum import StrEnum

from django.db import DatabaseError, Error, InterfaceError, OperationalError


class Outage(StrEnum):
    """What is out of order."""

    UNAVAILABLE = "unavailable"
    """The database cannot be reached or is too busy; whether a change was made may be unknown."""

    STORAGE_FULL = "storage_full"
    """The disk is full: nothing was changed, everything there is safe."""

    READ_ONLY = "read_only"
    """The database takes no changes just now, as during maintenance."""

    @property
    def retry_after(self) -> int:
        """Seconds after which it is worth trying again: a restart is short, somebody clearing a disk is not."""
        return 5 if self is Outage.UNAVAILABLE else 60


OF_SQLSTATE = {"25006": Outage.READ_ONLY, "53100": Outage.STORAGE_FULL, "58030": Outage.STORAGE_FULL}
"""PostgreSQL's codes: read_only_sql_transaction, disk_full, io_error."""
OF_SQLITE_MESSAGE = {
    "readonly database": Outage.READ_ONLY,
    "disk is full": Outage.STORAGE_FULL,
    "disk i/o error": Outage.STORAGE_FULL,
    "unable to open database file": Outage.UNAVAILABLE,
    "database is locked": Outage.UNAVAILABLE,
    "database table is locked": Outage.UNAVAILABLE,
}
OF_ERRNO = {errno.ENOSPC: Outage.STORAGE_FULL, errno.EDQUOT: Outage.STORAGE_FULL, errno.EROFS: Outage.READ_ONLY}
PASSING_CLASSES = ("08", "40", "53", "55", "57")
"""PostgreSQL's classes of faults that pass: connection, rollback, resources, locks, operator's intervention."""


def outage_of(fault: BaseException | None) -> Outage | None:
    """The outage behind a fault, also where it was raised from one; None where it is something else."""
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
    """By its code; without one the connection itself has failed."""
    state: str | None = getattr(fault.__cause__, "sqlstate", None)
    if state is None:
        return Outage.UNAVAILABLE if isinstance(fault, OperationalError | InterfaceError) else None
    return OF_SQLSTATE.get(state) or (Outage.UNAVAILABLE if state.startswith(PASSING_CLASSES) else None)
