"""Shortest list of clauses for a player's conditions: equal cases are merged, and no case is left out.

The one idea: a list of clauses, each of the form "if B is third: at least this much ahead of B". Every clause
that applies must be met, and a default covers the cases to which none applies. Of the equivalent lists, the
shortest is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.conditions.formulas import ALWAYS_TRUE, NEVER_TRUE, Condition, Formula
from scoring.conditions.needs import PlaceArrangement
from scoring.tiebreak import Entrant

Arrangement = tuple[tuple[Entrant, int], ...]
"""The place of each rival at the table."""

When = tuple[tuple[Entrant, tuple[int, ...]], ...]
"""Each of these rivals has one of these places; an empty tuple applies always."""


@dataclass(frozen=True, slots=True)
class ConditionClause:
    """A condition for the arrangements of the rivals that it applies to."""

    when: When
    formula: Formula

    @property
    def length(self) -> int:
        """Return the number of conditions in the clause, at least 1."""
        return max(1, sum(len(way) for way in self.formula))

    def applies(self, arrangement: Arrangement) -> bool:
        """Return whether the clause applies to this arrangement of the rivals."""
        places = dict(arrangement)
        return all(places[rival] in allowed for rival, allowed in self.when)


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

    def asked(self, arrangement: Arrangement) -> tuple[Formula, ...]:
        """Return all formulas that must hold with this arrangement of the rivals."""
        applying = tuple(clause.formula for clause in self.clauses if clause.applies(arrangement))
        return applying or (self.otherwise,)


def clauses_of(cases: Sequence[PlaceArrangement], formula_of: Callable[[PlaceArrangement], Formula]) -> Clauses:
    """Return the shortest list of clauses that is equivalent to the formulas of the cases."""
    asked = {case.rivals: formula_of(case) for case in cases}
    # All three lists are equivalent; their lengths differ with the default that saves the most clauses.
    ways = [_covering(asked, NEVER_TRUE), _covering(asked, ALWAYS_TRUE)]
    if apart := _one_by_one(asked):
        ways.append(apart)
    return min(ways, key=lambda way: way.length)


def _covering(asked: Mapping[Arrangement, Formula], otherwise: Formula) -> Clauses:
    """Return clauses that each cover cases with one and the same formula, the widest first."""
    open_ = {arrangement for arrangement, formula in asked.items() if formula != otherwise}
    is_complete = len(open_) == len(asked)
    clauses: list[ConditionClause] = []
    for when in _descriptions(list(asked)):
        covered = {each for each in asked if ConditionClause(when, NEVER_TRUE).applies(each)}
        formulas = {asked[each] for each in covered}
        if covered & open_ and len(formulas) == 1:
            clauses.append(ConditionClause(when, *formulas))
            open_ -= covered
    return Clauses(tuple(clauses), otherwise, is_complete)


def _descriptions(arrangements: Sequence[Arrangement]) -> Iterator[When]:
    """Yield every description of cases, the widest first: all, by one rival's places, by several rivals' places."""
    yield ()
    rivals = [rival for rival, _ in arrangements[0]]
    places = sorted({place for arrangement in arrangements for _, place in arrangement})
    for count in range(len(places) - 1, 0, -1):
        yield from (((rival, allowed),) for rival in rivals for allowed in combinations(places, count))
    yield from (tuple((rival, (place,)) for rival, place in arrangement[:-1]) for arrangement in arrangements)


def _one_by_one(asked: Mapping[Arrangement, Formula]) -> Clauses | None:
    """Return clauses about one rival at a time, where each case needs all its conditions together; else None."""
    if not all(len(formula) == 1 for formula in asked.values()):
        return None
    arrangements = list(asked)
    clauses: list[ConditionClause] = []
    told: dict[Arrangement, set[Condition]] = {arrangement: set() for arrangement in arrangements}
    for when in _descriptions(arrangements):
        if len(when) > 1:
            break
        covered = [each for each in arrangements if ConditionClause(when, NEVER_TRUE).applies(each)]
        about = {rival for rival, _ in when}
        common = set.intersection(*(set(asked[each][0]) for each in covered))
        news = [each for each in asked[covered[0]][0] if each in common and (not about or each.rival in about)]
        news = [each for each in news if any(each not in told[case] for case in covered)]
        if news:
            clauses.append(ConditionClause(when, (tuple(news),)))
            for case in covered:
                told[case] |= set(news)
    if any(told[case] != set(asked[case][0]) for case in arrangements):
        return None
    return Clauses(tuple(clauses), ALWAYS_TRUE, is_complete=any(not clause.when for clause in clauses))
