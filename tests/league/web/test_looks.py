"""Test the admin's style sheet: the dark colours of the system and of the switch are the same."""

from __future__ import annotations

import re
from pathlib import Path

DESK = Path(__file__).resolve().parents[3] / "league" / "static" / "league" / "admin" / "desk.css"


def colours_after(text: str, selector: str) -> dict[str, str]:
    """Return the variables set for a selector, by name."""
    [block] = re.findall(re.escape(selector) + r" \{([^}]*)\}", text)
    return dict(re.findall(r"(--[a-z-]+): ([^;]+);", block))


def test_dark_colours_are_the_same_by_system_preference_and_by_switch() -> None:
    text = DESK.read_text(encoding="utf-8")
    asked = colours_after(text, ':root:not([data-theme="light"])')
    switched = colours_after(text, 'html[data-theme="dark"]')
    assert len(asked) > 30
    assert asked == switched
