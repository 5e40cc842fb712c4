"""What a winning hand is worth and who pays how much of it: the one place that knows limits, rounding and tables.

Han and fu (or a limit, or yakuman) become base points, base points become payments, and a book's own parts (points for
a closed hand, points per dora) come on top. Honba, deposits and liability are the table's business, not the hand's.
Every amount comes from the ruleset.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.entered import Entered
from scoring.ruleset.play import Play
from scoring.ruleset.value import (
    Dora,
    Limit,
    LimitName,
    Payments,
    SeveralYakuman,
    TsumoSplit,
    TsumoTable,
    YakumanEffect,
)
from scoring.ruleset.value import Value as ValueRules


class UnknownLimitError(ValueError):
    """A limit was named that the book does not have."""


class By(StrEnum):
    """How a hand is won."""

    RON = "ron"
    """On a discard, or on a tile that is robbed."""
    TSUMO = "tsumo"
    """By self-draw."""


@dataclass(frozen=True, slots=True)
class Worth(Entered):
    """A hand's value before it is paid: han and fu, a limit, or so many yakuman."""

    han: int = 0
    """All han: yaku, dora that count as han, and what the book gives every hand."""
    fu: int = 0
    """Rounded fu; may be left 0 where the han alone give a limit or the book has fixed fu."""
    yakuman: int = 0
    limit: LimitName | None = None
    """In place of han and fu."""
    closed: bool | None = None
    """The hand was not opened; where it is not said it follows from a riichi, and without one the hand is open."""
    dora: int = 0
    """Dora that are paid in points."""
    uncapped: bool = False
    """No limit holds in this hand."""


class PartName(StrEnum):
    """A part of a hand's value that a book states by itself."""

    HAND = "hand"
    """By han and fu, capped by the limits."""
    CLOSED = "closed"
    """For not opening the hand."""
    DORA = "dora"
    """For dora paid in points."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a value, as it is paid."""

    name: PartName
    ron: int
    from_dealer: int
    from_other: int


@dataclass(frozen=True, slots=True)
class Value:
    """A value as it is paid, honba not included; every payment is the sum of its parts."""

    limit: LimitName | None
    """The limit reached, if any."""
    base: int
    """Base points."""
    parts: tuple[Part, ...]
    dealer: bool
    """The winner is the dealer."""
    instant_top: bool = False
    """It ends the game, and no points move."""

    @property
    def ron(self) -> int:
        """What the discarder pays."""
        return sum(part.ron for part in self.parts)

    @property
    def from_dealer(self) -> int:
        """What the dealer pays on a self-draw; nothing to a winning dealer."""
        return sum(part.from_dealer for part in self.parts)

    @property
    def from_other(self) -> int:
        """What each player who is not dealer pays on a self-draw."""
        return sum(part.from_other for part in self.parts)

    def tsumo(self, payers: int) -> int:
        """What a self-draw brings in all from so many payers."""
        if self.dealer:
            return self.from_other * payers
        return self.from_dealer + self.from_other * (payers - 1)


def value(worth: Worth, *, dealer: bool, play: Play) -> Value:
    """Return what a hand is paid, exact to the book's limits, rounding and printed tables.

    Raise UnknownLimitError if a limit is given that the book does not have.
    """
    limit, base = base_points(worth, play)
    if limit is LimitName.YAKUMAN and play.value.yakuman.effect is YakumanEffect.INSTANT_TOP:
        return Value(limit, base, (), dealer, instant_top=True)
    parts = [hand_part(base, dealer=dealer, payments=play.payments)]
    if worth.closed and play.value.closed is not None:
        closed = play.value.closed
        parts.append(_alike(PartName.CLOSED, closed.ron, closed.tsumo_each, dealer=dealer))
    if worth.dora and (points := dora_points(worth, play)):
        parts.append(_alike(PartName.DORA, points, points, dealer=dealer))
    return Value(limit, base, tuple(parts), dealer)


def base_points(worth: Worth, play: Play) -> tuple[LimitName | None, int]:
    """Base points, and the limit that gives them: fu times two to the power of han, up to the first limit."""
    rules = play.value
    if worth.yakuman:
        return LimitName.YAKUMAN, yakuman_base(worth.yakuman, rules)
    if worth.limit is not None:
        return worth.limit, limit_base(worth.limit, rules)
    plain = _plain(worth, play)
    if worth.uncapped:
        return None, plain
    reached = _reached(worth.han, plain, play)
    if rules.open_hands_step_up and not worth.closed:
        return _stepped_up(worth, reached, play)
    return (None, plain) if reached is None else (reached.name, reached.base)


