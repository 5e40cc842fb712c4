"""The arithmetic of carried points: the total of the stage before, the part of it taken along, and the rounding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from league.selectors.people.player_records import PlayerTotal
from league.wording.formatting import decimal_text, points_text
from league.wording.rulebooks.format_sentences import rounding_name
from scoring.format import Format
from scoring.stages import rounded_share

MOST_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class CarrySum:
    """Carried points as a sum, such as ▲202.3 ÷ 2 = ▲101.15 → ▲101.1, with how and by which clauses it is rounded."""

    text: str
    rounding: str
    clauses: Sequence[str]


def carries_of(totals: Sequence[PlayerTotal], league_format: Format, scale: int) -> dict[int, CarrySum]:
    """Return the sums by block id; none where the carried points are no part of the total of the stage before."""
    found: dict[int, CarrySum] = {}
    rules = {stage.key: stage.carry_over for stage in league_format.stages}
    for before, after in pairwise(totals):
        rule = rules.get(after.standing.block.stage.key)
        if rule is None or rule.share is None or rule.rounding is None:
            continue
        total, carried = before.standing.total, after.standing.carried
        # An override may have sent the entrant here from another block.
        if rounded_share(total, rule.share, rule.rounding) != carried:
            continue
        part = f"÷ {rule.share.denominator}" if rule.share.numerator == 1 else f"× {rule.share}"
        exact = exact_text(Fraction(total, scale) * rule.share)
        text = f"{points_text(total, scale)} {part} = {exact} → {points_text(carried, scale)}"
        found[after.standing.block_id] = CarrySum(text, rounding_name(rule.rounding), rule.clauses)
    return found


def exact_text(value: Fraction) -> str:
    """Return a number with as many decimals as it has, or as a fraction if they do not end soon."""
    digits = next((n for n in range(1, MOST_DECIMALS + 1) if (value * 10**n).denominator == 1), None)
    return str(value) if digits is None else decimal_text(value, digits)
