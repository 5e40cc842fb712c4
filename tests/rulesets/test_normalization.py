"""Test Unicode normalization in linear time."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.normalization import MOST_MARKS, SEPARATOR, SHORT, normalize


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@given(text=st.text(alphabet="aがﾎﾟ①\u3099\u0301\u0323가각 ", max_size=12))
def test_a_text_of_any_language_is_normalized_as_unicode_says(form: str, text: str) -> None:
    long = text + "か" * SHORT
    assert normalize(form, long) == unicodedata.normalize(form, long)  # type: ignore[arg-type]


def test_a_run_of_marks_is_separated_after_thirty_and_stays_as_it_is_in_a_short_text() -> None:
    marks = "\u0301" * (MOST_MARKS + 1)
    assert SEPARATOR not in normalize("NFKC", f"e{marks}")
    assert normalize("NFD", f"e{marks}{'か' * SHORT}").startswith(f"e{marks[1:]}{SEPARATOR}\u0301")
