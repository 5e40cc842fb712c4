"""The backend as Django asks for it where metrics are kept."""

from django_prometheus.db.backends.sqlite3 import base  # type: ignore[import-untyped]

from league.sqlite.base import WriteLock


class DatabaseWrapper(WriteLock, base.DatabaseWrapper):  # type: ignore[misc]
    """SQLite with the lock, whose statements are counted."""
