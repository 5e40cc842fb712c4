"""Round exact amounts to decimals, as a ranking's file says."""

from __future__ import annotations

from fractions import Fraction

from scoring.format.ranking import Listed, WorthRounding


def rounded(amount: Fraction, listed: Listed | None) -> Fraction:
    """Return the amount at these decimals; unchanged without a rule."""
    if listed is None:
        return amount
    return Fraction(rounded_units(amount * 10**listed.decimals, listed.rounding), 10**listed.decimals)


def rounded_units(amount: Fraction, rounding: WorthRounding) -> int:
    """Return the amount as a whole number."""
    if rounding is WorthRounding.HALF_EVEN:
        return round(amount)
    size = abs(amount)
    half = Fraction(1, 2) if rounding is WorthRounding.NEAREST else 0
    whole = int(size + half)
    return -whole if amount < 0 else whole


def text(amount: Fraction, listed: Listed | None) -> str:
    """Return an amount as it is published: rounded to decimals, or exact as a whole number or fraction."""
    if listed is None:
        return str(amount)
    whole = rounded_units(amount * 10**listed.decimals, listed.rounding)
    units, rest = divmod(abs(whole), 10**listed.decimals)
    sign = "-" if whole < 0 else ""
    return f"{sign}{units}.{rest:0{listed.decimals}d}" if listed.decimals else f"{sign}{units}"
