"""From a winning hand to payments: yaku, fu, limits, dora, and the shares of the payers."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import model_validator

from scoring.ruleset.base import Count, Points, Positive, Ruled, Strict
from scoring.ruleset.yaku import YakuName


class Settled(StrEnum):
    """The rule on whether a yaku must be settled before the winning tile comes."""

    ANY = "any"
    """It is enough that the completed hand has one, 後付けあり."""
    KANSAKI = "kansaki"
    """The hand needs a yaku that it has on every wait and to which the first call belongs, 完全先付け."""


class UnshownDraw(StrEnum):
    """The value of a self-draw whose winning tile was put among the others before it was shown."""

    IN_FULL = "in_full"
    """That of any self-draw."""
    WITHOUT_WAIT = "without_wait"
    """Without pinfu, and without the fu of the wait and of the self-draw."""


class WinRules(Ruled):
    """The conditions for a win."""

    min_han: Count
    """The han of yaku that a win needs; dora do not count."""
    settled: Settled
    incidental: tuple[YakuName, ...]
    """Yaku that do not count as the settled yaku of a hand."""
    unshown: UnshownDraw = UnshownDraw.IN_FULL


class FuritenScope(StrEnum):
    """The tiles on which a tile in the player's own river forbids ron."""

    WHOLE_WAIT = "whole_wait"
    """On every tile of the wait."""
    TILE = "tile"
    """On that kind of tile only."""


class Furiten(Ruled):
    """The rules on furiten."""

    scope: FuritenScope
    passed_until_draw: bool
    """A winning tile that was passed forbids ron until the player's next draw."""
    draws_before_ron: Count
    """The player's own draws that must pass after the discard that caused furiten, before ron is allowed."""


class MultiRon(StrEnum):
    """The rule for several calls of ron on one discard."""

    HEAD_BUMP = "head_bump"
    """Only the next in turn after the discarder wins."""
    ALL = "all"
    """All win."""
    DRAW = "draw"
    """The hand is drawn without a winner."""


class DealAfterRon(StrEnum):
    """The dealer's right to stay when several players won."""

    HEAD_WINNER = "head_winner"
    """As if the head winner alone had won."""
    DEALER_AMONG_WINNERS = "dealer_among_winners"
    """The dealer stays if among the winners."""


class HonbaOfSeveral(StrEnum):
    """The winners to whom the discarder pays the honba when several won."""

    HEAD = "head"
    """The head winner alone."""
    EACH = "each"
    """Every winner."""


class StakesOfSeveral(StrEnum):
    """The receivers of the riichi stakes of the hand when several won; all other deposits go to the head winner."""

    HEAD = "head"
    """The head winner."""
    OWN_BACK = "own_back"
    """Each winner takes back the own stake; the stakes of the others go to the head winner."""


class SeveralWinners(Ruled):
    """Several wins on one discard. The head winner is the next after the discarder."""

    two: MultiRon
    three: MultiRon
    deal: DealAfterRon
    honba: HonbaOfSeveral = HonbaOfSeveral.HEAD
    stakes: StakesOfSeveral = StakesOfSeveral.HEAD


class LegalityVerdict(StrEnum):
    """The consequence of a win that fails a test of legality."""

    ALLOWED = "allowed"
    """No consequence."""
    DISLIKED = "disliked"
    """The win stands, with a notice."""
    FORBIDDEN = "forbidden"
    """The win may not be taken."""
    PAY_TO_LIMIT = "pay_to_limit"
    """The win stands, but payers keep one smallest stick instead of going out."""


class Legality(Ruled):
    """The tests of which wins are allowed, judged by the scores after full payment."""

    bust_without_rising: LegalityVerdict
    """The winner stays below the origin and takes another player out."""
    sink_without_rising: LegalityVerdict
    """The winner stays below the origin and brings another player below it."""
    bust_without_top: LegalityVerdict
    """The winner takes another player out without being top."""
    c_top: LegalityVerdict
    """The win ends the game with three players floating."""
    waived_in_last_hand: bool
    """Forbidden wins are allowed in the last hand."""
    left_to_payer: Points
    """The smallest stick."""


