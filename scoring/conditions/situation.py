"""A block before its end: who has how much, who still plays how many hanchan, and which tables play their last one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from scoring.conditions.bounds import Range
from scoring.conditions.cells import Cell, Duel, cells_against_finished
from scoring.conditions.others import Elsewhere, with_more_left, with_one_left
from scoring.conditions.profile import Obstacle, Profile, Span
from scoring.tiebreak import Entrant, Row, TieBreak


@dataclass(frozen=True, slots=True)
class LastTable:
    """A table at which everybody plays their last hanchan of the block."""

    entrants: tuple[Entrant, ...]
    number: int
    """The hanchan's number for those who sit there."""
    ref: Hashable = None
    """What finds it again."""


@dataclass(frozen=True)
class Situation:
    """What a block still has before it; entrants without a claim to a rank (withdrawn ones) have no row.

    `profile` is what places are worth, or what stands in the way of saying so, at every table that is left;
    `per_hanchan` the least and the most a hanchan can bring one player, where there is such a bound.
    """

    rows: Mapping[Entrant, Row]
    left: Mapping[Entrant, int]
    tables: tuple[LastTable, ...]
    profile: Profile | tuple[Obstacle, ...]
    tiebreak: TieBreak
    players: int
    per_hanchan: Range | None = None
    deducts: bool = True
    """A chonbo may cost any player points that nobody receives."""

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """Why margins do not say it all; empty where they do."""
        return () if isinstance(self.profile, Profile) else self.profile

    @cached_property
    def totals(self) -> Mapping[Entrant, int]:
        """What everybody has."""
        return {entrant: row.total for entrant, row in self.rows.items()}

    @cached_property
    def table_of(self) -> Mapping[Entrant, int]:
        """At which of the last tables somebody sits."""
        return {entrant: n for n, table in enumerate(self.tables) for entrant in table.entrants}

    @cached_property
    def finished(self) -> tuple[Entrant, ...]:
        """Those with a claim to a rank who have played everything."""
        return tuple(entrant for entrant in self.rows if not self.left.get(entrant, 0))

    @cached_property
    def groups(self) -> tuple[Elsewhere, ...]:
        """Everybody who still plays, in groups that play among themselves as far as it is known."""
        return tuple(self._groups())

    def _groups(self) -> Iterator[Elsewhere]:
        """Each last table; all the others, whose tables may still mix, together."""
        for number, table in enumerate(self.tables):
            known = tuple(entrant for entrant in table.entrants if entrant in self.rows)
            if known == table.entrants and isinstance(self.profile, Profile):
                yield with_one_left(known, self.totals, self.profile, number)
            elif known:
                yield Elsewhere(known, None, None, number)
        rest = [entrant for entrant, left in self.left.items() if left and entrant not in self.table_of]
        ranked = [entrant for entrant in rest if entrant in self.rows]
        if ranked:
            yield with_more_left(ranked, self.totals, self._sums(rest))

    def _sums(self, rest: list[Entrant]) -> tuple[int, int] | None:
        """What the games of these players bring all of them together; None if they do not fill whole tables."""
        games, odd = divmod(sum(self.left[entrant] for entrant in rest), self.players)
        if odd or not isinstance(self.profile, Profile) or any(entrant not in self.rows for entrant in rest):
            return None
        least, most = self.profile.table_sums()
        return (games * least, games * most) if self.profile.gives_deposits else None

    def duel(self, own: Entrant, rival: Entrant) -> Duel:
        """Two who both sit at a last table; only where margins say it all."""
        if (own, rival) not in self._duels:
            here, there = self.table_of[own], self.table_of[rival]
            self._duels[own, rival] = Duel(
                self.rows[own],
                self.rows[rival],
                self.worth,
                (self.tables[here].number, self.tables[there].number),
                self.tiebreak,
                is_same_table=here == there,
            )
        return self._duels[own, rival]

    def against_finished(self, own: Entrant, rival: Entrant) -> Mapping[Span, Cell]:
        """What own final score puts somebody above a rival who has played everything, by own place."""
        if (own, rival) not in self._finished:
            number = self.tables[self.table_of[own]].number
            self._finished[own, rival] = cells_against_finished(
                self.rows[own], self.rows[rival], self.worth, number, self.tiebreak
            )
        return self._finished[own, rival]

    @property
    def worth(self) -> Profile:
        """What places are worth. Raise ValueError where margins do not say it all."""
        if not isinstance(self.profile, Profile):
            raise ValueError(f"margins of the scores do not say it all: {', '.join(self.profile)}")
        return self.profile

    @cached_property
    def _duels(self) -> dict[tuple[Entrant, Entrant], Duel]:
        return {}

    @cached_property
    def _finished(self) -> dict[tuple[Entrant, Entrant], Mapping[Span, Cell]]:
        return {}
