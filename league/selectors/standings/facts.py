"""The input of the engine for one competition, as of one version and for one audience."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.credits import GivenCredit
from scoring.format import Format, Series
from scoring.further import GivenOrders
from scoring.pyramid.places import TermState
from scoring.rests import Rounds
from scoring.stages import PassOver, Replace
from scoring.standings import Played


@dataclass(frozen=True, slots=True)
class SeriesTier:
    """The tier of a series that a competition is in its term."""

    rules: Series
    tier: str
    """The tier's key."""
    state: TermState
    """Decisions and points of the term; players of this tier by the ids of their entrants."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The input of the engine; blocks by key, entrants by id, points as integers at the ranking ledger's scale."""

    league_format: Format
    players: int
    scale: int
    seeds: Mapping[int, int]
    played: Mapping[str, Mapping[int, tuple[Played, ...]]]
    adjustments: Mapping[tuple[str, int], int]
    rulings: Mapping[str, tuple[tuple[int, ...], ...]]
    draws: Mapping[str, Any]
    overrides: tuple[Replace | PassOver, ...]
    roster: tuple[int, ...]
    """The ids of all entrants, who all play in an open block."""
    credits: Mapping[str, Mapping[int, tuple[GivenCredit, ...]]]
    """By block and entrant the hanchan that count without having been played, as decided."""
    leaving: Mapping[int, str]
    """By entrant who has left: the kind of the departure."""
    house: frozenset[int]
    """The ids of the house players, who have no rank and whose results count for no entrant."""
    tallied: frozenset[str]
    """Keys of the blocks whose games are summed up in tallies instead of ranked one by one."""
    closed: frozenset[str]
    """Keys of the blocks that the organizer has closed before all their hanchan were played."""
    rounds: Mapping[str, Rounds]
    """The order of play in each block with rests, where `played` has each entrant's own numbers."""
    lot: str
    """The published seed of lots that break ties: the competition's address."""
    series: SeriesTier | None
    """The rules by which the final table moves players between tiers; None outside a series."""

    @property
    def given(self) -> GivenOrders:
        """Return what criteria after going back need besides results."""
        return GivenOrders(seeds={entrant: number for number, entrant in self.seeds.items()}, lot=self.lot)


def id_of(entrant: Hashable) -> int:
    """Return the engine's entrant as an id; raise TypeError if it is not one.

    The engine accepts any hashable value for an entrant; the service always passes ids.
    """
    if not isinstance(entrant, int):
        raise TypeError(f"{entrant!r} is not an entrant id")
    return entrant


def id_or_none(entrant: Hashable) -> int | None:
    """Return the entrant's id, or None for None."""
    return None if entrant is None else id_of(entrant)
