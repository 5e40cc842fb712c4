"""Test the write lock for SQLite: writers of one process wait for it, and none starves."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from league.settings import SQLITE
from league.sqlite import base
from league.sqlite.base import DatabaseWrapper

WRITERS = 12


def connection(file: Path) -> DatabaseWrapper:
    """Return a separate connection to a database other than the tests' own."""
    plain = {"TIME_ZONE": None, "AUTOCOMMIT": True, "CONN_HEALTH_CHECKS": False}
    found = DatabaseWrapper({**SQLITE, **plain, "NAME": str(file)}, "beside")
    found.inc_thread_sharing()
    return found


@pytest.fixture
def file(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Path]:
    path = tmp_path / "one.sqlite3"
    with sqlite3.connect(path) as made:
        # As after `migrate`. SQLite does not wait for other connections while it changes a database to WAL, so the
        # first connections of several threads must not be the ones that change it.
        made.execute("PRAGMA journal_mode=WAL")
        made.execute("CREATE TABLE written (writer INTEGER)")
    with django_db_blocker.unblock():
        yield path


def begin(one: DatabaseWrapper) -> None:
    one.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


def end(one: DatabaseWrapper, how: Callable[[], None]) -> None:
    how()
    one.set_autocommit(True)


def write(one: DatabaseWrapper, number: int, seconds: float = 0) -> float:
    """Write one row in a transaction of the given duration; return the seconds it waited to begin."""
    before = time.monotonic()
    begin(one)
    waited = time.monotonic() - before
    with one.cursor() as cursor:
        cursor.execute("INSERT INTO written VALUES (%s)", [number])
    time.sleep(seconds)
    end(one, one.commit)
    return waited


def written(file: Path) -> list[int]:
    with sqlite3.connect(file) as read:
        return [number for (number,) in read.execute("SELECT writer FROM written ORDER BY writer")]


def is_free(file: Path) -> bool:
    return not base.LOCKS[str(file)].locked()


@pytest.mark.parametrize("how", ["commit", "rollback", "close"])
def test_waiting_writers_proceed_as_soon_as_the_previous_transaction_ends(file: Path, how: str) -> None:
    first = connection(file)
    begin(first)

    def run(number: int) -> None:
        own = connection(file)
        write(own, number)
        own.close()

    waiting = [threading.Thread(target=run, args=(number,)) for number in range(WRITERS)]
    for thread in waiting:
        thread.start()
    assert written(file) == []
    end(first, getattr(first, how)) if how != "close" else first.close()
    for thread in waiting:
        thread.join(30)
    assert written(file) == list(range(WRITERS))
    assert is_free(file)
    first.close()


def test_a_result_is_saved_while_imports_write_without_a_pause(file: Path) -> None:
    is_over = threading.Event()

    def run() -> None:
        own = connection(file)
        while not is_over.is_set():
            write(own, 0, 0.05)
        own.close()

    imports = [threading.Thread(target=run) for _number in range(3)]
    for thread in imports:
        thread.start()
    person = connection(file)
    try:
        waits = [write(person, 1) for _number in range(5)]
    finally:
        is_over.set()
        for thread in imports:
            thread.join(30)
        person.close()
    assert max(waits) < 3
    assert written(file).count(1) == 5


def test_a_transaction_that_fails_to_begin_does_not_block_the_others(file: Path) -> None:
    one = connection(file)
    with one.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=1")
    with sqlite3.connect(file, isolation_level=None) as elsewhere:
        elsewhere.execute("BEGIN IMMEDIATE")
        with pytest.raises(Exception, match="database is locked"):
            begin(one)
        assert is_free(file)
        elsewhere.execute("ROLLBACK")
    begin(one)
    end(one, one.commit)
    assert is_free(file)
    one.close()


def test_a_writer_that_has_waited_too_long_bypasses_the_lock(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "PATIENCE", 0.01)
    first, second = connection(file), connection(file)
    begin(first)
    with second.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=1")
    with pytest.raises(Exception, match="database is locked"):
        begin(second)
    assert not is_free(file)
    end(first, first.commit)
    begin(second)
    end(second, second.commit)
    for each in (first, second):
        each.close()
