"""What the engine answers for a win: a value that can tell everything it is made of."""

from __future__ import annotations

from scoring.hand.case import Case
from scoring.hand.payments import payments_of
from scoring.hand.reading import Reading
from scoring.hand.records import DoraLine, FuLine, Notice, Payer, Payment, PaymentCause, YakuLine
from scoring.hand.situation import Situation
from scoring.hand.tally import Tally
from scoring.hand.tiles import Tile
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.value import LimitName
from scoring.value import Value


class HandValue:
    """A win. What it is worth has been counted; who pays what is told when it is asked. Nothing of it is changed."""

    __slots__ = ("notices", "tally")

    def __init__(self, tally: Tally, notices: tuple[Notice, ...] = ()) -> None:
        self.tally = tally
        self.notices = notices

    @property
    def case(self) -> Case:
        """The hand laid open."""
        return self.tally.case

    @property
    def yaku(self) -> tuple[YakuLine, ...]:
        """Every yaku; in a yakuman hand its yakuman alone."""
        return self.tally.yaku

    @property
    def han(self) -> int:
        """All han, dora included; 0 for a yakuman and for a limit that is reached outright."""
        return self.tally.han

    @property
    def fu(self) -> int:
        """Rounded fu; 0 where `han` is 0 for the same reasons."""
        return self.tally.fu

    @property
    def fu_lines(self) -> tuple[FuLine, ...]:
        """Why: they add up to `fu`, rounding the last of them."""
        return self.tally.fu_lines

    @property
    def yakuman(self) -> int:
        """How many yakuman."""
        return self.tally.yakuman

    @property
    def value(self) -> Value:
        """Limit, base points, and what is paid without honba and liability."""
        return self.tally.price.value

    @property
    def limit(self) -> LimitName | None:
        """The limit reached, if any."""
        return self.tally.price.value.limit

    @property
    def instant_top(self) -> bool:
        """The game ends, and no points move."""
        return self.tally.price.value.instant_top

    @property
    def reading(self) -> Reading:
        """How the tiles were read."""
        return self.tally.reading

    @property
    def situation(self) -> Situation:
        """How the hand was won."""
        return self.case.situation

    @property
    def pocchi_as(self) -> Tile | None:
        """What a wild pocchi stands for."""
        return self.case.situation.pocchi_as

    @property
    def as_ron(self) -> bool:
        """A self-draw that is paid like a ron."""
        return self.case.way.as_ron

    @property
    def dora(self) -> tuple[DoraLine, ...]:
        """The dora that count: in a yakuman only those that are paid in points."""
        lines = self.case.book.dora.told(self.case.dora, closed=self.case.closed).lines
        return lines if self.tally.fu else tuple(line for line in lines if line.points)

    @property
    def ura(self) -> int:
        """Dora from indicators beneath, whether they bring han or not."""
        return self.case.book.dora.told(self.case.dora, closed=self.case.closed).ura

    @property
    def payments(self) -> tuple[Payment, ...]:
        """Everything the winner gets, in every ledger: who pays, how much, for what, by which clauses."""
        return payments_of(self.case, self.tally)

    @property
    def total(self) -> int:
        """Table points that the winner gets, honba included and deposits not."""
        return sum(
            each.amount
            for each in self.payments
            if each.ledger == TABLE_POINTS and each.cause is not PaymentCause.DEPOSITS
        )

    def paid_by(self, role: Payer, ledger: str = TABLE_POINTS) -> int:
        """What one payer of this role pays in all."""
        found = [each for each in self.payments if each.role is role and each.ledger == ledger]
        return sum(each.amount for each in found if each.payer is found[0].payer)
