"""The table between and within hands: what a score sheet shows, and what moved on it, with cause and clause.

A state is the table at the start of a kyoku together with what has happened in it so far. Stakes and fines of the
running hand are kept beside the scores until an outcome books them, because a void hand gives some of them back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from scoring.entered import Entered
from scoring.ruleset import TABLE_POINTS, Ruleset
from scoring.ruleset.end import RoundName
from scoring.ruleset.play import Play


class HandsUnknownError(ValueError):
    """A ruleset that knows final scores only cannot follow a game hand by hand."""


def play_of(rules: Ruleset) -> Play:
    """How hands are played; raise HandsUnknownError where only final scores are known."""
    if rules.play is None:
        raise HandsUnknownError(f"{rules.name} has no rules for hands, only for final scores")
    return rules.play


@dataclass(frozen=True, slots=True)
class Stake(Entered):
    """A riichi whose stake lies on the table."""

    seat: int
    open: bool = False
    """Declared with the hand shown."""


@dataclass(frozen=True, slots=True)
class Pending:
    """An offence that takes effect if the hand is drawn."""

    seat: int
    offence: str


@dataclass(frozen=True, slots=True)
class InHand:
    """What has happened in the running hand."""

    stakes: tuple[Stake, ...] = ()
    fines: tuple[int, ...] = ()
    """Seats, once for each fine."""
    dead: tuple[int, ...] = ()
    """Seats that have lost the right to win."""
    redeclare: tuple[int, ...] = ()
    """Seats that may win only after declaring riichi again."""
    pending: tuple[Pending, ...] = ()

    @property
    def is_laid(self) -> bool:
        """Whether anybody has laid something on the table."""
        return bool(self.stakes or self.fines)

    def declared(self) -> tuple[int, ...]:
        """Seats in riichi."""
        return tuple(stake.seat for stake in self.stakes)

    def laid(self, seat: int, rules: Ruleset) -> int:
        """What a seat has laid on the table in this hand."""
        if not self.is_laid:
            return 0
        return self.staked(seat, rules) + self.fined(seat, rules)

    def staked(self, seat: int, rules: Ruleset) -> int:
        """The seat's riichi stake, if it has declared."""
        return sum(stake_of(stake, play_of(rules)) for stake in self.stakes if stake.seat == seat)

    def fined(self, seat: int, rules: Ruleset) -> int:
        """The seat's fines of this hand."""
        fine = play_of(rules).penalties.fine
        return 0 if fine is None else self.fines.count(seat) * fine.amount


def stake_of(stake: Stake, play: Play) -> int:
    """What a riichi costs; an open one may cost more."""
    return play.riichi.open.stake if stake.open and play.riichi.open is not None else play.riichi.stake


class EndReason(StrEnum):
    """Why a game is over."""

    YAKUMAN = "yakuman"
    """A yakuman that ends the game at once."""
    BUST = "bust"
    """A player went out."""
    TARGET = "target"
    """A player reached the score that ends the game."""
    SUDDEN_DEATH = "sudden_death"
    """A hand of an extension left somebody with enough."""
    AGARI_YAME = "agari_yame"
    """The dealer of the last hand won and stopped."""
    TENPAI_YAME = "tenpai_yame"
    """The dealer of the last hand was tenpai at a draw and stopped."""
    LAST_HAND = "last_hand"
    """The last hand is over."""
    EXTENSION_END = "extension_end"
    """The last hand of the extension is over."""
    RULING = "ruling"
    """A director ended it."""


