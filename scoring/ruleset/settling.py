"""From final scores to amounts in ledgers: the tables a settlement is made of.

Each table is one step of the rule book. Its order among the steps is the engine's; whether it
exists, and with which numbers, is the ruleset's. A step that a book does not have is left out.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from pydantic import model_validator

from scoring.ruleset.base import Amount, Count, Points, Positive, Ruled, Strict
from scoring.ruleset.ledgers import LedgerKey


class Ties(StrEnum):
    """What becomes of players with equal scores."""

    SHARED = "shared"
    """They share the better place, and what the places they fill bring is averaged."""
    BY_SEAT = "by_seat"
    """The seat nearer to the first dealer has the better place; places are never shared."""


class Receiver(StrEnum):
    """Who gets what belongs to no seat yet."""

    TOP = "top"
    """The first; of several level at the top the one nearest to the first dealer."""
    NOBODY = "nobody"
    """Nobody."""


class DepositReceiver(StrEnum):
    """Who gets the deposits left on the table when the game is over."""

    TOP = "top"
    """The first; of several level at the top the one nearest to the first dealer."""
    SHARED = "shared"
    """The first; several level at the top share them, what does not divide to the seats nearest the first dealer."""
    NOBODY = "nobody"
    """Nobody."""


class Placing(Ruled):
    """How places follow from scores. Places are settled before leftover deposits are given out."""

    ties: Ties


class Conversion(Ruled):
    """A result's base: what a score is worth against the return score."""

    ledger: LedgerKey
    per: Positive
    """So many table points ..."""
    worth: Amount
    """... are worth so much of the ledger."""

    @cached_property
    def _rate(self) -> Fraction:
        return self.worth / self.per

    def amount(self, points: int) -> Fraction:
        """Return table points as an exact amount of the ledger."""
        return Fraction(points * self._rate.numerator, self._rate.denominator)


class Oka(Ruled):
    """What the return score holds back from everyone goes to the first place."""

    receiver: Receiver


class Uma(Ruled):
    """Fixed bonuses of the places, first to last."""

    amounts: tuple[Amount, ...]

    @cached_property
    def _sums(self) -> dict[tuple[int, int], Fraction]:
        places = range(len(self.amounts) + 1)
        return {
            (first, last - first): sum(self.amounts[first:last], Fraction(0))
            for first in places
            for last in places[first:]
        }

    def of_places(self, better: int, count: int) -> Fraction:
        """Return what the next places bring together, after so many better ones."""
        return self._sums[better, count]


class SinkingUma(Ruled):
    """Everyone but the top who ends below the line pays the top."""

    line: Points
    amount: Count
    """In table points, as the books speak of it; converted like a score."""


class Floor(Ruled):
    """Scores below the floor are settled as if they stood at it; the top gets that much less."""

    score: Points


class KyoutakuLeft(Ruled):
    """Deposits still on the table when the game is over."""

    receiver: DepositReceiver
    unit: Positive
    """One stick."""


class RoundingPolicy(StrEnum):
    """What is done with amounts that are no multiple of the step."""

    EXACT = "exact"
    """Nothing is rounded; the ledger's scale must hold what arises."""
    NEAREST_ALIKE = "nearest_alike"
    """Each account to the nearest step, halves away from zero: equal players get the same, and the
    table may miss a step or two."""
    ODD_TO_FIRST_SEATS = "odd_to_first_seats"
    """Each account down to a step; the steps then missing from the table go one each to those who
    lost by it, nearest to the first dealer first."""
    SCORES_NEAREST = "scores_nearest"
    """Scores themselves to the nearest step before they are reckoned, halves away from zero; the
    top takes the rest of the table."""
    TOWARDS_ZERO = "towards_zero"
    """Each account but the top's is cut towards zero; the top takes the rest of the table."""


class Rounding(Ruled):
    """The last line of what a score brings."""

    policy: RoundingPolicy
    step: Amount
    """In the conversion's ledger."""

    @model_validator(mode="after")
    def _positive(self) -> Rounding:
        if self.step <= 0:
            raise ValueError("step must be more than zero")
        return self


class ChonboDeduction(Ruled):
    """Each offence costs its player an amount that nobody receives; places do not change."""

    ledger: LedgerKey
    amount: Amount


