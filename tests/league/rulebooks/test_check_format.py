"""Test `manage.py check_format`."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from league.api.examples import FORMAT
from league.models import FormatRevision, OrganizationChange
from rulesets.formats import format_text


def run_check(path: Path, *arguments: str) -> tuple[int, str, str]:
    """Run the command; return its exit status, its output and its errors."""
    out, err = StringIO(), StringIO()
    try:
        call_command("check_format", str(path), *arguments, stdout=out, stderr=err, no_color=True)
    except CommandError as error:
        return error.returncode, out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def test_a_sound_format_is_summed_up_and_stored_only_if_asked(tmp_path: Path, db: None) -> None:
    file = tmp_path / "own.toml"
    file.write_text(format_text("cinderella").replace('"cinderella"', '"maple"'), encoding="utf-8")
    status, said, complaint = run_check(file)
    assert (status, complaint) == (0, "")
    assert "  preliminary: 8 hanchan each, 4 tables, 2 rounds, 0 resting" in said.splitlines()
    assert not FormatRevision.objects.exists()
    assert run_check(file, "--keep")[1].splitlines()[-1].startswith("stored as maple@1, SHA-256 ")
    assert OrganizationChange.objects.get(kind="format.kept").door == "command"


def test_faults_are_listed_by_line(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(FORMAT.replace("seed:1-4", "seed:1-5").replace("hanchan = 4", 'hanchan = "4"'), encoding="utf-8")
    status, said, complaint = run_check(file, "--keep")
    assert (status, said) == (2, "")
    assert "format.toml:11: stages.only.hanchan: must be a whole number (found '4')" in complaint.splitlines()


@pytest.mark.parametrize("text", [b"\xff", b'name = "a'])
def test_an_unreadable_file_is_refused(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(text)
    assert run_check(file)[0] == 2
