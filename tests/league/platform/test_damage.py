"""Test that damage of an SQLite database that is found while the service runs is remembered and reported."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import DatabaseError, connection
from django.test import Client

from league.platform import damage
from league.sqlite.base import DatabaseWrapper

pytestmark = pytest.mark.django_db
PAGE = 4096


@pytest.fixture(autouse=True)
def _unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(damage, "_seen", [])


def damaged_database(file: Path) -> DatabaseWrapper:
    """Return a connection to a database in the middle of which pages hold no table any more."""
    with closing(sqlite3.connect(file)) as made:
        made.execute(f"PRAGMA page_size = {PAGE}")
        made.execute("CREATE TABLE result (id INTEGER PRIMARY KEY, said TEXT)")
        made.executemany("INSERT INTO result (said) VALUES (?)", [("x" * 500,) for _number in range(200)])
        made.commit()
    with file.open("r+b") as opened:
        opened.seek(5 * PAGE)
        opened.write(b"\xff" * 10 * PAGE)
    return DatabaseWrapper({**connection.settings_dict, "NAME": str(file)})


def read_all(opened: DatabaseWrapper) -> None:
    """Read every row."""
    with opened.cursor() as cursor:
        cursor.execute("SELECT * FROM result")
        cursor.fetchall()


def test_a_damaged_page_read_by_a_request_makes_the_service_not_ready_and_is_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    opened = damaged_database(tmp_path / "league.sqlite3")
    with caplog.at_level(logging.CRITICAL, "league.platform.damage"):
        for _time in range(2):
            with pytest.raises(DatabaseError, match="malformed"):
                read_all(opened)
    opened.close()
    (line,) = [record.getMessage() for record in caplog.records if record.name == "league.platform.damage"]
    assert "restore the last backup" in line
    answer = Client().get("/health/ready")
    assert answer.status_code == 503
    reason = json.loads(answer.content)["checks"]["database"]["reason"]
    assert "damaged" in reason
    assert "malformed" in reason


def test_another_fault_of_the_database_is_no_damage() -> None:
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("SELECT missing FROM league_competition")
    assert damage.damage() == ""
