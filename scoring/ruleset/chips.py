"""Prizes (chips) beside the points, one for each event."""

from __future__ import annotations

from enum import StrEnum

from scoring.ruleset.base import Count, Ruled, Strict
from scoring.ruleset.ledgers import LedgerKey
from scoring.ruleset.yaku import YakuName


class AwardEvent(StrEnum):
    """The event for which a prize is paid."""

    IPPATSU = "ippatsu"
    """A win within the go-around after riichi."""
    URA = "ura"
    """Each ura dora."""
    RED = "red"
    """Each red five, or five marked for prizes."""
    GOLD = "gold"
    """Each gold five."""
    YAKUMAN = "yakuman"
    """Each yakuman."""
    KAZOE = "kazoe"
    """A counted yakuman."""
    FLUSH = "flush"
    """All flowers set aside."""
    FORCED = "forced"
    """A forced deal-in to an open riichi."""


class Award(Ruled):
    """The prize for one event, from the discarder or from each payer."""

    ron: Count
    tsumo_each: Count


class FixedAward(Ruled):
    """A yaku's own prize from all other players, on ron too, in place of all other prizes."""

    each: Count


class ChipRules(Ruled):
    """The conditions under which prizes are paid."""

    ledger: LedgerKey
    open_hands: bool
    """Prizes are paid for opened hands too."""
    none_if_forced: bool
    """A forced deal-in to an open riichi brings no prize."""
    yakuman_without: tuple[YakuName, ...]
    """Yakuman that bring no prize of their own."""
    pao_pays_all: bool
    """On a self-draw the liable player pays every prize of the hand, not only that of the yakuman."""


class Chips(Strict):
    """Prizes per event."""

    rules: ChipRules
    awards: dict[AwardEvent, Award]
    fixed: dict[YakuName, FixedAward] = {}
