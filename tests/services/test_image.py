"""Test the container image without an engine: its build steps, its command and its health checks are run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator

import psycopg
import pytest
import yaml

from league.platform.environment import ROOT
from league.platform.version import version
from scripts.servers import free_port, started, wait_for_port
from tests.services.image import Image, build, context_of, is_let_in, steps_of

DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text()
SERVICES = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Return the built image."""
    return build(tmp_path_factory.mktemp("image"))


@pytest.fixture(scope="module")
def service(
    image: Image, migrated_postgres: Callable[[str], str], redis_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    """Run the image's command on PostgreSQL and Redis, as compose does; return its environment."""
    port = free_port()
    variables = image.environment() | {
        "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijkl",
        "DATABASE_URL": migrated_postgres("in_image"),
        "REDIS_URL": redis_server,
        "BASE_URL": "https://league.example.org",
        "PORT": str(port),
        "WEB_PROCESSES": "1",
    }
    log = tmp_path_factory.mktemp("log") / "web"
    with started(["env", "-C", str(image.work), *image.command], log, env=variables) as process:
        wait_for_port(port, process, log)
        yield variables


def run(image: Image, command: list[str], variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=image.work, env=variables, capture_output=True, text=True, check=False)


def test_the_build_context_has_what_the_service_needs_and_nothing_secret_or_needless() -> None:
    files = set(context_of(ROOT))
    assert {"manage.py", "pyproject.toml", "league/settings.py", "templates/base.html"} <= files
    assert "league/locale/ja/LC_MESSAGES/django.mo" in files
    tops = {path.split("/")[0] for path in files}
    assert tops == {
        "requirements.txt",
        "pyproject.toml",
        "manage.py",
        "scoring",
        "rulesets",
        "league",
        "templates",
        "deploy",
    }
    assert {path for path in files if path.startswith("deploy/")} == {
        "deploy/gunicorn.conf.py",
        "deploy/heartbeat.py",
        "deploy/stream.conf.py",
    }
    rules = (ROOT / ".dockerignore").read_text().splitlines()
    for path in (
        ".env", ".git/config", ".venv/bin/python", "var/secret_key", "var/jantaku.sqlite3", "deploy/environment",
        "deploy/.env", "league/.env", "league/db.sqlite3", "league/__pycache__/x.pyc", "tests/conftest.py",
    ):  # fmt: skip
        assert not is_let_in(path, rules), path
    assert is_let_in("league/views/base.py", rules)


def test_the_steps_install_the_lock_with_hashes_on_a_pinned_base_and_end_without_root(image: Image) -> None:
    steps = steps_of(DOCKERFILE)
    assert re.fullmatch(r"PYTHON=docker\.io/library/python:3\.11\.\d+-slim-\w+", dict(steps[:1])["ARG"])
    assert steps[1] == ("FROM", "${PYTHON}")
    installing = [rest for name, rest in steps if name == "RUN" and "pip " in rest]
    assert len(installing) == 1
    assert "--require-hashes --no-deps" in installing[0]
    assert all(each.startswith("groupadd") for each in image.left_out)
    assert len(image.left_out) == 1
    assert image.user == "jantaku"
    labels = next(rest for name, rest in steps if name == "LABEL")
    assert 'image.version="${VERSION}"' in labels
    assert 'image.revision="${REVISION}"' in labels


def test_compiled_files_are_there_are_the_same_twice_and_are_used_without_looking_at_times(image: Image) -> None:
    (step,) = (rest for name, rest in steps_of(DOCKERFILE) if "compileall" in rest)
    compiled = sorted(image.work.rglob("*.pyc"))
    assert len(compiled) == len(list(image.work.glob("[slr]*/**/*.py")))
    before = [file.read_bytes() for file in compiled]
    assert {content[4:8] for content in before} == {b"\1\0\0\0"}  # PEP 552: hash-based and unchecked
    shutil.rmtree(image.work / "scoring" / "__pycache__")
    for file in image.work.rglob("*.py"):
        os.utime(file, (1, 1))
    image.perform("RUN", step)
    assert [file.read_bytes() for file in compiled] == before


def test_the_image_knows_its_version_and_has_no_package_of_development(image: Image) -> None:
    variables = image.environment() | {"MODE": "embedded"}
    assert run(image, ["python", "manage.py", "version"], variables).stdout == f"{version()}\n"
    assert "No module named 'pytest'" in run(image, ["python", "-c", "import pytest"], variables).stderr


def test_the_command_serves_and_the_health_check_says_so(image: Image, service: dict[str, str]) -> None:
    assert run(image, image.health, service).returncode == 0
    stopped = service | {"PORT": str(free_port())}
    assert run(image, image.health, stopped).returncode != 0


def test_the_health_checks_of_parts_without_a_port_follow_their_heartbeats(
    image: Image, service: dict[str, str]
) -> None:
    checked = {"worker": "worker celery@one", "odds": "odds celery@one", "beat": "beat"}
    with psycopg.connect(service["DATABASE_URL"], autocommit=True) as database:
        for part, name in checked.items():
            kind, check = SERVICES[part]["healthcheck"]["test"]
            assert kind == "CMD-SHELL"
            command = ["sh", "-c", check.replace("$$", "$")]
            variables = service | {"HOSTNAME": "one"}
            silent = run(image, command, variables)
            assert (silent.returncode, silent.stdout) == (1, f"{name}: no heartbeat yet\n")
            database.execute("INSERT INTO league_heartbeat VALUES (%s, now())", [name])
            assert run(image, command, variables).returncode == 0
            database.execute("UPDATE league_heartbeat SET seen_at = now() - interval '4 minutes'")
            late = run(image, command, variables)
            assert late.returncode == 1
            assert late.stdout.startswith(f"{name}: last heartbeat 2")
    away = service | {"DATABASE_URL": "postgres://jantaku@127.0.0.1:1/none"}
    assert "the database does not answer" in run(image, ["python", "deploy/heartbeat.py", "beat"], away).stdout


def test_the_preparation_of_compose_finds_the_tables_of_this_version(image: Image, service: dict[str, str]) -> None:
    shell, dash_c, script = SERVICES["prepare"]["command"]
    assert (shell, dash_c) == ("sh", "-c")
    migrate, _then, collect = script.partition(" && ")
    assert collect == "python manage.py collectstatic --no-input"
    found = run(image, migrate.split(), service)
    assert (found.returncode, "No migrations to apply" in found.stdout) == (0, True), found.stderr[-2000:]
