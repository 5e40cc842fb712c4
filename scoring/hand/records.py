"""The lines of an answer: yaku, dora, fu, payments, and the reason if there is no win."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from scoring.hand.tiles import Kind
from scoring.ruleset.base import Wind
from scoring.ruleset.value import Dora
from scoring.ruleset.yaku import Counts, YakuName

Clauses = tuple[str, ...]


class Extra(StrEnum):
    """Han that are listed like a yaku but are not one."""

    BAZORO = "bazoro"
    """場ゾロ: han that the house adds to every hand."""


@dataclass(frozen=True, slots=True)
class YakuLine:
    """One yaku of a hand."""

    name: YakuName | Extra
    worth: int
    """Han, or the number of yakuman, or 1 for an outright mangan; `counts` says which."""
    counts: Counts
    clauses: Clauses

    @property
    def han(self) -> int:
        """Its han; 0 if it counts as yakuman or as a limit."""
        return self.worth if self.counts is Counts.HAN else 0


@dataclass(frozen=True, slots=True)
class DoraLine:
    """The dora of one kind."""

    kind: Dora
    count: int
    han: int
    """The han of all of them together."""
    points: int
    """The points that each payer pays for all of them together, in books that pay dora in points."""
    as_yaku: bool
    """True if they count as the yaku that a hand needs."""
    clauses: Clauses


class DoraCount(NamedTuple):
    """The summary of a hand's dora: lines, and the counts that prizes need."""

    lines: tuple[DoraLine, ...]
    """The lines of dora that are worth something."""
    ura: int
    """The number of ura dora, including those that bring no han."""
    red: int
    gold: int


class FuReason(StrEnum):
    """The reason for some fu."""

    FIXED = "fixed"
    """The same fu for every hand."""
    BASE = "base"
    """Any hand of four sets and a pair."""
    SEVEN_PAIRS = "seven_pairs"
    """Seven pairs, flat."""
    CLOSED_RON = "closed_ron"
    """Ron with a closed hand."""
    TSUMO = "tsumo"
    """A self-draw."""
    OPEN_TRIPLET = "open_triplet"
    """A triplet that was called, or completed by ron."""
    CLOSED_TRIPLET = "closed_triplet"
    """A concealed triplet."""
    OPEN_KAN = "open_kan"
    """A kan that was called or added to."""
    CLOSED_KAN = "closed_kan"
    """A concealed kan."""
    PAIR = "pair"
    """A pair of value tiles."""
    WAIT = "wait"
    """A wait on one kind of tile."""
    OPEN_LEAST = "open_least"
    """The least fu of an opened hand without any of its own."""
    ROUNDING = "rounding"
    """The fu added by rounding up."""


@dataclass(frozen=True, slots=True)
class FuLine:
    """Some fu, and the reason for them."""

    reason: FuReason
    fu: int
    clauses: Clauses
    kind: Kind | None = None
    """The tile of a triplet, kan or pair."""


class Payer(StrEnum):
    """The role in which a player pays."""

    DISCARDER = "discarder"
    """The player who dealt in."""
    DEALER = "dealer"
    """The dealer, on a self-draw."""
    OTHER = "other"
    """A non-dealer, on a self-draw."""
    LIABLE = "liable"
    """The player liable for the hand or a part of it."""
    TABLE = "table"
    """No player: deposits on the table."""


class PaymentCause(StrEnum):
    """The cause of a payment."""

    HAND = "hand"
    """The hand's han and fu, or its limit."""
    CLOSED = "closed"
    """A hand that was not opened."""
    DORA = "dora"
    """Dora paid in points."""
    HONBA = "honba"
    """Honba counters."""
    DEPOSITS = "deposits"
    """Sticks lying on the table."""
    IPPATSU = "ippatsu"
    """Prize for ippatsu."""
    URA = "ura"
    """Prize for ura dora."""
    RED = "red"
    """Prize for red fives."""
    GOLD = "gold"
    """Prize for gold fives."""
    YAKUMAN = "yakuman"
    """Prize for yakuman."""
    KAZOE = "kazoe"
    """Prize for a counted yakuman."""
    FLUSH = "flush"
    """Prize for all flowers."""
    FORCED = "forced"
    """Prize for a forced deal-in."""
    FIXED = "fixed"
    """A yaku's own prize, in place of all others."""


@dataclass(frozen=True, slots=True)
class Payment:
    """One amount that the winner receives."""

    payer: Wind | None
    """The seat; None for deposits, and if the seat was not given."""
    role: Payer
    ledger: str
    """`TABLE_POINTS` or a ledger of the ruleset."""
    amount: int
    cause: PaymentCause
    clauses: Clauses


class Notice(StrEnum):
    """A remark on a win that the table has to judge for itself."""

    KANSAKI_CONCEALED = "kansaki_concealed"
    """The settled yaku is concealed; tiles cannot prove that it was complete before the first call."""
    POCCHI_CHOICE = "pocchi_choice"
    """The tile of the pocchi is a proposal; the winner may choose another."""


class NoWinReason(StrEnum):
    """The reason why a hand may not be won."""

    NOT_COMPLETE = "not_complete"
    """The tiles are not a complete hand."""
    FIVE_IDENTICAL = "five_identical"
    """The hand uses more equal tiles than it may."""
    BINGO_RON = "bingo_ron"
    """A bonus tile cannot be won on."""
    NUKI_RON = "nuki_ron"
    """A tile set aside cannot be won on."""
    CLOSED_KAN_CANNOT_BE_ROBBED = "closed_kan_cannot_be_robbed"
    """A concealed kan may be robbed by certain hands only, and this is none of them."""
    NO_YAKU = "no_yaku"
    """The hand has no yaku, or too few han of yaku."""
    KANSAKI_WAIT = "kansaki_wait"
    """The hand has no yaku that is there on every wait."""
    KANSAKI_FIRST_CALL = "kansaki_first_call"
    """The first call does not belong to the yaku that is there on every wait."""


SENTENCES: Mapping[NoWinReason, str] = {
    NoWinReason.NOT_COMPLETE: "The hand is not complete: {tiles} is neither four sets and a pair nor another hand "
    "that these rules know.",
    NoWinReason.FIVE_IDENTICAL: "The hand would use more than {most} equal tiles.",
    NoWinReason.BINGO_RON: "A bonus tile can only be drawn, not won on.",
    NoWinReason.NUKI_RON: "Under these rules a tile set aside cannot be won on.",
    NoWinReason.CLOSED_KAN_CANNOT_BE_ROBBED: "A concealed kan cannot be robbed by this hand.",
    NoWinReason.NO_YAKU: "The hand has no yaku: it has {han} han of yaku and needs {needed}. Dora do not count.",
    NoWinReason.KANSAKI_WAIT: "The yaku is not settled: no yaku is there on every wait ({waits}).",
    NoWinReason.KANSAKI_FIRST_CALL: "The yaku is not settled: the first call ({call}) belongs to none of the yaku "
    "that are there on every wait ({yaku}).",
}
"""The English sentence of each reason; translations use the same codes and parameters."""


@dataclass(frozen=True, slots=True)
class NoWin:
    """A hand that may not be won, with the reason and its clauses."""

    reason: NoWinReason
    clauses: Clauses
    params: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return SENTENCES[self.reason].format_map(self.params)
