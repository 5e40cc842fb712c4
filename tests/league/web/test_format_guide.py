"""Tests that the guide to the ready formats and its pictures are those that the product would write now."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.core.management import call_command

from league.management.commands import format_guide
from league.platform.environment import ROOT
from league.web.rulebooks.format_guide import PICTURES, guide_files
from rulesets.formats import format_names

DOCS = ROOT / "docs"
Files = Mapping[Path, str]


@pytest.fixture(scope="module")
def files() -> Files:
    """Return the guide and its pictures as they would be written now."""
    return guide_files()


def test_the_committed_guide_and_its_pictures_are_up_to_date(files: Files) -> None:
    """To update: python manage.py format_guide."""
    assert {path for path, text in files.items() if (DOCS / path).read_text(encoding="utf-8") != text} == set()
    assert {PICTURES / path.name for path in (DOCS / PICTURES).iterdir()} == {
        path for path in files if path.suffix == ".svg"
    }


def test_every_ready_format_has_its_numbers_and_its_picture_in_both_languages(files: Files) -> None:
    english, japanese = files[Path("formats.md")], files[Path("formats.ja.md")]
    for name in format_names():
        assert f"(pictures/formats/{name}.svg)" in english
        assert f"(pictures/formats/{name}.ja.svg)" in japanese
    assert "| [Tournament of 32 with cuts](#cut-32) | 32 | 5 to 11 | 4 | about 2 to 5 | 8 |" in english
    assert "| [足切り大会32人](#cut-32) | 32 | 5〜11 | 4 | 約2〜5時間 | 8 |" in japanese
    # What is carried over is told only where something is.
    assert "Half the points so far, rounded up" in english
    assert "All start from zero" not in english


def test_a_picture_is_an_image_of_its_own_that_leaves_out_most_rows_of_a_large_block(files: Files) -> None:
    picture = files[PICTURES / "open-64.svg"]
    assert picture.startswith('<svg xmlns="http://www.w3.org/2000/svg" ')
    texts = re.findall(r"<text [^>]*>([^<]*)</text>", picture)
    assert "Seed 8" in texts
    assert "Seed 9" not in texts
    assert "and 8 more" in texts
    assert "4th of Main rounds" in texts
    # All sixteen who advance keep their rows, so that their lines have a beginning.
    assert "16th of Main rounds" in files[PICTURES / "cut-32.svg"]


def test_the_command_writes_the_files_and_removes_pictures_of_formats_that_are_gone(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(format_guide, "FOLDER", tmp_path)
    old = tmp_path / PICTURES / "gone.svg"
    old.parent.mkdir(parents=True)
    old.touch()
    call_command("format_guide", verbosity=0)
    assert not old.exists()
    assert {path.relative_to(tmp_path) for path in tmp_path.rglob("*.*")} == set(files)
