"""Test that killed processes lose and duplicate no confirmed result, and that standings follow without help.

`make faults` does the same two hundred times, and freezes processes for up to 30 seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from league.platform.environment import ROOT

SHORT = ("--longest-freeze", "3")
CLEAN = ("MODE", "REDIS_URL", "DATABASE_URL", "BASE_URL", "DATA_DIR", "TEST_DATA_DIR", "DJANGO_SETTINGS_MODULE")


def run_trial(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a separate process."""
    env = {name: value for name, value in os.environ.items() if name not in CLEAN}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=900
    )


@pytest.mark.usefixtures("redis_server")
def test_faults_of_servers_workers_and_web_processes_lose_and_duplicate_nothing(
    migrated_postgres: Callable[[str], str],
) -> None:
    """The seed kills both servers, a worker, and a child of a worker and of the web service, and freezes a backend."""
    about = ("--database", "postgres", "--tables", migrated_postgres("before_faults"), "--kills", "6", "--seed", "52")
    found = run_trial("scripts.faults", *about, *SHORT)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "Nothing lost, nothing doubled" in found.stdout


@pytest.mark.services
@pytest.mark.django_db
def test_faults_of_the_embedded_service_on_sqlite_lose_and_duplicate_nothing(migrated_file: Path) -> None:
    """The seed kills the process once and freezes it once."""
    about = ("--database", "sqlite", "--tables", str(migrated_file), "--kills", "2", "--seed", "24")
    found = run_trial("scripts.faults", *about, *SHORT)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "database is locked" not in found.stdout + found.stderr
