"""Test two web services, two workers and two beats on one database: no lost result, no stale page.

`python -m scripts.together` does the same with hundreds of results.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.services.test_faults import run_trial


@pytest.mark.usefixtures("redis_server")
def test_several_processes_of_every_part_lose_and_duplicate_nothing_and_serve_nothing_stale(
    migrated_postgres: Callable[[str], str],
) -> None:
    tables = migrated_postgres("before_together")
    found = run_trial("scripts.together", "--results", "40", "--competitions", "2", "--tables", tables)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "Each result once" in found.stdout
