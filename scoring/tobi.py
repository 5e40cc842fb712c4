"""Receivers of the prize for a player who went out over several payments at once."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.hanchan_result import BustPayment
from scoring.ruleset.end import Bust
from scoring.ruleset.settling import PrizeReceiver


def receivers(payment: BustPayment, policy: PrizeReceiver, bust: Bust, players: int) -> Iterator[int]:
    """Yield the seats that receive a prize.

    Payments are processed in turn order, from the payer's right-hand neighbour on. If even the last one leaves
    the payer in the game, no seat receives one.
    """
    left = payment.had
    for receiver, amount in sorted(payment.due, key=lambda due: (due[0] - payment.payer) % players):
        left -= amount
        if policy is PrizeReceiver.EACH_PAID:
            yield receiver
            continue
        # FIRST_UNCOVERED means the first payment not covered in full, even in a book whose bust line is at zero.
        out = left < 0 if policy is PrizeReceiver.FIRST_UNCOVERED else bust.is_bust(left)
        if out:
            yield receiver
            return
