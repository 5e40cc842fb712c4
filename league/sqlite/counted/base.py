"""The backend as Django asks for it where metrics are kept."""

from django_prometheus.db.backends.sqlite3 import base  # type: ignore[import-untyped]

from league.sqlite.turns import TakesTurns


class DatabaseWrapper(TakesTurns, base.DatabaseWrapper):  # type: ignore[misc]
    """SQLite whose writers take turns, and whose statements are counted."""
