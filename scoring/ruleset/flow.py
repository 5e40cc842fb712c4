"""Rules from hand to hand: the next dealer, honba, draws, riichi, and the costs of offences."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from scoring.ruleset.base import Amount, Count, Points, Ruled, Strict
from scoring.ruleset.end import RoundName
from scoring.ruleset.ledgers import LedgerKey


class RenchanPolicy(StrEnum):
    """The condition under which the dealer deals again (連荘)."""

    WIN = "win"
    """By winning."""
    TENPAI = "tenpai"
    """By winning, or in tenpai at a draw."""
    ANY_DRAW = "any_draw"
    """By winning, and at every draw."""


class DealAfter(StrEnum):
    """The next dealer after a hand without a winner."""

    STAYS = "stays"
    """The same dealer."""
    MOVES = "moves"
    """The next player."""


class HonbaChange(StrEnum):
    """The change of the honba counters after a hand."""

    ADD = "add"
    """One more."""
    RESET = "reset"
    """Back to zero."""
    KEEP = "keep"
    """As they were."""


class Renchan(Ruled):
    """The dealer's right to stay, round by round."""

    rounds: dict[RoundName, RenchanPolicy]


class Honba(Ruled):
    """The honba counters and their value."""

    ron: Points
    """From the discarder."""
    tsumo_each: Points
    """From each payer."""
    without_yaku: bool
    """A win without yaku collects them; if it does not, they run on."""
    dealer_win: HonbaChange
    draw: HonbaChange
    """After any draw, whether or not the deal moves."""
    other_win: HonbaChange
    """After a win without the dealer."""


class AbortiveKind(StrEnum):
    """The reason for an abortive draw."""

    NINE_TERMINALS = "nine_terminals"
    """九種九牌: nine kinds of terminals and honours on the first draw."""
    FOUR_WINDS = "four_winds"
    """四風連打: the same wind discarded by all in the first turn."""
    FOUR_RIICHI = "four_riichi"
    """四家立直."""
    FOUR_KANS = "four_kans"
    """四開槓: four kans by two or more players."""
    FOUR_KANS_BY_ANYONE = "four_kans_by_anyone"
    """Four kans, all by one player too."""
    FOUR_KANS_SHOWN = "four_kans_shown"
    """As by anyone, or four of a kind shown once three kans are made."""
    TRIPLE_RON = "triple_ron"
    """三家和: three players call ron."""


class Abortive(Ruled):
    """An abortive draw."""

    deal: DealAfter
    played: bool
    """True if this house plays it."""


class Noten(Ruled):
    """The total that players who are not tenpai pay at a draw; 0 for nothing."""

    pool: Count


class Tenpai(Ruled):
    """The hands that count as tenpai at a draw."""

    own_copies_of_every_wait: bool
    """Still tenpai if the player holds every copy of all waits."""
    beyond_alike_limit: bool
    """Still tenpai if only a tile beyond the limit of equal tiles would complete the hand."""


class NagashiWorth(StrEnum):
    """The value of a nagashi (流し満貫)."""

    MANGAN = "mangan"
    """A mangan as by self-draw."""
    YAKUMAN = "yakuman"
    """A yakuman as by self-draw."""


class NagashiNature(StrEnum):
    """The effect of a nagashi on honba, deposits and the deal."""

    DRAW = "draw"
    """It stays a draw: no honba paid, deposits stay, the deal goes as after a draw."""
    WIN = "win"
    """It counts as a win: it collects honba and deposits, and the deal goes as after a win."""


class Several(StrEnum):
    """The rule for several players with the same claim."""

    EACH = "each"
    """Each is paid."""
    FIRST_FROM_DEALER = "first_from_dealer"
    """The first in turn order from the dealer is paid."""


class NagashiRules(Ruled):
    """Nothing but terminals and honours among a player's discards at a draw."""

    worth: NagashiWorth
    nature: NagashiNature
    called_from_spoils: bool
    own_call_spoils: bool
    riichi_spoils: bool
    also_allowed: tuple[str, ...]
    """Further kinds of tiles among the discards."""
    several: Several
    noten_paid: bool
    """Noten payments are made too."""


class Draws(Ruled):
    """Hands without a winner."""

    abortive: dict[AbortiveKind, Abortive]
    noten: Noten
    tenpai: Tenpai
    nagashi: NagashiRules | None = None


class RiichiDraws(StrEnum):
    """The part of the wall that must be left for a riichi."""

    ANY = "any"
    """No part of it."""
    NOT_LAST_DISCARD = "not_last_discard"
    """It may not be declared with the very last discard."""
    OWN_DRAW_ADVISED = "own_draw_advised"
    """The player should have another draw; the software warns and allows it."""
    OWN_DRAW = "own_draw"
    """The player must have another draw."""


class FuritenRiichi(StrEnum):
    """The rule for declaring riichi while furiten."""

    ALLOWED = "allowed"
    """Allowed."""
    OPEN_ONLY = "open_only"
    """Allowed as an open riichi; else an offence at a draw."""
    OFFENCE_AT_DRAW = "offence_at_draw"
    """An offence if the hand is drawn."""


class PassedWin(StrEnum):
    """The rule for passing a winning tile after riichi."""

    FURITEN = "furiten"
    """Furiten for the rest of the hand: self-draw only."""
    NO_TSUMO = "no_tsumo"
    """The self-draw is lost for the rest of the hand; ron stays possible."""
    OFFENCE_AT_DRAW = "offence_at_draw"
    """Furiten, and an offence if the hand is drawn."""


