"""What a finished game brings to its settlement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class BustPayment:
    """The payments over which a player went out, as far as they decide who gets the prize."""

    payer: int
    had: int
    """Points before paying; the own stake and fines of the hand are already off."""
    due: tuple[tuple[int, int], ...]
    """(receiver, amount), honba included, in any order."""


@dataclass(frozen=True, slots=True)
class HanchanResult:
    """Final scores and counts; every tuple by seat from the first dealer."""

    scores: tuple[int, ...]
    """Points in front of the players; deposits left on the table are not in them."""
    kyoutaku: int = 0
    """Points of the deposits left on the table."""
    chonbo: tuple[int, ...] = ()
    """Offences per seat; empty for none."""
    carried: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Per ledger, what each seat brings from the table, at the ledger's scale."""
    tobi: tuple[tuple[int, int], ...] = ()
    """(busted seat, seat that gets the prize)."""
    bust_payments: tuple[BustPayment, ...] = ()
    """Payments from which the rules find who gets a prize, where `tobi` does not say it."""
    forced_top: int | None = None
    """The seat that a yakuman made the only floating player, in books that have this."""
