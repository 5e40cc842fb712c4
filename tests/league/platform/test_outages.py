"""Test an unavailable, full or read-only database: a clear response, no lost data, and a retry that works."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest
from django.db import OperationalError, ProgrammingError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from league.models import Change, ResultSheet, Role
from league.platform.environment import ROOT
from league.platform.outages import Outage, outage_of
from league.web import error_pages
from tests import factories
from tests.api.client import Api

handler500 = error_pages.server_error


def away(request: HttpRequest) -> HttpResponse:
    request.POST  # noqa: B018 - a view has read its form before the database fails
    raise OperationalError("connection refused") from ConnectionError()


def broken(request: HttpRequest) -> HttpResponse:
    raise ProgrammingError("a programming error")


urlpatterns = [path("away/", away), path("api/away/", away), path("api/broken/", broken), path("broken/", broken)]
outside_the_views = pytest.mark.urls(__name__)


def visitor() -> Client:
    return Client(raise_request_exception=False)


@outside_the_views
def test_an_outage_page_is_in_both_languages_and_says_when_to_retry() -> None:
    answer = visitor().get("/away/?page=2")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    text = answer.content.decode()
    assert "ただいまつながりません" in text
    assert "Out of order for a moment." in text
    assert 'href="/away/?page=2"' in text
    assert "<form" not in text


@outside_the_views
def test_submitted_form_values_are_kept_on_the_page_to_be_sent_again() -> None:
    answer = visitor().post("/away/", {"score": ["41200", "<b>"], "note": '東"家'})
    text = answer.content.decode()
    assert answer.status_code == 503
    assert '<input type="hidden" name="score" value="41200">' in text
    assert '<input type="hidden" name="score" value="&lt;b&gt;">' in text
    assert '<input type="hidden" name="note" value="東&quot;家">' in text
    assert 'action="/away/"' in text


@outside_the_views
@pytest.mark.parametrize("name", ["password", "new_password1", "otp_token"])
def test_a_secret_is_never_written_into_an_outage_page(name: str) -> None:
    text = visitor().post("/away/", {name: "hidden-word", "next": "/"}).content.decode()
    assert "hidden-word" not in text
    assert "<form" not in text


@outside_the_views
def test_api_clients_get_a_problem_document_for_outages_and_errors() -> None:
    answer = visitor().get("/api/away/")
    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (503, "unavailable", "5")
    fault = visitor().get("/api/broken/")
    assert (fault.status_code, fault.json()["code"]) == (500, "internal_error")


@outside_the_views
def test_a_script_that_accepts_json_alone_gets_a_problem_document() -> None:
    answer = visitor().post("/away/", {"score": "41200"}, headers={"accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


@outside_the_views
def test_a_programming_error_is_no_outage() -> None:
    assert visitor().get("/broken/").status_code == 500


@pytest.mark.parametrize(
    ("fault", "outage"),
    [
        (OSError(errno.ENOSPC, "full"), Outage.STORAGE_FULL),
        (OSError(errno.EROFS, "read-only"), Outage.READ_ONLY),
        (OSError(errno.ENOENT, "no such file"), None),
        (OperationalError("the connection is closed"), Outage.UNAVAILABLE),
        (ProgrammingError("no such column"), None),
        (ValueError("something else"), None),
        (None, None),
    ],
)
def test_only_temporary_faults_are_outages(fault: BaseException | None, outage: Outage | None) -> None:
    assert outage_of(fault) is outage


@contextmanager
def read_only() -> Iterator[None]:
    """Make the database read-only, as a standby or one under maintenance."""
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1" if sqlite else "SET default_transaction_read_only = on")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA query_only = 0" if sqlite else "SET default_transaction_read_only = off")


@contextmanager
def full() -> Iterator[None]:
    """Let the database run full: SQLite's file may not grow; PostgreSQL reports a full disk."""
    with postgresql_full() if connection.vendor == "postgresql" else sqlite_full():
        yield


