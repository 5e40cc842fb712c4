"""Test the tiles on pages: one sprite for all of them, and a name for each."""

import re
from pathlib import Path

import pytest
from django.template import Context, Template, TemplateSyntaxError
from django.utils.translation import override

from league.templatetags.tiles import tile, tiles
from league.wording.live.tiles import TILE_CODES, name_of
from scoring.hand import parse_tiles
from scoring.hand.tiles import NAME

SPRITE = Path("league/static/league/tiles/tiles.svg")


def test_the_sprite_contains_exactly_the_known_tiles() -> None:
    drawn = re.findall(r'<symbol id="t(\w+)"', SPRITE.read_text())
    assert sorted(drawn) == sorted(TILE_CODES)
    assert len(drawn) == len(set(drawn))


def test_the_sprite_is_small_and_loads_no_other_resource() -> None:
    text = SPRITE.read_text()
    assert len(text.encode()) < 40 * 1024
    assert re.findall(r'(?:href|src)="(?!#)[^"]*"|url\(|<script|<style|\bstyle=|\bon\w+=', text) == []


def test_a_tile_is_labelled_in_the_readers_language() -> None:
    with override("ja"):
        assert 'role="img" aria-label="五筒"' in tile("5p")
    with override("en"):
        assert 'role="img" aria-label="5 of circles"' in tile("5p")


@pytest.mark.parametrize(
    ("code", "ja", "en"),
    [
        ("1m", "一萬", "1 of characters"),
        ("0s", "赤五索", "red 5 of bamboos"),
        ("gp", "金五筒", "gold 5 of circles"),
        ("4z", "北", "North"),
        ("wz", "白ポッチ", "white pocchi"),
        ("2b", "青ビンゴ", "blue bingo"),
    ],
)
def test_every_kind_of_tile_has_a_japanese_and_an_english_name(code: str, ja: str, en: str) -> None:
    assert (name_of(code, "ja"), name_of(code, "en")) == (ja, en)


def test_no_two_tiles_share_a_name() -> None:
    for language in ("ja", "en"):
        assert len({name_of(code, language) for code in TILE_CODES}) == len(TILE_CODES) == len(NAME) + 1


def test_a_silent_tile_is_hidden_from_screen_readers() -> None:
    assert 'aria-hidden="true"' in tile("5p", silent=True)
    assert "aria-label" not in tile("5p", silent=True)


def test_a_tile_can_be_turned_sideways() -> None:
    assert 'class="tile-face turned"' in tile("1z", "turned")


def test_a_row_of_tiles_keeps_its_order() -> None:
    row = tiles("0p1z5p")
    assert re.findall(r"#t(\w+)", row) == ["0p", "1z", "5p"]
    assert tiles(parse_tiles("0p1z5p")) == row


def test_an_unknown_tile_is_a_template_error() -> None:
    with pytest.raises(TemplateSyntaxError, match="9z"):
        Template("{% load tiles %}{% tile '9z' %}").render(Context())