class LimitName(StrEnum):
    """The limits: values that do not grow with every han."""

    MANGAN = "mangan"
    """満貫."""
    HANEMAN = "haneman"
    """跳満."""
    BAIMAN = "baiman"
    """倍満."""
    SANBAIMAN = "sanbaiman"
    """三倍満."""
    KAZOE = "kazoe"
    """数え役満: enough han to be paid as a yakuman."""
    YAKUMAN = "yakuman"
    """役満."""


class Limit(Ruled):
    """A limit: the han from which it applies, and its base points."""

    name: LimitName
    from_han: Positive
    base: Points


class SeveralYakuman(StrEnum):
    """The rule for several yakuman in one hand."""

    ADD = "add"
    """They are added up."""
    ONCE = "once"
    """They count once."""


class YakumanEffect(StrEnum):
    """The effect of a yakuman."""

    POINTS = "points"
    """It is paid like any hand."""
    INSTANT_TOP = "instant_top"
    """It ends the game; its winner is the only floating player, and no points move."""


class YakumanValue(Ruled):
    """The value of a yakuman."""

    base: Points
    several: SeveralYakuman
    effect: YakumanEffect


class ClosedPoints(Ruled):
    """Points for a closed hand, on top of its value."""

    ron: Points
    tsumo_each: Points


class ValueRules(Ruled):
    """Base points: fu times two to the power of han plus the exponent, up to the first limit."""

    exponent: Count
    limits: tuple[Limit, ...]
    kiriage: bool
    """A hand just short of a mangan is rounded up to it (切り上げ満貫)."""
    uncapped_in_last_hand: bool
    """In the last hand of the last round the base grows without a limit."""
    open_hands_step_up: bool
    """An opened hand is worth one step more, up to counted yakuman."""
    bazoro_always: Count
    """Han that every hand gets without their being a yaku (場ゾロ)."""
    bazoro_last_round: Count
    """The same, in the last round only."""
    yakuman: YakumanValue
    closed: ClosedPoints | None = None

    @model_validator(mode="after")
    def _rising(self) -> Self:
        hans = [limit.from_han for limit in self.limits]
        bases = [limit.base for limit in self.limits]
        if hans != sorted(set(hans)) or bases != sorted(bases):
            raise ValueError("limits must rise, in han and in base points")
        return self


class TsumoSplit(StrEnum):
    """The division of a self-draw among the payers."""

    SHARES = "shares"
    """Each payer pays their own share of the base; the share of a missing fourth player is lost."""
    TABLE = "table"
    """By printed tables, from the value of the same hand on ron."""


class TsumoTable(Ruled):
    """The printed tables of a house; values beyond the last row are multiples of the yakuman's."""

    other: tuple[tuple[Points, Points, Points], ...]
    """[value on ron, from the other, from the dealer], for a non-dealer's win."""
    dealer: tuple[tuple[Points, Points], ...]
    """[value on ron, from each], for the dealer's win."""

    @model_validator(mode="after")
    def _rising(self) -> Self:
        for rows in (self.other, self.dealer):
            values = [row[0] for row in rows]
            if not values or values != sorted(set(values)):
                raise ValueError("rows must rise by the value on ron")
        return self


class Payments(Ruled):
    """The multiples of the base points that each payer pays, and their rounding."""

    ron_to_other: Positive
    ron_to_dealer: Positive
    tsumo_other_from_other: Positive
    tsumo_other_from_dealer: Positive
    tsumo_dealer_from_each: Positive
    round_up_to: Positive
    """Each payment is rounded up to a multiple of this."""
    tsumo: TsumoSplit
    tsumo_table: TsumoTable | None = None

    @model_validator(mode="after")
    def _table_given(self) -> Self:
        if (self.tsumo is TsumoSplit.TABLE) != (self.tsumo_table is not None):
            raise ValueError('tsumo = "table" needs a tsumo_table, and nothing else has one')
        return self


