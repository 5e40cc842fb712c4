"""Rosters to paste."""

from __future__ import annotations

FAMILY, GIVEN = "青赤白黒金銀春夏秋冬", "山川海空花月雪"
ANY_NUMBER = 8
"""Players entered for a format without a number of its own."""


def roster(count: int) -> str:
    """Return invented names, one a line; none is like another."""
    return "\n".join(f"{FAMILY[number % 10]}{GIVEN[number // 10]}太郎" for number in range(count))
