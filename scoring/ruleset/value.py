"""From a winning hand to payments: yaku, fu, limits, dora, who pays what."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import model_validator

from scoring.ruleset.base import Count, Points, Positive, Ruled, Strict
from scoring.ruleset.yaku import YakuName


class Settled(StrEnum):
    """Whether a yaku must be settled before the winning tile comes."""

    ANY = "any"
    """It is enough that the completed hand has one, 後付けあり."""
    KANSAKI = "kansaki"
    """A yaku has to be there on every wait and to own the first call, 完全先付け."""


class Win(Ruled):
    """What a hand needs to be won."""

    min_han: Count
    """Han of yaku; dora do not count."""
    settled: Settled
    incidental: tuple[YakuName, ...]
    """Yaku that do not count as the one a hand needs, where it must be settled."""


class FuritenScope(StrEnum):
    """What a tile in one's own river bars."""

    WHOLE_WAIT = "whole_wait"
    """Ron on every tile waited for."""
    TILE = "tile"
    """Ron on that very kind of tile."""


class Furiten(Ruled):
    """When a discard cannot be won on."""

    scope: FuritenScope
    passed_until_draw: bool
    """A winning tile let go bars ron until the next draw of one's own."""
    draws_before_ron: Count
    """Own draws that must pass after the discard that made a hand furiten, before it may ron."""


class MultiRon(StrEnum):
    """Several players call ron on one discard."""

    HEAD_BUMP = "head_bump"
    """Only the next in turn after the discarder wins."""
    ALL = "all"
    """All win."""
    DRAW = "draw"
    """Nobody wins; the hand is drawn."""


class DealAfterRon(StrEnum):
    """Whether the dealer stays when several won."""

    HEAD_WINNER = "head_winner"
    """As if the head winner alone had won."""
    DEALER_AMONG_WINNERS = "dealer_among_winners"
    """The dealer stays if among the winners."""


class SeveralWinners(Ruled):
    """Winning together. Honba and deposits go to the head winner: the next after the discarder."""

    two: MultiRon
    three: MultiRon
    deal: DealAfterRon


class Verdict(StrEnum):
    """What follows from a win that a test of its legality catches."""

    ALLOWED = "allowed"
    """Nothing."""
    DISLIKED = "disliked"
    """It stands, with a notice."""
    FORBIDDEN = "forbidden"
    """It may not be taken."""
    PAY_TO_LIMIT = "pay_to_limit"
    """It stands, but payers are left one smallest stick instead of going out."""


class Legality(Ruled):
    """Which wins may be taken, judged by the scores as they would stand after full payment."""

    bust_without_rising: Verdict
    """The winner stays sunk and takes another out."""
    sink_without_rising: Verdict
    """The winner stays sunk and sinks another who was floating."""
    bust_without_top: Verdict
    """The winner takes another out without being top."""
    c_top: Verdict
    """The win ends the game with three players floating."""
    waived_in_last_hand: bool
    """What is forbidden is allowed in the last hand."""
    left_to_payer: Points
    """The smallest stick."""


class LimitName(StrEnum):
    """Values that do not grow with every han."""

    MANGAN = "mangan"
    """満貫."""
    HANEMAN = "haneman"
    """跳満."""
    BAIMAN = "baiman"
    """倍満."""
    SANBAIMAN = "sanbaiman"
    """三倍満."""
    KAZOE = "kazoe"
    """数え役満: so many han that it is paid as a yakuman."""
    YAKUMAN = "yakuman"
    """役満."""


class Limit(Ruled):
    """A limit, from how many han on, and its base points."""

    name: LimitName
    from_han: Positive
    base: Points


class SeveralYakuman(StrEnum):
    """Several yakuman in one hand."""

    ADD = "add"
    """They are added up."""
    ONCE = "once"
    """They count once."""


class YakumanEffect(StrEnum):
    """What a yakuman does."""

    POINTS = "points"
    """It is paid like any hand."""
    INSTANT_TOP = "instant_top"
    """It ends the game; its winner is the only floating player, and no points move."""


class YakumanValue(Ruled):
    """What a yakuman is worth."""

    base: Points
    several: SeveralYakuman
    effect: YakumanEffect


class ClosedPoints(Ruled):
    """Points for a hand that was not opened, on top of its value."""

    ron: Points
    tsumo_each: Points


class Value(Ruled):
    """Base points: fu times two to the power of han and the exponent, up to the first limit."""

    exponent: Count
    limits: tuple[Limit, ...]
    kiriage: bool
    """Just short of a mangan is rounded up to it."""
    uncapped_in_last_hand: bool
    """In the last hand of the last round the base grows without a limit."""
    open_hands_step_up: bool
    """An opened hand is worth one step more, up to counted yakuman."""
    bazoro_always: Count
    """Han that every hand has besides, without their being a yaku."""
    bazoro_last_round: Count
    """The same in the last round only."""
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
    """How a self-draw is divided among those who pay."""

    SHARES = "shares"
    """Everyone pays their own share of the base; what an absent player would pay is lost."""
    TABLE = "table"
    """As the printed tables say, by what the same hand brings on ron."""


