"""From final scores to amounts in ledgers: the tables that a settlement consists of.

Each table is one step of the rule book. The engine fixes the order of the steps; the ruleset says whether a step
exists, and with which numbers. A step that a book does not have is None.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Annotated

from pydantic import Field, model_validator

from scoring.ruleset.base import Amount, Count, Points, Positive, Ruled, Strict, Title
from scoring.ruleset.ledgers import LedgerKey
from scoring.ruleset.substitute import FlatPart, SubstituteAccount
from scoring.ruleset.uma import Uma


class Ties(StrEnum):
    """The rule for players with equal scores."""

    SHARED = "shared"
    """They share the better place and the average of the bonuses of the places they fill."""
    BY_SEAT = "by_seat"
    """The seat nearer to the first dealer has the better place; places are never shared."""


class Receiver(StrEnum):
    """The receiver of an amount that belongs to no seat yet."""

    TOP = "top"
    """The first; of several level at the top the one nearest to the first dealer."""
    NOBODY = "nobody"
    """No player."""


class DepositReceiver(StrEnum):
    """The receiver of the deposits left on the table when the game is over."""

    TOP = "top"
    """The first; of several level at the top the one nearest to the first dealer."""
    SHARED = "shared"
    """The first; several level at the top share them, the remainder going to the seats nearest the first dealer."""
    NOBODY = "nobody"
    """No player."""


class Placing(Ruled):
    """The rule from scores to places. Places are fixed before leftover deposits are distributed."""

    ties: Ties


class Conversion(Ruled):
    """The base of a result: the value of a score relative to the return score."""

    ledger: LedgerKey
    per: Positive
    """This number of table points ..."""
    worth: Amount
    """... is worth this amount of the ledger."""

    @cached_property
    def _rate(self) -> Fraction:
        return self.worth / self.per

    def amount(self, points: int) -> Fraction:
        """Return table points as an exact amount of the ledger."""
        # One Fraction is built, without intermediate ones: this runs for every settled score.
        return Fraction(points * self._rate.numerator, self._rate.denominator)


class Oka(Ruled):
    """The points that the return score holds back from all players, for the first place."""

    receiver: Receiver


class SinkingUma(Ruled):
    """A payment to the top from each other player who ends below a line."""

    line: Points
    amount: Count
    """In table points, as in the books; it is converted like a score."""


class Floor(Ruled):
    """Scores below the floor are settled as if they were at it; the top gets that much less."""

    score: Points


class KyoutakuLeft(Ruled):
    """Deposits still on the table when the game is over."""

    receiver: DepositReceiver
    unit: Positive
    """One stick."""


class RoundingPolicy(StrEnum):
    """The rule for amounts that are not a multiple of the step."""

    EXACT = "exact"
    """Nothing is rounded; the ledger's scale must hold the results."""
    NEAREST_ALIKE = "nearest_alike"
    """Each account to the nearest step: equal players get the same, and the table may miss a step or two."""
    ODD_TO_FIRST_SEATS = "odd_to_first_seats"
    """Each account down to a step; the steps then missing from the table go one each to the players who
    lost by it, nearest to the first dealer first."""
    SCORES_NEAREST = "scores_nearest"
    """Scores themselves to the nearest step before conversion; the top takes the rest of the table."""
    TOWARDS_ZERO = "towards_zero"
    """Each account but the top's is cut towards zero; the top takes the rest of the table."""


class Halves(StrEnum):
    """The direction in which an amount just between two steps is rounded."""

    AWAY = "away"
    """Away from zero (四捨五入)."""
    TOWARDS_ZERO = "towards_zero"
    """Towards zero (五捨六入)."""


class Rounding(Ruled):
    """The last step of the account of a score."""

    policy: RoundingPolicy
    step: Amount
    """In the conversion's ledger."""
    halves: Halves = Halves.AWAY
    """For the policies that round to the nearest step."""

    @model_validator(mode="after")
    def _positive(self) -> Rounding:
        if self.step <= 0:
            raise ValueError("step must be more than zero")
        return self

    @model_validator(mode="after")
    def _halves_met(self) -> Rounding:
        nearest = (RoundingPolicy.NEAREST_ALIKE, RoundingPolicy.SCORES_NEAREST)
        if self.halves is not Halves.AWAY and self.policy not in nearest:
            raise ValueError(f'halves = "{self.halves}" needs a policy that rounds to the nearest step')
        return self


class ChonboDeduction(Ruled):
    """A deduction for each offence, which no player receives; places do not change."""

    ledger: LedgerKey
    amount: Amount


class PointPenalty(Ruled):
    """A referee's penalty outside the hanchan: it lowers the total, and neither a score nor a place changes."""

    key: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    title: Title
    least: Amount
    """The smallest deduction, in the ledger that ranks; 0 if it can cost nothing, like a warning."""
    most: Amount
    """The largest deduction."""
    step: Amount
    """Deductions are the smallest one and whole steps on top."""

    @model_validator(mode="after")
    def _in_steps(self) -> PointPenalty:
        if self.least < 0 or self.most < self.least or self.step <= 0:
            raise ValueError("needs 0 <= least <= most, and a step of more than zero")
        if not self.allows(self.most):
            raise ValueError(f"most must be least ({self.least}) and whole steps of {self.step} on top")
        return self

    def allows(self, amount: Fraction) -> bool:
        """Return whether a deduction of this amount keeps to the bounds and the step."""
        return self.least <= amount <= self.most and ((amount - self.least) / self.step).denominator == 1


