"""What can happen in a kyoku: acts in its course, and outcomes that end it.

Values come as han and fu, a limit, yakuman, or points; or not at all, when only the scores are read off the table.
Seats count from the first dealer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.entered import Entered
from scoring.kyoku.state import Stake
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.end import RoundName
from scoring.ruleset.flow import AbortiveKind
from scoring.ruleset.yaku import YakuName
from scoring.value import Worth


@dataclass(frozen=True, slots=True)
class Points(Entered):
    """A value given as what is paid, honba not included."""

    ron: int = 0
    """By the discarder."""
    from_dealer: int = 0
    """By the dealer on a self-draw."""
    from_other: int = 0
    """By each who is not dealer on a self-draw."""


class LiableFor(StrEnum):
    """What a player is liable for."""

    YAKUMAN = "yakuman"
    """Yakuman that a discard made certain."""
    OPEN_KAN = "open_kan"
    """The win on the replacement tile of an open kan."""


@dataclass(frozen=True, slots=True)
class Liability(Entered):
    """A player who pays for what a discard of theirs made certain."""

    seat: int
    kind: LiableFor = LiableFor.YAKUMAN
    yakuman: int = 1
    """So many of the hand's yakuman."""


@dataclass(frozen=True, slots=True)
class Prizes(Entered):
    """What a hand brings beside the points."""

    counts: Mapping[AwardEvent, int] = field(default_factory=dict)
    """Events that only the tiles tell: ippatsu, ura, red and gold fives, all flowers."""
    each: int = 0
    """A further prize from each payer, in the ledger's stored integers."""
    complete: bool = False
    """`each` is everything, as a flip of the wall gives it; nothing is added."""
    times: int = 1
    """By so much `each` was multiplied; what a liable player owes for the yakuman is as well."""
    without: int = 0
    """So many of the yakuman bring no prize as such."""
    fixed: YakuName | None = None
    """A yaku whose fixed prize comes from everybody in place of all others."""


@dataclass(frozen=True, slots=True)
class Win(Entered):
    """One player's win."""

    seat: int
    value: Worth | Points
    liability: Liability | None = None
    forced: bool = False
    """The discarder had no other discard against an open riichi."""
    prizes: Prizes = Prizes()
    robbed: bool = False
    """The winning tile was robbed from a kan or from a tile laid aside; it is no discard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Common(Entered):
    """What any outcome may bring along: acts of the hand that were not entered one by one."""

    stakes: tuple[Stake, ...] = ()
    fines: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    stop: bool = False
    """The dealer of the last hand wants to end the game, where the book allows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ron(Common):
    """Won on a discard by one player, or by several where the book pays them all."""

    loser: int
    wins: tuple[Win, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RonCalls(Common):
    """Several called ron on one discard; the book says who wins."""

    loser: int
    calls: tuple[Win, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tsumo(Common):
    """Won by self-draw."""

    win: Win


@dataclass(frozen=True, slots=True, kw_only=True)
class FourKansStand(Common):
    """The discard after a player's fourth kan went through: four kans stand, where the book has it so."""

    seat: int
    liability: Liability | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Common):
    """The wall has run out."""

    tenpai: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Nagashi(Common):
    """A draw with terminals and honours only among somebody's discards."""

    seats: tuple[int, ...]
    tenpai: tuple[int, ...] = ()
    prizes: Prizes = Prizes()


@dataclass(frozen=True, slots=True, kw_only=True)
class AbortiveDraw(Common):
    """The hand is broken off."""

    kind: AbortiveKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ChonboCalled(Common):
    """A great offence makes the hand void."""

    offenders: tuple[int, ...]
    offence: str = ""
    """The book's key of the offence, if it is one of the listed ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresOnly(Common):
    """Only the scores after the hand are known, as the table shows them."""

    scores: tuple[int, ...]
    winners: tuple[int, ...] = ()
    """Empty after a draw."""
    tenpai: tuple[int, ...] = ()
    """At a draw; of consequence only for who deals next."""
    prizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """What each seat gained per ledger, at its scale."""


@dataclass(frozen=True, slots=True)
class Move(Entered):
    """What a ruling moves; None is the table."""

    payer: int | None
    receiver: int | None
    amount: int
    ledger: str = TABLE_POINTS


@dataclass(frozen=True, slots=True)
class Position(Entered):
    """Which kyoku is played."""

    round: RoundName
    number: int
    honba: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Common):
    """A director's decision in place of an outcome."""

    reason: str
    clause: str = ""
    """The clause it is based on, if it is on one."""
    moves: tuple[Move, ...] = ()
    goes_on: Position | None = None
    """The kyoku that is played next; none: this one again."""
    ends: bool = False
    """The game ends here."""


@dataclass(frozen=True, slots=True)
class Riichi(Entered):
    """A riichi that stands: its discard went through."""

    seat: int
    open: bool = False


@dataclass(frozen=True, slots=True)
class Offended(Entered):
    """A player did something that the book lists as an offence."""

    seat: int
    offence: str


@dataclass(frozen=True, slots=True)
class RiichiWithdrawn(Entered):
    """A riichi taken back, with the offence that the book makes of it, if any."""

    seat: int
    offence: str = ""


@dataclass(frozen=True, slots=True)
class DeadHand(Entered):
    """A player has lost, or given up, the right to win in this hand."""

    seat: int


Outcome = Ron | RonCalls | Tsumo | FourKansStand | Draw | Nagashi | AbortiveDraw | ChonboCalled | ScoresOnly | Ruling
"""What ends a kyoku."""

Act = Riichi | Offended | RiichiWithdrawn | DeadHand
"""What happens in its course."""
