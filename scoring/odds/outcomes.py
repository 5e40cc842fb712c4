"""Possible results of a simulated hanchan: the league's own results and a few made-up ones, settled by its rules.

The one idea: a result is settled before the simulation starts. The simulation only decides the seats of the
players in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Self

from pydantic import Field, model_validator

from scoring.hanchan_result import HanchanResult
from scoring.ruleset import Ruleset
from scoring.ruleset.base import Positive, Strict, Title
from scoring.settlement import InvalidResultError, settle

THOUSANDTHS = 1000


class PriorTable(Strict):
    """Made-up hanchan for a given number of players."""

    players: Positive
    hanchan: tuple[tuple[int, ...], ...] = Field(min_length=1)
    """First to last: thousandths of the starting score won or lost."""

    @model_validator(mode="after")
    def _each_is_a_hanchan(self) -> Self:
        for each in self.hanchan:
            if len(each) != self.players or sum(each) != 0 or list(each) != sorted(each, reverse=True):
                raise ValueError(f"{list(each)}: needs {self.players} numbers, first to last, that add up to 0")
        return self


class Prior(Strict):
    """Assumed hanchan results for a league with few of its own; each counts as one that was played."""

    note: Title
    tables: tuple[PriorTable, ...]

    def results(self, rules: Ruleset) -> Iterator[HanchanResult]:
        """Yield the hanchan under these rules: scores in the unit of entry, the first place takes the remainder."""
        start, unit = rules.setup.start, rules.entry.unit
        for table in self.tables:
            for won in table.hanchan if table.players == rules.players else ():
                others = [_nearest(start * (THOUSANDTHS + each), THOUSANDTHS * unit) * unit for each in won[1:]]
                yield HanchanResult(scores=(rules.table_total - sum(others), *others))


@dataclass(frozen=True, slots=True, order=True)
class SettledHanchan:
    """A settled hanchan, seat by seat: points in the ranking ledger at its scale, places, final scores."""

    points: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]


def outcomes_of(results: Iterable[HanchanResult], rules: Ruleset) -> tuple[SettledHanchan, ...]:
    """Settle the results under these rules, without chonbo, in an order that depends on the results alone.

    Results that these rules cannot settle (played under other rules) are skipped.
    """
    # Sorted, so that the digest of the simulation's input, and the seed made of it, do not depend on the query's order.
    return tuple(sorted(_settled(results, rules)))


def _settled(results: Iterable[HanchanResult], rules: Ruleset) -> Iterator[SettledHanchan]:
    for result in results:
        try:
            settlement = settle(replace(result, chonbo=()), rules)
        except InvalidResultError:
            continue
        yield SettledHanchan(settlement.totals[rules.ranking_ledger.key], settlement.places, settlement.final_scores)


def _nearest(numerator: int, denominator: int) -> int:
    """Return the nearest integer, halves rounded up."""
    return (2 * numerator + denominator) // (2 * denominator)
