"""The records of a settlement: its lines with cause and clause, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

from scoring.hanchan_result import HanchanResult
from scoring.placement import Group
from scoring.ruleset import Ruleset
from scoring.top_payment import Floating


class Cause(StrEnum):
    """Why a line of a settlement is there."""

    RETURN = "return"
    """The score against the return score."""
    OKA = "oka"
    """What the return score held back from everyone."""
    UMA = "uma"
    """The fixed bonus of the place."""
    SINKING_UMA = "sinking_uma"
    """Ending below the line, paid to the top."""
    FLOOR = "floor"
    """What lies below the lowest score that is settled, borne by the top."""
    TOBI = "tobi"
    """The prize for taking a player out."""
    KYOUTAKU = "kyoutaku"
    """Deposits left on the table."""
    ROUNDING = "rounding"
    """What the ruleset's rounding gives or takes."""
    CHONBO = "chonbo"
    """Deducted for offences; nobody receives it."""
    CHIPS = "chips"
    """Prizes brought from the table."""
    PLACE_PAYMENT = "place_payment"
    """One place pays another."""
    TOP_PAYMENT = "top_payment"
    """Who is sunk pays the top."""
    FEE = "fee"
    """What the house charges everyone."""
    TOP_FEE = "top_fee"
    """What the house charges the top."""


@dataclass(frozen=True, slots=True)
class Line:
    """One amount of one seat in one ledger, and why."""

    seat: int
    ledger: str
    amount: Fraction
    """Exact; what the seat receives is positive."""
    cause: Cause
    clause: str
    params: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    """What the amount was made of: scores, places, the other seat."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a finished game comes to."""

    places: tuple[int, ...]
    """1 is first; a shared place is the best of those it fills."""
    final_scores: tuple[int, ...]
    """Scores with the leftover deposits given out."""
    lines: tuple[Line, ...]
    totals: Mapping[str, tuple[int, ...]]
    """Per ledger the sum of its lines, as integers at the ledger's scale."""
    top: int
    """The first; of several level at the top the seat nearest to the first dealer."""
    next_first_dealer: int | None
    """The seat of this game that the rules make first dealer of the next; none if they do not."""
    tobi: tuple[tuple[int, int], ...]
    """(busted seat, receiver), found by the rules where the result does not say it."""
    floating: Floating | None
    """Who floats and what kind of top it is, in books that settle by it."""


@dataclass(frozen=True, slots=True)
class Game:
    """A result with its places; what every step of the settlement looks at."""

    rules: Ruleset
    result: HanchanResult
    groups: tuple[Group, ...]
    places: tuple[int, ...]
    top: int
    final_scores: tuple[int, ...]
    tobi: tuple[tuple[int, int], ...]
    floating: Floating | None

    def seats(self) -> range:
        """All seats, the first dealer's first."""
        return range(len(self.places))

    def others(self) -> Iterator[int]:
        """All seats but the top's."""
        return (seat for seat in self.seats() if seat != self.top)
