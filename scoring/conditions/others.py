"""What the others can still do: the best and the worst case of the games a player has no part in.

The one idea: what one wins at a table another loses. However high the scores, the totals of a table's players add up
to the same, so they cannot all end above a line that lies too high for that sum, nor all below one that lies too low.
How many of them end above a given total is thereby known up to one. Where level players would have to share an odd step
of the score the lines are a step too careful, never too bold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.conditions.profile import Profile, Span, compositions
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Players with games left away from the player's own table, as a group that plays among itself."""

    entrants: tuple[Entrant, ...]
    all_can_reach: int | None
    """The highest total that all of them can still have or pass together; None where nothing says so."""
    all_can_stay: int | None
    """The lowest total that all of them can still stay at or under together; None where nothing says so."""
    table: int | None = None
    """Which of the last tables it is; None where it is not one table with one hanchan left."""

    def most_above(self, total: int) -> int:
        """How many of them can end above this total, or level with it, at most."""
        can_all = self.all_can_reach is None or self.all_can_reach >= total
        return len(self.entrants) if can_all else len(self.entrants) - 1

    def fewest_above(self, total: int) -> int:
        """How many of them end above this total at least."""
        can_none = self.all_can_stay is None or self.all_can_stay <= total
        return 0 if can_none else 1


def with_one_left(
    entrants: Sequence[Entrant], totals: Mapping[Entrant, int], profile: Profile, table: int
) -> Elsewhere:
    """A table with one hanchan left: every arrangement of its places is looked at."""
    before = [totals[entrant] for entrant in entrants]
    everybody = range(len(before))
    worst = [way for spans in compositions(profile) for way in _seated(spans, everybody, before, profile.bonus)]
    ways = worst
    if profile.odd:
        best = {span: profile.most(span) for span in profile.bonus}
        ways = [way for spans in compositions(profile) for way in _seated(spans, everybody, before, best)]
    least, most = profile.table_sums()
    high, low = (sum(before) + most) // len(before), -((-sum(before) - least) // len(before))
    return Elsewhere(
        tuple(entrants),
        all_can_reach=_furthest(high, -1, lambda line: any(_can_reach(line, way, profile) for way in ways)),
        all_can_stay=_furthest(low, 1, lambda line: any(_can_stay(line, way, profile) for way in worst))
        if profile.gives_deposits
        else None,
        table=table,
    )


def with_more_left(
    entrants: Sequence[Entrant], totals: Mapping[Entrant, int], sums: tuple[int, int] | None
) -> Elsewhere:
    """Players with more games left: `sums` is the least and the most these bring all of them together, if known."""
    if sums is None:
        return Elsewhere(tuple(entrants), None, None)
    total, count = sum(totals[entrant] for entrant in entrants), len(entrants)
    return Elsewhere(tuple(entrants), (total + sums[1]) // count, -((-total - sums[0]) // count))


def _furthest(start: int, step: int, can: Callable[[int], bool]) -> int:
    """The first line from `start` on, in the direction of the step, at which it can be; behind it, it always can."""
    if can(start):
        return start
    width = 1
    while not can(start + step * width):
        width *= 2
    cannot, can_be = start + step * (width // 2), start + step * width
    while abs(can_be - cannot) > 1:
        middle = (cannot + can_be) // 2
        cannot, can_be = (cannot, middle) if can(middle) else (middle, can_be)
    return can_be


Way = tuple[tuple[int, ...], ...]
"""The totals with the places' bonuses of those who share each place, first to last."""


def _seated(
    spans: tuple[Span, ...], free: Sequence[int], before: Sequence[int], bonus: Mapping[Span, int]
) -> Iterator[Way]:
    """Whoever is free on these places, in every way."""
    if not spans:
        yield ()
        return
    for chosen in combinations(free, spans[0].count):
        group = tuple(sorted(before[each] + bonus[spans[0]] for each in chosen))
        rest = [each for each in free if each not in chosen]
        yield from ((group, *others) for others in _seated(spans[1:], rest, before, bonus))


def _can_reach(line: int, way: Way, profile: Profile) -> bool:
    """Can all end with this total or more? The lowest scores for it must not need more points than there are.

    Of players level at the top one has the deposits left on the table: that one may be short of them.
    """
    step, needed, floor = int(profile.has_ties), 0, None
    for group in reversed(way):
        own = [-((base - line) // profile.per_unit) for base in group]
        has_deposits = group is way[0] and len(group) > 1 and profile.gives_deposits
        level = own[1] if has_deposits else own[0]
        if floor is not None:
            level = max(level, floor + step)
        needed += level * (len(group) - 1) + (max(level, own[0]) if has_deposits else level)
        floor = level
    return needed <= profile.total // profile.unit


def _can_stay(line: int, way: Way, profile: Profile) -> bool:
    """Can all end with this total or less? The highest scores with which they do must use up all points there are."""
    step, room, ceiling = int(profile.has_ties), 0, None
    for group in way:
        own = [(line - base) // profile.per_unit for base in group]
        level = own[-1] if ceiling is None else min(own[-1], ceiling - step)
        has_deposits = ceiling is None and profile.gives_deposits
        room += level * (len(group) - 1) + (own[0] if has_deposits else level)
        ceiling = level
    return room >= profile.total // profile.unit
