"""Schema of a series: tiers from the top down, and the moves between them from one term to the next."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Discriminator, Field, PlainSerializer, PlainValidator, Tag, model_validator
from pydantic_core import PydanticCustomError

from scoring.format import series_faults
from scoring.format.parts import Bounds, Cited, Key, Name, parse_share
from scoring.ruleset.base import Amount, Positive, SentenceError
from scoring.ruleset.faults import INCONSISTENT
from scoring.sources import KEY
from scoring.tiebreak import TieBreak

SENTENCES: Mapping[str, str] = {
    "no_move": "'%(text)s' names no players who move; allowed are A2#1-2, A1#last:1-4, A2#top:1/4 and A1#last:1/4",
}
"""A sentence for a text that is no source of a move."""

_MOVERS = re.compile(
    rf"(?P<tier>{KEY})#(?P<end>top:|last:)?(?:(?P<share>\d+/\d+)|(?P<first>[1-9]\d{{0,3}})(?:-(?P<last>[1-9]\d{{0,3}}))?)"
)


@dataclass(frozen=True, slots=True)
class Movers:
    """Entrants of a tier who move: a range of ranks counted from one end, or a share of the tier from that end."""

    tier: str
    is_last: bool
    """Counted from the last rank upwards."""
    ranks: range = range(0)
    share: Fraction | None = None

    def __str__(self) -> str:
        if self.share is not None:
            return f"{self.tier}#{'last' if self.is_last else 'top'}:{self.share}"
        first, last = self.ranks[0], self.ranks[-1]
        numbers = str(first) if first == last else f"{first}-{last}"
        return f"{self.tier}#{'last:' if self.is_last else ''}{numbers}"

    def positions(self, size: int, rounding: ShareRounding | None) -> range:
        """Return the positions in a line of this length, counted from the named end; beyond the line there are none.

        Raise ValueError for a share without a rounding.
        """
        if self.share is None:
            return range(self.ranks.start, min(self.ranks.stop, size + 1))
        if rounding is None:
            raise ValueError(f"{self} needs a rounding")
        whole, rest = divmod(self.share.numerator * size, self.share.denominator)
        return range(1, whole + (1 if rest and rounding is ShareRounding.UP else 0) + 1)


def parse_movers(value: object) -> Movers:
    """Parse the source of a move; raise SentenceError with the forms allowed."""
    if isinstance(value, Movers):
        return value
    match = _MOVERS.fullmatch(value) if isinstance(value, str) else None
    if match and match["share"] and match["end"]:
        return Movers(match["tier"], match["end"] == "last:", share=parse_share(match["share"]))
    if match and match["first"] and int(match["first"]) <= int(match["last"] or match["first"]):
        ranks = range(int(match["first"]), int(match["last"] or match["first"]) + 1)
        return Movers(match["tier"], match["end"] == "last:", ranks)
    raise SentenceError(SENTENCES, "no_move", text=str(value))


class ShareRounding(StrEnum):
    """Direction in which a share of a tier's size is rounded to whole entrants."""

    DOWN = "down"
    UP = "up"


TierKey = Annotated[Key, Field(max_length=20)]
"""A key that also fits into the text of a destination."""


class Tier(Cited):
    """One league of a series."""

    key: TierKey
    title: Name | None = None
    size: Bounds
    format: Key
    """Name of the format that the tier is played by."""


class Outside(Cited):
    """A competition beside the tiers, such as a title match; its players keep their seats in the tiers."""

    key: TierKey
    title: Name | None = None


class MoveCondition(Cited):
    """Condition under which an entrant moves."""

    total_at_least: Amount
    """The least total in the entrant's own tier, also for a move from a competition beside the tiers."""


class Move(Cited):
    """Entrants who change to another tier."""

    source: Annotated[Movers, PlainValidator(parse_movers), PlainSerializer(str)] = Field(alias="from")
    to: Key
    """A tier, or a competition beside the tiers."""
    condition: MoveCondition | None = Field(default=None, alias="if")
    refused: Literal["lapse", "next"] = "lapse"
    """A place whose entrant does not meet the condition lapses, or goes to the next in rank."""


