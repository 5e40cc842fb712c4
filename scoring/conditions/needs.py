"""Conditions for a player at a last table to end among the first `target`: per own place and arrangement of the rivals.

Where the bonuses of the places depend on the number of floating players, each row of them is a case of its own.

The one idea: to be among the first `target` means to have all but `target - 1` of the others behind. Each
rival is behind by the places, by a margin, or not at all; the condition is then that enough of the undecided
ones end behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from scoring.conditions.cells import Cell, MarginKind, scores_at
from scoring.conditions.formulas import ALWAYS_TRUE, NEVER_TRUE, Condition, Distances, Formula, at_least, with_score
from scoring.conditions.others import Elsewhere
from scoring.conditions.profile import Profile, Span
from scoring.conditions.situation import BlockSituation
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class PlaceArrangement:
    """One arrangement of the places at the table, without shared places, and one row of their bonuses."""

    rivals: tuple[tuple[Entrant, int], ...]
    """The place of each of the other players."""
    sure: Formula
    """Sufficient: with this the player is among the first, regardless of other tables."""
    possible: Formula
    """Necessary: without this the player is not among the first, regardless of other tables."""
    floating: tuple[int, ...] = ()
    """The numbers of floating players with this row; empty where the bonuses do not depend on it."""


@dataclass(frozen=True, slots=True)
class PlaceNeeds:
    """The conditions for a player at one own place."""

    place: int
    cases: tuple[PlaceArrangement, ...]

    @property
    def is_sure(self) -> bool:
        """Return whether the place alone is sufficient."""
        return all(case.sure == ALWAYS_TRUE for case in self.cases)

    @property
    def is_impossible(self) -> bool:
        """Return whether the place rules it out."""
        return all(case.possible == NEVER_TRUE for case in self.cases)


@dataclass(frozen=True, slots=True)
class Needs:
    """The conditions for a player to be among the first `target`."""

    entrant: Entrant
    target: int
    behind: int
    """The number of other entrants that must end behind."""
    places: tuple[PlaceNeeds, ...]
    hangs_on: tuple[Elsewhere, ...]
    """The games at other tables that may matter."""


def needs_of(situation: BlockSituation, entrant: Entrant, target: int, *, total: int | None = None) -> Needs:
    """Return the conditions for a player at a last table; raise ValueError where margins are not sufficient.

    With `total` the player also needs that total, at the ledger's scale.
    """
    table = situation.tables[situation.table_of[entrant]]
    companions = [each for each in table.entrants if each != entrant]
    groups = tuple(group for group in situation.groups if entrant not in group.entrants)
    needs = _Reckoning(situation, entrant, max(len(situation.rows) - target, 0), groups, total)
    return Needs(
        entrant=entrant,
        target=target,
        behind=needs.behind,
        places=tuple(
            PlaceNeeds(place, tuple(needs.cases(place, companions))) for place in range(1, situation.players + 1)
        ),
        hangs_on=groups,
    )


@dataclass(frozen=True, slots=True)
class _Reckoning:
    """The calculation of one player's conditions, case by case."""

    situation: BlockSituation
    entrant: Entrant
    behind: int
    groups: tuple[Elsewhere, ...]
    total: int | None

    def cases(self, place: int, companions: Sequence[Entrant]) -> Iterator[PlaceArrangement]:
        """Yield every arrangement of the other players on the remaining places."""
        own, left = Span(place), [each for each in range(1, self.situation.players + 1) if each != place]
        elsewhere = [
            (profile, self._elsewhere(own, profile, is_sure=True), self._elsewhere(own, profile, is_sure=False))
            for profile in self.situation.worth.every
        ]
        for places in permutations(left):
            seats = tuple(zip(companions, places, strict=True))
            for profile, certain, likely in elsewhere:
                here = self._here(own, seats, profile)
                sure = self._formula(own, here, profile, certain, is_sure=True)
                possible = self._formula(own, here, profile, likely, is_sure=False)
                yield PlaceArrangement(seats, sure, possible, profile.floating)

    def _elsewhere(self, own: Span, profile: Profile, *, is_sure: bool) -> tuple[int, list[int]]:
        """Return how many of the finished and of the other tables are behind, and the final scores that put one more.

        They do not depend on the places of the companions.
        """
        finished = [
            self.situation.against_finished(self.entrant, each, profile)[own] for each in self.situation.finished
        ]
        behind = sum(_is_behind(cell, is_sure=is_sure) for cell in finished)
        scores = [_required_margin(cell, is_sure=is_sure) for cell in finished if _is_open(cell)]
        for group in self.groups:
            line = _line(group, is_sure=is_sure)
            # For certainty all of a group may end above; for a chance all but the one that `line` is about may end
            # behind.
            behind += 0 if is_sure else len(group.entrants) - (line is not None)
            if line is not None:
                scores.append(self._score_for(line, own, profile))
        least, most = scores_at(profile, own)
        behind += sum(least is not None and score <= least for score in scores)
        return behind, [each for each in scores if (least is None or each > least) and (most is None or each <= most)]

    def _here(
        self, own: Span, seats: Sequence[tuple[Entrant, int]], profile: Profile
    ) -> dict[Entrant, tuple[Span, Cell]]:
        """Return the companions' places, each with the condition for ending above that rival."""
        situation = self.situation
        rivals = ((rival, Span(each)) for rival, each in seats if rival in situation.rows)
        return {rival: (span, situation.duel(self.entrant, rival, profile).cell(own, span)) for rival, span in rivals}

    def _formula(
        self,
        own: Span,
        here: Mapping[Entrant, tuple[Span, Cell]],
        profile: Profile,
        elsewhere: tuple[int, list[int]],
        *,
        is_sure: bool,
    ) -> Formula:
        """Return the sufficient or the necessary condition for enough rivals to end behind."""
        margins = [
            Condition(rival, _required_margin(cell, is_sure=is_sure))
            for rival, (_, cell) in here.items()
            if _is_open(cell)
        ]
        behind, scores = elsewhere
        behind += sum(_is_behind(cell, is_sure=is_sure) for _, cell in here.values())
        apart = Distances({rival: span for rival, (span, _) in here.items()}, profile.unit if profile.has_ties else 0)
        found = at_least(self.behind - behind, margins, scores, apart)
        if self.total is None:
            return found
        least, most = scores_at(profile, own)
        score = self._score_for(self.total, own, profile, is_sure=is_sure)
        if least is not None and score <= least:
            return found
        return NEVER_TRUE if most is not None and score > most else with_score(found, score, apart)

    def _score_for(self, total: int, own: Span, profile: Profile, *, is_sure: bool = True) -> int:
        """Return the final score that brings the player to a total at this place, rounded up to the unit.

        Unless it must be sure, the player has the odd points of a shared place.
        """
        bonus = profile.bonus[own] if is_sure else profile.most(own)
        missing = total - self.situation.totals[self.entrant] - bonus
        return -(-missing // profile.per_unit) * profile.unit


def _line(group: Elsewhere, *, is_sure: bool) -> int | None:
    """Return the total beyond which one more player of a group ends behind; None if there is none.

    Derived from the highest total that all of the group can reach, or the lowest that all can stay at or under.
    """
    if is_sure:
        return None if group.all_can_reach is None else group.all_can_reach + 1
    return group.all_can_stay


def _is_open(cell: Cell) -> bool:
    """Return whether the margin decides."""
    return cell.kind is MarginKind.MARGIN


def _is_behind(cell: Cell, *, is_sure: bool) -> bool:
    """Return whether the rival is behind by the places alone; for `possible` also by a ruling."""
    return cell.kind is MarginKind.ALWAYS or (not is_sure and cell.kind is MarginKind.RULING)


def _required_margin(cell: Cell, *, is_sure: bool) -> int:
    """Return the margin, or the final score, that is required."""
    return cell.least if is_sure else cell.least_possible
