"""Bounds on other tables: the best and the worst case of the games a player has no part in.

The one idea: points won at a table are lost by others there. However high the scores, the totals of a table's
players have a fixed sum, so they cannot all end above a line that is too high for that sum, nor all below one
that is too low. The number of them that end above a given total is therefore known to within one. Where tied
players would have to share an odd step of the score the lines err on the safe side.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.conditions.profile import Profile, Span, fillings
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Players with games left away from the player's own table, as a group that plays among itself."""

    entrants: tuple[Entrant, ...]
    all_can_reach: int | None
    """The highest total that all of them can still reach together; None where there is no bound."""
    all_can_stay: int | None
    """The lowest total that all of them can still stay at or under together; None where there is no bound."""
    table: int | None = None
    """The index of the last table; None if the group is not one table with one hanchan left."""

    def most_above(self, total: int) -> int:
        """Return the largest number of them that can end above this total, or tied with it."""
        can_all = self.all_can_reach is None or self.all_can_reach >= total
        return len(self.entrants) if can_all else len(self.entrants) - 1

    def fewest_above(self, total: int) -> int:
        """Return the smallest number of them that can end above this total."""
        can_none = self.all_can_stay is None or self.all_can_stay <= total
        return 0 if can_none else 1


def with_one_left(
    entrants: Sequence[Entrant], totals: Mapping[Entrant, int], profile: Profile, table: int
) -> Elsewhere:
    """Return the bounds of a table with one hanchan left, from every arrangement of its places and row of bonuses."""
    before = [totals[entrant] for entrant in entrants]
    seats = range(len(before))
    # At most 8 compositions of 4 places with up to 24 seatings each, so enumerating all of them is cheap.
    worst = [
        (way, floating)
        for case, floating, spans in fillings(profile)
        for way in _seated(spans, seats, before, case.bonus)
    ]
    ways = worst
    if any(case.odd for case in profile.every):
        ways = [
            (way, floating)
            for case, floating, spans in fillings(profile)
            for way in _seated(spans, seats, before, {span: case.most(span) for span in case.bonus})
        ]
    least, most = profile.table_sums()
    high, low = (sum(before) + most) // len(before), -((-sum(before) - least) // len(before))
    return Elsewhere(
        tuple(entrants),
        all_can_reach=_search_line(high, -1, lambda line: any(_can_reach(line, *way, profile) for way in ways)),
        all_can_stay=_search_line(low, 1, lambda line: any(_can_stay(line, *way, profile) for way in worst))
        if profile.gives_deposits
        else None,
        table=table,
    )


def with_more_left(
    entrants: Sequence[Entrant], totals: Mapping[Entrant, int], sums: tuple[int, int] | None
) -> Elsewhere:
    """Return the bounds of players with more games left.

    `sums` is the least and the most that these games bring all of them together; None if unknown.
    """
    if sums is None:
        return Elsewhere(tuple(entrants), None, None)
    total, count = sum(totals[entrant] for entrant in entrants), len(entrants)
    return Elsewhere(tuple(entrants), (total + sums[1]) // count, -((-total - sums[0]) // count))


def _search_line(start: int, step: int, can: Callable[[int], bool]) -> int:
    """Return the first line from `start` on, in the direction of `step`, for which `can` is true.

    From that line on it is always true, so the search doubles its stride and then bisects.
    """

    def can_after(strides: int) -> bool:
        return can(start + step * strides)

    if can(start):
        return start
    width = 1
    while not can_after(width):
        width *= 2
    return start + step * bisect_left(range(width), x=True, lo=width // 2 + 1, key=can_after)


Way = tuple[tuple[int, ...], ...]
"""Totals including the places' bonuses, grouped by shared place, first to last."""


def _seated(
    spans: tuple[Span, ...], free: Sequence[int], before: Sequence[int], bonus: Mapping[Span, int]
) -> Iterator[Way]:
    """Yield every way to put the free players on these places."""
    if not spans:
        yield ()
        return
    for chosen in combinations(free, spans[0].count):
        group = tuple(sorted(before[each] + bonus[spans[0]] for each in chosen))
        rest = [each for each in free if each not in chosen]
        yield from ((group, *others) for others in _seated(spans[1:], rest, before, bonus))


def _can_reach(line: int, way: Way, floating: int | None, profile: Profile) -> bool:
    """Return whether all can end with this total or more: the scores needed must not exceed the points at the table.

    With a number of floating players the first of them must reach the line of the rules, and the others stay below.

    Of players tied at the top one receives the leftover deposits, so that player may end with more than the
    others.
    """
    step, needed, floor = int(profile.has_ties), 0, None
    for group, (lowest, highest) in zip(reversed(way), reversed(_limits(way, floating, profile)), strict=True):
        own = [-((base - line) // profile.per_unit) for base in group]
        has_deposits = group is way[0] and len(group) > 1 and profile.gives_deposits
        level = own[1] if has_deposits else own[0]
        if floor is not None:
            level = max(level, floor + step)
        level = level if lowest is None else max(level, lowest)
        # A sunk first may have deposits on top: floating is counted before they are given out.
        has_more = group is way[0] and len(group) == 1 and profile.gives_deposits
        if highest is not None and level > highest and not has_more:
            return False
        needed += level * (len(group) - 1) + (max(level, own[0]) if has_deposits else level)
        floor = level
    return needed <= profile.total // profile.unit


def _can_stay(line: int, way: Way, floating: int | None, profile: Profile) -> bool:
    """Return whether all can end with this total or less.

    The highest scores with which they do must use up all the points at the table.
    """
    step, room, ceiling = int(profile.has_ties), 0, None
    if floating == profile.players and profile.players * (profile.line or 0) > profile.total:
        return False
    for group, (lowest, highest) in zip(way, _limits(way, floating, profile), strict=True):
        own = [(line - base) // profile.per_unit for base in group]
        level = own[-1] if ceiling is None else min(own[-1], ceiling - step)
        level = level if highest is None else min(level, highest)
        if lowest is not None and level < lowest:
            return False
        has_deposits = ceiling is None and profile.gives_deposits
        room += level * (len(group) - 1) + (own[0] if has_deposits else level)
        ceiling = level
    return room >= profile.total // profile.unit


def _limits(way: Way, floating: int | None, profile: Profile) -> list[tuple[int | None, int | None]]:
    """Return the lowest and the highest score of each group, in units and without deposits, with a number floating."""
    found: list[tuple[int | None, int | None]] = []
    first = 1
    for group in way:
        if floating is None or profile.line is None:
            found.append((None, None))
        elif first <= floating:
            found.append((profile.line // profile.unit, None))
        else:
            found.append((None, profile.line // profile.unit - 1))
        first += len(group)
    return found
