"""Value of a winning hand and its payments: the only module that knows limits, rounding and printed tables.

Han and fu (or a limit, or yakuman) become base points, base points become payments, and a book's own parts
(points for a closed hand, points per dora) come on top. Honba, deposits and liability belong to the table,
not to the hand. Every amount comes from the ruleset.
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
    ValueRules,
    YakumanEffect,
)


class UnknownLimitError(ValueError):
    """A limit was named that the book does not have."""


class By(StrEnum):
    """Way in which a hand is won: ron or tsumo."""

    RON = "ron"
    """On a discard, or on a robbed tile."""
    TSUMO = "tsumo"
    """By self-draw."""


@dataclass(frozen=True, slots=True)
class Worth(Entered):
    """A hand's value before payment: han and fu, a limit, or a number of yakuman."""

    han: int = 0
    """All han: yaku, dora that count as han, and han that the book gives every hand."""
    fu: int = 0
    """Rounded fu; may be left 0 where the han alone give a limit or the book has fixed fu."""
    yakuman: int = 0
    limit: LimitName | None = None
    """Given instead of han and fu."""
    closed: bool | None = None
    """The hand was not opened; None: closed if a riichi was declared, otherwise open."""
    dora: int = 0
    """Number of dora that are paid in points."""
    uncapped: bool = False
    """No limit applies to this hand."""


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
    """The payments of one part of a value."""

    name: PartName
    ron: int
    from_dealer: int
    from_other: int


@dataclass(frozen=True, slots=True)
class Value:
    """The payments for a hand, honba not included; every payment is the sum of its parts."""

    limit: LimitName | None
    """The limit reached, if any."""
    base: int
    """Base points."""
    parts: tuple[Part, ...]
    dealer: bool
    """The winner is the dealer."""
    instant_top: bool = False
    """The hand ends the game, and no points are paid."""

    @property
    def ron(self) -> int:
        """Return the payment of the discarder."""
        return sum([part.ron for part in self.parts])

    @property
    def from_dealer(self) -> int:
        """Return the dealer's payment on a self-draw; zero if the dealer wins."""
        return sum([part.from_dealer for part in self.parts])

    @property
    def from_other(self) -> int:
        """Return the payment of each non-dealer on a self-draw."""
        return sum([part.from_other for part in self.parts])

    def tsumo(self, payers: int) -> int:
        """Return the total that a self-draw brings from this number of payers."""
        if self.dealer:
            return self.from_other * payers
        return self.from_dealer + self.from_other * (payers - 1)


def value(worth: Worth, *, dealer: bool, play: Play) -> Value:
    """Return the payments for a hand, exact to the book's limits, rounding and printed tables.

    Raise UnknownLimitError if a limit is given that the book does not have.
    """
    limit, base = base_points(worth, play)
    if limit is LimitName.YAKUMAN and play.value.yakuman.effect is YakumanEffect.INSTANT_TOP:
        return Value(limit, base, (), dealer, instant_top=True)
    parts = [hand_part(base, dealer=dealer, payments=play.payments)]
    if worth.closed and play.value.closed is not None:
        closed = play.value.closed
        parts.append(_equal_part(PartName.CLOSED, closed.ron, closed.tsumo_each, dealer=dealer))
    if worth.dora and (points := dora_points(worth, play)):
        parts.append(_equal_part(PartName.DORA, points, points, dealer=dealer))
    return Value(limit, base, tuple(parts), dealer)


def base_points(worth: Worth, play: Play) -> tuple[LimitName | None, int]:
    """Return the limit reached, if any, and the base points: fu × 2^(han + exponent), up to the first limit."""
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
    """Return the base points of several yakuman in one hand, which add up or count once by the book."""
    return rules.yakuman.base * (count if rules.yakuman.several is SeveralYakuman.ADD else 1)


def limit_base(name: LimitName, rules: ValueRules) -> int:
    """Return the base points of a limit; raise UnknownLimitError if the book does not have it."""
    if name is LimitName.YAKUMAN:
        return rules.yakuman.base
    for limit in rules.limits:
        if limit.name is name:
            return limit.base
    known = ", ".join(limit.name for limit in rules.limits)
    raise UnknownLimitError(f"this book has no {name.value}; it has {known}, yakuman")


def hand_part(base: int, *, dealer: bool, payments: Payments) -> Part:
    """Turn base points into payments, each rounded up, or as given in the printed table."""
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
    """Return the points that each payer owes for the dora of a hand."""
    kind = play.dora.kinds.get(Dora.INDICATOR)
    if kind is None:
        return 0
    return worth.dora * (kind.points_closed if worth.closed else kind.points_open)


def rounded_up(points: int, payments: Payments) -> int:
    """Round a payment up to the next multiple the book pays in."""
    return -(-points // payments.round_up_to) * payments.round_up_to


def _plain(worth: Worth, play: Play) -> int:
    """Return the base points without any limit; in a book with fixed fu none need be given."""
    # The exponent is the book's constant (2 in most): base points are fu × 2^(han + exponent).
    fu: int = play.fu.fixed or worth.fu
    return fu << (worth.han + play.value.exponent)


def _reached(han: int, plain: int, play: Play) -> Limit | None:
    """Return the highest limit reached by han, else the first limit if the base points (with kiriage) reach it."""
    limits = play.value.limits
    # From the first limit's han on, fu no longer matter; below it enough fu can still reach the first limit.
    for limit in reversed(limits):
        if han >= limit.from_han:
            return limit
    if not limits:
        return None
    compared = rounded_up(plain, play.payments) if play.value.kiriage else plain
    return limits[0] if compared >= limits[0].base else None


def _stepped_up(worth: Worth, reached: Limit | None, play: Play) -> tuple[LimitName | None, int]:
    """Return the next limit, or below the limits the value of one more han (opened hands in some books).

    A hand whose payment rounding already brings to the first limit's counts as having reached that limit.
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
    """Return the payments of the dealer and of each other player by the printed table.

    Beyond the table's last row they are multiples of that row.
    """
    rows = [(row[0], 0, row[1]) for row in table.dealer] if dealer else [(r[0], r[2], r[1]) for r in table.other]
    for worth, from_dealer, from_other in rows:
        if ron <= worth:
            return from_dealer, from_other
    worth, from_dealer, from_other = rows[-1]
    times = -(-ron // worth)
    return from_dealer * times, from_other * times


def _equal_part(name: PartName, ron: int, each: int, *, dealer: bool) -> Part:
    """Return a part for which every payer of a self-draw pays the same."""
    return Part(name, ron, 0 if dealer else each, each)