@dataclass(frozen=True, slots=True)
class End:
    """One reason for the end, with its clause."""

    reason: EndReason
    clause: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class State:
    """The table at the start of a kyoku, and what has happened in it so far; by seat from the first dealer."""

    scores: tuple[int, ...]
    """Points in front of the players when the kyoku began."""
    round: RoundName
    number: int = 1
    """The kyoku of the round, from 1; it names its dealer."""
    honba: int = 0
    kyoutaku: int = 0
    """Points of deposits from earlier hands."""
    chonbo: tuple[int, ...] = ()
    """Offences so far; empty for none."""
    carried: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Prizes so far per ledger, at its scale; a ledger that is missing has none."""
    hand: InHand = InHand()
    ends: tuple[End, ...] = ()
    """Why the game is over; empty while it goes on."""
    tobi: tuple[tuple[int, int], ...] = ()
    """(busted seat, receiver of the prize for it)."""
    forced_top: int | None = None
    """Who ended the game by a yakuman."""

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.scores)

    @property
    def dealer(self) -> int:
        """The seat that deals: the first kyoku of a round is the first dealer's."""
        return self.number - 1

    @property
    def is_over(self) -> bool:
        """The game has ended."""
        return bool(self.ends)

    def shown(self, rules: Ruleset) -> tuple[int, ...]:
        """Scores as they lie in front of the players now, stakes and fines of the running hand laid out."""
        if not self.hand.is_laid:
            return self.scores
        return tuple(score - self.hand.laid(seat, rules) for seat, score in enumerate(self.scores))

    def deposits(self, rules: Ruleset) -> int:
        """Everything that lies on the table now."""
        return self.kyoutaku + sum(self.hand.laid(seat, rules) for seat in range(self.players))

    def chonbo_counts(self) -> tuple[int, ...]:
        """Offences per seat, zeros written out."""
        return self.chonbo or (0,) * self.players

    def amounts(self, ledger: str) -> tuple[int, ...]:
        """Prizes per seat in a ledger, zeros written out."""
        return self.carried.get(ledger, (0,) * self.players)

    def turn_from(self, seat: int) -> tuple[int, ...]:
        """The other seats in turn order after this one."""
        return tuple((seat + step) % self.players for step in range(1, self.players))

    def from_dealer(self) -> tuple[int, ...]:
        """All seats in turn order, the dealer first."""
        return (self.dealer, *self.turn_from(self.dealer))


def opening(rules: Ruleset) -> State:
    """The table before the first kyoku."""
    return State((rules.setup.start,) * rules.players, rules.setup.rounds[0])


class Cause(StrEnum):
    """Why points or prizes moved."""

    STAKE = "stake"
    """A riichi stake is laid on the table."""
    FINE = "fine"
    """A fine is laid on the table."""
    STAKE_RETURNED = "stake_returned"
    """A stake of a void hand goes back."""
    FINE_RETURNED = "fine_returned"
    """A fine of a void hand goes back."""
    HAND = "hand"
    """A winning hand, by its han and fu."""
    CLOSED = "closed"
    """Points for a hand that was not opened."""
    DORA = "dora"
    """Points for dora."""
    HONBA = "honba"
    """The counters."""
    DEPOSITS = "deposits"
    """What lies on the table goes to the winner."""
    NOTEN = "noten"
    """Who is not tenpai at a draw pays who is."""
    NAGASHI = "nagashi"
    """Terminals and honours only among one's discards."""
    CHONBO = "chonbo"
    """An offence is paid for."""
    PRIZE = "prize"
    """Prizes of a win."""
    TOBI = "tobi"
    """The prize for taking a player out."""
    RULING = "ruling"
    """A director's decision."""
    SCORES = "scores"
    """Read off the table; how it came about is not known."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """One payment: how much of what, from whom, to whom, why, by which clause."""

    ledger: str
    """The table's points, or the key of a ledger."""
    payer: int | None
    """None: from the table."""
    receiver: int | None
    """None: onto the table."""
    amount: int
    """Table points, or an integer at the ledger's scale; never negative."""
    cause: Cause
    clause: str
    liable: bool = False
    """Paid because the payer is liable for the hand."""
    params: Mapping[str, object] = field(default_factory=dict)


def changes(transfers: tuple[Transfer, ...], ledger: str, players: int) -> tuple[int, ...]:
    """What each seat gains or loses in a ledger."""
    totals = [0] * players
    for each in transfers:
        if each.ledger == ledger:
            if each.payer is not None:
                totals[each.payer] -= each.amount
            if each.receiver is not None:
                totals[each.receiver] += each.amount
    return tuple(totals)


def booked(state: State, transfers: tuple[Transfer, ...]) -> State:
    """The state with these transfers carried out and the running hand put away."""
    moved = changes(transfers, TABLE_POINTS, state.players)
    scores = tuple(score + change for score, change in zip(state.scores, moved, strict=True))
    carried = dict(state.carried)
    for ledger in dict.fromkeys(each.ledger for each in transfers if each.ledger != TABLE_POINTS):
        gains = changes(transfers, ledger, state.players)
        carried[ledger] = tuple(had + gain for had, gain in zip(state.amounts(ledger), gains, strict=True))
    kyoutaku = state.kyoutaku - sum(moved)
    return replace(state, scores=scores, kyoutaku=kyoutaku, carried=carried, hand=InHand())
