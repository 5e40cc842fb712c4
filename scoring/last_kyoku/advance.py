"""Advancing as a goal: the hanchan is added to the block's table, and the entrant is inside or not.

The other rows count as they are now. Entrants who have yet to play the same hanchan can still change the
answer; they are named with it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from scoring.last_kyoku.goals import Goal
from scoring.last_kyoku.outcomes import After
from scoring.standings import Entrant, Played, Row, rank
from scoring.tiebreak import TieBreak


@dataclass(frozen=True)
class League:
    """A block before this hanchan, and the entrants of it at the table."""

    entrants: tuple[Entrant, ...]
    """By seat from the first dealer."""
    number: int
    """The number of this hanchan among theirs in the block."""
    rows: tuple[Row, ...]
    tiebreak: TieBreak
    rulings: tuple[tuple[Entrant, ...], ...] = ()
    exempt: frozenset[Entrant] = frozenset()
    """Entrants whose ranks do not count, and who are never inside."""

    @property
    def waiting(self) -> tuple[Entrant, ...]:
        """Return the entrants at other tables who have yet to play this hanchan."""
        others = (row for row in self.rows if row.entrant not in self.entrants)
        return tuple(row.entrant for row in others if row.counted < self.number)

    @cached_property
    def _at_table(self) -> Mapping[Entrant, Row]:
        """Return the rows of the entrants at the table, without this hanchan if it is already recorded."""
        known = {row.entrant: row for row in self.rows}
        own = {entrant: known.get(entrant, Row(entrant)) for entrant in self.entrants}
        return {
            entrant: replace(row, played=tuple(each for each in row.played if each.number != self.number))
            for entrant, row in own.items()
        }

    @cached_property
    def _elsewhere(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.entrant not in self.entrants and row.entrant not in self.exempt)

    @cached_property
    def _totals_elsewhere(self) -> list[int]:
        return sorted(row.total for row in self._elsewhere)

    def is_inside(self, after: After, seat: int, places: int, least: int | None = None) -> bool:
        """Return whether the entrant of a seat is among the first `places` when this game counts.

        With `least` the entrant also needs that total, at the ledger's scale.
        """
        if self.entrants[seat] in self.exempt:
            return False
        every = self._totals(after)
        mine = every[seat]
        if least is not None and mine < least:
            return False
        totals = [total for total, entrant in zip(every, self.entrants, strict=True) if entrant not in self.exempt]
        above = len(self._totals_elsewhere) - bisect_right(self._totals_elsewhere, mine)
        above += sum(total > mine for total in totals)
        level = self._totals_elsewhere.count(mine) + totals.count(mine)
        # Totals alone decide nearly always; the full ranking runs only for a tie across the border.
        if above >= places or above + level <= places:
            return above < places
        return self.entrants[seat] in self._ranked_inside(after, places)

    @cached_property
    def _totals_before(self) -> tuple[int, ...]:
        return tuple(self._at_table[entrant].total for entrant in self.entrants)

    def _totals(self, after: After) -> list[int]:
        points = after.settlement.totals[after.rules.ranking_ledger.key]
        return [before + gained for before, gained in zip(self._totals_before, points, strict=True)]

    def _ranked_inside(self, after: After, places: int) -> frozenset[Entrant]:
        """Return the entrants inside by the tie-break; entrants who share a rank across the border are all outside."""
        own = (row for row in self._rows(after) if row.entrant not in self.exempt)
        standings = rank((*self._elsewhere, *own), self.tiebreak, self.rulings, after.rules.players)
        ranks = [each.rank for each in standings.ranked]
        return frozenset(each.entrant for each in standings.ranked if each.rank + ranks.count(each.rank) - 1 <= places)

    def _rows(self, after: After) -> tuple[Row, ...]:
        """Return the table's rows with this game added."""
        settlement, key = after.settlement, after.rules.ranking_ledger.key
        return tuple(
            replace(row, played=(*row.played, self._played(after, seat, settlement.totals[key][seat])))
            for seat, row in enumerate(self._at_table[entrant] for entrant in self.entrants)
        )

    def _played(self, after: After, seat: int, points: int) -> Played:
        settlement = after.settlement
        return Played(self.number, points, settlement.places[seat], settlement.final_scores[seat])


@dataclass(frozen=True, slots=True)
class Advance(Goal):
    """Goal: among the first `places` of the block once this hanchan counts, with a total of `least` if it needs one."""

    code = "advance"

    places: int
    league: League = field(repr=False)
    least: int | None = None
    """At the ledger's scale."""

    @property
    def params(self) -> Mapping[str, object]:
        """Return the number of entrants that advance."""
        return {"places": self.places}

    @property
    def is_exact(self) -> bool:
        """Return True: every hundred points can decide a total."""
        return True

    def holds(self, after: After, seat: int) -> bool:
        """Return whether the entrant of the seat is inside."""
        return self.league.is_inside(after, seat, self.places, self.least)