class TsumoTable(Ruled):
    """The printed tables of a house; a hand beyond the last row is a multiple of the yakuman's."""

    other: tuple[tuple[Points, Points, Points], ...]
    """[value on ron, from the other, from the dealer]."""
    dealer: tuple[tuple[Points, Points], ...]
    """[value on ron, from each]."""

    @model_validator(mode="after")
    def _rising(self) -> Self:
        for rows in (self.other, self.dealer):
            values = [row[0] for row in rows]
            if not values or values != sorted(set(values)):
                raise ValueError("rows must rise by the value on ron")
        return self


class Payments(Ruled):
    """Who pays how many times the base points, and to what it is rounded."""

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
    """Who pays the honba of a hand with liability."""

    DISCARDER = "discarder"
    """On ron the discarder; on a self-draw the liable player, for all."""
    LIABLE = "liable"
    """The liable player, on ron too."""


class PaoCovers(StrEnum):
    """How much of a hand with several yakuman a liable player answers for."""

    YAKUMAN = "yakuman"
    """The yakuman that the discard made certain; further ones are paid as usual."""
    HAND = "hand"
    """The whole hand."""


class Pao(Ruled):
    """Liability for a hand that a player's discard made certain.

    By self-draw the liable player pays all of what is covered; on a ron by another's discard both pay half of it.
    """

    yaku: tuple[YakuName, ...]
    open_kan: bool
    """Whoever fed an open kan pays for the win on its replacement tile."""
    open_kan_as_ron: bool
    """And pays it as a ron."""
    honba: PaoHonba
    covers: PaoCovers = PaoCovers.YAKUMAN
    """By self-draw, and on ron as long as nothing else is said for it."""
    covers_on_ron: PaoCovers | None = None

    def covers_hand(self, *, by_ron: bool) -> bool:
        """Whether the liable player answers for the whole hand."""
        covers = self.covers_on_ron if by_ron and self.covers_on_ron is not None else self.covers
        return covers is PaoCovers.HAND


class Dora(StrEnum):
    """What makes a tile a dora."""

    INDICATOR = "indicator"
    """The tile after the indicator."""
    URA = "ura"
    """The tile after the indicator beneath, for a win after riichi."""
    KAN = "kan"
    """After an indicator turned for a kan."""
    KAN_URA = "kan_ura"
    """After the indicator beneath one turned for a kan."""
    FIVE = "five"
    """Any five."""
    RED = "red"
    """A red five."""
    GOLD = "gold"
    """A gold five."""
    NORTH = "north"
    """A North, laid aside or in the hand."""
    NORTH_ASIDE = "north_aside"
    """A North laid aside; in the hand it is none."""
    FLOWER = "flower"
    """A flower laid aside."""
    BINGO = "bingo"
    """A bingo tile laid aside."""


class DoraValue(Ruled):
    """What one of them is worth."""

    han: Count
    points_closed: Points
    """Points on ron, and from each payer on a self-draw, for a hand that was not opened."""
    points_open: Points
    as_yaku: bool
    """It is a yaku: a hand with it alone has one."""


class KanDora(StrEnum):
    """When the indicator for a kan is turned."""

    AT_ONCE = "at_once"
    """At once, before the replacement tile."""
    AFTER_DISCARD = "after_discard"
    """At once for a closed kan, after the discard or the next kan for the others."""


class Turning(Ruled):
    """Turning indicators."""

    kan: KanDora
    bonus_tile_doubles: bool
    """A bonus tile as an indicator makes every one laid aside count once more."""


class DoraRules(Strict):
    """Dora of all kinds."""

    kinds: dict[Dora, DoraValue]
    turning: Turning


class Triplets(Ruled):
    """Fu of a triplet: simple or not, open or concealed; a kan has four times as many."""

    open_simple: Count
    open_other: Count
    closed_simple: Count
    closed_other: Count
    kan_times: Positive


class Fu(Ruled):
    """Counting fu."""

    fixed: Count
    """Every hand has so many; 0 where they are counted."""
    base: Count
    closed_ron: Count
    tsumo: Count
    tsumo_two_sided: Count
    """In place of the former for a wait that has no fu of its own."""
    tsumo_on_replacement: bool
    """Fu for the self-draw also on a replacement tile."""
    wait: Count
    """A single, closed or edge wait."""
    pair_value: Count
    """A pair of dragons, or of a wind that is the seat's or the round's."""
    pair_double_wind: Count
    """A pair of a wind that is both."""
    pair_north: Count
    """A pair of North where it is a value tile for everybody."""
    triplets: Triplets
    seven_pairs: Count
    round_up_to: Positive
    open_least: Count
    """An opened hand with fewer, won by ron."""
