"""The table between and within hands: the data of a score sheet, and transfers with cause and clause.

A state is the table at the start of a kyoku together with the events in it so far. Stakes and fines of the running
hand are kept apart from the scores until an outcome books them, because a void hand returns some of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from scoring.entered import Entered
from scoring.ruleset import TABLE_POINTS, Ruleset
from scoring.ruleset.end import RoundName
from scoring.ruleset.play import Play


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
    """The events of the running hand so far."""

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
        """True if a stake or fine of this hand lies on the table."""
        return bool(self.stakes or self.fines)

    def declared(self) -> tuple[int, ...]:
        """Return the seats in riichi."""
        return tuple(stake.seat for stake in self.stakes)

    def laid(self, seat: int, rules: Ruleset) -> int:
        """Return the points that a seat has laid on the table in this hand."""
        if not self.is_laid:
            return 0
        return self.staked(seat, rules) + self.fined(seat, rules)

    def staked(self, seat: int, rules: Ruleset) -> int:
        """Return the seat's riichi stake; 0 if it has not declared."""
        return sum(stake_of(stake, rules.hand_rules) for stake in self.stakes if stake.seat == seat)

    def fined(self, seat: int, rules: Ruleset) -> int:
        """Return the seat's fines of this hand."""
        fine = rules.hand_rules.penalties.fine
        return 0 if fine is None else self.fines.count(seat) * fine.amount


def stake_of(stake: Stake, play: Play) -> int:
    """Return the cost of a riichi; an open one may cost more."""
    return play.riichi.open.stake if stake.open and play.riichi.open is not None else play.riichi.stake


class EndReason(StrEnum):
    """The reason for the end of a game."""

    YAKUMAN = "yakuman"
    """A yakuman that ends the game at once."""
    BUST = "bust"
    """A player went out."""
    TARGET = "target"
    """A player reached the score that ends the game."""
    SUDDEN_DEATH = "sudden_death"
    """A hand of an extension left a player with enough points."""
    AGARI_YAME = "agari_yame"
    """The dealer of the last hand won and stopped."""
    TENPAI_YAME = "tenpai_yame"
    """The dealer of the last hand was tenpai at a draw and stopped."""
    LAST_HAND = "last_hand"
    """The last hand is over."""
    EXTENSION_END = "extension_end"
    """The last hand of the extension is over."""
    TIME = "time"
    """The last hand after time was called is over."""
    OFFENCE = "offence"
    """A great offence, in books in which it ends the game."""
    RULING = "ruling"
    """A director ended it."""


@dataclass(frozen=True, slots=True)
class EndCause:
    """One reason for the end, with its clause."""

    reason: EndReason
    clause: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class State:
    """The table at the start of a kyoku, and the events in it so far; by seat from the first dealer."""

    scores: tuple[int, ...]
    """Points in front of the players when the kyoku began."""
    round: RoundName
    number: int = 1
    """The kyoku of the round, from 1; it also names the dealer."""
    honba: int = 0
    kyoutaku: int = 0
    """Points of deposits from earlier hands."""
    chonbo: tuple[int, ...] = ()
    """Offences so far; empty for none."""
    carried: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Prizes so far per ledger, at its scale; a ledger that is missing has none."""
    hand: InHand = InHand()
    ends: tuple[EndCause, ...] = ()
    """The reasons for the end of the game; empty while it goes on."""
    tobi: tuple[tuple[int, int], ...] = ()
    """(busted seat, receiver of the prize for it)."""
    forced_top: int | None = None
    """The seat that ended the game by a yakuman; None otherwise."""
    hands_left: int | None = None
    """The hands still to be played, the running one included, once time was called; None before."""

    @property
    def players(self) -> int:
        """The number of players at the table."""
        return len(self.scores)

    @property
    def dealer(self) -> int:
        """The dealer's seat: the first kyoku of a round is the first dealer's."""
        return self.number - 1

    @property
    def is_last_by_time(self) -> bool:
        """True if no other hand is played after this one because time was called."""
        return self.hands_left == 1

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return bool(self.ends)

    def current_scores(self, rules: Ruleset) -> tuple[int, ...]:
        """Return the scores in front of the players now, with stakes and fines of the running hand taken off."""
        if not self.hand.is_laid:
            return self.scores
        return tuple(score - self.hand.laid(seat, rules) for seat, score in enumerate(self.scores))

    def deposits(self, rules: Ruleset) -> int:
        """Return the points of all deposits on the table now."""
        return self.kyoutaku + sum(self.hand.laid(seat, rules) for seat in range(self.players))

    def chonbo_counts(self) -> tuple[int, ...]:
        """Return the offences per seat, with zeros."""
        return self.chonbo or (0,) * self.players

    def amounts(self, ledger: str) -> tuple[int, ...]:
        """Return the prizes per seat in a ledger, with zeros."""
        return self.carried.get(ledger, (0,) * self.players)

    def turn_from(self, seat: int) -> tuple[int, ...]:
        """Return the other seats in turn order after this one."""
        return tuple((seat + step) % self.players for step in range(1, self.players))

    def from_dealer(self) -> tuple[int, ...]:
        """Return all seats in turn order, the dealer first."""
        return (self.dealer, *self.turn_from(self.dealer))


def opening(rules: Ruleset) -> State:
    """Return the table before the first kyoku."""
    return State((rules.setup.start,) * rules.players, rules.setup.rounds[0])


class Cause(StrEnum):
    """The reason why points or prizes moved."""

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
    """The deposits on the table go to the winner."""
    NOTEN = "noten"
    """Payment between noten and tenpai players at a draw."""
    NAGASHI = "nagashi"
    """Nothing but terminals and honours among the discards."""
    CHONBO = "chonbo"
    """An offence is paid for."""
    PRIZE = "prize"
    """Prizes of a win."""
    TOBI = "tobi"
    """The prize for taking a player out."""
    RULING = "ruling"
    """A director's decision."""
    SCORES = "scores"
    """Read off the table; the payments between players are not known."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """One payment: ledger, payer, receiver, amount, cause and clause."""

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
    """Return the gain or loss of each seat in a ledger."""
    totals = [0] * players
    for each in transfers:
        if each.ledger == ledger:
            if each.payer is not None:
                totals[each.payer] -= each.amount
            if each.receiver is not None:
                totals[each.receiver] += each.amount
    return tuple(totals)


def book_transfers(state: State, transfers: tuple[Transfer, ...]) -> State:
    """Return the state with these transfers carried out and the running hand cleared."""
    moved = changes(transfers, TABLE_POINTS, state.players)
    scores = tuple(score + change for score, change in zip(state.scores, moved, strict=True))
    carried = dict(state.carried)
    for ledger in dict.fromkeys(each.ledger for each in transfers if each.ledger != TABLE_POINTS):
        gains = changes(transfers, ledger, state.players)
        carried[ledger] = tuple(had + gain for had, gain in zip(state.amounts(ledger), gains, strict=True))
    # Points are conserved: a loss of all seats together is a deposit on the table.
    kyoutaku = state.kyoutaku - sum(moved)
    return replace(state, scores=scores, kyoutaku=kyoutaku, carried=carried, hand=InHand())
