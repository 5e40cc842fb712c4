"""SQLite backend in which the writing threads of a process wait for a lock instead of polling the database.

SQLite has one writer at a time. A connection that finds it busy polls again after a pause of up to 100 ms, and the one
that polls at the right moment is next: beside imports that write without a pause, others starve. Measured with three
threads that import (100 ms a transaction) and one that enters a result twice a second, for 15 s: with `busy_timeout`
alone one result waited 15 s; with the lock they waited 0.5 s in the median, 0.6 s at most (an import 1.2 s). Beside
one import: at most 10.2 s without it, 0.3 s with it. No error and no lost row in either. Other processes, such as a
management command beside the service, do not know the lock; for them `busy_timeout` applies.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import defaultdict
from types import TracebackType
from typing import TYPE_CHECKING

from django.db.backends.sqlite3 import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property
from typing_extensions import override

from league.platform.damage import note_damage

if TYPE_CHECKING:
    from django.db.backends.sqlite3.base import DatabaseWrapper as Base
else:
    Base = object
PATIENCE = 10.0
"""Seconds to wait for the lock; after that SQLite is tried anyway, whose error says that the database is locked."""
LOCKS: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
"""The write lock of each database of this process, by file name."""


class NotesDamage(DatabaseErrorWrapper):
    """Django's conversion of SQLite's errors, which every statement and row passes; it notes a damaged database."""

    @override
    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Note the error, then raise Django's."""
        if isinstance(fault, sqlite3.DatabaseError):
            note_damage(fault)
        super().__exit__(kind, fault, traceback)


class WriteLock(Base):
    """Connection mix-in that holds the process's write lock from before a transaction begins until after it ends."""

    has_lock = False

    @cached_property
    def wrap_database_errors(self) -> DatabaseErrorWrapper:
        """Return the context manager around each use of the database."""
        return NotesDamage(self)

    @override
    def set_autocommit(
        self,
        autocommit: bool,
        force_begin_transaction_with_broken_autocommit: bool = False,
    ) -> None:
        """Acquire the lock before a transaction begins; release it after one has ended, before commit hooks run."""
        if force_begin_transaction_with_broken_autocommit and not autocommit:
            self.ensure_connection()  # a new connection sets its autocommit, which would release the lock
            # Every transaction begins IMMEDIATE, so each takes SQLite's write lock, and this one comes first. False
            # after the timeout: the transaction goes on without the lock and relies on `busy_timeout`.
            self.has_lock = LOCKS[self.settings_dict["NAME"]].acquire(timeout=PATIENCE)
        else:
            self._release()
        try:
            super().set_autocommit(autocommit, force_begin_transaction_with_broken_autocommit)
        # Also on KeyboardInterrupt: a lock that stays acquired would block every writer of the process.
        except BaseException:
            self._release()
            raise

    @override
    def close(self) -> None:
        """Close the connection and release the lock; a transaction in progress is rolled back."""
        try:
            super().close()
        finally:
            self._release()

    def _release(self) -> None:
        if self.has_lock:
            self.has_lock = False
            LOCKS[self.settings_dict["NAME"]].release()


class DatabaseWrapper(WriteLock, base.DatabaseWrapper):
    """Django's SQLite backend with the write lock."""
