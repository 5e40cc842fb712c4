"""Bounds on the points that one hanchan can bring a player, where the rules have such bounds.

Scores have none: a debt may grow without limit, whether or not players go out. A ledger of fixed payments
always has one.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

from scoring.ruleset import Ruleset
from scoring.ruleset.settling import PrizeTime

Range = tuple[int, int]
"""The smallest and the largest amount, at the ledger's scale."""

_Amounts = tuple[Fraction, Fraction]


def hanchan_range(rules: Ruleset) -> Range | None:
    """Return the least and the most that one hanchan can bring in the ledger that ranks; None if there is no bound.

    Deductions for chonbo are not included.
    """
    ranking, conversion = rules.ranking_ledger, rules.settlement.conversion
    # Entered prizes and converted scores have no upper bound, so only fixed payments can give one.
    if ranking.entered or (conversion is not None and conversion.ledger == ranking.key):
        return None
    parts = list(_payments(rules))
    least, most = (sum((part[side] for part in parts), Fraction(0)) for side in (0, 1))
    return floor(least * ranking.scale), ceil(most * ranking.scale)


def _payments(rules: Ruleset) -> Iterator[_Amounts]:
    """Yield the least and the most of each fixed payment in the ledger that ranks."""
    steps, ledger, others = rules.settlement, rules.ranking_ledger.key, rules.players - 1
    prize, places, top, fees = steps.tobi, steps.place_payments, steps.top_payment, steps.fees
    if prize is not None and prize.ledger == ledger and prize.paid is PrizeTime.AT_SETTLEMENT:
        yield -others * prize.amount, others * prize.amount
    if places is not None and places.ledger == ledger:
        of_places = [amount for place in range(1, rules.players + 1) for amount in places.net_of(place)]
        yield min(of_places), max(of_places)
    if top is not None and top.ledger == ledger:
        stake = max(top.stake.A, top.stake.B, top.stake.C)
        fee = max(top.fee.A, top.fee.B, top.fee.C, top.fee.gentsuu or Fraction(0))
        yield -max(stake, fee), others * stake
    if fees is not None and fees.ledger == ledger:
        yield -fees.each - fees.top, -fees.each
