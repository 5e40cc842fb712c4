"""Test that anonymous reads go to a real streaming replica, and never to one that is behind, frozen or stopped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from league.platform.environment import ROOT
from scripts.servers import lay_down_replica, started, wait_for_port, wait_until_open


@pytest.fixture(scope="module")
def steps(
    migrated_postgres: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, dict[str, Any]]]:
    """Return what was read in each state of the replica, by step."""
    primary = migrated_postgres("replicated")
    with psycopg.connect(primary, autocommit=True) as server:
        # The product asks for the position that is written; the test's server otherwise writes commits later.
        server.execute("ALTER DATABASE replicated SET synchronous_commit = on")
    # Not below pytest's folder, which is closed to the user that PostgreSQL runs as.
    with tempfile.TemporaryDirectory(prefix="jantaku-replica-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        laid = lay_down_replica(folder, primary)
        with started(laid.command, folder / "log", user=laid.user) as process:
            wait_for_port(laid.port, process, folder / "log")
            wait_until_open(laid.address)
            yield read_beside(primary, laid.address, process.pid, tmp_path_factory.mktemp("data"))


def read_beside(primary: str, replica: str, process: int, data: Path) -> dict[str, dict[str, Any]]:
    """Run the program that reads beside the replica, and return what it printed, by step."""
    variables = os.environ | {
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "DATABASE_URL": primary,
        "DATABASE_REPLICA_URL": replica,
        "DATA_DIR": str(data),
    }
    command = [sys.executable, "-m", "tests.services.replica_reads", replica, str(process)]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {each["step"]: each for each in found}


def tags(step: dict[str, Any]) -> list[str]:
    """Return the ETags of the pages that were read, all of them answered."""
    assert [status for status, _tag in step["answers"]] == [200] * len(step["answers"])
    found = [tag for _status, tag in step["answers"]]
    assert all(found)
    return found


def test_a_current_replica_answers_every_anonymous_read(steps: dict[str, dict[str, Any]]) -> None:
    for step in ("current", "current again", "resumed"):
        assert steps[step]["replica"] > 0
        assert steps[step]["default"] == 0
    assert tags(steps["current"]) == tags(steps["current again"])


def test_a_replica_that_is_behind_is_not_read_and_nothing_older_is_shown(steps: dict[str, dict[str, Any]]) -> None:
    assert steps["paused"]["replica"] == 0
    assert tags(steps["paused"]) == tags(steps["primary while paused"])
    assert set(tags(steps["paused"])).isdisjoint(tags(steps["current"]))


def test_a_replica_that_has_caught_up_answers_what_the_primary_answers(steps: dict[str, dict[str, Any]]) -> None:
    assert tags(steps["resumed"]) == tags(steps["primary after resuming"]) == tags(steps["paused"])
    assert steps["primary after resuming"]["replica"] == 0


def test_a_frozen_replica_delays_one_read_only_and_the_primary_answers(steps: dict[str, dict[str, Any]]) -> None:
    assert tags(steps["frozen"]) == tags(steps["resumed"])
    assert steps["frozen"]["default"] > 0
    assert steps["frozen"]["seconds"] < 25  # far less than the deadline of the primary


def test_a_stopped_replica_is_replaced_by_the_primary(steps: dict[str, dict[str, Any]]) -> None:
    assert tags(steps["stopped"]) == tags(steps["primary at last"])
    assert steps["stopped"]["replica"] == 0
    assert steps["stopped"]["seconds"] < 25  # far less than the deadline of the primary
    assert set(tags(steps["stopped"])).isdisjoint(tags(steps["resumed"]))
