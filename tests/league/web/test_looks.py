"""What style sheets promise without a browser: the two ways into the desk's dark colours lead to the same ones."""

from __future__ import annotations

import re
from pathlib import Path

DESK = Path(__file__).resolve().parents[3] / "league" / "static" / "league" / "admin" / "desk.css"


def colours_after(text: str, selector: str) -> dict[str, str]:
    """The variables set for a selector, by name."""
    [block] = re.findall(re.escape(selector) + r" \{([^}]*)\}", text)
    return dict(re.findall(r"(--[a-z-]+): ([^;]+);", block))


def test_the_desk_is_as_dark_by_the_system_as_by_the_switch() -> None:
    text = DESK.read_text(encoding="utf-8")
    asked = colours_after(text, ':root:not([data-theme="light"])')
    switched = colours_after(text, 'html[data-theme="dark"]')
    assert len(asked) > 30
    assert asked == switched
