"""Tests of the release files: the same commit gives the same bytes, and each digest is that of its file."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from league.platform.environment import ROOT
from league.platform.version import version
from scripts.release import SUMS, ReleaseRefusedError, write_release


def in_git(folder: Path, *arguments: str) -> None:
    author = ["-c", "user.name=Release", "-c", "user.email=release@example.org"]
    subprocess.run(["git", "-C", str(folder), *author, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a small repository with one commit of version 2.3.4."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "2.3.4"\n')
    (folder / "CHANGELOG.md").write_text("# Changes\n\n## [2.3.4] - 2026-11-27\n\nFirst.\n")
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o775)
    in_git(folder, "init", "--quiet")
    in_git(folder, "add", "pyproject.toml", "CHANGELOG.md", "run")
    in_git(folder, "commit", "--quiet", "--message", "First")
    return folder


def test_the_same_commit_gives_the_same_bytes_twice_whatever_lies_beside_it(repository: Path, tmp_path: Path) -> None:
    first = write_release("HEAD", tmp_path / "one", root=repository)
    (repository / "SECRET_KEY").write_text("not committed")
    (repository / "run").write_text("changed, not committed")
    in_git(repository, "config", "tar.umask", "0077")
    copy = tmp_path / "elsewhere"
    in_git(repository, "clone", "--quiet", str(repository), str(copy))
    second = write_release("HEAD", tmp_path / "two", root=repository)
    third = write_release("HEAD", tmp_path / "three", root=copy)
    assert [file.name for file in first] == ["jantaku-2.3.4.tar.gz", SUMS]
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in third]
    with tarfile.open(first[0]) as packed:
        modes = {member.name: member.mode for member in packed if member.isfile()}
    assert modes == {
        "jantaku-2.3.4/CHANGELOG.md": 0o644,
        "jantaku-2.3.4/pyproject.toml": 0o644,
        "jantaku-2.3.4/run": 0o755,
    }


def test_sha256sum_accepts_the_release_and_notices_one_changed_byte(repository: Path, tmp_path: Path) -> None:
    archive, sums = write_release("HEAD", tmp_path, root=repository)
    assert sums.read_text() == f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n"

    def verified() -> int:
        return subprocess.run(["sha256sum", "--check", SUMS], cwd=tmp_path, capture_output=True, check=False).returncode

    assert verified() == 0
    archive.write_bytes(archive.read_bytes()[:-1] + b"x")
    assert verified() == 1


def test_a_version_without_its_section_in_the_changelog_is_refused(repository: Path, tmp_path: Path) -> None:
    (repository / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "2.3.5"\n')
    in_git(repository, "commit", "--quiet", "--all", "--message", "Second")
    with pytest.raises(ReleaseRefusedError, match=re.escape("no section [2.3.5]")):
        write_release("HEAD", tmp_path / "out", root=repository)
    with pytest.raises(ReleaseRefusedError, match="no-such-commit"):
        write_release("no-such-commit", tmp_path / "out", root=repository)
    assert not (tmp_path / "out").exists()


def test_the_changelog_has_a_section_for_the_version_that_the_commands_print() -> None:
    assert re.search(rf"^## \[{re.escape(version())}\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    for asked in ("version", "--version"):
        done = subprocess.run(
            [sys.executable, "manage.py", asked], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert done.stdout == f"{version()}\n"
