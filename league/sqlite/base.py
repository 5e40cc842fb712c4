"""The backend as Django asks for it."""

from django.db.backends.sqlite3 import base

from league.sqlite.turns import TakesTurns


class DatabaseWrapper(TakesTurns, base.DatabaseWrapper):
    """SQLite whose writers take turns."""
