"""Rehearsal of a restore: a backup is restored into a temporary database, verified, counted, and thrown away.

The restore and the verification run as the commands that an operator would run, in processes of their own without
Redis, so that the service's cache and data are never touched.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.utils import load_backend

from league.platform.environment import ROOT, Environment, Mode
from league.services.operations.backups import Contents, kept_models, read_contents

PREFIX = "jantaku_rehearsal_"
"""The beginning of the names of temporary databases in PostgreSQL."""
LAST_LINES = 10


class RehearsalFailedError(Exception):
    """Raised when a backup could not be restored or is not what it says; the message has the step and the reason."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A successful rehearsal: the backup's manifest and the seconds that each step took, in order."""

    contents: Contents
    seconds: dict[str, float]


@dataclass(frozen=True, slots=True)
class TemporaryDatabase:
    """A temporary database: its URL for the commands, and Django's configuration for counting its rows."""

    url: str
    configuration: dict[str, Any]


def rehearse_restore(file: Path, *, in_sqlite: bool = False) -> Rehearsal:
    """Restore a backup into a temporary database and prove that it is whole.

    1. Verify the digest and read the manifest.
    2. Restore into an empty database of the service's own kind, or SQLite if `in_sqlite`.
    3. Rebuild every competition from its facts and compare (`manage.py verify`).
    4. Count the rows of every table and compare them with the manifest.
    5. Delete the temporary database, also after a failure.

    Raise BackupRefusedError if the file is no whole backup, RehearsalFailedError if a later step fails.
    """
    seconds: dict[str, float] = {}
    with _timed(seconds, "read"):
        contents = read_contents(file)
    with (
        tempfile.TemporaryDirectory(prefix="jantaku-rehearsal-") as folder,
        temporary_database(Path(folder), in_sqlite=in_sqlite) as place,
    ):
        variables = _variables(place, Path(folder))
        with _timed(seconds, "restored"):
            _run(variables, "restore", str(file.resolve()))
        with _timed(seconds, "verified"):
            _run(variables, "verify")
        with _timed(seconds, "counted"):
            compare_counts(place, contents)
    return Rehearsal(contents, seconds)


@contextmanager
def _timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    begun = time.monotonic()
    yield
    seconds[step] = time.monotonic() - begun


@contextmanager
def temporary_database(folder: Path, *, in_sqlite: bool) -> Iterator[TemporaryDatabase]:
    """Yield an empty temporary database; on PostgreSQL it is created beside the service's own and dropped."""
    if in_sqlite or connection.vendor == "sqlite":
        file = folder / "rehearsal.sqlite3"
        own = connection.settings_dict | {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file), "OPTIONS": {}}
        try:
            yield TemporaryDatabase(f"sqlite:///{file}", own)
        finally:
            file.unlink(missing_ok=True)
        return
    name = f"{PREFIX}{secrets.token_hex(6)}"
    _drop_leftovers()
    try:
        _execute(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
    except DatabaseError as error:
        msg = f"the temporary database could not be created ({error}); run ALTER ROLE … CREATEDB, or use --sqlite"
        raise RehearsalFailedError(msg) from error
    try:
        options = {key: value for key, value in connection.settings_dict["OPTIONS"].items() if key != "pool"}
        yield TemporaryDatabase(_postgres_url(name), connection.settings_dict | {"NAME": name, "OPTIONS": options})
    finally:
        _execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _drop_leftovers() -> None:
    """Drop the databases of rehearsals that were killed; one that is in use belongs to a rehearsal that runs."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [PREFIX])
        leftovers = [name for (name,) in cursor.fetchall()]
    for name in leftovers:
        try:
            _execute(f"DROP DATABASE IF EXISTS {connection.ops.quote_name(name)}")
        except DatabaseError:
            continue


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _postgres_url(name: str) -> str:
    """Return the DATABASE_URL of another database on the service's own server."""
    own, options = connection.settings_dict, settings.ENVIRONMENT.database.get("OPTIONS", {})
    user, password, host = (quote(str(own[key] or ""), safe="") for key in ("USER", "PASSWORD", "HOST"))
    login = f"{user}:{password}@" if password else f"{user}@"
    port = f":{own['PORT']}" if own["PORT"] else ""
    return f"postgres://{login}{host}{port}/{name}" + (f"?{urlencode(options)}" if options else "")


def _variables(place: TemporaryDatabase, folder: Path) -> dict[str, str]:
    """Return the environment of the commands: that of this process with none of the service's own variables."""
    own = {str(field.validation_alias) for field in Environment.model_fields.values()}
    others = {name: value for name, value in os.environ.items() if name not in own}
    return others | {
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "MODE": Mode.EMBEDDED,
        "DATABASE_URL": place.url,
        "DATA_DIR": str(folder),
    }


def _run(variables: dict[str, str], *command: str) -> None:
    """Run a management command; raise RehearsalFailedError with the end of its error output if it fails."""
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "manage.py", *command], cwd=ROOT, env=variables, capture_output=True, text=True, check=False
    )
    if done.returncode:
        lines = "\n".join(done.stderr.strip().splitlines()[-LAST_LINES:])
        raise RehearsalFailedError(f"manage.py {command[0]} failed:\n{lines}")


def compare_counts(place: TemporaryDatabase, contents: Contents) -> None:
    """Raise RehearsalFailedError naming each table of the database that has not as many rows as the manifest says."""
    found = _counts(place)
    differing = [
        f"{label}: {found.get(label, 0)} rows, the manifest says {count}"
        for label, count in contents.rows.items()
        if found.get(label) != count
    ]
    if differing:
        raise RehearsalFailedError("\n".join(["the counts differ:", *differing]))


def _counts(place: TemporaryDatabase) -> dict[str, int]:
    """Return the number of rows of every table, read through a connection of its own."""
    there = load_backend(place.configuration["ENGINE"]).DatabaseWrapper(place.configuration)
    found = {}
    try:
        with there.cursor() as cursor:
            for model in kept_models():
                table = there.ops.quote_name(model._meta.db_table)
                cursor.execute(f"SELECT COUNT(*) FROM {table}")  # noqa: S608 - own tables
                found[model._meta.label_lower] = cursor.fetchone()[0]
    finally:
        there.close()
    return found
