"""Records of a series between two terms: final tables, decisions, and each player's movement with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from scoring.tiebreak import Entrant

OUT = "out"
"""Goal of players who leave the series."""


@dataclass(frozen=True, slots=True)
class FinalLine:
    """A player's line in the final table of a tier, or of a competition beside the tiers."""

    player: Entrant
    rank: int
    """Players with the same rank are level; their order here means nothing."""
    total: Fraction
    """In points, exact."""


Finals = Mapping[str, Sequence[FinalLine]]
"""By key of the tier or competition, best first."""


class DecisionKind(StrEnum):
    """Named exception to the moves; the values are those of the stored decisions."""

    LEAVES = "leaves"
    """The player does not play in the next term; ranks count without the player."""
    RETURNS = "returns"
    """The player comes back into a tier after an absence."""
    SEAT_KEPT = "seat_kept"
    """The player is not relegated; the next from below is instead."""
    DECLINED = "declined"
    """The player does not take a place above or outside; the next in rank goes instead."""
    PLACED = "placed"
    """The organizers give a player or a newcomer a place in a tier."""


@dataclass(frozen=True, slots=True)
class MoveDecision:
    """A decision about one player after a term."""

    player: Entrant
    kind: DecisionKind
    tier: str = ""
    """The tier of a player who returns or is placed."""


class MoveReason(StrEnum):
    """Reason for a movement, or for staying."""

    STAYS = "stays"
    """No rule moves this rank."""
    PROMOTED = "promoted"
    RELEGATED = "relegated"
    QUALIFIED = "qualified"
    """A rank that plays in a competition beside the tiers; the seat in the tier stays."""
    REFUSED = "refused"
    """A rank that would move, without the total that the rule needs."""
    DECLINED = "declined"
    SEAT_KEPT = "seat_kept"
    LEAVES = "leaves"
    RETURNS = "returns"
    PLACED = "placed"
    POINTS_UP = "points_up"
    """Promoted by the points of several terms."""
    POINTS_DOWN = "points_down"
    """Relegated by the points of several terms."""
    REFUSED_FILLS = "refused_fills"
    """Refused for the total, and taken all the same because the tier above lacks players."""
    SEAT_FILLS = "seat_fills"
    """Not relegated, because the tier would lack players."""
    NEXT_FILLS = "next_fills"
    """The next in rank, because the tier above lacks players."""
    AWAITING = "awaiting"
    """Level at the border of a rule: the organizer has to order these players."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Points that a player gained in a tier in one term; an opening balance is a gain of the term before the first."""

    tier: str
    term: int
    points: int
    is_upward: bool = True
    """Promotion points; False for relegation points."""


Points = Mapping[Entrant, tuple[Gain, ...]]
"""Promotion and relegation points that have not been spent, oldest first."""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A player whose rank a rule passed over, and why: leaves, declined, seat_kept, refused."""

    player: Entrant
    rank: int
    reason: MoveReason


@dataclass(frozen=True, slots=True)
class Movement:
    """The way of one player from one term to the next, with the numbers of its reason."""

    player: Entrant
    source: str
    """The tier played in; empty for those who were in none."""
    to: str
    """A tier, a competition beside the tiers, or `out`; empty while a tie awaits the organizer."""
    seat: str
    """The tier of the next term; empty for those who leave and while a tie awaits the organizer."""
    reason: MoveReason
    rank: int | None = None
    """The rank in the final table that the rule counts: of the own tier, or of a competition beside the tiers."""
    is_level: bool = False
    """The final table has other players of this rank; a criterion of the series has ordered them."""
    total: Fraction | None = None
    """The total in the own tier."""
    size: int | None = None
    """The number of players of the tier without those who leave; shares count it."""
    rule: str = ""
    """Path of the rule in the series file, such as `moves.2`, `ledger` or `fill`; empty for decisions."""
    clauses: tuple[str, ...] = ()
    places: int | None = None
    """The number of players that the rule moves; for fillings the number that was missing."""
    needed: Fraction | int | None = None
    """The total or the points that the rule needs."""
    passed: tuple[PassedOver, ...] = ()
    """Players before this one whom the rule passed over, in the order of the rule."""
    gained: int = 0
    """Points gained in this term."""
    points: int = 0
    """Points that count after this term, before any are spent."""
    terms: tuple[Gain, ...] = ()
    """The gains that these points are made of."""


@dataclass(frozen=True, slots=True)
class Quota:
    """The places of one move of the file, counted from its end of the table without the players it passes over."""

    rule: str
    """Path of the move in the series file."""
    positions: range
    candidates: int
    """The number of players who are counted."""
    passed: tuple[PassedOver, ...]
    """All players passed over by the move, leavers included, in its order; also those whose rank it does not reach."""
    last: int | None
    """The rank of the last player counted for these places; None without one."""


class RosterFaultCode(StrEnum):
    """Reason why a roster cannot be written as it is."""

    AWAITING = "awaiting"
    """Players are level at a border; `players` names them."""
    TOO_SMALL = "tier_too_small"
    TOO_LARGE = "tier_too_large"
    TWICE = "player_twice"
    """A player stands in the final tables of two tiers."""
    UNKNOWN_PLAYER = "not_in_series"
    """A decision about a player who is in no tier of this term."""
    ALREADY_HERE = "already_in_series"
    """A player who returns is in a tier of this term."""
    UNKNOWN_TIER = "unknown_tier"
    """A decision names no tier of the series."""
    DECIDED_TWICE = "decided_twice"
    """Two decisions about one player."""


@dataclass(frozen=True, slots=True)
class RosterFault:
    """One fault of the moves or of the next roster, with its numbers."""

    code: RosterFaultCode
    tier: str = ""
    players: tuple[Entrant, ...] = ()
    rule: str = ""
    """For a tie the path of the rule at whose border it stands."""
    places: int | None = None
    """For a tie the number of these players whom the rule moves."""
    number: int | None = None
    """For a size the number of players."""
    allowed: int | None = None
    """For a size the least or the most."""


@dataclass(frozen=True, slots=True)
class Movements:
    """All movements after a term: one for each player, tiers from the top, then by rank; newcomers last."""

    movements: tuple[Movement, ...]
    points: Points = field(default_factory=dict)
    """The points that each player takes into the next term."""
    faults: tuple[RosterFault, ...] = ()
    quotas: tuple[Quota, ...] = ()
    """The places of each move of the file, in its order."""

    def going(self) -> Mapping[str, tuple[Entrant, ...]]:
        """Return the players by where they go: tiers, competitions beside them, `out`, and empty for open ones."""
        found: dict[str, list[Entrant]] = {}
        for each in self.movements:
            found.setdefault(each.to, []).append(each.player)
        return {key: tuple(players) for key, players in found.items()}
