"""The OpenAPI document for linters and generators: both linters pass, and generated clients play a final."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from league.models import Competition, Role
from tests import factories
from tests.api.client import Api
from tests.clients.conftest import HERE, run

DOCUMENT = HERE.parent.parent / "docs" / "openapi.json"
pytestmark = [pytest.mark.services, pytest.mark.xdist_group("clients")]


@pytest.fixture
def final(transactional_db: None) -> Competition:
    """Return a final of four at one table, ready to be played, with a scorer."""
    competition = factories.final_table()
    factories.table(competition.blocks.get())
    factories.user("scorer", Role.SCORER, competition)
    return competition


def matches(told: str, competition: Competition) -> None:
    """Check a client's account of the final against the documents of the API."""
    bracket = Api().get(f"competitions/{competition.slug}/bracket/")
    [table] = Api().get("standings/", competition=competition.slug)["blocks"]
    assert {each["state"] for each in bracket["hanchan"]} == {"finished"}
    assert bracket["champion"]["state"] == "certain"
    assert json.loads(told) == {
        "champion": bracket["champion"]["entrant"],
        "totals": {row["entrant"]: row["total"] for row in table["rows"]},
    }


def test_redocly_finds_no_fault_in_the_openapi_document(node_tools: Path) -> None:
    quiet = os.environ | {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    found = json.loads(run(node_tools / "redocly", "lint", "--format", "json", DOCUMENT, env=quiet))
    assert found["problems"] == []


def test_spectral_finds_no_fault_in_the_openapi_document(node_tools: Path) -> None:
    told = run(node_tools / "spectral", "lint", "--fail-severity", "hint", "--quiet", "-f", "json", DOCUMENT)
    assert json.loads(told or "[]") == []


def test_a_generated_python_client_plays_a_final(final: Competition, live_server: LiveServer, tmp_path: Path) -> None:
    config = tmp_path / "config.yml"
    config.write_text("post_hooks: []\n")
    made = tmp_path / "jantaku_client"
    program = (sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none")
    run(*program, "--path", DOCUMENT, "--config", config, "--output-path", made)
    path = os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", "")))
    env = os.environ | {"PYTHONPATH": path}
    matches(run(sys.executable, HERE / "story.py", live_server.url, final.slug, env=env), final)


def test_a_generated_typescript_client_plays_a_final(
    final: Competition, live_server: LiveServer, node_tools: Path, tmp_path: Path
) -> None:
    for name in ("story.ts", "tsconfig.json", "package.json"):
        shutil.copy(HERE / name, tmp_path)
    (tmp_path / "node_modules").symlink_to(node_tools.parent)
    run(node_tools / "openapi-typescript", DOCUMENT, "--default-non-nullable=false", "-o", tmp_path / "schema.ts")
    run(node_tools / "tsc", cwd=tmp_path)
    matches(run("node", "story.js", live_server.url, final.slug, cwd=tmp_path), final)
