"""The order of a final table after a term: level players are separated by the series' criteria, or stay together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from scoring.further import GivenOrders, split_further
from scoring.pyramid.movement import FinalLine
from scoring.tiebreak import Entrant, RankedPart, Row, TieBreak, order_by_id


@dataclass(frozen=True, slots=True)
class LinePlayer:
    """A player of a line: the rank in the final table, which counts leavers, and the total."""

    player: Entrant
    rank: int
    total: Fraction
    is_level: bool
    """The final table has several players of this rank."""


Line = tuple[tuple[LinePlayer, ...], ...]
"""Groups of players whom nothing separates, best first; almost all groups have one player."""


def line_of(final: Sequence[FinalLine], tiebreak: TieBreak, given: GivenOrders) -> Line:
    """Return the order of a final table; players whom the criteria leave level form one group, by their ids."""
    by_rank = sorted(final, key=lambda each: (each.rank, order_by_id(Row(each.player))))
    found: list[tuple[LinePlayer, ...]] = []
    for _, level in groupby(by_rank, key=lambda each: each.rank):
        same = {each.player: each for each in level}
        for part in split_further(RankedPart(tuple(map(Row, same))), tiebreak.then, given):
            lines = (same[row.entrant] for row in part.rows)
            found.append(tuple(LinePlayer(each.player, each.rank, each.total, len(same) > 1) for each in lines))
    return tuple(found)


def without(line: Line, players: Collection[Entrant]) -> Line:
    """Return a line without some players, whose places the next ones take."""
    rest = (tuple(each for each in group if each.player not in players) for group in line)
    return tuple(group for group in rest if group)


def from_below(line: Line) -> Line:
    """Return a line from the last player upwards."""
    return tuple(reversed(line))


def size_of(line: Line) -> int:
    """Return the number of players of a line."""
    return sum(map(len, line))


def positioned(line: Line) -> Iterator[tuple[range, tuple[LinePlayer, ...]]]:
    """Yield each group with the positions, from 1, that its players share."""
    first = 1
    for group in line:
        yield range(first, first + len(group)), group
        first += len(group)


def players_of(line: Iterable[Sequence[LinePlayer]]) -> list[LinePlayer]:
    """Return the players of a line, best first."""
    return [each for group in line for each in group]
