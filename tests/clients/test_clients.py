"""The OpenAPI document for linters and generators: both linters pass, and generated clients run a whole league."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import Permission
from django.core.cache import cache
from pytest_django.live_server_helper import LiveServer

from league.models import Audience, Competition, Entrant, Hanchan, Outcome, SeatResult, Standing
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.standings import debounce
from tests import factories
from tests.clients.conftest import HERE, run

DOCUMENT = HERE.parent.parent / "docs" / "openapi.json"
PLAYERS, HANCHAN = 16, 48
pytestmark = pytest.mark.services


@pytest.fixture
def organizer(transactional_db: None, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Create the user whom the stories log in as, who may set up competitions; results are published together."""
    monkeypatch.setattr(debounce.ThisProcess, "runs_later", True)
    settings.PUBLISHED_APART_SECONDS = 1
    cache.clear()
    user = factories.user("organizer")
    user.user_permissions.add(Permission.objects.get(codename="add_competition"))
    yield
    for timer in [thread for thread in threading.enumerate() if thread.name == debounce.TIMER_NAME]:
        timer.join()


def check_league(told: str) -> None:
    """Check a client's account of a Cinderella League against the service's own standings."""
    story = json.loads(told)
    competition = Competition.objects.get(slug=story["competition"])
    assert competition.status == Competition.Status.CLOSED
    assert Entrant.objects.filter(competition=competition).exclude(player__external_id=None).count() == PLAYERS
    played = Hanchan.objects.filter(block__competition=competition)
    assert (played.count(), set(played.values_list("state", flat=True))) == (HANCHAN, {"finished"})
    text = ruleset_of(rules_at(competition)).ranking_ledger.text
    outcome = Outcome.objects.get(competition=competition, audience=Audience.PUBLIC)
    assert (outcome.champion_state, outcome.awaiting, story["final"]) == ("certain", [], True)
    totals: dict[str, dict[str, str]] = {}
    for row in Standing.objects.filter(audience=Audience.PUBLIC, block__competition=competition).select_related(
        "block"
    ):
        totals.setdefault(row.block.key, {})[str(row.entrant_id)] = text(row.total)
    seats = SeatResult.objects.filter(entrant=outcome.champion_id).select_related("sheet")
    assert story["champion"] == str(outcome.champion_id)
    assert story["totals"] == totals
    assert story["hanchan"] == {str(seat.sheet.hanchan_id): text(seat.points) for seat in seats}


def test_redocly_finds_no_fault_in_the_openapi_document(node_tools: Path) -> None:
    quiet = os.environ | {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    found = json.loads(run(node_tools / "redocly", "lint", "--format", "json", DOCUMENT, env=quiet))
    assert found["problems"] == []


def test_spectral_finds_no_fault_in_the_openapi_document(node_tools: Path) -> None:
    told = run(node_tools / "spectral", "lint", "--fail-severity", "hint", "--quiet", "-f", "json", DOCUMENT)
    assert json.loads(told or "[]") == []


def test_a_generated_python_client_runs_a_league_to_its_champion(
    organizer: None, live_server: LiveServer, tmp_path: Path
) -> None:
    config = tmp_path / "config.yml"
    config.write_text("post_hooks: []\n")
    made = tmp_path / "jantaku_client"
    program = (sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none")
    run(*program, "--path", DOCUMENT, "--config", config, "--output-path", made)
    path = os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", "")))
    env = os.environ | {"PYTHONPATH": path}
    check_league(run(sys.executable, HERE / "story.py", live_server.url, env=env))


def test_a_generated_typescript_client_runs_a_league_to_its_champion(
    organizer: None, live_server: LiveServer, node_tools: Path, tmp_path: Path
) -> None:
    for name in ("story.ts", "tsconfig.json", "package.json"):
        shutil.copy(HERE / name, tmp_path)
    (tmp_path / "node_modules").symlink_to(node_tools.parent)
    # In this folder the generator finds no redocly.yaml, so it does not lint the document again.
    run(node_tools / "openapi-typescript", DOCUMENT, "--default-non-nullable=false", "-o", "schema.ts", cwd=tmp_path)
    run(node_tools / "tsc", cwd=tmp_path)
    check_league(run("node", "story.js", live_server.url, cwd=tmp_path))
