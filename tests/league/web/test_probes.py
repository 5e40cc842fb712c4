"""Test health checks and metrics: always answered, with the cause of a fault, without secrets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from ipaddress import ip_network
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from league.management.embedded import beat_ticker
from league.models import Competition
from league.platform.environment import ROOT
from league.platform.version import version
from league.web.operations.readiness import migrations_fault
from tests.factories import final_table

TOKEN = "a-long-and-random-token-of-the-metrics"


def ask(path: str, **headers: str) -> tuple[int, str]:
    response = Client(raise_request_exception=True).get(path, headers=headers)
    return response.status_code, response.content.decode()


def test_the_liveness_check_needs_no_database_no_https_and_no_known_host(settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS = ["league.example"]
    settings.SECURE_SSL_REDIRECT = True
    response = Client(headers={"host": "10.0.0.7:8000"}).get("/health/live")
    assert (response.status_code, response.json()) == (200, {"status": "live"})
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.django_db(transaction=True)
def test_readiness_metrics_and_the_admin_say_which_version_runs(chief: Client, settings: LazySettings) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"metrics_token": TOKEN})
    assert json.loads(ask("/health/ready")[1])["version"] == version()
    assert f'jantaku_build_info{{version="{version()}"}} 1.0' in ask("/metrics", authorization=f"Bearer {TOKEN}")[1]
    assert f"Jantaku {version()}</p>" in chief.get("/admin/lists/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_working_service_is_ready() -> None:
    beat_ticker()
    status, said = ask("/health/ready")
    assert status == 200, said
    assert json.loads(said)["status"] == "ready"
    assert list(json.loads(said)["checks"]) == ["database", "migrations", "parts", "standings"]


@pytest.mark.django_db(transaction=True)
def test_a_missing_heartbeat_makes_the_service_not_ready_and_is_named() -> None:
    status, said = ask("/health/ready")
    assert status == 503
    assert json.loads(said)["checks"]["parts"] == {"ok": False, "reason": "not heard of for 60 seconds: ticker"}


@pytest.mark.django_db(transaction=True)
def test_stale_standings_make_the_service_not_ready() -> None:
    beat_ticker()
    season = final_table()
    season.changes.update(at="2026-01-01T00:00:00Z")
    Competition.objects.update(computed_version=0, public_version=0)
    status, said = ask("/health/ready")
    assert status == 503
    assert "the standings of 1 competition(s) are" in json.loads(said)["checks"]["standings"]["reason"]


@pytest.mark.both_databases
@pytest.mark.django_db
def test_unapplied_migrations_are_named() -> None:
    assert migrations_fault() == ""
    newest = MigrationRecorder.Migration.objects.filter(app="league").order_by("pk").last()
    assert newest
    newest.delete()
    assert migrations_fault() == f"run manage.py migrate: league.{newest.name}"


@pytest.mark.django_db(transaction=True)
def test_an_unreachable_broker_is_reported_without_its_password(settings: LazySettings) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"redis_url": "redis://:hidden-word@127.0.0.1:1/0"})
    status, said = ask("/health/ready")
    assert status == 503
    assert json.loads(said)["checks"]["broker"]["reason"] == "the broker does not answer"
    assert "hidden-word" not in said


def test_an_unreachable_database_is_reported_within_seconds_and_without_its_password(tmp_path: Path) -> None:
    script = (
        "import django; django.setup(); from django.test import Client\n"
        "answer = Client(raise_request_exception=False).get('/health/ready'); print(answer.status_code)\n"
        "print(answer.content.decode())"
    )
    address = "postgres://jantaku:hidden-word@127.0.0.1:1/jantaku"
    variables = os.environ | {"DATABASE_URL": address, "DATA_DIR": str(tmp_path), "LOG_LEVEL": "ERROR"}
    variables |= {"DJANGO_SETTINGS_MODULE": "league.settings", "PYTHONWARNINGS": "ignore"}
    answer = subprocess.run(
        [sys.executable, "-c", script],
        env=variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    status, _line, document = answer.stdout.partition("\n")
    assert status == "503", answer.stderr
    assert json.loads(document)["checks"]["database"]["reason"] == "the database does not answer"
    assert "hidden-word" not in answer.stdout + answer.stderr


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/metrics"])
def test_probes_accept_only_safe_methods(path: str) -> None:
    assert Client().post(path).status_code == 405


def test_metrics_are_off_unless_configured() -> None:
    assert ask("/metrics")[0] == 404


@pytest.fixture
def measured(settings: LazySettings) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"metrics_token": TOKEN})


@pytest.mark.usefixtures("measured")
def test_metrics_are_refused_without_the_right_token() -> None:
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": TOKEN}, {"authorization": "Bearer"}):
        assert ask("/metrics", **headers)[0] == 403


@pytest.mark.usefixtures("measured")
@pytest.mark.django_db(transaction=True)
def test_metrics_include_changes_lag_and_heartbeats() -> None:
    beat_ticker()
    season = final_table()
    status, said = ask("/metrics", authorization=f"Bearer {TOKEN}")
    assert status == 200
    lines = dict(line.rsplit(" ", 1) for line in said.splitlines() if not line.startswith("#"))
    assert float(lines["jantaku_changes_total"]) == season.version
    assert float(lines["jantaku_standings_lag_seconds"]) == 0
    assert float(lines['jantaku_heartbeat_age_seconds{kind="ticker",name=""}']) < 60
    assert float(lines['jantaku_part_up{kind="ticker"}']) == 1
    assert float(lines["jantaku_database_up"]) == 1
    assert float(lines["jantaku_results_total"]) == 0
    assert float(lines["jantaku_webhook_deliveries_due"]) == 0


@pytest.mark.usefixtures("measured")
@pytest.mark.django_db(transaction=True)
def test_metrics_report_a_part_that_never_started_as_down() -> None:
    _status, said = ask("/metrics", authorization=f"Bearer {TOKEN}")
    assert 'jantaku_part_up{kind="ticker"} 0.0' in said


def test_metrics_are_served_to_allowed_addresses_only(settings: LazySettings) -> None:
    networks = (ip_network("10.1.0.0/16"),)
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"metrics_addresses": networks, "trusted_proxies": 1})
    for forwarded in ("10.2.0.1", "10.1.0.1, 192.0.2.7", "nonsense"):
        assert ask("/metrics", **{"x-forwarded-for": forwarded})[0] == 403


@pytest.mark.django_db(transaction=True)
def test_an_allowed_address_needs_no_token(settings: LazySettings) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"metrics_addresses": (ip_network("127.0.0.0/8"),)})
    assert ask("/metrics")[0] == 200


def test_metrics_of_several_processes_are_summed(tmp_path: Path) -> None:
    script = (
        "import os, django; django.setup(); from league.web.operations.metrics import PUBLISHING, exposition\n"
        "if os.fork() == 0:\n    PUBLISHING.observe(1); os._exit(0)\n"
        "os.wait(); PUBLISHING.observe(2)\n"
        "print([line for line in exposition().decode().splitlines() if 'publish_seconds_sum' in line])"
    )
    variables = os.environ | {"METRICS_TOKEN": TOKEN, "DATA_DIR": str(tmp_path), "PYTHONWARNINGS": "ignore"}
    variables |= {"DJANGO_SETTINGS_MODULE": "league.settings", "LOG_LEVEL": "ERROR"}
    variables.pop("DATABASE_URL", None)
    answer = subprocess.run(
        [sys.executable, "-c", script],
        env=variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "jantaku_publish_seconds_sum 3.0" in answer.stdout
