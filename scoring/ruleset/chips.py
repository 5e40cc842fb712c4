"""Prizes beside the points: per event, and by flipping the wall after a win."""

from __future__ import annotations

from enum import StrEnum

from scoring.ruleset.base import Count, Positive, Ruled, Strict
from scoring.ruleset.ledgers import LedgerKey
from scoring.ruleset.tiles import Bingo, TileKind
from scoring.ruleset.value import LimitName
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


class TulipStart(Ruled):
    """When the wall is flipped, and how richly."""

    after_riichi: bool
    after_yakuman: bool
    same_for_modes: Positive
    """So many of one key tile in the hand make it a kakuhen, of both the highest mode."""
    key_tiles: tuple[TileKind, TileKind]


class TulipFlips(Ruled):
    """What flips bring."""

    per_match: Positive
    """For every tile of the hand that equals the flipped one or is next to it."""
    promotion_matches: Positive
    """So many on one flip raise the mode by a step."""
    completion: Positive
    """For reaching the last stack."""
    top_mode_times: Positive
    """The highest mode multiplies everything at the end."""


class TulipGuarantees(Ruled):
    """Failed stacks that do not end it."""

    ippatsu: Count
    limit: Count
    limit_from: LimitName
    pocchi: Count


class TulipRush(Ruled):
    """Tiles that join the hand."""

    stands_for: dict[Bingo, TileKind]
    """A bonus tile laid aside counts as this, and lets flipped ones of it join."""


class Tulip(Strict):
    """Flipping the stacks of the wall after a win."""

    start: TulipStart
    flips: TulipFlips
    guarantees: TulipGuarantees
    rush: TulipRush
