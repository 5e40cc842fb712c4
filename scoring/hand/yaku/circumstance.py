"""Yaku of how a hand was won."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scoring.hand.situation import RiichiKind, Robbed
from scoring.ruleset.yaku import RinshanOnLastTile, YakuName


@dataclass(frozen=True, slots=True)
class Circumstance:
    """How a hand was won, without the tiles."""

    tsumo: bool
    drawn: bool
    """A self-draw that is not paid like a ron."""
    closed: bool
    dealer: bool
    riichi: RiichiKind
    ippatsu: bool
    haitei: bool
    houtei: bool
    rinshan: bool
    first_turn: bool
    robbed: Robbed
    last_tile: RinshanOnLastTile


def riichi(win: Circumstance) -> bool:
    """Declared in any way; other kinds of riichi take its place where they are played."""
    return win.riichi is not RiichiKind.NONE


def double_riichi(win: Circumstance) -> bool:
    """Declared in the first go-around, uninterrupted."""
    return win.riichi in (RiichiKind.DOUBLE, RiichiKind.DOUBLE_OPEN)


def open_riichi(win: Circumstance) -> bool:
    """Declared with the hand shown."""
    return win.riichi in (RiichiKind.OPEN, RiichiKind.DOUBLE_OPEN)


def ippatsu(win: Circumstance) -> bool:
    """Won up to and including the declarer's next turn, uninterrupted."""
    return win.ippatsu


def menzen_tsumo(win: Circumstance) -> bool:
    """Self-drawn with a closed hand."""
    return win.drawn and win.closed


def haitei(win: Circumstance) -> bool:
    """Drawn as the last tile of the wall; a replacement tile is not."""
    return win.haitei and not (win.rinshan and win.last_tile is RinshanOnLastTile.RINSHAN_ONLY)


def houtei(win: Circumstance) -> bool:
    """Ron on the last discard."""
    return win.houtei


def rinshan(win: Circumstance) -> bool:
    """Won on a replacement tile."""
    return win.rinshan


def chankan(win: Circumstance) -> bool:
    """Ron on the tile that another player adds to a pon."""
    return win.robbed is Robbed.ADDED_KAN


def tenhou(win: Circumstance) -> bool:
    """The dealer is complete on the first draw."""
    return win.first_turn and win.tsumo and win.dealer


def chiihou(win: Circumstance) -> bool:
    """Another player is complete on the first draw, with nothing called before."""
    return win.first_turn and win.tsumo and not win.dealer


def renhou(win: Circumstance) -> bool:
    """Ron before one's own first draw, with nothing called before."""
    return win.first_turn and not win.tsumo and not win.dealer


CIRCUMSTANCE_YAKU: dict[YakuName, Callable[[Circumstance], int]] = {
    YakuName.RIICHI: riichi,
    YakuName.DOUBLE_RIICHI: double_riichi,
    YakuName.OPEN_RIICHI: open_riichi,
    YakuName.IPPATSU: ippatsu,
    YakuName.MENZEN_TSUMO: menzen_tsumo,
    YakuName.HAITEI: haitei,
    YakuName.HOUTEI: houtei,
    YakuName.RINSHAN: rinshan,
    YakuName.CHANKAN: chankan,
    YakuName.TENHOU: tenhou,
    YakuName.CHIIHOU: chiihou,
    YakuName.RENHOU: renhou,
}
