"""Tests that the files in deploy/ and the operators' document match the code."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from league.platform.environment import ROOT, Environment
from league.settings import CELERY_TASK_QUEUES

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))


def test_every_environment_variable_is_documented_for_operators() -> None:
    known = {str(field.validation_alias) for field in Environment.model_fields.values()}
    assert "SECRET_KEY" in known
    document = (ROOT / "docs" / "operators.md").read_text()
    assert [name for name in sorted(known) if f"`{name}`" not in document] == []


def test_every_queue_has_a_worker_in_systemd_and_in_compose() -> None:
    queues = {queue.name for queue in CELERY_TASK_QUEUES}
    units = " ".join(unit.read_text() for unit in UNITS)
    composition = (DEPLOY / "compose.yaml").read_text()
    assert {name for found in re.findall(r"--queues (\S+)", units) for name in found.split(",")} == queues
    served = re.findall(r'"--queues", "([^"]+)"', composition)
    assert {name for found in served for name in found.split(",")} == queues


def test_a_wrong_configuration_stops_the_server_with_clear_messages(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "league.wsgi"]
    base = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    variables = base | {"DATA_DIR": str(tmp_path), "WEB_THREADS": "99", "METRICS_TOKEN": "hidden-word"}
    found = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False, timeout=120)
    assert found.returncode == 1
    assert "WEB_THREADS is '99'; allowed: 1 to 16" in found.stderr
    assert "METRICS_TOKEN is (hidden); allowed: 24 or more" in found.stderr
    assert "hidden-word" not in found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = unit.read_text().replace("/srv/jantaku/.venv/bin/python", sys.executable)
        (tmp_path / unit.name).write_text(text)
    units = [str(tmp_path / unit.name) for unit in UNITS]
    found = subprocess.run(
        ["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False, timeout=120
    )
    ours = [line for line in found.stderr.splitlines() if "jantaku-" in line]
    assert ours == []


def test_every_copy_step_of_the_dockerfile_finds_its_source() -> None:
    steps = re.findall(r"^COPY (\S+) ", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert set(steps) == let_in
    assert [name for name in steps if not (ROOT / name).exists()] == []
