"""Tests of the rehearsal of a restore; tests/services/test_backup_servers.py has a whole one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import connection

from league.models import Player
from league.services.operations.backups import write_backup
from league.services.operations.rehearsals import (
    PREFIX,
    RehearsalFailedError,
    TemporaryDatabase,
    compare_counts,
    temporary_database,
)
from tests.factories import final_table

pytestmark = pytest.mark.django_db(transaction=True)


def temporary_databases(folder: Path) -> list[str]:
    """Return the temporary databases: files in the folder, or databases on the server."""
    if connection.vendor == "sqlite":
        return [str(file) for file in folder.iterdir()]
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [PREFIX])
        return [name for (name,) in cursor.fetchall()]


def test_without_a_backup_or_with_a_damaged_one_the_command_says_so(tmp_path: Path, settings: LazySettings) -> None:
    folder = tmp_path / "backups"
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"backup_dir": folder})
    with pytest.raises(CommandError, match="There is no backup in"):
        call_command("rehearse_restore")
    call_command("backup")
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    with pytest.raises(CommandError, match="cannot be restored: This backup is damaged"):
        call_command("rehearse_restore")
    with pytest.raises(CommandError, match=r"none\.zip cannot be restored"):
        call_command("rehearse_restore", str(tmp_path / "none.zip"))


def test_counts_are_compared_with_the_manifest_table_by_table(tmp_path: Path) -> None:
    final_table()
    contents = write_backup(tmp_path / "one.zip")
    own = TemporaryDatabase("", connection.settings_dict | {"OPTIONS": {}})
    compare_counts(own, contents)
    Player.objects.create(name="one more")
    count = contents.rows["league.player"]
    with pytest.raises(RehearsalFailedError, match=rf"league\.player: {count + 1} rows, the manifest says {count}$"):
        compare_counts(own, contents)


def test_the_temporary_database_is_gone_after_a_failure_and_so_is_one_left_by_a_kill(tmp_path: Path) -> None:
    left = temporary_databases(tmp_path)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {PREFIX}left")
        assert temporary_databases(tmp_path) == [f"{PREFIX}left"]
    with suppress(ZeroDivisionError), temporary_database(tmp_path, in_sqlite=False) as place:
        name = place.configuration["NAME"]
        assert place.url.endswith(f"/{Path(name).name}")
        assert "pool" not in place.configuration["OPTIONS"]
        if connection.vendor == "sqlite":
            Path(name).touch()
        assert temporary_databases(tmp_path) == [name]
        raise ZeroDivisionError
    assert temporary_databases(tmp_path) == left == []


def test_a_rehearsal_in_sqlite_needs_no_right_to_create_databases(tmp_path: Path) -> None:
    with temporary_database(tmp_path, in_sqlite=True) as place:
        assert place.url == f"sqlite:///{tmp_path / 'rehearsal.sqlite3'}"
    if connection.vendor == "postgresql":
        with without_createdb(), pytest.raises(RehearsalFailedError, match="ALTER ROLE … CREATEDB, or use --sqlite"):
            ExitStack().enter_context(temporary_database(tmp_path, in_sqlite=False))


@contextmanager
def without_createdb() -> Iterator[None]:
    """Act as a role that may not create databases."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE without_createdb")
        try:
            cursor.execute("SET ROLE without_createdb")
            yield
        finally:
            cursor.execute("RESET ROLE")
            cursor.execute("DROP ROLE without_createdb")
