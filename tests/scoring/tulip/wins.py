"""Helpers for tests of the tulip: wins in notation, flips, matches and remarks."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.hand import By, RiichiKind, parse_tiles
from scoring.ruleset import Ruleset
from scoring.tulip import (
    InvalidTulipError,
    Tulip,
    Wall,
    Won,
    open_tulip,
    replay,
)
from tests.scoring.kyoku_tables import SUPERBINGO

DX = SUPERBINGO.with_options({"dx": True})
POCCHI = SUPERBINGO.with_options({"pocchi": True})
PLAIN = "123456p456789s22z"
"""Without three sevens: a normal tulip. 1p 2p 3p 4p 5p 6p, 4s to 9s, two Souths."""
THREE_SEVENS = "34567778p123999s"
BOTH_SEVENS = "123777p45667778s"
NO_BAMBOO = "12345699p222333z"


def won(hand: str = PLAIN, by: By = By.RON, riichi: RiichiKind = RiichiKind.RIICHI, **more: Any) -> Won:
    """Return a win after riichi, with its tiles in notation."""
    tiles: dict[str, Any] = {
        key: parse_tiles(more.pop(key)) for key in ("nuki", "dora_indicators", "ura_indicators") if key in more
    }
    return Won(parse_tiles(hand), by, riichi, **tiles, **more)


def flipped(tiles: str, win: Won | None = None, rules: Ruleset = SUPERBINGO) -> Tulip:
    """Return the tulip after these flips, none of them refused."""
    tulip = replay(win or won(), parse_tiles(tiles), rules)
    assert tulip.problems == ()
    return tulip


def wall(*stacks: str) -> Wall:
    """Return the stacks, upper tile first; "-" stands for an upper tile already drawn."""
    return tuple(
        (None if text.startswith("-") else parse_tiles(text)[0], parse_tiles(text.removeprefix("-"))[-1])
        for text in stacks
    )


def hits(tulip: Tulip) -> list[int]:
    """Return the number of matches of each flip."""
    return [step.hits for step in tulip.steps]


def remarks(tulip: Tulip) -> list[str]:
    """Return the codes of all remarks, before the first flip and at each."""
    return [each.code for each in (*tulip.start.remarks, *(each for step in tulip.steps for each in step.remarks))]


def problems(win: Won, rules: Ruleset = SUPERBINGO) -> list[tuple[str, str]]:
    """Return code and pointer of each problem of an invalid win."""
    with pytest.raises(InvalidTulipError) as error:
        open_tulip(win, rules)
    assert str(error.value) == "\n".join(map(str, error.value.problems))
    return [(each.code, each.pointer) for each in error.value.problems]
