"""Test the writer of formats: what it writes parses to the same data, and looks like the product's own files."""

from __future__ import annotations

import pytest

from rulesets.format_toml import format_toml
from rulesets.formats import format_names, format_text, parse_format
from rulesets.toml_text import toml_of


@pytest.mark.slow
def test_formats_of_the_product_keep_their_data_and_their_order() -> None:
    for name in format_names():
        text = format_text(name)
        written = format_toml(toml_of(text))
        assert toml_of(written) == toml_of(text), name
        assert parse_format(written, name) == parse_format(text, name)
        own = [line for line in text.splitlines() if line and not line.startswith("#")]
        assert sorted(own) == sorted(line for line in written.splitlines() if line), name


def test_keys_come_in_the_order_of_the_schema_however_they_are_given() -> None:
    data = {
        "stages": [{"title": "T", "key": "a", "zeal": 1}],
        "tiebreak": {},
        "title": {"ja": "あ", "en": "A"},
        "name": "n",
    }
    assert format_toml(data) == (
        'name = "n"\ntitle = { ja = "あ", en = "A" }\n\n[tiebreak]\n\n[[stages]]\nkey = "a"\ntitle = "T"\nzeal = 1\n'
    )


@pytest.mark.parametrize(
    "data",
    [
        {"stages": []},
        {"stages": 3, "name": 'quote " and \\ and\nnew line'},
        {"stages": [{"blocks": []}, {"blocks": [{"entrants": [{"from": "A#1"}, {"from": "A#2"}]}]}]},
        {"tiebreak": "none", "odd key.with dots": {"a b": [1, [2, {"c": True}]]}},
        {"stages": [1, {"key": "a"}]},
    ],
)
def test_data_with_faults_are_written_as_they_are(data: dict[str, object]) -> None:
    assert toml_of(format_toml(data)) == data


def test_a_value_that_toml_cannot_have_is_an_error() -> None:
    with pytest.raises(TypeError):
        format_toml({"name": None})
