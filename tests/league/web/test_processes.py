"""What a process does before it answers anybody, so that nobody waits for the others."""

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
import sys
import league.wsgi
from django.template import engines
[cached] = engines["django"].engine.template_loaders
print({"competitions/home.html", "standings/odds/odds.html"} <= set(cached.get_template_cache))
print("league.api.standings.odds_views" in sys.modules)
"""


def test_whoever_asks_first_waits_for_no_page_and_no_view_to_be_loaded() -> None:
    said = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, check=True, capture_output=True, text=True)
    assert said.stdout.split() == ["True"] * 2


def test_what_is_loaded_is_not_searched_for_garbage_and_turns_are_short() -> None:
    said = subprocess.run([sys.executable, "-c", SETTLED], cwd=ROOT, check=True, capture_output=True, text=True)
    assert said.stdout.split() == ["True"] * 3