class TsumoDeclared(StrEnum):
    """The hands in which a riichi may be declared with "tsumo", which keeps the self-draw after a passed win."""

    OFF = "off"
    """Nowhere."""
    LAST_HAND = "last_hand"
    """In the last hand."""
    SOUTH = "south"
    """In the South round."""
    ALWAYS = "always"
    """In every hand."""


class OpenRiichi(Ruled):
    """Riichi with the hand shown."""

    stake: Points
    needs: Points
    """The points a player must have for it."""
    third_must: bool
    """The third riichi of a hand has to be open."""
    forced_deal_in_yakuman: bool
    """A player with no other discard left who deals into it pays a yakuman."""
    forced_by_riichi: bool
    """A player in riichi, who cannot choose the discard, counts as forced."""
    unforced_offence: str = ""
    """The offence of discarding its tile without need: the tile is taken back and there is no win; empty for none."""


class RiichiRules(Ruled):
    """Declaring riichi."""

    stake: Points
    any_score: bool
    """Every score allows it, even one below zero."""
    needs: Points
    """The points a player must have otherwise."""
    draws_left: RiichiDraws
    furiten: FuritenRiichi
    passed_win: PassedWin
    tsumo_declared: TsumoDeclared
    noten_is_offence: bool
    """Riichi without tenpai is an offence if the hand is drawn."""
    dead_wait_is_offence: bool
    """Riichi on a wait of which every tile was visible is an offence too."""
    open: OpenRiichi | None = None


class ChonboPoints(Ruled):
    """Table points that an offender pays at once; all 0 if nothing is paid at the table.

    Each payment is rounded up like that for a hand.
    """

    from_dealer_to_each: Points
    from_other_to_dealer: Points
    from_other_to_other: Points


class ChonboChips(Ruled):
    """An offender's further payment to each opponent in a ledger."""

    ledger: LedgerKey
    each: Amount


class GameAfterChonbo(StrEnum):
    """The course of the game after a great offence."""

    GOES_ON = "goes_on"
    """Another hand is dealt."""
    ENDS = "ends"
    """It ends as it stood before the hand, and is settled."""


class AfterChonbo(Ruled):
    """The table after a void hand."""

    stakes_returned: bool
    """Riichi stakes of the hand go back, before the penalty is paid."""
    fines_returned: bool
    honba: HonbaChange
    dealer_offends: dict[RoundName, DealAfter]
    """The next dealer after the dealer's own offence, round by round."""
    dealer_offends_in_last_hand: dict[RoundName, DealAfter]
    """The same in the last hand of a round that may end the game, if it differs."""
    other_offends: DealAfter
    game: GameAfterChonbo = GameAfterChonbo.GOES_ON

    @model_validator(mode="after")
    def _nothing_left(self) -> Self:
        if self.game is GameAfterChonbo.ENDS and not self.stakes_returned:
            raise ValueError('game = "ends" needs stakes_returned = true: the scores before the hand count')
        return self


class Chonbo(Strict):
    """The great offence, which makes the hand void."""

    points: ChonboPoints
    chips: ChonboChips | None = None
    after: AfterChonbo


class Fine(Ruled):
    """The penalty for a small offence: points laid on the table for the next winner."""

    amount: Points


class Penalty(StrEnum):
    """The cost of an offence."""

    CHONBO = "chonbo"
    """The hand is void and the offender pays."""
    DEAD_HAND = "dead_hand"
    """No win for the rest of the hand."""
    FINE = "fine"
    """A fine on the table."""
    FINE_AND_DEAD_HAND = "fine_and_dead_hand"
    """A fine on the table, and no win for the rest of the hand."""
    DEAD_HAND_AND_CHONBO = "dead_hand_and_chonbo"
    """No win for the rest of the hand, and the great offence if the hand is drawn."""
    NO_RON_ON_TILE = "no_ron_on_tile"
    """No ron on that kind of tile."""
    REDECLARE = "redeclare"
    """A win only after declaring riichi again."""
    FINE_AND_REDECLARE = "fine_and_redeclare"
    """A fine, and a win only after declaring riichi again."""


class OffenceTiming(StrEnum):
    """The time at which an offence takes effect."""

    AT_ONCE = "at_once"
    """As soon as it is noticed."""
    AT_DRAW = "at_draw"
    """If the hand is drawn; a win before that clears it."""


class Offence(Ruled):
    """An offence that the scorer can enter, and its cost."""

    key: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    penalty: Penalty
    judged: OffenceTiming
    by_riichi: bool = False
    """Only a player in riichi can commit it."""
    in_riichi: str = ""
    """The offence that the same act is for a player in riichi; empty if it is the same one."""

    @model_validator(mode="after")
    def _judged_in_time(self) -> Self:
        if self.judged is OffenceTiming.AT_DRAW and self.penalty not in (Penalty.CHONBO, Penalty.DEAD_HAND_AND_CHONBO):
            raise ValueError("only a chonbo waits for the draw; every other penalty is at_once")
        if self.judged is OffenceTiming.AT_ONCE and self.penalty is Penalty.DEAD_HAND_AND_CHONBO:
            raise ValueError("dead_hand_and_chonbo waits for the draw with its chonbo: write at_draw")
        return self


class DeadHandRules(Ruled):
    """The rights left to a player with a dead hand, which cannot win."""

    calls: bool
    riichi: bool
    nuki: bool
    tenpai: bool
    """The player can still be tenpai at a draw."""


class Redeclare(Ruled):
    """The rights of a player who took a riichi back and has not declared it again."""

    tenpai: bool
    """The player can still be tenpai at a draw."""


class Penalties(Strict):
    """Offences and their costs."""

    chonbo: Chonbo
    fine: Fine | None = None
    dead_hand: DeadHandRules | None = None
    redeclare: Redeclare | None = None
    offences: tuple[Offence, ...]
