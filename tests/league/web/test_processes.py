"""Test the preparation of a process before its first request: preloading and garbage collection."""

from __future__ import annotations

import subprocess
import sys

import pytest

from league.platform.environment import ROOT

LOADED = """
import gc, sys
import league.wsgi
from django.template import engines
[cached] = engines["django"].engine.template_loaders
print({"competitions/home.html", "standings/odds/odds.html"} <= set(cached.get_template_cache))
print("league.api.standings.odds_views" in sys.modules)
print(gc.isenabled(), gc.get_freeze_count() > 1000)
from league.web.operations import processes
before = gc.get_freeze_count()
processes.settle()
print(gc.get_freeze_count() > before + 1000, sys.getswitchinterval() == processes.TURN_SECONDS)
gc.collect()
print(len(gc.get_objects()) < 1000)
"""


@pytest.fixture(scope="module")
def answers() -> list[str]:
    """Return what a process prints that loads the service and then settles."""
    said = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, check=True, capture_output=True, text=True)
    return said.stdout.split()


def test_templates_and_views_are_loaded_before_the_first_request_and_never_scanned_for_garbage(
    answers: list[str],
) -> None:
    assert answers[:4] == ["True"] * 4


def test_loaded_objects_are_frozen_and_the_switch_interval_is_short(answers: list[str]) -> None:
    assert answers[4:] == ["True"] * 3