def yakuman_base(count: int, rules: ValueRules) -> int:
    """Several yakuman in one hand are added up, or count once."""
    return rules.yakuman.base * (count if rules.yakuman.several is SeveralYakuman.ADD else 1)


def limit_base(name: LimitName, rules: ValueRules) -> int:
    """Base points of a limit by its name."""
    if name is LimitName.YAKUMAN:
        return rules.yakuman.base
    for limit in rules.limits:
        if limit.name is name:
            return limit.base
    known = ", ".join(limit.name for limit in rules.limits)
    raise UnknownLimitError(f"this book has no {name.value}; it has {known}, yakuman")


def hand_part(base: int, *, dealer: bool, payments: Payments) -> Part:
    """Turn base points into payments, each rounded up, or as the printed table has them."""
    ron = rounded_up(base * (payments.ron_to_dealer if dealer else payments.ron_to_other), payments)
    if payments.tsumo is TsumoSplit.TABLE and payments.tsumo_table is not None:
        from_dealer, from_other = _from_table(ron, payments.tsumo_table, dealer=dealer)
    elif dealer:
        from_dealer, from_other = 0, rounded_up(base * payments.tsumo_dealer_from_each, payments)
    else:
        from_dealer = rounded_up(base * payments.tsumo_other_from_dealer, payments)
        from_other = rounded_up(base * payments.tsumo_other_from_other, payments)
    return Part(PartName.HAND, ron, from_dealer, from_other)


def dora_points(worth: Worth, play: Play) -> int:
    """Points for the dora of a hand, from each who pays for it."""
    kind = play.dora.kinds.get(Dora.INDICATOR)
    if kind is None:
        return 0
    return worth.dora * (kind.points_closed if worth.closed else kind.points_open)


def rounded_up(points: int, payments: Payments) -> int:
    """Each payment is rounded up to the next multiple the book pays in."""
    return -(-points // payments.round_up_to) * payments.round_up_to


def _plain(worth: Worth, play: Play) -> int:
    """Base points without any limit; a book with fixed fu needs none given."""
    fu: int = play.fu.fixed or worth.fu
    return fu << (worth.han + play.value.exponent)


def _reached(han: int, plain: int, play: Play) -> Limit | None:
    """The highest limit reached by han; by base points, and by rounding up where it is played, the first."""
    limits = play.value.limits
    by_han = [limit for limit in limits if han >= limit.from_han]
    if by_han:
        return by_han[-1]
    if not limits:
        return None
    compared = rounded_up(plain, play.payments) if play.value.kiriage else plain
    return limits[0] if compared >= limits[0].base else None


def _stepped_up(worth: Worth, reached: Limit | None, play: Play) -> tuple[LimitName | None, int]:
    """One step more: the next limit, or below the limits the value of another han.

    A hand that rounding already brings to the first limit's payment stands on that step.
    """
    limits, plain = play.value.limits, _plain(worth, play)
    paid = rounded_up(plain * play.payments.ron_to_other, play.payments)
    if reached is None and limits and paid >= rounded_up(limits[0].base * play.payments.ron_to_other, play.payments):
        reached = limits[0]
    if reached is not None:
        upper = limits[min(limits.index(reached) + 1, len(limits) - 1)]
        return upper.name, upper.base
    above = _reached(worth.han + 1, plain * 2, play)
    return (None, plain * 2) if above is None else (above.name, above.base)


def _from_table(ron: int, table: TsumoTable, *, dealer: bool) -> tuple[int, int]:
    """Payments of the dealer and of each other by the printed table; beyond it multiples of its last row."""
    rows = [(row[0], 0, row[1]) for row in table.dealer] if dealer else [(r[0], r[2], r[1]) for r in table.other]
    for worth, from_dealer, from_other in rows:
        if ron <= worth:
            return from_dealer, from_other
    worth, from_dealer, from_other = rows[-1]
    times = -(-ron // worth)
    return from_dealer * times, from_other * times


def _alike(name: PartName, ron: int, each: int, *, dealer: bool) -> Part:
    """A part of which every payer of a self-draw pays the same."""
    return Part(name, ron, 0 if dealer else each, each)
