"""Test the one style sheet of the pages: every colour pair used together is legible, every token used exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[3] / "league" / "static" / "league"
TOKENS = STATIC / "tokens.css"
OWN_COLOURS = {"tokens.css", "tiles.css", "api-docs.css"}
"""The tokens, the faces of tiles, and the sheet of the API's description, which goes with a foreign program."""
THEMES = ("light", "dark")
GROUNDS = ("paper", "sheet", "tint", "marker")
"""What text stands on: the page, a sheet, a row under the pointer, the reader's own row."""
PEOPLE = tuple(f"c{number}" for number in range(12))
WORDS = ("ink", "ink-2", "house", "minus", *PEOPLE)
ALONE = ("shu",)
"""Colours of text that stands on the page and on sheets only."""
LINES = ("rule", "line", "house", "shu")
TEXT = 4.5
CONTROL = 3.0
OWN_TOKENS = {"k", "c", "panel"}
"""Variables that a class sets for what is inside it."""


def tokens(theme: str) -> dict[str, str]:
    """Return the tokens as they are in a theme; colours have a light and a dark value."""
    block = re.search(r":root \{([^}]*)\}", TOKENS.read_text(encoding="utf-8"))
    assert block is not None
    found = dict(re.findall(r"--([a-z0-9-]+): ([^;]+);", block[1]))
    pairs = {name: re.fullmatch(r"light-dark\((\S+), (\S+)\)", value) for name, value in found.items()}
    return {name: pair[1 + THEMES.index(theme)] if pair else found[name] for name, pair in pairs.items()}


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rgb` or `#rrggbb`, as WCAG 2 defines it."""
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * each for each in digits)
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def rules() -> Iterator[str]:
    """Yield the declarations of every rule of every style sheet."""
    for path in sorted(STATIC.rglob("*.css")):
        yield from re.findall(r"\{([^{}]*)\}", path.read_text(encoding="utf-8"))


def set_together() -> Iterator[tuple[str, str]]:
    """Yield the text colour and the ground of every rule that sets both with tokens."""
    for rule in rules():
        text = re.search(r"(?<![-a-z])color: var\(--([a-z0-9-]+)\)", rule)
        ground = re.search(r"background: var\(--([a-z0-9-]+)\)", rule)
        if text and ground and not {text[1], ground[1]} & OWN_TOKENS:
            yield text[1], ground[1]


def used_pairs() -> set[tuple[str, str]]:
    """Return every pair of a text colour and its ground."""
    pairs = {*product(WORDS, GROUNDS), *product(ALONE, GROUNDS[:2]), *set_together()}
    return pairs | {(each, "tile") for each in PEOPLE} | {("on-c", each) for each in PEOPLE}


@pytest.mark.parametrize("theme", THEMES)
def test_every_colour_of_text_is_legible_on_what_it_stands_on(theme: str) -> None:
    colours = tokens(theme)
    pairs = used_pairs()
    assert {("on-house", "house"), ("on-shu", "shu")} <= pairs
    ratios = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in pairs}
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < TEXT} == {}


@pytest.mark.parametrize("theme", THEMES)
def test_lines_of_controls_stand_out_from_the_page_and_from_sheets(theme: str) -> None:
    colours = tokens(theme)
    ratios = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in product(LINES, GROUNDS[:2])}
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < CONTROL} == {}


def test_no_style_sheet_has_a_colour_outside_the_tokens() -> None:
    sheets = [path for path in STATIC.rglob("*.css") if path.name not in OWN_COLOURS]
    assert len(sheets) > 25
    named = re.compile(r"#[0-9a-f]{3,8}\b|\brgb\((?!0 0 0 / )")
    found = {path.name: named.findall(path.read_text(encoding="utf-8")) for path in sheets}
    assert {name: colours for name, colours in found.items() if colours} == {}


def test_every_token_that_a_page_uses_is_defined() -> None:
    defined, used = set[str](), dict[str, str]()
    for path in STATIC.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        defined |= set(re.findall(r"--([a-z0-9-]+):", text))
        used |= dict.fromkeys(re.findall(r"var\(--([a-z0-9-]+)\)", text), path.name)
    assert {name: where for name, where in used.items() if name not in defined} == {}
