"""Migrate the test database once per run: one worker process runs the migrations, the others copy its database."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from django.db import connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper

TEMPLATE = "migrated_for_tests"
"""Name of the PostgreSQL database that is copied."""


class MigratedDatabase:
    """The database with all tables, as an SQLite file or PostgreSQL template, in the folder that the workers share."""

    def __init__(self, folder: Path) -> None:
        own = folder / "migrated"
        own.mkdir(exist_ok=True)
        self.file = own / "jantaku.sqlite3"
        self.made = own / "made"
        self.lock = (own / "lock").open("w")

    def copy(self) -> bool:
        """Make the copy this process's test database and return True; return False if this process has to migrate.

        Wait while another process migrates; hold the lock until `keep`.
        """
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        if not self.made.exists():
            return False
        name = connection.settings_dict["TEST"]["NAME"]
        if connection.vendor == "sqlite":
            copy_sqlite(self.file, Path(name))
        else:
            fresh_database(os.environ["DATABASE_URL"], name, template=TEMPLATE)
        return True

    def keep(self) -> None:
        """Copy the migrated test database of this process for the others, unless there is a copy."""
        try:
            if not self.made.exists():
                self._keep()
                self.made.touch()
        finally:
            self.lock.close()

    def _keep(self) -> None:
        if connection.vendor == "sqlite":
            copy_sqlite(connection.settings_dict["NAME"], self.file)
        elif isinstance(own := connections["default"], DatabaseWrapper) and "PYTEST_XDIST_WORKER" in os.environ:
            # PostgreSQL copies no database that has connections: this one goes back to the pool, which then closes.
            own.close()
            own.close_pool()
            fresh_database(os.environ["DATABASE_URL"], TEMPLATE, template=own.settings_dict["NAME"])


def copy_sqlite(source: str | Path, target: Path) -> None:
    """Copy an SQLite database, including what is in its write-ahead log."""
    with closing(sqlite3.connect(source)) as origin, closing(sqlite3.connect(target)) as copy:
        origin.backup(copy)


def fresh_database(server: str, name: str, *, template: str = "template1") -> str:
    """Create a database on the server as a copy of another one, and return its URL."""
    with psycopg.connect(server, autocommit=True) as session:
        session.execute(f"DROP DATABASE IF EXISTS {name}")
        session.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return urlsplit(server)._replace(path=f"/{name}").geturl()
