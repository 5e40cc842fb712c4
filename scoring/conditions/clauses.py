"""Shortest list of clauses for a player's conditions: equal cases are merged, and no case is left out.

The one idea: a list of clauses, each of the form "if B is third: at least this much ahead of B", and where the
bonuses depend on it "if B is third and two players float". Every clause
that applies must be met, and a default covers the cases to which none applies. Of the equivalent lists, the
shortest is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from scoring.conditions.formulas import ALWAYS_TRUE, NEVER_TRUE, Condition, Formula
from scoring.conditions.needs import PlaceArrangement
from scoring.tiebreak import Entrant

_MOST_LISTS = 256

Arrangement = tuple[tuple[Entrant, int], ...]
"""The place of each rival at the table."""

Case = tuple[Arrangement, tuple[int, ...]]
"""An arrangement, and the numbers of floating players with one row of bonuses; none where they do not depend on it."""

When = tuple[tuple[Entrant, tuple[int, ...]], ...]
"""Each of these rivals has one of these places; an empty tuple applies always."""


@dataclass(frozen=True, slots=True)
class ConditionClause:
    """A condition for the arrangements of the rivals that it applies to."""

    when: When
    formula: Formula
    floating: tuple[int, ...] = ()
    """The numbers of floating players with which it applies; empty for any number."""

    @property
    def length(self) -> int:
        """Return the number of conditions in the clause, at least 1."""
        return max(1, sum(len(way) for way in self.formula))

    def applies(self, arrangement: Arrangement, floating: tuple[int, ...] = ()) -> bool:
        """Return whether the clause applies to this arrangement of the rivals and these numbers of floating players."""
        return _Description(self.when, self.floating).covers((arrangement, floating))


@dataclass(frozen=True, slots=True)
class Clauses:
    """Clauses that must all be met where they apply; where none does, `otherwise` holds: sufficient, or impossible."""

    clauses: tuple[ConditionClause, ...]
    otherwise: Formula
    is_complete: bool
    """Some clause applies in every case, so that `otherwise` is never used."""

    @property
    def length(self) -> int:
        """Return the number of conditions in all clauses; an `otherwise` that says impossible counts as one."""
        return sum(clause.length for clause in self.clauses) + (not self.is_complete and self.otherwise == NEVER_TRUE)

    def asked(self, arrangement: Arrangement, floating: tuple[int, ...] = ()) -> tuple[Formula, ...]:
        """Return all formulas that must hold with this arrangement of the rivals and numbers of floating players."""
        applying = tuple(clause.formula for clause in self.clauses if clause.applies(arrangement, floating))
        return applying or (self.otherwise,)


@dataclass(frozen=True, slots=True)
class _Description:
    """A set of cases that one clause can name."""

    when: When
    floating: tuple[int, ...]

    def covers(self, case: Case) -> bool:
        arrangement, floating = case
        places = dict(arrangement)
        is_counted = not self.floating or set(floating) <= set(self.floating)
        return is_counted and all(places[rival] in allowed for rival, allowed in self.when)


def clauses_of(cases: Sequence[PlaceArrangement], formula_of: Callable[[PlaceArrangement], Formula]) -> Clauses:
    """Return the shortest list of clauses that is equivalent to the formulas of the cases."""
    asked = {(case.rivals, case.floating): formula_of(case) for case in cases}
    # All three lists are equivalent; their lengths differ with the default that saves the most clauses.
    ways = [_covering(asked, NEVER_TRUE), _covering(asked, ALWAYS_TRUE)]
    if apart := _one_by_one(asked):
        ways.append(apart)
    return min(ways, key=lambda way: way.length)


def _covering(asked: Mapping[Case, Formula], otherwise: Formula) -> Clauses:
    """Return clauses that each cover cases with one and the same formula, the widest first."""
    open_ = {case for case, formula in asked.items() if formula != otherwise}
    is_complete = len(open_) == len(asked)
    clauses: list[ConditionClause] = []
    for description, covered in _described(tuple(asked)):
        formula = asked[covered[0]]
        if not open_.isdisjoint(covered) and all(asked[each] == formula for each in covered):
            clauses.append(ConditionClause(description.when, formula, description.floating))
            open_.difference_update(covered)
    return Clauses(tuple(clauses), otherwise, is_complete)


# The same cases are described for every target and both formulas of a player.
@lru_cache(maxsize=_MOST_LISTS)
def _described(cases: tuple[Case, ...]) -> tuple[tuple[_Description, tuple[Case, ...]], ...]:
    """Return every description of cases with those it covers, the widest first."""
    return tuple((each, tuple(filter(each.covers, cases))) for each in _descriptions(cases))


def _descriptions(cases: Sequence[Case]) -> Iterator[_Description]:
    """Yield every description of cases, the widest first: by the places of rivals, then by floating players too."""
    rows = list(dict.fromkeys(floating for _, floating in cases))
    floating = [
        tuple(sorted(number for row in chosen for number in row))
        for count in range(len(rows) - 1, 0, -1)
        for chosen in combinations(rows, count)
    ]
    for when in _places(list(dict.fromkeys(arrangement for arrangement, _ in cases))):
        yield from (_Description(when, each) for each in ((), *floating))


def _places(arrangements: Sequence[Arrangement]) -> Iterator[When]:
    """Yield every description of arrangements: all, by one rival's places, by several rivals' places."""
    yield ()
    rivals = [rival for rival, _ in arrangements[0]]
    places = sorted({place for arrangement in arrangements for _, place in arrangement})
    for count in range(len(places) - 1, 0, -1):
        yield from (((rival, allowed),) for rival in rivals for allowed in combinations(places, count))
    # The place of the last rival follows from those of the others.
    yield from (tuple((rival, (place,)) for rival, place in arrangement[:-1]) for arrangement in arrangements)


def _one_by_one(asked: Mapping[Case, Formula]) -> Clauses | None:
    """Return clauses about one rival at a time, where each case needs all its conditions together; else None."""
    if not all(len(formula) == 1 for formula in asked.values()):
        return None
    clauses: list[ConditionClause] = []
    told: dict[Case, set[Condition]] = {case: set() for case in asked}
    for description, covered in _described(tuple(asked)):
        # Those of several rivals come last.
        if len(description.when) > 1:
            break
        about = {rival for rival, _ in description.when}
        common = set.intersection(*(set(asked[each][0]) for each in covered))
        news = [each for each in asked[covered[0]][0] if each in common and (not about or each.rival in about)]
        news = [each for each in news if any(each not in told[case] for case in covered)]
        if news:
            clauses.append(ConditionClause(description.when, (tuple(news),), description.floating))
            for case in covered:
                told[case] |= set(news)
    if any(told[case] != set(asked[case][0]) for case in asked):
        return None
    is_complete = any(not clause.when and not clause.floating for clause in clauses)
    return Clauses(tuple(clauses), ALWAYS_TRUE, is_complete)
