"""Yaku that depend on the circumstances of the win alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scoring.hand.situation import RiichiKind, Robbed
from scoring.ruleset.yaku import RinshanOnLastTile, YakuName


@dataclass(frozen=True, slots=True)
class Circumstance:
    """The circumstances of a win, without the tiles."""

    tsumo: bool
    drawn: bool
    """Won by self-draw, and not paid like a ron."""
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
    """Return whether a riichi of any kind was declared; the other kinds replace it where they are played."""
    return win.riichi is not RiichiKind.NONE


def double_riichi(win: Circumstance) -> bool:
    """Return whether riichi was declared in the first go-around, uninterrupted."""
    return win.riichi in (RiichiKind.DOUBLE, RiichiKind.DOUBLE_OPEN)


def open_riichi(win: Circumstance) -> bool:
    """Return whether riichi was declared with the hand shown."""
    return win.riichi in (RiichiKind.OPEN, RiichiKind.DOUBLE_OPEN)


def ippatsu(win: Circumstance) -> bool:
    """Return whether the hand won by the declarer's next turn at the latest, uninterrupted."""
    return win.ippatsu


def menzen_tsumo(win: Circumstance) -> bool:
    """Return whether a closed hand was self-drawn, and not after an open kan that is paid as a ron."""
    return win.drawn and win.closed


def haitei(win: Circumstance) -> bool:
    """Return whether the winning tile was drawn as the last of the wall.

    In some houses (`rinshan_only`) a replacement tile does not count.
    """
    return win.haitei and not (win.rinshan and win.last_tile is RinshanOnLastTile.RINSHAN_ONLY)


def houtei(win: Circumstance) -> bool:
    """Return whether the hand won by ron on the last discard."""
    return win.houtei


def rinshan(win: Circumstance) -> bool:
    """Return whether the hand won on a replacement tile."""
    return win.rinshan


def chankan(win: Circumstance) -> bool:
    """Return whether the hand won by ron on the tile that another player added to a pon."""
    return win.robbed is Robbed.ADDED_KAN


def tenhou(win: Circumstance) -> bool:
    """Return whether the dealer was complete on the first draw."""
    return win.first_turn and win.tsumo and win.dealer


def chiihou(win: Circumstance) -> bool:
    """Return whether a non-dealer was complete on the first draw, with nothing called before."""
    return win.first_turn and win.tsumo and not win.dealer


def renhou(win: Circumstance) -> bool:
    """Return whether a non-dealer won by ron before the first draw, with nothing called before."""
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