@contextmanager
def postgresql_full() -> Iterator[None]:
    """Let a trigger on result sheets raise PostgreSQL's error for a full disk."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$"
        )
        cursor.execute(
            "CREATE TRIGGER no_room BEFORE INSERT ON league_resultsheet FOR EACH ROW EXECUTE FUNCTION no_room()"
        )
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION no_room CASCADE")


@contextmanager
def sqlite_full() -> Iterator[None]:
    """Forbid the file to grow by even one page."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        (pages,) = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1073741823")


def check_outage(trouble: Callable[[], AbstractContextManager[None]], code: str) -> None:
    """Submit a result during the outage and again after it: first 503 and no row, then success with the same key."""
    season = factories.final_table()
    api = Api(factories.user("director", Role.DIRECTOR, season))
    api.client.raise_request_exception = False
    hanchan = factories.table(season.blocks.get()).hanchan.get(round=1)
    people = factories.seated(hanchan)
    seats = [{"entrant": one.pk, "score": score} for one, score in zip(people, factories.SCORES, strict=True)]

    def hand_in() -> HttpResponse:
        return api.change(f"hanchan/{hanchan.pk}/results/", {"seats": seats}, key="the-same-key")

    before = Change.objects.count()
    with trouble():
        refused = hand_in()
    assert (refused.status_code, json.loads(refused.content)["code"]) == (503, code)
    assert refused.headers["Retry-After"] == "60"
    assert not ResultSheet.objects.exists()
    assert Change.objects.count() == before
    assert hand_in().status_code == 201
    assert ResultSheet.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_read_only_database_refuses_a_result_clearly_and_loses_nothing() -> None:
    check_outage(read_only, "read_only")


@pytest.mark.django_db(transaction=True)
def test_pages_are_readable_while_the_database_is_read_only() -> None:
    season = factories.final_table()
    with read_only():
        assert visitor().get(f"/c/{season.slug}/").status_code == 200
        assert visitor().get(f"/api/v1/competitions/{season.slug}/bracket/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_full_disk_refuses_a_result_clearly_and_loses_nothing() -> None:
    check_outage(full, "storage_full")


WRITERS = """
import django; django.setup()
from multiprocessing import get_context
from league.models import Competition
from league.selectors.access.actors import Actor
from league.services.access.changes import open_change
from league.models import Door
from django.db import connection, transaction
from tests.factories import final_table
def write():
    for number in range(15):
        with transaction.atomic():
            Competition.objects.filter(pk=competition.pk).exists()
            change = open_change(competition, Actor.system(Door.COMMAND))
            change.record("tried", competition)
competition = final_table()
connection.close()
writers = [get_context("fork").Process(target=write) for _ in range(3)]
for writer in writers: writer.start()
for writer in writers: writer.join(240)
print(*(writer.exitcode for writer in writers))
"""
"""Code that creates a competition, then writes to it from three processes that share nothing but the file."""


def test_several_processes_that_write_to_one_sqlite_file_wait_and_never_fail(
    migrated_file: Path, tmp_path: Path
) -> None:
    file = shutil.copy(migrated_file, tmp_path)
    variables = os.environ | {"DATA_DIR": str(tmp_path), "DATABASE_URL": f"sqlite:///{file}"}
    variables |= {"DJANGO_SETTINGS_MODULE": "league.settings", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-c", WRITERS]
    done = subprocess.run(command, env=variables, cwd=ROOT, capture_output=True, text=True, check=False, timeout=360)
    assert done.stdout.split() == ["0", "0", "0"], done.stderr
    assert "locked" not in done.stderr
    with closing(sqlite3.connect(file)) as written:
        kinds = [kind for (kind,) in written.execute("SELECT kind FROM league_change ORDER BY n")]
        ((version,),) = written.execute("SELECT version FROM league_competition")
    assert kinds.count("tried") == 45
    assert version == len(kinds)
