"""From hand to hand: who deals next, honba, draws, riichi, and what offences cost."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from scoring.ruleset.base import Amount, Count, Points, Ruled, Strict
from scoring.ruleset.end import RoundName
from scoring.ruleset.ledgers import LedgerKey


class RenchanPolicy(StrEnum):
    """When the dealer deals again."""

    WIN = "win"
    """By winning."""
    TENPAI = "tenpai"
    """By winning, or by being tenpai at a draw."""
    ANY_DRAW = "any_draw"
    """By winning, and at every draw."""


class DealAfter(StrEnum):
    """Who deals after a hand that nobody won."""

    STAYS = "stays"
    """The same dealer."""
    MOVES = "moves"
    """The next."""


class HonbaChange(StrEnum):
    """What becomes of the honba counters."""

    ADD = "add"
    """One more."""
    RESET = "reset"
    """Back to zero."""
    KEEP = "keep"
    """As they were."""


class Renchan(Ruled):
    """Whether the dealer stays, round by round."""

    rounds: dict[RoundName, RenchanPolicy]


class Honba(Ruled):
    """The counters, and what each is worth."""

    ron: Points
    """From the discarder."""
    tsumo_each: Points
    """From each payer."""
    without_yaku: bool
    """A win without yaku collects them; where it does not, they run on."""
    dealer_win: HonbaChange
    draw: HonbaChange
    """After any draw, whether or not the deal moves."""
    other_win: HonbaChange
    """After a win without the dealer."""


class AbortiveKind(StrEnum):
    """Why a hand ends before the wall does."""

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
    """A hand broken off."""

    deal: DealAfter
    played: bool
    """This house plays it."""


class Noten(Ruled):
    """What players who are not tenpai pay at a draw, in all; 0 for nothing."""

    pool: Count


class Tenpai(Ruled):
    """What counts as tenpai at a draw."""

    own_copies_of_every_wait: bool
    """Still tenpai if the player holds every copy of all that is waited for."""
    beyond_alike_limit: bool
    """Still tenpai if only a tile beyond the limit of alike ones would complete the hand."""


class NagashiWorth(StrEnum):
    """What a draw with nothing but terminals and honours among one's discards brings."""

    MANGAN = "mangan"
    """A mangan as by self-draw."""
    YAKUMAN = "yakuman"
    """A yakuman as by self-draw."""


class NagashiNature(StrEnum):
    """What becomes of honba, deposits and the deal."""

    DRAW = "draw"
    """It stays a draw: no honba paid, deposits stay, the deal goes as after a draw."""
    WIN = "win"
    """It is a win: honba and deposits are its own, the deal goes as after a win."""


class Several(StrEnum):
    """Several players at once."""

    EACH = "each"
    """Each is paid."""
    FIRST_FROM_DEALER = "first_from_dealer"
    """The first in turn order from the dealer is paid."""


class Nagashi(Ruled):
    """Terminals and honours only among one's discards at a draw."""

    worth: NagashiWorth
    nature: NagashiNature
    called_from_spoils: bool
    own_call_spoils: bool
    riichi_spoils: bool
    also_allowed: tuple[str, ...]
    """Further kinds of tiles among the discards."""
    several: Several
    noten_paid: bool
    """Payments for tenpai are made besides."""


class Draws(Ruled):
    """Hands that nobody wins."""

    abortive: dict[AbortiveKind, Abortive]
    noten: Noten
    tenpai: Tenpai
    nagashi: Nagashi | None = None


class RiichiDraws(StrEnum):
    """How much of the wall must be left for a riichi."""

    ANY = "any"
    """None of it."""
    NOT_LAST_DISCARD = "not_last_discard"
    """It may not be declared with the very last discard."""
    OWN_DRAW_ADVISED = "own_draw_advised"
    """A draw of one's own should be left; the software warns and lets it pass."""
    OWN_DRAW = "own_draw"
    """A draw of one's own must be left."""


class FuritenRiichi(StrEnum):
    """Declaring riichi while furiten."""

    ALLOWED = "allowed"
    """Allowed."""
    OPEN_ONLY = "open_only"
    """Allowed as an open riichi; else an offence at a draw."""
    OFFENCE_AT_DRAW = "offence_at_draw"
    """An offence if the hand is drawn."""


class PassedWin(StrEnum):
    """Letting a winning tile go by after riichi."""

    FURITEN = "furiten"
    """Furiten for the rest of the hand: self-draw only."""
    NO_TSUMO = "no_tsumo"
    """The self-draw is lost for the rest of the hand; ron stays possible."""
    OFFENCE_AT_DRAW = "offence_at_draw"
    """Furiten, and an offence if the hand is drawn."""


