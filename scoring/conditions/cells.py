"""Pairwise comparison: for each pair of players and each pair of their places, the margin that decides.

The one idea: with both places given, the difference of two totals is a linear function of the difference of
the final scores. Where the function is zero the totals are tied, and the tie-break there does not depend on
the scores any more, except for the criteria of the hanchan itself: so each cell is one margin, and an answer
for exactly that margin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from scoring.conditions.profile import Profile, Span
from scoring.standings import rank
from scoring.tiebreak import Played, Row, TieBreak


class MarginKind(StrEnum):
    """Condition for ending above a rival, both places given."""

    ALWAYS = "always"
    """The places alone are enough."""
    NEVER = "never"
    """With these places it is impossible."""
    MARGIN = "margin"
    """The margin decides."""
    RULING = "ruling"
    """Everything is tied: only the organizer can decide."""


class TieLevel(StrEnum):
    """Outcome of the tie-break where totals come out exactly equal."""

    AHEAD = "ahead"
    """The tie-break is won."""
    BEHIND = "behind"
    """The tie-break is lost."""
    RULING = "ruling"
    """No rule separates the two."""


@dataclass(frozen=True, slots=True)
class TieMargin:
    """The margin at which totals are exactly equal, and the criterion that decides there."""

    at: int
    level: TieLevel
    criterion: str = ""
    """The deciding criterion: `points`, `place` or `score` of a hanchan; empty if no rule decided."""
    number: int | None = None
    """The hanchan that decided."""
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """Condition for ending above a rival, both places given.

    `least` is the smallest margin, final score less the rival's final score, with which the rival is certainly
    behind. Against a finished rival, `rival` is None and `least` is the smallest own final score.
    """

    own: Span
    rival: Span | None
    kind: MarginKind
    least: int
    tie: TieMargin | None = None
    """None where totals cannot come out equal."""
    floating: tuple[int, ...] = ()
    """The numbers of floating players at the own table for which it holds; empty for any number."""
    rival_floating: tuple[int, ...] = ()
    """The same for the rival's table, where that is another one."""
    by_seat: int = 0
    """With a margin smaller by this the rival may end behind, if the seats give the player the odd points."""

    @property
    def least_possible(self) -> int:
        """Return the smallest margin with which the rival may end behind, by a ruling or by the seats."""
        least = self.tie.at if self.tie is not None and self.tie.level is TieLevel.RULING else self.least
        return least - self.by_seat

    def is_ahead(self, margin: int) -> bool | None:
        """Return whether this margin puts the player above the rival; None if only a ruling, or the seats, can say."""
        if margin >= self.least:
            return True
        return None if margin >= self.least_possible else False


Bounds = tuple[int | None, int | None]
"""The smallest and the largest margin possible; None for no bound."""
UNBOUNDED: Bounds = (None, None)


@dataclass(frozen=True)
class Duel:
    """Two players with one hanchan left, each at a table of the profile.

    `numbers` are the numbers of that hanchan for the two.
    """

    own: Row
    rival: Row
    profile: Profile
    numbers: tuple[int, int]
    tiebreak: TieBreak
    is_same_table: bool = True
    rival_profile: Profile | None = None
    """The rival's profile where the rival plays at another table and other bonuses hold there."""

    @cached_property
    def _cells(self) -> dict[tuple[Span, Span], Cell]:
        return {}

    @cached_property
    def _ties(self) -> dict[tuple[int, int, int], TieMargin]:
        """Cache of tie-breaks: they depend on the places and on which score is higher, not on the scores themselves."""
        return {}

    def cell(self, own: Span, rival: Span) -> Cell:
        """Return the condition for ending above the rival with these places."""
        if (own, rival) not in self._cells:
            self._cells[own, rival] = self._cell(own, rival)
        return self._cells[own, rival]

    def pairs(self) -> Iterator[tuple[Span, Span]]:
        """Yield each possible pair of places.

        At one table, players tied on score share all of their places, and others have none in common.
        """
        for own in filter(self.profile.can_fill, self.profile.bonus):
            for rival in filter(self._rivals.can_fill, self._rivals.bonus):
                is_apart = own.last < rival.first or rival.last < own.first
                is_possible = is_apart or (own == rival and own.is_shared)
                if not self.is_same_table or (is_possible and self.profile.can_fill(own, rival)):
                    yield own, rival

    @property
    def _rivals(self) -> Profile:
        return self.rival_profile or self.profile

    def _cell(self, own: Span, rival: Span) -> Cell:
        """Find the margin at which the totals are equal, and the tie-break there."""
        profile = self.profile
        bounds = margins_between(profile, own, rival) if self.is_same_table else UNBOUNDED
        behind = self.rival.total + self._rivals.most(rival) - self.own.total - profile.bonus[own]
        by_seat = _units(profile.odd.get(own, 0) + self._rivals.odd.get(rival, 0), profile)
        least, tie = _least_margin(behind, profile, lambda at: self._tie(own, rival, at))
        there = self._rivals.floating if self.rival_profile is not None else ()
        return _classified(Cell(own, rival, MarginKind.MARGIN, least, tie, profile.floating, there, by_seat), bounds)

    def _tie(self, own: Span, rival: Span, at: int) -> TieMargin:
        """Return the tie-break between the two when their totals are equal at these places."""
        # Only the sign of the margin matters to the criterion `score`; the rows themselves never change.
        key = (own.first, rival.first, (at > 0) - (at < 0))
        if key not in self._ties:
            behind = self.rival.total - self.own.total
            # With equal totals the points of this hanchan differ by exactly the previous gap; the ranking itself then
            # breaks the tie.
            ours = _add_hanchan(self.own, Played(self.numbers[0], behind, own.first, at))
            theirs = _add_hanchan(self.rival, Played(self.numbers[1], 0, rival.first, 0))
            self._ties[key] = break_tie(ours, theirs, self.tiebreak, at, self.profile.players)
        return replace(self._ties[key], at=at)


