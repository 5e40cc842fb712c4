"""Accent colours of leagues: one colour that replaces the house green, readable on paper and in the dark.

Contrast is that of WCAG 2: no single colour reaches 4.5 : 1 on paper and on the dark ground, so a colour is chosen for
paper and lightened for the dark.
"""

from __future__ import annotations

import re

PAPER = "#f5f3ea"
DARK = "#1b1e1b"
"""The lighter of the two dark grounds (`--sheet`): what is legible there is so on the darker one."""
NEEDED = 4.5
STEPS = 32
LINEAR_BELOW = 0.04045
"""Channels up to here are encoded linearly in sRGB."""
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.ASCII)


def is_colour(text: str) -> bool:
    """Return True for a colour written as #rrggbb in lower case."""
    return _COLOUR.fullmatch(text) is not None


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def for_dark(colour: str) -> str:
    """Return the colour mixed with as much white as it needs to be legible on the dark ground."""
    parts = _parts(colour)
    mixes = ("#" + "".join(f"{part + (255 - part) * step // STEPS:02x}" for part in parts) for step in range(STEPS + 1))
    return next(mix for mix in mixes if contrast(mix, DARK) >= NEEDED)


def _parts(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


def _luminance(colour: str) -> float:
    """Return the relative luminance, 0 to 1, as WCAG 2 defines it."""
    linear = [
        value / 12.92 if value <= LINEAR_BELOW else ((value + 0.055) / 1.055) ** 2.4
        for value in (part / 255 for part in _parts(colour))
    ]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
