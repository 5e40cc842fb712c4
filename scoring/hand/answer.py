"""The engine's answer for a win: a value that can list every line it is made of."""

from __future__ import annotations

from scoring.hand.case import Case
from scoring.hand.payments import payments_of
from scoring.hand.reading import Reading
from scoring.hand.records import DoraLine, FuLine, Notice, Payer, Payment, PaymentCause, YakuLine
from scoring.hand.situation import Situation
from scoring.hand.tally import HandScore
from scoring.hand.tiles import Tile
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.value import LimitName
from scoring.value import Value


class HandValue:
    """The value of a winning hand. Its price is already computed; payments and dora lines are built when they are read.

    Treat it as immutable.
    """

    __slots__ = ("notices", "tally")

    def __init__(self, tally: HandScore, notices: tuple[Notice, ...] = ()) -> None:
        self.tally = tally
        self.notices = notices

    @property
    def case(self) -> Case:
        """The prepared hand that was scored."""
        return self.tally.case

    @property
    def yaku(self) -> tuple[YakuLine, ...]:
        """All yaku lines; in a yakuman hand only the yakuman."""
        return self.tally.yaku

    @property
    def han(self) -> int:
        """Total han, dora included; 0 for a yakuman and for a limit that a yaku gives outright."""
        return self.tally.han

    @property
    def fu(self) -> int:
        """Rounded fu; 0 in the same cases in which `han` is 0."""
        return self.tally.fu

    @property
    def fu_lines(self) -> tuple[FuLine, ...]:
        """The reasons for the fu. They add up to `fu`; rounding is the last of them."""
        return self.tally.fu_lines

    @property
    def yakuman(self) -> int:
        """The number of yakuman; 0 for an ordinary hand."""
        return self.tally.yakuman

    @property
    def value(self) -> Value:
        """The limit, base points and payments of the hand, without honba and liability."""
        return self.tally.price.value

    @property
    def limit(self) -> LimitName | None:
        """The limit reached, if any."""
        return self.tally.price.value.limit

    @property
    def instant_top(self) -> bool:
        """True if this win ends the game and no points move."""
        return self.tally.price.value.instant_top

    @property
    def reading(self) -> Reading:
        """The reading of the tiles that counted."""
        return self.tally.reading

    @property
    def situation(self) -> Situation:
        """The circumstances of the win."""
        return self.case.situation

    @property
    def pocchi_as(self) -> Tile | None:
        """The tile that a wild pocchi stands for; None without one."""
        return self.case.situation.pocchi_as

    @property
    def as_ron(self) -> bool:
        """True for a self-draw that is paid like a ron."""
        return self.case.way.as_ron

    @property
    def dora(self) -> tuple[DoraLine, ...]:
        """The dora lines that count; in a yakuman only those that are paid in points."""
        lines = self.case.book.dora.summarize(self.case.dora, closed=self.case.closed).lines
        # Fu are 0 only for a yakuman or an outright limit: dora han add nothing there, dora paid in points still do.
        return lines if self.tally.fu else tuple(line for line in lines if line.points)

    @property
    def ura(self) -> int:
        """The number of ura dora, including those that bring no han."""
        return self.case.book.dora.summarize(self.case.dora, closed=self.case.closed).ura

    @property
    def payments(self) -> tuple[Payment, ...]:
        """All payments to the winner, in every ledger, each with its payer, amount, cause and clauses."""
        return payments_of(self.case, self.tally)

    @property
    def total(self) -> int:
        """The table points that the winner receives, with honba and without deposits."""
        return sum(
            each.amount
            for each in self.payments
            if each.ledger == TABLE_POINTS and each.cause is not PaymentCause.DEPOSITS
        )

    def paid_by(self, role: Payer, ledger: str = TABLE_POINTS) -> int:
        """Return the total that one payer of this role pays in one ledger; 0 if no player has the role.

        If several players have the role, as the two non-dealers do on a self-draw, the first one found is taken.
        """
        found = [each for each in self.payments if each.role is role and each.ledger == ledger]
        # On a self-draw there are two non-dealers with the role OTHER: the sum of all would count both.
        return sum(each.amount for each in found if each.payer is found[0].payer)
