"""The value of a win as it is called out at the table (点数申告), honba included, in Japanese or English.

A house may have its own words for amounts; they are data beside its ruleset. Where a house adds points for a closed
hand or for dora, the hand is called first and then the total.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import translation

from league.wording.formatting import language_of
from league.wording.live.yaku import limit_name
from league.wording.messages import number
from rulesets.sayings import sayings_of
from scoring.kyoku import payments
from scoring.kyoku.outcomes import Win
from scoring.kyoku.payments import RuledState
from scoring.ruleset import Title
from scoring.ruleset.value import HonbaOfSeveral, LimitName
from scoring.value import Part, PartName, Value

KANJI = "〇一二三四五六七八九十"
"""Honba counters up to ten are called out in words."""


@dataclass(frozen=True, slots=True)
class Amounts:
    """The payments of a win: from one player on ron, from each, or from each non-dealer and from the dealer."""

    each: int
    from_dealer: int = 0
    """The dealer's payment if it differs from the others', else 0."""
    is_ron: bool = False

    def plus(self, points: int) -> Amounts:
        """Return the payments with `points` more from each payer."""
        return Amounts(self.each + points, self.from_dealer + points if self.from_dealer else 0, self.is_ron)


def call_of_win(
    win: Win, loser: int | None, table: RuledState, *, is_head: bool = True, language: str | None = None
) -> str:
    """Return the winner's call.

    In most books only the head winner collects honba, and a yakuman that ends the game has no amount.
    """
    worth, call = payments.value_of_win(win, table), Caller(language, sayings_of(table.rules.name))
    if worth.instant_top:
        return call.limit(LimitName.YAKUMAN)
    # Some books take a win on the replacement tile of an open kan (liability) for a ron.
    is_ron = loser is not None or payments.fed_as_ron(win.liability, table.play)
    plain = amounts(worth, is_ron=is_ron)
    said = call.amounts(plain)
    if call.sayings and plain != (hand := hand_amounts(worth, is_ron=is_ron)) and hand.each:
        said = call.sum(call.amounts(hand), said)
    if worth.limit is not None:
        said = f"{call.limit(worth.limit)} {said}"
    is_paid = is_head or table.play.several_winners.honba is HonbaOfSeveral.EACH
    count = table.state.honba if is_paid and payments.collects_honba(win, table) else 0
    extra = count * (table.play.honba.ron if is_ron else table.play.honba.tsumo_each)
    return call.with_honba(said, count, plain.plus(extra)) if count else said


def amounts(worth: Value, *, is_ron: bool) -> Amounts:
    """Return the payments of a value, all its parts together."""
    if is_ron:
        return Amounts(worth.ron, is_ron=True)
    return Amounts(worth.from_other, 0 if worth.dealer else worth.from_dealer)


def hand_amounts(worth: Value, *, is_ron: bool) -> Amounts:
    """Return the payments for the hand itself, without the points that the house adds to it."""
    hand = next((part for part in worth.parts if part.name is PartName.HAND), Part(PartName.HAND, 0, 0, 0))
    if is_ron:
        return Amounts(hand.ron, is_ron=True)
    return Amounts(hand.from_other, 0 if worth.dealer else hand.from_dealer)


class Caller:
    """Formats amounts in one language, with the house's own words."""

    def __init__(self, language: str | None, sayings: Mapping[int, Title]) -> None:
        self.is_japanese = language_of(language) == "ja"
        self.sayings = sayings

    def figure(self, points: int) -> str:
        """Return one amount, preceded by the house's word for it if there is one."""
        title = self.sayings.get(points)
        if title is None:
            return number(points)
        return f"{title.ja}（{number(points)}）" if self.is_japanese else f"{title.en} ({number(points)})"

    def amounts(self, paid: Amounts) -> str:
        """Return the payments as called out: "3,900", "1,000 / 2,000" or "2,000 all"."""
        if paid.is_ron:
            return self.figure(paid.each)
        if paid.from_dealer:
            return f"{self.figure(paid.each)}{'・' if self.is_japanese else ' / '}{self.figure(paid.from_dealer)}"
        return f"{self.figure(paid.each)}オール" if self.is_japanese else f"{self.figure(paid.each)} all"

    def limit(self, name: LimitName) -> str:
        """Return the name of a limit, which is called before its amount."""
        with translation.override("ja" if self.is_japanese else "en"):
            return limit_name(name) if self.is_japanese else limit_name(name).lower()

    def sum(self, hand: str, total: str) -> str:
        """Return the call of the hand followed by the total it makes."""
        return f"{hand}は{total}" if self.is_japanese else f"{hand} makes {total}"

    def with_honba(self, said: str, count: int, total: Amounts) -> str:
        """Return the call of the value, the honba counters, then the total."""
        figures = Caller("ja" if self.is_japanese else "en", {}).amounts(total)
        if self.is_japanese:
            counters = KANJI[count] if count < len(KANJI) else str(count)
            return f"{said}の{counters}本場は{figures}"
        return f"{said}, with {count} honba {figures}"
