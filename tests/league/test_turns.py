"""SQLite's writers go one after the other, in the order they came."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from league.settings import SQLITE
from league.sqlite import turns
from league.sqlite.base import DatabaseWrapper

WRITERS = 12


def connection(file: Path) -> DatabaseWrapper:
    """A connection of one's own to a database beside the tests'."""
    plain = {"TIME_ZONE": None, "AUTOCOMMIT": True, "CONN_HEALTH_CHECKS": False}
    found = DatabaseWrapper({**SQLITE, **plain, "NAME": str(file)}, "beside")
    found.inc_thread_sharing()
    return found


@pytest.fixture
def file(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Path]:
    path = tmp_path / "one.sqlite3"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE written (writer INTEGER)")
    with django_db_blocker.unblock():
        yield path


def begin(who: DatabaseWrapper) -> None:
    who.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


def end(who: DatabaseWrapper, how: Callable[[], None]) -> None:
    how()
    who.set_autocommit(True)


def in_line(file: Path) -> int:
    return len(turns.LINES[str(file)].waiting)


def until(holds: Callable[[], bool]) -> None:
    for _attempt in range(2000):
        if holds():
            return
        time.sleep(0.005)
    raise AssertionError("it did not happen")


def writers(file: Path, work: Callable[[DatabaseWrapper, int], None]) -> list[threading.Thread]:
    """So many threads, each in line behind the one before."""
    started = []
    for number in range(WRITERS):

        def run(number: int = number) -> None:
            own = connection(file)
            begin(own)
            work(own, number)
            own.close()

        thread = threading.Thread(target=run)
        thread.start()
        started.append(thread)
        until(lambda: in_line(file) == len(started))
    return started


@pytest.mark.parametrize("how", ["commit", "rollback", "close"])
def test_the_next_goes_as_soon_as_the_one_before_is_done_first_come_first_served(file: Path, how: str) -> None:
    first = connection(file)
    begin(first)

    def write(own: DatabaseWrapper, number: int) -> None:
        with own.cursor() as cursor:
            cursor.execute("INSERT INTO written VALUES (%s)", [number])
        end(own, own.commit)

    waiting = writers(file, write)
    end(first, getattr(first, how)) if how != "close" else first.close()
    for thread in waiting:
        thread.join(30)
    with sqlite3.connect(file) as read:
        assert [number for (number,) in read.execute("SELECT writer FROM written ORDER BY rowid")] == list(
            range(WRITERS)
        )
    assert not turns.LINES[str(file)].is_taken
    first.close()


def test_whoever_cannot_begin_does_not_keep_the_others_waiting(file: Path) -> None:
    one = connection(file)
    with one.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=1")
    with sqlite3.connect(file, isolation_level=None) as elsewhere:
        elsewhere.execute("BEGIN IMMEDIATE")
        with pytest.raises(Exception, match="database is locked"):
            begin(one)
        elsewhere.execute("ROLLBACK")
    begin(one)
    end(one, one.commit)
    assert not turns.LINES[str(file)].is_taken
    one.close()


def test_who_has_stood_in_line_long_enough_asks_the_database_itself(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 0.01)
    first, second = connection(file), connection(file)
    begin(first)
    with second.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=1")
    with pytest.raises(Exception, match="database is locked"):
        begin(second)
    assert in_line(file) == 0
    end(first, first.commit)
    begin(second)
    end(second, second.commit)
    for each in (first, second):
        each.close()
