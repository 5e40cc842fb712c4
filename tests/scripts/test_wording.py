"""Test the lint for untranslatable texts, which must find none in the service."""

from pathlib import Path

import pytest

from scripts import wording
from scripts.catalogue import ROOT


def test_the_service_has_no_untranslatable_text() -> None:
    assert list(wording.faults(ROOT)) == []


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<p>{% translate 'Well' %} {{ name }} · 12 Jantaku</p>", []),
        ("<p>\nStandings</p>", [(1, "Standings")]),
        ("<b>順位</b>", [(1, "順位")]),
        ('<img alt="A table"><input placeholder="{% translate \'Name\' %}" class="wide">', [(1, "A table")]),
        ("{% blocktranslate %}{{ n }} games{% endblocktranslate %}<code>SECRET_KEY</code>", []),
        ("{% block bodyclass %}wide{% endblock %}{# a note #}", []),
    ],
)
def test_untranslated_words_in_a_template_are_found(template: str, found: list[tuple[int, str]]) -> None:
    assert list(wording.in_template(template)) == found


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ('// Not said.\nuse("strict"); find(".grid a"); go("click");', []),
        ('x = 1;\nmark.textContent = "Copied to the clipboard";', [(2, "Copied to the clipboard")]),
        ("mark.textContent = '更新しました';", [(1, "更新しました")]),
        ("mark.textContent = `Try again.`;", [(1, "Try again.")]),
    ],
)
def test_texts_in_a_script_are_found(script: str, found: list[tuple[int, str]]) -> None:
    assert list(wording.in_script(script)) == found


@pytest.mark.parametrize(
    ("module", "found"),
    [
        ('raise refuse("late", _("It is late."))', []),
        ('raise refuse("late", "It is late.")', [(1, "It is late.")]),
        ('raise services.conflict("late", f"{name} is late.")', [(1, " is late.")]),
        ('messages.success(request, "%s is well." % name)', [(1, "%s is well.")]),
        ('log.error("no words for people"); raise ValidationError(text)', []),
        ("\nraise Http404('Nothing here.')", [(2, "Nothing here.")]),
    ],
)
def test_untranslated_messages_in_python_are_found(module: str, found: list[tuple[int, str]]) -> None:
    assert list(wording.in_python(module)) == found


def test_bilingual_error_pages_are_exempt_from_translation(tmp_path: Path) -> None:
    for name in ("500.html", "page.html"):
        (tmp_path / "templates").mkdir(exist_ok=True)
        (tmp_path / "templates" / name).write_text("<p>Sorry</p>")
    assert list(wording.faults(tmp_path)) == ["not to be translated: templates/page.html:1: 'Sorry'"]
