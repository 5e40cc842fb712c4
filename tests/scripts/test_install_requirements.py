"""Installation with progress: what it says while pip works, and when pip fails."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scripts import install_requirements
from scripts.install_requirements import Installation, main, packages_in


def test_packages_are_counted_once_whatever_files_lock_them(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("django==5.2 \\\n    --hash=sha256:ab\nsegno==1.6 \\\n    --hash=sha256:cd\n")
    two.write_text("# a comment\nsegno==1.6 \\\n    --hash=sha256:cd\n")
    assert packages_in([str(one), str(two)]) == 2


def test_progress_follows_the_command_and_its_failure_shows_the_end_of_its_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(install_requirements, "EVERY_SECONDS", 0.05)
    said = "import time; print('Collecting a', flush=True); time.sleep(1); print('Installing collected packages', "
    code = f"{said}flush=True); time.sleep(1); raise SystemExit('no space left')"
    assert Installation(7).run([sys.executable, "-c", code]) == 1
    told = capsys.readouterr()
    assert " s: downloading, 1 of 7 packages" in told.out
    assert " s: installing 7 packages" in told.out
    assert "no space left" in told.err


def test_the_environment_is_created_by_the_same_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").write_text("")
    assert main(["--venv", str(tmp_path / "taken")]) == 1
    assert "Creating" in capsys.readouterr().out
