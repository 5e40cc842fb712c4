"""Test that one request id appears in the logs of every process that works on a request."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from knox.models import AuthToken

from league.models import Role
from league.platform.environment import ROOT
from tests import factories
from tests.services.test_worker import eventually

HAND_IN = """
import json, sys
import django; django.setup()
from django.test import Client
path, token, body = sys.argv[1:]
headers = {"authorization": f"Token {token}", "idempotency-key": "one-key", "host": "localhost"}
answer = Client().post(path, body, content_type="application/json", headers=headers)
print(answer.status_code, answer.headers["X-Request-ID"])
"""


def lines_of(text: str) -> list[dict[str, Any]]:
    """Return the lines of a log that are JSON objects."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def test_a_task_logs_under_the_id_of_the_request_that_sent_it(
    worker_log: Path, worker_environment: dict[str, str]
) -> None:
    season = factories.league()
    hanchan = factories.table(season.blocks.get(key="A")).hanchan.get(round=1)
    seats = [
        {"entrant": one.pk, "score": score}
        for one, score in zip(factories.seated(hanchan), factories.SCORES, strict=True)
    ]
    token = AuthToken.objects.create(factories.user("director", Role.DIRECTOR, season))[1]
    command = [sys.executable, "-c", HAND_IN, f"/api/v1/hanchan/{hanchan.pk}/results/", token]
    done = subprocess.run(
        [*command, json.dumps({"seats": seats})],
        cwd=ROOT,
        env=worker_environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    status, request_id = done.stdout.split()
    assert status == "201", done.stderr
    finished = [line for line in lines_of(done.stderr) if line.get("event") == "request_finished"]
    assert [line["request_id"] for line in finished] == [request_id]

    def succeeded() -> list[str]:
        lines = lines_of(worker_log.read_text())
        return [line["task"] for line in lines if line.get("request_id") == request_id and "duration_ms" in line]

    assert eventually(lambda: "league.tasks.compute_odds" in succeeded()), worker_log.read_text()
    assert "league.tasks.recompute_competition" in succeeded()
    assert token not in worker_log.read_text() + done.stderr
