"""Schema of a series: tiers from the top down, and the moves between them from one term to the next."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, PlainValidator

from scoring.format.parts import Bounds, Cited, Key, Name, parse_share
from scoring.ruleset.base import Amount, Positive, SentenceError
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


class Tier(Cited):
    """One league of a series."""

    key: Key
    title: Name | None = None
    size: Bounds
    format: Key
    """Name of the format that the tier is played by."""


class MoveCondition(Cited):
    """Condition under which an entrant moves."""

    total_at_least: Amount


class Move(Cited):
    """Entrants who change to another tier."""

    source: Annotated[Movers, PlainValidator(parse_movers), PlainSerializer(str)] = Field(alias="from")
    to: Key
    """A tier, or a place outside the series such as a title match."""
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
    """Points of the first, second, ... after those who are promoted."""
    promote_at: Positive | None = None
    demote_at: Positive | None = None
    within_terms: Positive
    spent: Literal["all", "needed"] = "all"
    """Points that an entrant loses by moving."""


class Series(Cited):
    """A whole pyramid: its tiers, and who moves between them after a term."""

    name: Key
    kind: Literal["series"]
    title: Name
    rulebook: str | None = None
    tiebreak: TieBreak
    tiers: tuple[Tier, ...] = Field(min_length=1)
    """From the top."""
    moves: tuple[Move, ...] = ()
    """In the order in which they are made; an entrant who has moved takes no part in later ones."""
    share: ShareRule | None = None
    ledger: PointsLedger | None = None
    fill: Literal["next"] | None = None
    """Filling of a tier that is too small; None: the organizer decides."""
