"""Test the script that updates and checks the message catalogue."""

from pathlib import Path

import polib
import pytest

from scripts import catalogue
from scripts.catalogue import Message

PYTHON = """
title = _("Home")
note = pgettext_lazy("button", "Save")
count = ngettext("%(n)s game", "%(n)s games", n)
other = translate("no message")
"""
TEMPLATE = """{% load i18n %}{% translate "It's on" %}{{ _("Now") }}{% translate "Open" context "door" %}
{% blocktranslate count n=games trimmed %}
  one {{ n }}
{% plural %}
  many {{ n }}
{% endblocktranslate %}"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a small project of one module and one template."""
    (tmp_path / "league").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "league" / "pages.py").write_text(PYTHON)
    (tmp_path / "templates" / "page.html").write_text(TEMPLATE)
    monkeypatch.setattr(catalogue, "ROOT", tmp_path)
    monkeypatch.setattr(catalogue, "CATALOGUE", tmp_path / "league" / "ja" / "django.po")
    return tmp_path


def translate_all() -> polib.POFile:
    file = polib.pofile(str(catalogue.CATALOGUE))
    for entry in file:
        entry.msgstr, entry.msgstr_plural = ("", {0: "%(n)s 回"}) if entry.msgid_plural else ("訳", {})
    file.save()
    return file


def test_messages_are_found_in_code_and_in_templates(project: Path) -> None:
    assert set(catalogue.used()) == {
        Message("Home"),
        Message("Save", "", "button"),
        Message("%(n)s game", "%(n)s games"),
        Message("It's on"),
        Message("Now"),
        Message("Open", "", "door"),
        Message("one %(n)s", "many %(n)s"),
    }


def test_without_a_catalogue_there_is_nothing_to_check(project: Path) -> None:
    assert catalogue.main(["check"]) == 0


def test_a_translated_and_compiled_catalogue_passes_and_an_update_keeps_it(project: Path) -> None:
    catalogue.main(["update"])
    assert catalogue.main(["check"]) == 1
    translate_all()
    catalogue.main(["update"])
    assert catalogue.main(["check"]) == 0


def test_every_fault_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    catalogue.main(["update"])
    file = translate_all()
    file.find("Home").msgstr = ""
    file.find("Now").msgstr = "今 {when}"
    file.remove(file.find("It's on"))
    file.append(polib.POEntry(msgid="Gone", msgstr="無"))
    file.save()
    assert catalogue.main(["check"]) == 1
    said = capsys.readouterr().out
    assert 'missing: "It\'s on"' in said
    assert "no longer used: 'Gone'" in said
    assert "not translated: 'Home'" in said
    assert "other placeholders than its original: 'Now'" in said
    assert "make messages" in said


def test_any_other_argument_prints_the_usage() -> None:
    with pytest.raises(SystemExit, match="check"):
        catalogue.main([])
