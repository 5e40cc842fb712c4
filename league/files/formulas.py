"""Characters with which a text cell is taken for a formula by spreadsheet programs (CSV injection)."""

from __future__ import annotations

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def escape_formula(text: str) -> str:
    """Return a text that no spreadsheet program takes for a formula: with an apostrophe in front, if need be."""
    # A text that has the apostrophe already gets a second one: reading takes off one.
    return f"'{text}" if text.removeprefix("'").startswith(FORMULA_STARTS) else text