class PrizeTime(StrEnum):
    """The time at which the prize for taking a player out is paid."""

    WITH_THE_HAND = "with_the_hand"
    """In the hand itself: it is part of the prizes a result brings from the table."""
    AT_SETTLEMENT = "at_settlement"
    """When the game is settled."""


class PrizeReceiver(StrEnum):
    """The receiver of the prize for a player who went out by several payments at once."""

    FIRST_UNCOVERED = "first_uncovered"
    """Payments in turn order from the payer's right; the first one not covered in full."""
    FIRST_AT_BUST_LINE = "first_at_bust_line"
    """Payments in turn order from the payer's right; the first one after which the payer is out."""
    EACH_PAID = "each_paid"
    """Every player paid by the busted player in that hand, one prize each."""


class Tobi(Ruled):
    """The prize for taking a player out (トビ賞)."""

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
    """Payments between places that depend on the score of one place."""

    ledger: LedgerKey
    place: Positive
    """The place whose score decides ..."""
    line: Points
    """... by reaching this or not."""
    reached: tuple[PlacePayment, ...]
    missed: tuple[PlacePayment, ...]

    def net_of(self, place: int) -> tuple[Fraction, Fraction]:
        """Return what a place receives less what it pays, with the line reached and with the line missed."""
        reached, missed = (
            sum((((each.receiver == place) - (each.payer == place)) * each.amount for each in way), Fraction(0))
            for way in (self.reached, self.missed)
        )
        return reached, missed


class TopTypes(Strict):
    """An amount for each kind of top: one, two or three players floating."""

    A: Amount
    """The top alone floats."""
    B: Amount
    """Two float."""
    C: Amount
    """Three float."""


class TopFee(TopTypes):
    """The top's fee to the house, by kind of top."""

    gentsuu: Amount | None = None
    """For a B top whose second has exactly the origin; used only with a separate fee."""


class GentsuuFee(StrEnum):
    """The fee if the second of two floating players has exactly the origin."""

    AS_B = "as_b"
    """The fee of any B top."""
    OWN_FEE = "own_fee"
    """A separate fee."""


class TopPayment(Ruled):
    """A fixed payment to the top from each player below the origin; there are no other payments."""

    ledger: LedgerKey
    origin: Positive
    """At or above it a player floats."""
    stake: TopTypes
    fee: TopFee
    gentsuu: GentsuuFee
    forced_top: bool
    """A yakuman can make its winner the only floating player, regardless of the scores."""

    @model_validator(mode="after")
    def _fee_named(self) -> TopPayment:
        if self.gentsuu is GentsuuFee.OWN_FEE and self.fee.gentsuu is None:
            raise ValueError('gentsuu = "own_fee" needs fee.gentsuu')
        return self


class FeeCollector(StrEnum):
    """The player who hands the table's fees to the house."""

    EACH = "each"
    """Each player their own."""
    TOP = "top"
    """The top for all, repaid by the others."""


class TableFees(Ruled):
    """The house's fees per game."""

    ledger: LedgerKey
    each: Amount
    top: Amount
    """The additional fee of the top."""
    handed_over_by: FeeCollector


class SettlementRules(Strict):
    """All rules by which a finished game is settled."""

    placing: Placing
    conversion: Conversion | None = None
    oka: Oka | None = None
    uma: Uma | None = None
    sinking_uma: SinkingUma | None = None
    floor: Floor | None = None
    kyoutaku: KyoutakuLeft | None = None
    rounding: Rounding | None = None
    substitute: SubstituteAccount | None = None
    chonbo: ChonboDeduction | None = None
    penalties: tuple[PointPenalty, ...] = ()
    """The causes for which a referee may lower a player's total."""
    tobi: Tobi | None = None
    place_payments: PlacePayments | None = None
    top_payment: TopPayment | None = None
    fees: TableFees | None = None
    balance_to_top: bool
    """The top's account is the remainder after the others' accounts."""

    @model_validator(mode="after")
    def _steps_that_need_others(self) -> SettlementRules:
        if self.conversion is None:
            needing = ("oka", "uma", "sinking_uma", "floor", "rounding")
            orphans = [name for name in needing if getattr(self, name) is not None]
            if orphans:
                raise ValueError(f"{', '.join(orphans)} need a conversion")
        flat = self.substitute
        if flat is None or flat.replaces is FlatPart.RESULT:
            return self
        if self.conversion is None or self.conversion.ledger != flat.ledger or self.balance_to_top:
            raise ValueError('substitute.replaces = "uma" needs the ledger of the conversion, and no balance_to_top')
        return self
