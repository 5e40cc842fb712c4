"""Two web services, three workers and two beats share one database: each result counts once, no page is too old.

`python -m scripts.together` does the same with hundreds of results.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from league.environment import ROOT
from tests.services.test_faults import CLEAN

pytestmark = pytest.mark.xdist_group("services")


@pytest.mark.usefixtures("postgres_server", "redis_server")
def test_several_of_every_part_together_lose_and_double_nothing_and_serve_nothing_too_old() -> None:
    command = [sys.executable, "-m", "scripts.together", "--results", "60", "--competitions", "3"]
    env = {name: value for name, value in os.environ.items() if name not in CLEAN}
    found = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=900)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "Each result once" in found.stdout
