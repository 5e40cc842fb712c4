"""The events of a kyoku: acts in its course, and outcomes that end it.

Values are given as han and fu, a limit, yakuman, or points; or not at all, if only the scores were read off the
table. Seats are numbered from the first dealer.
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
    """A value given as the amounts paid, without honba."""

    ron: int = 0
    """The amount paid by the discarder."""
    from_dealer: int = 0
    """The amount paid by the dealer on a self-draw."""
    from_other: int = 0
    """The amount paid by each non-dealer on a self-draw."""


class LiableFor(StrEnum):
    """The reason for a liability (包)."""

    YAKUMAN = "yakuman"
    """Yakuman that a discard made certain."""
    OPEN_KAN = "open_kan"
    """The win on the replacement tile of an open kan."""


@dataclass(frozen=True, slots=True)
class LiablePlayer(Entered):
    """A player who pays for a win that a discard of theirs made certain."""

    seat: int
    kind: LiableFor = LiableFor.YAKUMAN
    yakuman: int = 1
    """The number of the hand's yakuman that it covers."""


@dataclass(frozen=True, slots=True)
class Prizes(Entered):
    """The prizes of a hand beside the points."""

    counts: Mapping[AwardEvent, int] = field(default_factory=dict)
    """Events that only the tiles show: ippatsu, ura, red and gold fives, all flowers."""
    each: int = 0
    """A further prize from each payer, in the ledger's stored integers."""
    complete: bool = False
    """True if `each` is the whole prize, as flipping the wall gives it; nothing is added."""
    times: int = 1
    """The factor by which `each` was multiplied; it also applies to a liable player's share for the yakuman."""
    without: int = 0
    """The number of yakuman that bring no prize."""
    fixed: YakuName | None = None
    """A yaku whose fixed prize comes from all other players, in place of all other prizes."""


@dataclass(frozen=True, slots=True)
class Win(Entered):
    """One player's win."""

    seat: int
    value: Worth | Points
    liability: LiablePlayer | None = None
    forced: bool = False
    """The discarder had no other discard against an open riichi."""
    prizes: Prizes = Prizes()
    robbed: bool = False
    """The winning tile was robbed from a kan or from a tile set aside; it is not a discard."""
    double_riichi: bool = False
    """The winner's riichi was declared in the first go-around."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Common(Entered):
    """Fields of every outcome: acts of the hand that were not entered one by one, and the dealer's wish to stop."""

    stakes: tuple[Stake, ...] = ()
    fines: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    stop: bool = False
    """The dealer of the last hand wants to end the game, in books that allow it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ron(Common):
    """A win on a discard by one player, or by several if the book pays them all."""

    loser: int
    wins: tuple[Win, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RonCalls(Common):
    """Several calls of ron on one discard; the book decides who wins."""

    loser: int
    calls: tuple[Win, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tsumo(Common):
    """A win by self-draw."""

    win: Win


@dataclass(frozen=True, slots=True, kw_only=True)
class FourKansStand(Common):
    """Four kans of one player that count as a yakuman, once the discard after the fourth went through."""

    seat: int
    liability: LiablePlayer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Common):
    """A drawn hand: the wall has run out."""

    tenpai: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Nagashi(Common):
    """A draw with nothing but terminals and honours among the discards of some seats (流し満貫)."""

    seats: tuple[int, ...]
    tenpai: tuple[int, ...] = ()
    prizes: Prizes = Prizes()


@dataclass(frozen=True, slots=True, kw_only=True)
class AbortiveDraw(Common):
    """A hand that was broken off."""

    kind: AbortiveKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ChonboCalled(Common):
    """A great offence that makes the hand void."""

    offenders: tuple[int, ...]
    offence: str = ""
    """The book's key of the offence, if it is one of the listed ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresOnly(Common):
    """An outcome of which only the scores after the hand are known, as the table shows them."""

    scores: tuple[int, ...]
    winners: tuple[int, ...] = ()
    """Empty after a draw."""
    tenpai: tuple[int, ...] = ()
    """The seats in tenpai at a draw; they only decide who deals next."""
    prizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The gain of each seat per ledger, at its scale."""


@dataclass(frozen=True, slots=True)
class Move(Entered):
    """An amount moved by a ruling; None is the table."""

    payer: int | None
    receiver: int | None
    amount: int
    ledger: str = TABLE_POINTS


@dataclass(frozen=True, slots=True)
class Position(Entered):
    """The kyoku that is played."""

    round: RoundName
    number: int
    honba: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Common):
    """A director's decision in place of an outcome."""

    reason: str
    clause: str = ""
    """The clause it is based on, if any."""
    moves: tuple[Move, ...] = ()
    goes_on: Position | None = None
    """The kyoku that is played next; None repeats this one."""
    ends: bool = False
    """The game ends here."""


@dataclass(frozen=True, slots=True)
class Riichi(Entered):
    """A riichi that stands: its discard was not won on."""

    seat: int
    open: bool = False


@dataclass(frozen=True, slots=True)
class Offended(Entered):
    """An offence that the book lists."""

    seat: int
    offence: str


@dataclass(frozen=True, slots=True)
class RiichiWithdrawn(Entered):
    """A riichi taken back, with the offence that the book makes of it, if any."""

    seat: int
    offence: str = ""


@dataclass(frozen=True, slots=True)
class DeadHand(Entered):
    """A player without the right to win in this hand, lost or given up."""

    seat: int


@dataclass(frozen=True, slots=True)
class TimeCalled(Entered):
    """The signal that the time of the round is up, in the running hand or before its deal."""


Outcome = Ron | RonCalls | Tsumo | FourKansStand | Draw | Nagashi | AbortiveDraw | ChonboCalled | ScoresOnly | Ruling
"""An event that ends a kyoku."""

Act = Riichi | Offended | RiichiWithdrawn | DeadHand | TimeCalled
"""An event in the course of a kyoku."""
