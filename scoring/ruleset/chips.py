"""Prizes beside the points, per event."""

from __future__ import annotations

from enum import StrEnum

from scoring.ruleset.base import Count, Ruled, Strict
from scoring.ruleset.ledgers import LedgerKey
from scoring.ruleset.yaku import YakuName


class AwardEvent(StrEnum):
    """What a prize is paid for."""

    IPPATSU = "ippatsu"
    """A win within the go-around after riichi."""
    URA = "ura"
    """Each dora from an indicator beneath."""
    RED = "red"
    """Each red five, or five marked for prizes."""
    GOLD = "gold"
    """Each gold five."""
    YAKUMAN = "yakuman"
    """Each yakuman."""
    KAZOE = "kazoe"
    """A counted yakuman."""
    FLUSH = "flush"
    """All flowers laid aside."""
    FORCED = "forced"
    """A forced deal-in to an open riichi."""


class Award(Ruled):
    """What one event brings, from the discarder or from each payer."""

    ron: Count
    tsumo_each: Count


class FixedAward(Ruled):
    """A yaku that brings this from everybody, on ron too, and nothing else."""

    each: Count


class ChipRules(Ruled):
    """When prizes are paid."""

    ledger: LedgerKey
    open_hands: bool
    """For opened hands too."""
    none_if_forced: bool
    """Nothing at all for a forced deal-in to an open riichi."""
    yakuman_without: tuple[YakuName, ...]
    """Yakuman that bring no prize as such."""
    pao_pays_all: bool
    """On a self-draw the liable player pays every prize of the hand, not the yakuman's alone."""


class Chips(Strict):
    """Prizes per event."""

    rules: ChipRules
    awards: dict[AwardEvent, Award]
    fixed: dict[YakuName, FixedAward] = {}