class ShareRule(Cited):
    """Rounding of shares of a tier's size."""

    rounding: ShareRounding


class PointsLedger(Cited):
    """Points that entrants of a tier gain over several terms, and that move them once they have enough."""

    tier: Key
    gains: Annotated[tuple[Positive, ...], Field(min_length=1)]
    """Points of the first, second, ... after those who are promoted; with `demote_at` before those relegated."""
    promote_at: Positive | None = None
    demote_at: Positive | None = None
    """From the lowest tier the entrant leaves the series."""
    within_terms: Positive
    """The number of consecutive terms whose points count, the newest included."""
    spent: Literal["all", "needed"] = "all"
    """Points lost by moving: all by any move to another tier, or only those that the ledger's own move needs."""

    @property
    def is_upward(self) -> bool:
        """Return whether the points promote."""
        return self.promote_at is not None

    @property
    def needed(self) -> int:
        """Return the points that move an entrant."""
        return self.promote_at or self.demote_at or 0


def _ledger_form(value: object) -> str:
    """Return how ledgers are written, so that a fault is reported for that form alone."""
    return "list" if isinstance(value, list | tuple) else "table"


Ledgers = Annotated[
    Annotated[PointsLedger, Tag("table")] | Annotated[tuple[PointsLedger, ...], Tag("list")],
    Discriminator(_ledger_form),
]
"""One table, or a list of them for several tiers or directions."""


class Series(Cited):
    """A whole pyramid: its tiers, and who moves between them after a term."""

    name: Key
    kind: Literal["series"]
    title: Name
    rulebook: str | None = None
    tiebreak: TieBreak
    """Criteria for entrants whom a final table leaves level; it has no results of single hanchan."""
    tiers: tuple[Tier, ...] = Field(min_length=1)
    """From the top."""
    outside: tuple[Outside, ...] = ()
    """Competitions beside the tiers."""
    moves: tuple[Move, ...] = ()
    """In the order in which they are made; an entrant who has moved takes no part in later ones."""
    share: ShareRule | None = None
    ledger: Ledgers = ()
    fill: Literal["next"] | None = None
    """Filling of a tier that is too small; None: the organizer decides."""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        found = tuple(series_faults.faults(self))
        if found:
            raise PydanticCustomError(INCONSISTENT, "inconsistent", {"found": found})
        return self

    @cached_property
    def ledgers(self) -> Mapping[str, PointsLedger]:
        """Map each ledger's path in the file to the ledger."""
        if isinstance(self.ledger, PointsLedger):
            return {"ledger": self.ledger}
        return {f"ledger.{index}": each for index, each in enumerate(self.ledger)}

    @cached_property
    def order(self) -> Mapping[str, int]:
        """Map each tier's key to its number, 0 at the top."""
        return {tier.key: number for number, tier in enumerate(self.tiers)}

    def tier(self, key: str) -> Tier:
        """Return the tier with this key; raise KeyError if there is none."""
        return self.tiers[self.order[key]]

    @property
    def rounding(self) -> ShareRounding | None:
        """Return the rounding of shares; None if no move is a share."""
        return self.share.rounding if self.share else None

    def move_at(self, path: str) -> Move | None:
        """Return the move at a path of the file, such as `moves.2`; None for the path of anything else."""
        name, _dot, number = path.partition(".")
        is_move = name == "moves" and number.isdecimal() and int(number) < len(self.moves)
        return self.moves[int(number)] if is_move else None

    def table_of(self, path: str, tier: str) -> str:
        """Return the key of the final table whose ranks the rule at a path counts, for a player of this tier."""
        move = self.move_at(path)
        return move.source.tier if move else tier

    def neighbour(self, tier: str, *, is_upward: bool) -> str | None:
        """Return the key of the tier directly above or below; None at the ends."""
        number = self.order[tier] + (-1 if is_upward else 1)
        return self.tiers[number].key if 0 <= number < len(self.tiers) else None
