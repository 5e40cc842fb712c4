"""What people and things are called in the reader's language."""

import pytest

from league.names import table_name


@pytest.mark.parametrize(
    ("label", "ja", "en"),
    [
        ("1卓", "1卓", "Table 1"),
        ("Table 12", "12卓", "Table 12"),
        ("１２卓", "12卓", "Table 12"),
        ("A卓", "A卓", "Table A"),
        ("A 卓", "A卓", "Table A"),
    ],
)
def test_a_table_called_by_its_number_or_letter_has_a_name_in_both_languages(label: str, ja: str, en: str) -> None:
    assert (table_name(label, "ja"), table_name(label, "en")) == (ja, en)


@pytest.mark.parametrize("label", ["放送卓", "第1会場 1卓", "Feature table", "3", ""])
def test_a_table_with_a_name_of_its_own_keeps_it(label: str) -> None:
    assert (table_name(label, "ja"), table_name(label, "en")) == (label, label)