def _units(odd: int, profile: Profile) -> int:
    """Convert a difference of totals to table points, rounded up to the unit of the scores."""
    return -(-odd // profile.per_unit) * profile.unit


def margins_between(profile: Profile, own: Span, rival: Span) -> Bounds:
    """Return the margins possible between two places at one table: the better place has the higher score.

    Tied players have the same score, but one of those tied at the top receives the deposits left on the table.
    """
    if own == rival:
        return UNBOUNDED if own.first == 1 and profile.gives_deposits else (0, 0)
    upper, lower = sorted((own, rival))
    between = lower.first - upper.last > 1
    least = profile.unit * (1 + between) if profile.has_ties else 0
    return (least, None) if own is upper else (None, -least)


def _least_margin(behind: int, profile: Profile, tie_at: Callable[[int], TieMargin]) -> tuple[int, TieMargin | None]:
    """Return the smallest margin that is enough, in table points, and the tie-break if totals can come out equal.

    `behind` is the difference to make up, at the ledger's scale.
    """
    units, rest = divmod(behind, profile.per_unit)
    if rest:
        return (units + 1) * profile.unit, None
    tie = tie_at(units * profile.unit)
    # An equal total is enough only if it wins the tie-break.
    return (units + (tie.level is not TieLevel.AHEAD)) * profile.unit, tie


def _classified(cell: Cell, bounds: Bounds) -> Cell:
    """Set the cell's kind from the possible margins, and drop a tie that the places leave no room for."""
    least, most = bounds
    if least is not None and least >= cell.least:
        kind = MarginKind.ALWAYS
    elif most is not None and most < cell.least_possible:
        kind = MarginKind.NEVER
    elif most is not None and most < cell.least and least == most and not cell.by_seat:
        kind = MarginKind.RULING
    else:
        kind = MarginKind.MARGIN
    tie = cell.tie
    if tie is not None and ((least is not None and tie.at < least) or (most is not None and tie.at > most)):
        tie = None
    return replace(cell, kind=kind, tie=tie)


def _add_hanchan(row: Row, played: Played) -> Row:
    return replace(row, played=(*row.played, played))


def break_tie(own: Row, rival: Row, tiebreak: TieBreak, at: int, players: int) -> TieMargin:
    """Return the result of the ranking's own tie-break for two rows with equal totals."""
    standings = rank((own, rival), tiebreak, places=players)
    if standings.unbroken:
        return TieMargin(at, TieLevel.RULING)
    (decision,) = standings.decisions
    level = TieLevel.AHEAD if decision.above == own.entrant else TieLevel.BEHIND
    return TieMargin(at, level, decision.criterion, decision.number, decision.clause)


def cells_against_finished(own: Row, rival: Row, profile: Profile, number: int, tiebreak: TieBreak) -> dict[Span, Cell]:
    """Return, for each own place, the final score needed to end above a rival with no hanchan left."""
    behind = rival.total - own.total

    def cell(span: Span) -> Cell:
        def tie_at(score: int) -> TieMargin:
            ours = _add_hanchan(own, Played(number, behind, span.first, score))
            return break_tie(ours, rival, tiebreak, score, profile.players)

        least, tie = _least_margin(behind - profile.bonus[span], profile, tie_at)
        by_seat = _units(profile.odd.get(span, 0), profile)
        found = Cell(span, None, MarginKind.MARGIN, least, tie, profile.floating, by_seat=by_seat)
        return _classified(found, scores_at(profile, span))

    return {span: cell(span) for span in profile.bonus}


def scores_at(profile: Profile, span: Span) -> Bounds:
    """Return the final scores possible at a place: the first has the mean or more, the last the mean or less.

    One of the players tied at the top receives the deposits left on the table, so the score of none of them is
    bounded; where deposits are given to no player, even the first may have less than the mean of the starting
    points.
    """
    if span.is_shared and span.first == 1 and profile.gives_deposits:
        return UNBOUNDED
    mean, rest = divmod(profile.total, profile.players * profile.unit)
    least = profile.unit * (mean + bool(rest)) if span.first == 1 and profile.gives_deposits else None
    most = profile.unit * mean if span.last == profile.players else None
    if profile.line is None or not profile.floating:
        return least, most
    if min(profile.floating) >= span.last:
        least = profile.line if least is None else max(least, profile.line)
    # A sunk first may have deposits on top: floating is counted before they are given out.
    if max(profile.floating) < span.first and not (span.first == 1 and profile.gives_deposits):
        most = profile.line - profile.unit if most is None else min(most, profile.line - profile.unit)
    return least, most
