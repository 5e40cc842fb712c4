"""Test that the previous version keeps serving during a migration."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from league.platform.environment import ROOT
from scripts.install_requirements import PIP
from scripts.servers import LOCALHOST, free_port, started, wait_for_port

pytestmark = pytest.mark.services
MIGRATE = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
print("migrated", flush=True)
"""
SET_UP = """
from tests.factories import league, table, user
from league.models import Role
from knox.models import AuthToken
season = league()
rounds = [range(first, first + 4) for first in (1, 5)]
tables = [table(season.blocks.get(key=key), numbers=tuple(numbers)) for numbers in rounds for key in "AB"]
director = user("director", Role.DIRECTOR, season)
print(AuthToken.objects.create(director)[1])
for one in tables:
    for hanchan in one.hanchan.order_by("round"):
        print(hanchan.pk, *hanchan.seats.order_by("seat").values_list("entrant", flat=True), flush=True)
"""
SERVE = """
from django.db import connection
connection.close()
connection.close_pool()
from gunicorn.app.wsgiapp import run
run()
"""
"""Code that serves in a process that has loaded Django already; its worker opens connections of its own."""
VERIFY = """
import django; django.setup()
from league.models import Competition, ResultSheet
from league.services.standings.publishing import publish_standings
from league.services.operations.verification import differences_of
season = Competition.objects.get()
publish_standings(season.pk)
print(ResultSheet.objects.count(), [str(difference) for difference in differences_of(season)])
"""


def git(*arguments: str) -> str:
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def migrations_in(commit: str) -> int:
    files = git("ls-tree", "--name-only", commit, "league/migrations/").split()
    return sum(Path(file).name[0].isdigit() for file in files)


def requirements_of(folder: Path) -> set[str]:
    """Return each locked requirement of this version with the hashes of its files."""
    lines = (folder / "requirements.txt").read_text().splitlines(keepends=True)
    locked = "".join(line for line in lines if not line.lstrip().startswith("#"))
    return set(re.findall(r"^\S.*\n(?: .*\n)*", locked, re.MULTILINE))


@pytest.fixture(scope="module")
def version_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Extract the newest code with fewer migrations from the Git history; a renumbered migration is no new one.

    The libraries that only this version needs, or needs in another release, are installed beside its code, where Python
    finds them first.
    """
    migrations = len(list((ROOT / "league" / "migrations").glob("[0-9]*.py")))
    try:
        commits = git("log", "--first-parent", "--format=%H", "--", "league/migrations").split()
        before = next((commit for commit in commits if migrations_in(commit) < migrations), "")
    except (OSError, subprocess.CalledProcessError):
        before = ""
    if not before:
        pytest.skip("there is no history to take the version before from")
    folder = tmp_path_factory.mktemp("before")
    archive = subprocess.run(["git", "-C", str(ROOT), "archive", before], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    if missing := requirements_of(folder) - requirements_of(ROOT):
        (folder / "missing.txt").write_text("".join(sorted(missing)))
        subprocess.run([*PIP, "--target", str(folder), "-r", str(folder / "missing.txt")], check=True, timeout=300)
    return folder


@pytest.fixture
def variables(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Return the environment of both versions: a separate database, and no broker."""
    import psycopg

    name = "upgraded_while_serving"
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name}")
        server.execute(f"CREATE DATABASE {name}")
    address = f"{postgres_server.rpartition('/')[0]}/{name}"
    base = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    folder = tmp_path_factory.mktemp("data")
    yield (
        base
        | {"DATABASE_URL": address, "DATA_DIR": str(folder), "DEMO": "0", "PYTHONWARNINGS": "ignore"}
        | {"DJANGO_SETTINGS_MODULE": "league.settings"}
    )
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def hand_in(port: int, token: str, hanchan: int, entrants: list[int]) -> int:
    connection = HTTPConnection(LOCALHOST, port, timeout=60)
    try:
        seats = [
            {"entrant": who, "score": score} for who, score in zip(entrants, (41200, 30100, 18700, 10000), strict=True)
        ]
        body = json.dumps({"seats": seats, "accept": ["same_result_twice", "same_scores_elsewhere", "at_two_tables"]})
        headers = {"Authorization": f"Token {token}", "Idempotency-Key": f"key-{hanchan}"}
        path = f"/api/v1/hanchan/{hanchan}/results/"
        connection.request("POST", path, body, headers | {"Content-Type": "application/json"})
        return connection.getresponse().status
    finally:
        connection.close()


@contextmanager
def starting(
    folder: Path, variables: dict[str, str], code: str, log: Path
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run the code with this version and then serve; yield the port and the process."""
    port = free_port()
    arguments = ["--bind", f"{LOCALHOST}:{port}", "--threads", "4", "--log-level", "warning", "league.wsgi"]
    command = ["env", "-C", str(folder), sys.executable, "-c", code + SERVE, *arguments]
    with started(command, log, env=variables) as process:
        yield port, process


def test_results_are_saved_by_the_old_version_during_a_migration_and_then_by_both_versions(
    version_before: Path, variables: dict[str, str], tmp_path: Path
) -> None:
    """Send results one after another before and during the migration, then alternate between old and new."""
    log, log_of_new = tmp_path / "log", tmp_path / "log of the new"
    statuses: dict[str, list[int]] = {"before": [], "meanwhile": [], "by turns": []}
    with starting(version_before, variables, MIGRATE + SET_UP, log) as (old, process):
        wait_for_port(old, process, log)
        token, *lines = log.read_text().partition("migrated\n")[2].splitlines()
        games = [[int(part) for part in line.split()] for line in lines]

        def next_result(when: str, port: int) -> None:
            hanchan, *entrants = games.pop()
            statuses[when].append(hand_in(port, token, hanchan, entrants))

        next_result("before", old)
        with starting(ROOT, variables, MIGRATE, log_of_new) as (new, migrating):
            while migrating.poll() is None and "migrated" not in log_of_new.read_text():
                if len(games) > 8:
                    next_result("meanwhile", old)
                time.sleep(0.25)
            wait_for_port(new, migrating, log_of_new)
            while games:
                next_result("by turns", (old, new)[len(games) % 2])
        said = log.read_text(errors="replace")[-3000:]
        assert {status for answers in statuses.values() for status in answers} == {201}, (statuses, said)
        assert len(statuses["meanwhile"]) > 2
    command = [sys.executable, "-c", VERIFY]
    found = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False, timeout=300)
    assert found.stdout.strip() == f"{len(lines)} []", found.stderr
