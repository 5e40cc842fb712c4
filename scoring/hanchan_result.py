"""Input of a settlement: final scores, deposits, offences and prizes of a finished game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class BustPayment:
    """The payments over which a player went out, as far as they decide the receiver of the prize."""

    payer: int
    had: int
    """Points before paying; the payer's own riichi stake and fines of the hand are already deducted."""
    due: tuple[tuple[int, int], ...]
    """(receiver, amount), honba included, in any order."""


@dataclass(frozen=True, slots=True)
class HanchanResult:
    """Final scores and counts; every tuple is by seat from the first dealer."""

    scores: tuple[int, ...]
    """Points in front of the players, not including deposits left on the table."""
    kyoutaku: int = 0
    """Points of the riichi deposits left on the table."""
    chonbo: tuple[int, ...] = ()
    """Offences per seat; empty if there were none."""
    carried: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Per ledger, the prizes each seat brings from the table, at the ledger's scale."""
    tobi: tuple[tuple[int, int], ...] = ()
    """(busted seat, seat that receives the prize)."""
    bust_payments: tuple[BustPayment, ...] = ()
    """Payments from which the rules derive the receiver of a prize, where `tobi` does not name one."""
    substitutes: tuple[int, ...] = ()
    """Seats of substitutes, who play for no entrant, in books that give them a flat account."""
    forced_top: int | None = None
    """The seat that a yakuman made the only floating player, in books with this rule."""
