"""The backend module that Django loads if metrics are collected."""

from django_prometheus.db.backends.sqlite3 import base  # type: ignore[import-untyped]  # no types

from league.sqlite.base import WriteLock


class DatabaseWrapper(WriteLock, base.DatabaseWrapper):  # type: ignore[misc]  # its base has no types
    """The SQLite backend with the write lock and query metrics."""