class PaoHonba(StrEnum):
    """The payer of the honba of a hand with liability."""

    DISCARDER = "discarder"
    """On ron the discarder; on a self-draw the liable player, for all."""
    LIABLE = "liable"
    """The liable player, on ron too."""


class PaoCovers(StrEnum):
    """The part of a hand with several yakuman that a liable player pays for."""

    YAKUMAN = "yakuman"
    """The yakuman that the discard made certain; others are paid as usual."""
    HAND = "hand"
    """The whole hand."""


class Pao(Ruled):
    """Liability (包) for a hand that a player's discard made certain.

    On a self-draw the liable player pays all of the covered part; on a ron off another player both pay half of it.
    """

    yaku: tuple[YakuName, ...]
    open_kan: bool
    """The player who fed an open kan pays for the win on its replacement tile."""
    open_kan_as_ron: bool
    """That payment is the one for a ron."""
    honba: PaoHonba
    covers: PaoCovers = PaoCovers.YAKUMAN
    """For self-draws, and for ron unless `covers_on_ron` is set."""
    covers_on_ron: PaoCovers | None = None

    def covers_hand(self, *, by_ron: bool) -> bool:
        """Return whether the liability covers the whole hand."""
        covers = self.covers_on_ron if by_ron and self.covers_on_ron is not None else self.covers
        return covers is PaoCovers.HAND


class Dora(StrEnum):
    """The reason why a tile is a dora."""

    INDICATOR = "indicator"
    """The tile after the indicator."""
    URA = "ura"
    """The tile after the ura indicator, for a win after riichi."""
    KAN = "kan"
    """The tile after an indicator turned for a kan."""
    KAN_URA = "kan_ura"
    """The tile after the ura indicator of a kan."""
    FIVE = "five"
    """Any five."""
    RED = "red"
    """A red five."""
    GOLD = "gold"
    """A gold five."""
    NORTH = "north"
    """A North, set aside or in the hand."""
    NORTH_ASIDE = "north_aside"
    """A North set aside; one in the hand is not a dora."""
    FLOWER = "flower"
    """A flower set aside."""
    BINGO = "bingo"
    """A bingo tile set aside."""


class DoraValue(Ruled):
    """The value of one dora of a kind."""

    han: Count
    points_closed: Points
    """Points on ron, and from each payer on a self-draw, for a hand that was not opened."""
    points_open: Points
    as_yaku: bool
    """It counts as a yaku: a hand with it alone may win."""


class KanDora(StrEnum):
    """The time at which the indicator for a kan is turned."""

    AT_ONCE = "at_once"
    """At once, before the replacement tile."""
    AFTER_DISCARD = "after_discard"
    """At once for a closed kan, after the discard or the next kan for the others."""


class Turning(Ruled):
    """The rules for turning indicators."""

    kan: KanDora
    bonus_tile_doubles: bool
    """A bonus tile as an indicator makes every bonus tile set aside count once more."""


class DoraRules(Strict):
    """Dora of all kinds."""

    kinds: dict[Dora, DoraValue]
    turning: Turning


class Triplets(Ruled):
    """Fu of a triplet: simple or not, open or concealed; `kan_times` is the factor for a kan."""

    open_simple: Count
    open_other: Count
    closed_simple: Count
    closed_other: Count
    kan_times: Positive


class Fu(Ruled):
    """The rules for counting fu."""

    fixed: Count
    """The fu of every hand; 0 if fu are counted."""
    base: Count
    closed_ron: Count
    tsumo: Count
    tsumo_two_sided: Count
    """Used in place of `tsumo` for a wait that has no fu of its own."""
    tsumo_on_replacement: bool
    """True if a self-draw of a replacement tile brings its fu too."""
    wait: Count
    """A single, closed or edge wait."""
    pair_value: Count
    """A pair of dragons, or of the seat's or the round's wind."""
    pair_double_wind: Count
    """A pair of a wind that is both."""
    pair_north: Count
    """A pair of North in books where it is a value tile for every seat."""
    triplets: Triplets
    seven_pairs: Count
    round_up_to: Positive
    open_least: Count
    """The least fu of an opened hand won by ron."""
