"""A block before its end: totals, remaining hanchan of each entrant, and the tables that play their last hanchan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scoring.conditions.bounds import Range
from scoring.conditions.cells import Cell, Duel, cells_against_finished
from scoring.conditions.others import Elsewhere, with_more_left, with_one_left
from scoring.conditions.profile import Obstacle, Profile, Span
from scoring.tiebreak import Entrant, Row, TieBreak


@dataclass(frozen=True, slots=True)
class LastTable:
    """A table at which every player plays the last hanchan of the block."""

    entrants: tuple[Entrant, ...]
    number: int
    """The hanchan's number for the players at the table."""
    ref: Hashable = None
    """Reference to the hanchan."""


@dataclass(frozen=True)
class BlockSituation:
    """State of a block with the games it has left; entrants without a claim to a rank (withdrawn ones) have no row.

    `profile` is the value of places, or the obstacles to stating it, at every remaining table; `per_hanchan` the
    least and the most a hanchan can bring one player, where there is such a bound.
    """

    rows: Mapping[Entrant, Row]
    left: Mapping[Entrant, int]
    tables: tuple[LastTable, ...]
    profile: Profile | tuple[Obstacle, ...]
    tiebreak: TieBreak
    players: int
    per_hanchan: Range | None = None
    deducts: bool = True
    """A chonbo may cost any player points that no other player receives."""
    fills_tables: bool = True
    """The players fill all tables to come: none sits out, and no house player takes part."""
    fixtures: tuple[tuple[Entrant, ...], ...] = ()
    """Scheduled hanchan that are not a last table's, each with its players."""
    open_byes: Mapping[Entrant, int] = field(default_factory=dict)
    """Byes that count the mean of hanchan of which some are left; the rows do not hold them."""

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """Return the reasons why margins are not sufficient; empty where they are."""
        return () if isinstance(self.profile, Profile) else self.profile

    @cached_property
    def totals(self) -> Mapping[Entrant, int]:
        """Map each entrant to the current total."""
        return {entrant: row.total for entrant, row in self.rows.items()}

    def counting(self, entrant: Entrant) -> int:
        """Return the number of hanchan and byes whose points an entrant does not have yet."""
        return self.left.get(entrant, 0) + self.open_byes.get(entrant, 0)

    @cached_property
    def table_of(self) -> Mapping[Entrant, int]:
        """Map each entrant of a last table to the index of that table."""
        return {entrant: n for n, table in enumerate(self.tables) for entrant in table.entrants}

    @cached_property
    def finished(self) -> tuple[Entrant, ...]:
        """Return the entrants with a claim to a rank and no hanchan left."""
        return tuple(entrant for entrant in self.rows if not self.left.get(entrant, 0))

    @cached_property
    def groups(self) -> tuple[Elsewhere, ...]:
        """Return all entrants with hanchan left, in groups that play among themselves as far as is known."""
        return tuple(self._groups())

    def _groups(self) -> Iterator[Elsewhere]:
        """Yield each last table, then the others with hanchan left, by the scheduled hanchan that connect them."""
        for number, table in enumerate(self.tables):
            known = tuple(entrant for entrant in table.entrants if entrant in self.rows)
            if known == table.entrants and isinstance(self.profile, Profile):
                yield with_one_left(known, self.totals, self.profile, number)
            elif known:
                yield Elsewhere(known, None, None, number)
        rest = [entrant for entrant, left in self.left.items() if left and entrant not in self.table_of]
        for company in self._companies(rest):
            ranked = [entrant for entrant in company if entrant in self.rows]
            if ranked:
                yield with_more_left(ranked, self.totals, self._sums(company))

    def _companies(self, rest: Sequence[Entrant]) -> Iterator[list[Entrant]]:
        """Yield players who can pass points to one another, directly or through a chain of hanchan.

        Those whose hanchan are not all scheduled may still meet one another, and so form one company.
        """
        scheduled = Counter(entrant for fixture in self.fixtures for entrant in fixture)
        loose = {entrant for entrant in rest if scheduled[entrant] != self.left[entrant]}
        open_ended = [fixture for fixture in self.fixtures if not set(fixture) <= set(rest)]
        loose.update(entrant for fixture in open_ended for entrant in fixture if entrant in rest)
        company = {entrant: {entrant} for entrant in rest}
        for meeting in (loose, *self.fixtures):
            joined = set().union(*(company[entrant] for entrant in meeting if entrant in company))
            company |= dict.fromkeys(joined, joined)
        seen: set[Entrant] = set()
        for entrant in rest:
            if entrant not in seen:
                seen |= company[entrant]
                yield [each for each in rest if each in company[entrant]]

    def _sums(self, company: Sequence[Entrant]) -> tuple[int, int] | None:
        """Return the least and the most that the games of these players bring all of them together.

        None if they do not fill whole tables, or if not all deposits are given to a player.
        """
        if not self.fills_tables:
            return None
        games, odd = divmod(sum(self.left[entrant] for entrant in company), self.players)
        if odd or not isinstance(self.profile, Profile) or any(entrant not in self.rows for entrant in company):
            return None
        least, most = self.profile.table_sums()
        return (games * least, games * most) if self.profile.gives_deposits else None

    def duel(self, own: Entrant, rival: Entrant, case: Profile | None = None, other: Profile | None = None) -> Duel:
        """Return the comparison of two players at last tables; raise ValueError where margins are not sufficient.

        Where bonuses depend on the number of floating players, `case` holds at the own table, and `other` at the
        rival's if that is another one.
        """
        case = case or self.worth
        other = other or case
        key = own, rival, case.floating, other.floating
        if key not in self._duels:
            here, there = self.table_of[own], self.table_of[rival]
            self._duels[key] = Duel(
                self.rows[own],
                self.rows[rival],
                case,
                (self.tables[here].number, self.tables[there].number),
                self.tiebreak,
                is_same_table=here == there,
                rival_profile=other if here != there and other.floating else None,
            )
        return self._duels[key]

    def duels(self, own: Entrant, rival: Entrant) -> Iterator[Duel]:
        """Yield the comparisons of two players, one for each different row of bonuses at their table or tables."""
        is_apart = self.table_of[own] != self.table_of[rival]
        for case in self.worth.every:
            for other in self.worth.every if is_apart else (case,):
                yield self.duel(own, rival, case, other)

    def against_finished(self, own: Entrant, rival: Entrant, case: Profile | None = None) -> Mapping[Span, Cell]:
        """Return, by own place, the final score needed to end above a rival with no hanchan left.

        Where bonuses depend on the number of floating players, `case` holds at the own table.
        """
        case = case or self.worth
        key = own, rival, case.floating
        if key not in self._finished:
            number = self.tables[self.table_of[own]].number
            self._finished[key] = cells_against_finished(self.rows[own], self.rows[rival], case, number, self.tiebreak)
        return self._finished[key]

    def all_against_finished(self, own: Entrant, rival: Entrant) -> Iterator[Cell]:
        """Yield the final scores needed against a rival with no hanchan left, by row of bonuses and own place."""
        for case in self.worth.every:
            cells = self.against_finished(own, rival, case)
            yield from (cells[span] for span in sorted(cells) if case.can_fill(span))

    @property
    def worth(self) -> Profile:
        """Return the profile; raise ValueError where margins are not sufficient."""
        if not isinstance(self.profile, Profile):
            raise ValueError(f"margins of the scores do not say it all: {', '.join(self.profile)}")
        return self.profile

    # Caches of `duel` and `against_finished`: the same pairs are compared for every own place and arrangement.
    @cached_property
    def _duels(self) -> dict[tuple[Entrant, Entrant, tuple[int, ...], tuple[int, ...]], Duel]:
        return {}

    @cached_property
    def _finished(self) -> dict[tuple[Entrant, Entrant, tuple[int, ...]], Mapping[Span, Cell]]:
        return {}
