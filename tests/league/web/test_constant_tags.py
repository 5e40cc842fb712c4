"""Test the tags whose constant results are looked up once: `translate` and `static`."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.templatetags.static import static
from django.utils.translation import override

TEXTS = {"ja": "名前", "en": "Name"}


def shown(source: str, **values: str) -> dict[str, str]:
    template = Template("{% load i18n static %}" + source)
    found: dict[str, str] = {}
    for language in (*TEXTS, *TEXTS):
        with override(language):
            found[language] = template.render(Context(values))
    return found


@pytest.mark.parametrize("tag", ["translate", "trans"])
def test_a_constant_text_is_shown_in_the_language_that_is_active(tag: str) -> None:
    assert shown(f'{{% {tag} "Name" %}}') == TEXTS


def test_a_text_with_a_context_is_another_text() -> None:
    assert shown('{% translate "Name" context "a table" %} {% translate "Name" %}')["ja"] == "卓名 名前"


def test_a_text_of_a_variable_follows_the_variable() -> None:
    template = Template("{% load i18n %}{% translate text %}")
    with override("ja"):
        assert [template.render(Context({"text": text})) for text in ("Name", "Player")] == ["名前", "選手"]


def test_a_text_may_be_kept_in_a_variable() -> None:
    assert shown('{% translate "Name" as text %}{{ text }}{{ text }}') == {key: 2 * text for key, text in TEXTS.items()}


def test_a_constant_text_is_written_as_it_stands() -> None:
    assert shown('{% translate "<b> 100%" %}') == dict.fromkeys(TEXTS, "<b> 100%")


def test_the_path_of_a_file_is_the_one_of_the_storage() -> None:
    assert shown("{% static 'league/base.css' %}") == dict.fromkeys(TEXTS, static("league/base.css"))


def test_the_path_of_a_file_may_come_from_a_variable() -> None:
    template = Template("{% load static %}{% static name %}")
    names = ("league/base.css", "league/front.css")
    assert [template.render(Context({"name": name})) for name in names] == [static(name) for name in names]
