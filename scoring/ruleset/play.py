"""The rules for hands: the input of the engines for a hand, a kyoku and a flip of the wall."""

from __future__ import annotations

from scoring.ruleset.base import Strict
from scoring.ruleset.chips import Chips
from scoring.ruleset.flow import Draws, Honba, Penalties, Renchan, RiichiRules
from scoring.ruleset.tiles import Calls, Nuki, Pocchi, SetAside, Tiles, Wall
from scoring.ruleset.tulip import TulipRules
from scoring.ruleset.value import (
    DoraRules,
    Fu,
    Furiten,
    Legality,
    Pao,
    Payments,
    SeveralWinners,
    ValueRules,
    WinRules,
)
from scoring.ruleset.yaku import Yaku, YakuName, YakuRules


class NoHandsError(ValueError):
    """Raised for a ruleset without rules for hands: it only settles final scores."""


class Play(Strict):
    """All tables between the deal and the final scores. Tables that a book does not have are None or empty."""

    tiles: Tiles
    wall: Wall
    calls: Calls
    nuki: dict[SetAside, Nuki] = {}
    pocchi: Pocchi | None = None
    renchan: Renchan
    honba: Honba
    riichi: RiichiRules
    draws: Draws
    penalties: Penalties
    win: WinRules
    furiten: Furiten
    several_winners: SeveralWinners
    legality: Legality | None = None
    value: ValueRules
    payments: Payments
    pao: Pao | None = None
    dora: DoraRules
    fu: Fu
    yaku: dict[YakuName, Yaku]
    yaku_rules: YakuRules
    chips: Chips | None = None
    tulip: TulipRules | None = None