class TsumoDeclared(StrEnum):
    """Where a riichi may be declared with "tsumo", which keeps the self-draw after a passed win."""

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
    """Points a player must have for it."""
    third_must: bool
    """The third riichi of a hand has to be open."""
    forced_deal_in_yakuman: bool
    """Whoever must deal into it because no other discard is left pays a yakuman."""
    forced_by_riichi: bool
    """A player in riichi, who cannot choose, counts as forced."""
    unforced_offence: str = ""
    """The offence that any other discard of its tile is: the tile is taken back and nobody wins; empty for none."""


class Riichi(Ruled):
    """Declaring riichi."""

    stake: Points
    any_score: bool
    """Every score will do, below zero too."""
    needs: Points
    """Else a player must have this much."""
    draws_left: RiichiDraws
    furiten: FuritenRiichi
    passed_win: PassedWin
    tsumo_declared: TsumoDeclared
    noten_is_offence: bool
    """Riichi without tenpai is an offence if the hand is drawn."""
    dead_wait_is_offence: bool
    """So is riichi on a wait all of which was visible."""
    open: OpenRiichi | None = None


class ChonboPoints(Ruled):
    """Table points that an offender pays at once; all 0 where nothing is paid at the table.

    Each payment is rounded up like that for a hand.
    """

    from_dealer_to_each: Points
    from_other_to_dealer: Points
    from_other_to_other: Points


class ChonboChips(Ruled):
    """What an offender pays each opponent in a ledger besides."""

    ledger: LedgerKey
    each: Amount


class AfterChonbo(Ruled):
    """The table after a void hand."""

    stakes_returned: bool
    """Riichi stakes of the hand go back, before the penalty is paid."""
    fines_returned: bool
    honba: HonbaChange
    dealer_offends: dict[RoundName, DealAfter]
    """Who deals after the dealer's own offence, round by round."""
    dealer_offends_in_last_hand: dict[RoundName, DealAfter]
    """The same in the last hand of a round that may end the game, where it differs."""
    other_offends: DealAfter


class Chonbo(Strict):
    """The great offence: the hand is void."""

    points: ChonboPoints
    chips: ChonboChips | None = None
    after: AfterChonbo


class Fine(Ruled):
    """A small offence: points laid on the table for the next winner."""

    amount: Points


class Penalty(StrEnum):
    """What an offence costs."""

    CHONBO = "chonbo"
    """The hand is void and the offender pays."""
    DEAD_HAND = "dead_hand"
    """No win for the rest of the hand."""
    FINE = "fine"
    """A fine on the table."""
    FINE_AND_DEAD_HAND = "fine_and_dead_hand"
    """Both."""
    DEAD_HAND_AND_CHONBO = "dead_hand_and_chonbo"
    """No win for the rest of the hand, and the great offence if the hand is drawn."""
    NO_RON_ON_TILE = "no_ron_on_tile"
    """No ron on that very kind of tile."""
    REDECLARE = "redeclare"
    """A win only after declaring riichi again."""
    FINE_AND_REDECLARE = "fine_and_redeclare"
    """A fine, and a win only after declaring riichi again."""


class Judged(StrEnum):
    """When an offence takes effect."""

    AT_ONCE = "at_once"
    """As soon as it is noticed."""
    AT_DRAW = "at_draw"
    """If the hand is drawn; a win before that clears it."""


class Offence(Ruled):
    """An offence the scorer can enter, and what it costs."""

    key: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    penalty: Penalty
    judged: Judged
    by_riichi: bool = False
    """Only a player in riichi can commit it."""
    in_riichi: str = ""
    """The offence that the same act is for a player in riichi; empty where it is none other."""

    @model_validator(mode="after")
    def _judged_in_time(self) -> Self:
        if self.judged is Judged.AT_DRAW and self.penalty not in (Penalty.CHONBO, Penalty.DEAD_HAND_AND_CHONBO):
            raise ValueError("only a chonbo waits for the draw; every other penalty is at_once")
        if self.judged is Judged.AT_ONCE and self.penalty is Penalty.DEAD_HAND_AND_CHONBO:
            raise ValueError("dead_hand_and_chonbo waits for the draw with its chonbo: write at_draw")
        return self


class DeadHand(Ruled):
    """What a player may still do who has lost the right to win."""

    calls: bool
    riichi: bool
    nuki: bool
    tenpai: bool
    """Can still be tenpai at a draw."""


class Redeclare(Ruled):
    """A player who took a riichi back and has not declared it again."""

    tenpai: bool
    """Can still be tenpai at a draw."""


class Penalties(Strict):
    """Offences and what they cost."""

    chonbo: Chonbo
    fine: Fine | None = None
    dead_hand: DeadHand | None = None
    redeclare: Redeclare | None = None
    offences: tuple[Offence, ...]
