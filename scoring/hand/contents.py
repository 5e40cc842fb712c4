"""The sets and the pair that a suit can hold, as far as the han of a hand depend on them.

The one idea: most yaku of tiles are settled suit by suit, and suits that agree in everything counted here are alike.
A suit has some fifty thousand choices of sets, but only some hundred different parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from scoring.hand.shapes import ALL_SETS, IN_SUIT

_RUNS = range(7)
FIVE = 4
"""The rank of the five, counted from 0."""
_STRAIGHT = frozenset((0, 3, 6))
_OUTSIDE_RUNS = (0, 6)
_TERMINALS = (0, IN_SUIT - 1)
_GATES = (3, *(1,) * 7, 3)
_CONSECUTIVE = (4, 3)
_PAIR, _TRIPLET = 2, 3
_MOST_LIMITS = 16

Limits = tuple[int, ...]
"""For each rank of a suit a number of copies: those of a hand, or the most that one can hold."""


class Sets(NamedTuple):
    """The sets and the pair of one suit, by their lowest ranks, counted from 0."""

    runs: tuple[int, ...]
    triplets: tuple[int, ...]
    pair: int | None

    @property
    def is_empty(self) -> bool:
        """True without any tile."""
        return not (self.runs or self.triplets) and self.pair is None


class Part(NamedTuple):
    """Everything about the sets and the pair of one suit that bears on han."""

    runs: int
    simple: int
    """Triplets of the numbers from 2 to 8."""
    other: int
    """Triplets of terminals."""
    has_pair: bool
    is_simple: bool
    """True without terminals."""
    is_outside: bool
    """True if every set and the pair have a terminal."""
    twins: int
    """Pairs of identical runs."""
    is_straight: bool
    consecutive: int
    """The length of the longest row of consecutive triplets if it is three or four; otherwise 0."""
    is_gates: bool
    """True for nine gates, which are no other hand while they are closed and without a kan."""
    fives: int
    kans: tuple[int, int]
    """The number of simple, and of terminal, triplets whose fourth tile is not in the suit's other sets."""
    has_kan_of_fives: bool


@lru_cache(maxsize=_MOST_LIMITS)
def parts_of(limits: Limits) -> Mapping[Part, Sets]:
    """Return every part that a suit with these copies can be, with sets as an example; cached."""
    found: dict[Part, Sets] = {}
    for sets, tiles in _every(limits):
        found.setdefault(_part(sets, tiles, limits), sets)
    return found


@lru_cache(maxsize=_MOST_LIMITS)
def parts_in_three_suits(limits: Limits) -> Mapping[tuple[bool, int], Mapping[Part, Sets]]:
    """Return the parts that hold a run, or a triplet, of a rank and leave a set to each of two other suits; cached."""
    found: dict[tuple[bool, int], dict[Part, Sets]] = {}
    for sets, tiles in _every(limits):
        if len(sets.runs) + len(sets.triplets) <= ALL_SETS - 2:
            part = _part(sets, tiles, limits)
            for is_run, ranks in ((True, sets.runs), (False, sets.triplets)):
                for rank in set(ranks):
                    found.setdefault((is_run, rank), {}).setdefault(part, sets)
    return found


def _every(limits: Limits) -> Iterator[tuple[Sets, Limits]]:
    """Yield every choice of sets, with and without each pair, and its tiles."""
    for sets, tiles in _chosen(Sets((), (), None), (0,) * IN_SUIT, 0, limits):
        yield sets, tiles
        for rank, there in enumerate(tiles):
            if there + _PAIR <= limits[rank]:
                yield sets._replace(pair=rank), _with(tiles, (rank,), _PAIR)


def _chosen(sets: Sets, tiles: Limits, first: int, limits: Limits) -> Iterator[tuple[Sets, Limits]]:
    """Yield these sets, and with every choice of further ones from the `first` on: runs, then triplets."""
    yield sets, tiles
    if len(sets.runs) + len(sets.triplets) == ALL_SETS:
        return
    for each in range(first, len(_RUNS) + IN_SUIT):
        rank = each - len(_RUNS)
        ranks, copies = (range(each, each + 3), 1) if rank < 0 else ((rank,), _TRIPLET)
        if all(tiles[one] + copies <= limits[one] for one in ranks):
            runs, triplets = ((each,), ()) if rank < 0 else ((), (rank,))
            more = Sets(sets.runs + runs, sets.triplets + triplets, None)
            yield from _chosen(more, _with(tiles, ranks, copies), each, limits)


def _with(tiles: Limits, ranks: Iterable[int], copies: int) -> Limits:
    """Return the counts of tiles by rank with `copies` added to these ranks."""
    found = list(tiles)
    for rank in ranks:
        found[rank] += copies
    return tuple(found)


def _part(sets: Sets, tiles: Limits, limits: Limits) -> Part:
    runs, triplets, pair = sets
    ranks = (*triplets, *(() if pair is None else (pair,)))
    others = [rank for rank in triplets if rank in _TERMINALS]
    free = [rank for rank in triplets if tiles[rank] == _TRIPLET < limits[rank]]
    return Part(
        runs=len(runs),
        simple=len(triplets) - len(others),
        other=len(others),
        has_pair=pair is not None,
        is_simple=not any(tiles[rank] for rank in _TERMINALS),
        is_outside=all(rank in _OUTSIDE_RUNS for rank in runs) and all(rank in _TERMINALS for rank in ranks),
        twins=sum(runs.count(rank) // 2 for rank in set(runs)),
        is_straight=_STRAIGHT.issubset(runs),
        consecutive=next((row for row in _CONSECUTIVE if len(triplets) >= row and _has_row(triplets, row)), 0),
        is_gates=pair is not None and len(runs) + len(triplets) == ALL_SETS and _is_gates(tiles),
        fives=tiles[FIVE],
        kans=(sum(rank not in _TERMINALS for rank in free), sum(rank in _TERMINALS for rank in free)),
        has_kan_of_fives=FIVE in free,
    )


def _has_row(triplets: tuple[int, ...], length: int) -> bool:
    return any(set(range(rank, rank + length)).issubset(triplets) for rank in triplets)


def _is_gates(tiles: tuple[int, ...]) -> bool:
    rest = [there - least for there, least in zip(tiles, _GATES, strict=True)]
    return min(rest) >= 0 and sum(rest) == 1
