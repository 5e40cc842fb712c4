"""Node's tools for the tests of the OpenAPI document, installed once from the lock file."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def run(*command: str | Path, cwd: Path = HERE, env: Mapping[str, str] | None = None) -> str:
    """Return what a command writes. Raise AssertionError with its output if it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def node_tools() -> Path:
    """Install the locked packages unless they are there, and return the folder of their programs."""
    if shutil.which("npm") is None:
        pytest.skip("no npm: install Debian's nodejs and npm")
    installed = HERE / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (HERE / "package-lock.json").stat().st_mtime:
        run("npm", "ci", "--silent")
    return HERE / "node_modules" / ".bin"
