"""Test that a worker process receives whole modules, and the tests of shared servers together."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.scheduling import group_of


@pytest.mark.parametrize("test", range(6))
def test_the_tests_of_a_module_run_in_one_process(test: int, run_folder: Path) -> None:
    folder = run_folder / "processes"
    folder.mkdir(exist_ok=True)
    (folder / str(os.getpid())).touch()
    assert len(list(folder.iterdir())) == 1


def test_modules_below_a_folder_of_shared_servers_are_given_out_together() -> None:
    assert {group_of(f"tests/browser/{each}.py::test_a[1]") for each in ("test_me", "test_desk")} == {"tests/browser/"}
    assert group_of("tests/api/live/test_live.py::TestA::test_a") == "tests/api/live/test_live.py"
