"""Places of a tier while it is played: what each rank of its final table leads to by the rules of the series.

Only ranks and sizes count here, no decisions: no player has left or declined anything. A destination is a short text
of a kind and what it is about, such as `up:A1`, so that published standings can hold it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring.format.model import Format
from scoring.format.series import Move, Series
from scoring.lines import CHAMPION, OUT, WITHDRAWN
from scoring.resolution import Resolution
from scoring.standings import Standings


class PlaceKind(StrEnum):
    """The place that a rank of a tier leads to."""

    UP = "up"
    OUTSIDE = "to"
    """A competition beside the tiers, such as a title match."""
    GAIN = "gain"
    """Promotion points."""
    STAY = "stay"
    """The same tier, where lower ranks fare worse."""
    SAME = "same"
    """The same tier, and no rank fares worse."""
    RISK = "risk"
    """Relegation points."""
    DOWN = "down"


GOALS = frozenset({PlaceKind.UP, PlaceKind.OUTSIDE, PlaceKind.GAIN, PlaceKind.STAY})
"""Kinds that players try to reach."""


@dataclass(frozen=True, slots=True)
class SeriesDestination:
    """The destination of a rank: its kind, the tier or competition, and figures that belong to it."""

    kind: PlaceKind
    key: str = ""
    """The tier or the competition beside the tiers; empty for points."""
    needed: Fraction | None = None
    """The total that the rank also needs."""
    points: int = 0

    def __str__(self) -> str:
        parts = [self.kind.value, self.key or str(self.points)]
        return ":".join(parts if self.needed is None else [*parts, str(self.needed)])


def read_destination(text: str) -> SeriesDestination | None:
    """Return the destination that a text names; None for those of other origins, such as a stage's key."""
    kind, separator, rest = text.partition(":")
    if not separator or kind not in {each.value for each in PlaceKind}:
        return None
    found = PlaceKind(kind)
    if found in {PlaceKind.GAIN, PlaceKind.RISK}:
        return SeriesDestination(found, points=int(rest))
    key, _, needed = rest.partition(":")
    return SeriesDestination(found, key, Fraction(needed) if needed else None)


def is_goal(destination: str) -> bool:
    """Return whether a rank's destination is one that players try to reach: going on, the title, or a place above.

    Elimination is none, nor are the final places behind a champion, and relegation.
    """
    if not destination or destination in {OUT, WITHDRAWN} or destination[:1].isdigit():
        return False
    found = read_destination(destination)
    return found is None or found.kind in GOALS


@dataclass(frozen=True, slots=True)
class SeriesPlace:
    """Neighbouring ranks of a tier with one destination, and the rule it comes from."""

    ranks: range
    destination: SeriesDestination
    rule: str = ""
    """Path of the rule in the series file; empty for ranks that no rule moves."""


def places_of(series: Series, tier: str, size: int) -> tuple[SeriesPlace, ...]:
    """Return the destinations of the ranks of a tier with this number of players, best first.

    Raise KeyError if there is no such tier.
    """
    by_rank = _moved(series, tier, size)
    _add_points(series, tier, size, by_rank)
    has_worse = any(found.kind in {PlaceKind.RISK, PlaceKind.DOWN} for found, _ in by_rank.values())
    rest = (SeriesDestination(PlaceKind.STAY if has_worse else PlaceKind.SAME, tier), "")
    places: list[SeriesPlace] = []
    for rank in range(1, size + 1):
        destination, rule = by_rank.get(rank, rest)
        last = places[-1] if places else None
        if last is not None and (last.destination, last.rule) == (destination, rule):
            places[-1] = SeriesPlace(range(last.ranks.start, rank + 1), destination, rule)
        else:
            places.append(SeriesPlace(range(rank, rank + 1), destination, rule))
    return tuple(places)


_ByRank = dict[int, tuple[SeriesDestination, str]]


def _moved(series: Series, tier: str, size: int) -> _ByRank:
    """Return the ranks that the moves take; of two moves of a rank, one of them conditional, the earlier is shown."""
    found: _ByRank = {}
    for index, move in enumerate(series.moves):
        if move.source.tier != tier:
            continue
        positions = move.source.positions(size, series.rounding)
        ranks = [size + 1 - position for position in positions] if move.source.is_last else positions
        for rank in ranks:
            found.setdefault(rank, (_destination(series, tier, move), f"moves.{index}"))
    return found


def _destination(series: Series, tier: str, move: Move) -> SeriesDestination:
    if move.to not in series.order:
        kind = PlaceKind.OUTSIDE
    else:
        kind = PlaceKind.UP if series.order[move.to] < series.order[tier] else PlaceKind.DOWN
    return SeriesDestination(kind, move.to, move.condition.total_at_least if move.condition else None)


def _add_points(series: Series, tier: str, size: int, by_rank: _ByRank) -> None:
    """Add the ranks that gain points: those next to the ranks that move."""
    for where, ledger in series.ledgers.items():
        if ledger.tier != tier:
            continue
        kind = PlaceKind.GAIN if ledger.is_upward else PlaceKind.RISK
        ranks = range(1, size + 1) if ledger.is_upward else range(size, 0, -1)
        free = [rank for rank in ranks if rank not in by_rank]
        for rank, points in zip(free, ledger.gains, strict=False):
            by_rank[rank] = (SeriesDestination(kind, points=points), where)


def series_destinations(
    series: Series, tier: str, format_: Format, resolution: Resolution, standings: Mapping[str, Standings]
) -> Mapping[str, tuple[str, ...]]:
    """Return the destinations of a tier's blocks, with those of the series where a rank decides the final place.

    That is so in stages of one block: for final places, and for ranks that go out. The title stays the destination of
    the first place only in a tier from which the first place moves nowhere.
    """
    first = format_.stages[0]
    entered = [each for key in format_.blocks_of[first.key] if key in standings for each in standings[key].ranked]
    places = [
        str(place.destination)
        for place in places_of(series, tier, sum(each.is_ranked for each in entered))
        for _ in place.ranks
    ]
    last = format_.stages[-1].key
    found = dict(resolution.destinations)
    for stage in format_.stages:
        keys = format_.blocks_of[stage.key]
        if len(keys) != 1:
            continue
        block = keys[0]
        leads = found.get(block, ())
        if not leads and stage.key == last and block in standings:
            leads = tuple(OUT if each.is_ranked else WITHDRAWN for each in standings[block].ranked)
        found[block] = tuple(_with_series(leads, places))
    return found


def _with_series(leads: Sequence[str], places: Sequence[str]) -> Iterator[str]:
    """Yield the destinations of a block's rows, those without a rank left out of the count."""
    position = 0
    for lead in leads:
        position += lead != WITHDRAWN
        place = places[position - 1] if 0 < position <= len(places) else ""
        is_final = lead in {OUT, CHAMPION} or lead[:1].isdigit()
        kept = (
            lead == CHAMPION and (found := read_destination(place)) and found.kind in {PlaceKind.STAY, PlaceKind.SAME}
        )
        yield place if place and is_final and not kept else lead
