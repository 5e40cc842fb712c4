"""Records of a settlement: itemised lines with cause and clause, and their totals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

from scoring.hanchan_result import HanchanResult
from scoring.placement import Group
from scoring.ruleset import Ruleset
from scoring.top_payment import KINDS, Floating, TopType


class LineCause(StrEnum):
    """Cause of a line of a settlement."""

    RETURN = "return"
    """The score less the return score."""
    OKA = "oka"
    """The points that the return score held back from every player."""
    UMA = "uma"
    """The fixed bonus of the place."""
    SINKING_UMA = "sinking_uma"
    """Ending below the line, paid to the top."""
    FLOOR = "floor"
    """Points below the lowest score that is settled, borne by the top."""
    TOBI = "tobi"
    """The prize for making a player go out."""
    KYOUTAKU = "kyoutaku"
    """Deposits left on the table."""
    ROUNDING = "rounding"
    """The difference made by the ruleset's rounding."""
    SUBSTITUTE = "substitute"
    """The difference to a substitute's flat account; no other player pays or receives it."""
    CHONBO = "chonbo"
    """Deducted for offences; no player receives it."""
    CHIPS = "chips"
    """Prizes brought from the table."""
    PLACE_PAYMENT = "place_payment"
    """One place pays another."""
    TOP_PAYMENT = "top_payment"
    """A sunk player pays the top."""
    FEE = "fee"
    """The house's charge to every player."""
    TOP_FEE = "top_fee"
    """The house's charge to the top."""


@dataclass(frozen=True, slots=True)
class Line:
    """One amount of one seat in one ledger, with its cause and clause."""

    seat: int
    ledger: str
    amount: Fraction
    """Exact; amounts received are positive."""
    cause: LineCause
    clause: str
    params: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    """Figures the amount was made of: scores, places, the other seat."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """The settlement of a finished game: places, itemised lines, and totals per ledger."""

    places: tuple[int, ...]
    """1 is first; a shared place is the best of the places it fills."""
    final_scores: tuple[int, ...]
    """Scores after leftover deposits have been distributed."""
    lines: tuple[Line, ...]
    totals: Mapping[str, tuple[int, ...]]
    """Per ledger the sum of its lines, as integers at the ledger's scale."""
    top: int
    """The first seat; of several tied at the top the seat nearest to the first dealer."""
    next_first_dealer: int | None
    """The seat of this game that deals first in the next; None if the rules do not say."""
    tobi: tuple[tuple[int, int], ...]
    """(busted seat, receiver), derived from the rules where the result does not name the receiver."""
    floating: Floating | None
    """Floating players and the kind of top, in books that settle by it."""
    floating_count: int | None = None
    """The number of floating players by which the uma's row was chosen; None if it does not depend on it."""


@dataclass(frozen=True, slots=True)
class Game:
    """A result with its places: the input of every step of the settlement."""

    rules: Ruleset
    result: HanchanResult
    groups: tuple[Group, ...]
    places: tuple[int, ...]
    top: int
    final_scores: tuple[int, ...]
    tobi: tuple[tuple[int, int], ...]
    floating: Floating | None

    @property
    def floating_count(self) -> int | None:
        """Return the number of floating players by which the uma's row is chosen; None if it does not depend on it."""
        uma = self.rules.settlement.uma
        # Counted before leftover deposits are distributed, like the places.
        return None if uma is None else uma.floating_count(self.result.scores, self.result.forced_top)

    @property
    def top_type(self) -> TopType | None:
        """Return the kind of top by the number of floating players; None where it does not matter, or none floats."""
        if self.floating is not None:
            return self.floating.top_type
        return KINDS[self.floating_count - 1] if self.floating_count else None

    def seats(self) -> range:
        """Return all seats, starting from the first dealer."""
        return range(len(self.places))

    def others(self) -> Iterator[int]:
        """Return all seats but the top's."""
        return (seat for seat in self.seats() if seat != self.top)
