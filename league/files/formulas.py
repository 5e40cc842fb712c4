"""Characters with which a text cell is taken for a formula by spreadsheet programs (CSV injection)."""

from __future__ import annotations

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
