"""Test the preparation of a process before its first request: preloading and garbage collection."""

from __future__ import annotations

import subprocess
import sys

from league.platform.environment import ROOT

SETTLED = """
import gc, sys
from league.web import processes
loaded = [object() for _ in range(1000)]
processes.settle()
print(gc.get_freeze_count() > 1000, sys.getswitchinterval() == processes.TURN_SECONDS)
gc.collect()
print(len(gc.get_objects()) < 1000)
"""

LOADED = """
import gc, sys
import league.wsgi
from django.template import engines
[cached] = engines["django"].engine.template_loaders
print({"competitions/home.html", "standings/odds/odds.html"} <= set(cached.get_template_cache))
print("league.api.standings.odds_views" in sys.modules)
print(gc.isenabled(), gc.get_freeze_count() > 1000)
"""


def test_templates_and_views_are_loaded_before_the_first_request_and_never_scanned_for_garbage() -> None:
    said = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, check=True, capture_output=True, text=True)
    assert said.stdout.split() == ["True"] * 4


def test_loaded_objects_are_frozen_and_the_switch_interval_is_short() -> None:
    said = subprocess.run([sys.executable, "-c", SETTLED], cwd=ROOT, check=True, capture_output=True, text=True)
    assert said.stdout.split() == ["True"] * 3