class PrizeTime(StrEnum):
    """When a prize for busting a player changes hands."""

    WITH_THE_HAND = "with_the_hand"
    """In the hand itself: it is part of the prizes a result brings from the table."""
    AT_SETTLEMENT = "at_settlement"
    """When the game is settled."""


class PrizeReceiver(StrEnum):
    """Who gets the prize for a player who went out over several payments at once."""

    FIRST_UNCOVERED = "first_uncovered"
    """Payments in turn order from the payer's right; the first one not covered in full."""
    FIRST_AT_BUST_LINE = "first_at_bust_line"
    """Payments in turn order from the payer's right; the first one after which the payer is out."""
    EACH_PAID = "each_paid"
    """Everyone whom the payer paid in that hand, one prize each."""


class Tobi(Ruled):
    """The prize for taking a player out."""

    ledger: LedgerKey
    amount: Amount
    """Per pair of a busted player and a receiver."""
    paid: PrizeTime
    receiver: PrizeReceiver


class PlacePayment(Strict):
    """One place pays another."""

    payer: Positive
    receiver: Positive
    amount: Amount


class PlacePayments(Ruled):
    """Payments from place to place that hang on how one place stands."""

    ledger: LedgerKey
    place: Positive
    """The place whose score decides ..."""
    line: Points
    """... by reaching this or not."""
    reached: tuple[PlacePayment, ...]
    missed: tuple[PlacePayment, ...]


class TopTypes(Strict):
    """An amount for each kind of top: one, two or three players floating."""

    A: Amount
    """The top alone floats."""
    B: Amount
    """Two float."""
    C: Amount
    """Three float."""


class TopFee(TopTypes):
    """What the top pays to the house, by kind of top."""

    gentsuu: Amount | None = None
    """For a B top whose second floats exactly at the origin; read only where it has its own fee."""


class GentsuuFee(StrEnum):
    """Which fee is due when the second of two floating players holds exactly the origin."""

    AS_B = "as_b"
    """The fee of any B top."""
    OWN_FEE = "own_fee"
    """A fee of its own."""


class TopPayment(Ruled):
    """Everyone sunk below the origin pays the top a fixed amount; nobody else pays or gets."""

    ledger: LedgerKey
    origin: Positive
    """At or above it a player floats."""
    stake: TopTypes
    fee: TopFee
    gentsuu: GentsuuFee
    forced_top: bool
    """A yakuman can make its winner the only floating player, whatever the scores."""

    @model_validator(mode="after")
    def _fee_named(self) -> TopPayment:
        if self.gentsuu is GentsuuFee.OWN_FEE and self.fee.gentsuu is None:
            raise ValueError('gentsuu = "own_fee" needs fee.gentsuu')
        return self


class FeeCollector(StrEnum):
    """Who hands the table's fees over to the house."""

    EACH = "each"
    """Everyone their own."""
    TOP = "top"
    """The top for all, repaid by the others."""


class TableFees(Ruled):
    """What the house charges per game."""

    ledger: LedgerKey
    each: Amount
    top: Amount
    """What the top owes besides."""
    handed_over_by: FeeCollector


class SettlementRules(Strict):
    """Everything a finished game is settled by."""

    placing: Placing
    conversion: Conversion | None = None
    oka: Oka | None = None
    uma: Uma | None = None
    sinking_uma: SinkingUma | None = None
    floor: Floor | None = None
    kyoutaku: KyoutakuLeft | None = None
    rounding: Rounding | None = None
    chonbo: ChonboDeduction | None = None
    tobi: Tobi | None = None
    place_payments: PlacePayments | None = None
    top_payment: TopPayment | None = None
    fees: TableFees | None = None
    balance_to_top: bool
    """The top's account is what the others' accounts leave over."""

    @model_validator(mode="after")
    def _steps_that_need_others(self) -> SettlementRules:
        if self.conversion is None:
            needing = ("oka", "uma", "sinking_uma", "floor", "rounding")
            orphans = [name for name in needing if getattr(self, name) is not None]
            if orphans:
                raise ValueError(f"{', '.join(orphans)} need a conversion")
        return self
