"""Tests that the files in deploy/ and the operators' document match the code."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from league.platform.environment import ROOT, Environment
from league.settings import CELERY_TASK_QUEUES

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
COMPOSED = yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def test_every_environment_variable_is_documented_for_operators() -> None:
    known = {str(field.validation_alias) for field in Environment.model_fields.values()}
    assert "SECRET_KEY" in known
    document = (ROOT / "docs" / "operators.md").read_text()
    assert [name for name in sorted(known) if f"`{name}`" not in document] == []


def test_every_queue_has_a_worker_in_systemd_and_in_compose() -> None:
    queues = {queue.name for queue in CELERY_TASK_QUEUES}
    units = " ".join(unit.read_text() for unit in UNITS)
    assert {name for found in re.findall(r"--queues (\S+)", units) for name in found.split(",")} == queues
    commands = [part.get("command", []) for part in COMPOSED["services"].values()]
    served = [command[command.index("--queues") + 1] for command in commands if "--queues" in command]
    assert {name for found in served for name in found.split(",")} == queues


def test_workers_and_beat_start_without_the_checks_that_load_every_page() -> None:
    composed = [" ".join(part.get("command", [])) for part in COMPOSED["services"].values()]
    lines = [*composed, *(line for unit in UNITS for line in unit.read_text().splitlines())]
    started = [line for line in lines if "-m celery" in line]
    assert len(started) == 6
    assert all("--skip-checks" in line for line in started)


def test_every_part_in_compose_has_a_health_check_limits_and_rotated_logs() -> None:
    for name, part in COMPOSED["services"].items():
        checked = part.get("healthcheck", {})
        # The image brings web's check, and `prepare` ends before anything could ask.
        assert "test" in checked or name == "web" or (name == "prepare" and checked == {"disable": True}), name
        assert {"mem_limit", "cpus", "pids_limit"} <= set(part), name
        assert part["logging"]["options"] == {"max-size": "10m", "max-file": "5"}, name
        volumes = [each.split(":")[0] for each in part.get("volumes", []) if not each.startswith("./")]
        assert set(volumes) <= set(COMPOSED["volumes"]), name
    waits = {condition["condition"] for condition in COMPOSED["services"]["web"]["depends_on"].values()}
    assert waits == {"service_completed_successfully", "service_healthy"}


def test_the_target_starts_every_service_and_each_timer_has_its_service() -> None:
    names = {unit.name for unit in UNITS}
    for unit in UNITS:
        text = unit.read_text()
        if unit.suffix == ".timer":
            assert unit.with_suffix(".service").name in names
            assert "WantedBy=timers.target" in text
        elif "Type=oneshot" in text:
            assert unit.with_suffix(".timer").name in names
        elif unit.suffix == ".service":
            assert "PartOf=jantaku.target" in text
            assert "WantedBy=jantaku.target" in text


def test_an_upgrade_restarts_every_part_and_keeps_one_release_back() -> None:
    document = (ROOT / "docs" / "operators.md").read_text()
    [upgrade] = re.findall(r"## Upgrading\n.*?```sh\n(.*?)```", document, re.DOTALL)
    parts = [unit.stem for unit in UNITS if "Restart=always" in unit.read_text()]
    restarts = " ".join(line for line in upgrade.splitlines() if "restart " in line)
    assert [part for part in parts if part not in restarts] == []
    # `mv` into an existing folder would leave the release before the last one to roll back to.
    assert upgrade.index("rm -rf /srv/jantaku.old") < upgrade.index("mv /srv/jantaku /srv/jantaku.old")


def test_every_service_is_hardened_alike() -> None:
    texts = [unit.read_text() for unit in UNITS if unit.suffix == ".service"]
    hardening = {
        tuple(re.findall(r"^(?:UMask|\S*Protect\S*|Restrict\S*|System\S*|NoNew\S*|Cap\S*)=.*", text, re.MULTILINE))
        for text in texts
    }
    assert len(hardening) == 1
    assert len(hardening.pop()) > 15


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
    ours = [line for line in found.stderr.splitlines() if "jantaku" in line]
    assert ours == []


def test_caddy_takes_requests_of_the_sizes_that_nginx_takes() -> None:
    nginx, caddy = ((DEPLOY / name).read_text() for name in ("nginx.conf", "Caddyfile"))
    sizes = re.findall(r"client_max_body_size (\d+)m;", nginx)
    assert re.findall(r"max_size (\d+)MB", caddy) == sizes == ["3", "20", "65"]
    for path in (r"^/(admin|tables/[0-9]+/(photo|paifu))/", "/admin/league/competition/archive/"):
        assert path in nginx
        assert path in caddy
