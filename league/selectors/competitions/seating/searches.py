"""Searches for a more even seating: what is asked, what has been found, and the schedule that follows from it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from league.models import Block, SeatingSearch
from league.selectors.competitions.seating.evenness import turns_of
from league.wording.competitions.seating import FigureLine, figure_lines
from scoring.seating import Constraints, bounds_for, play_in_turns
from scoring.seating.balance import Pair, Schedule, meetings_of
from scoring.seating.improving import SearchStep, step_of


@dataclass(frozen=True, slots=True)
class BlockSearch:
    """A block's companies as planned at once, and the search that improves them, if one was begun."""

    block: Block
    players: int
    apart: Mapping[Pair, int]
    """Pairs to be kept apart, each with the price of a meeting."""
    start: SearchStep
    """The companies as planned at once, with their counts."""
    row: SeatingSearch | None
    found: SearchStep
    """The best companies found, with their counts."""

    @classmethod
    def of(cls, block: Block, schedule: Schedule, players: int, apart: Mapping[Pair, int]) -> BlockSearch:
        """Return the search of a block's schedule, which has a round for each hanchan."""
        start = step_of(turns_of(schedule), players, Constraints(apart=apart))
        key = key_of(players, apart, start.schedule)
        row = SeatingSearch.objects.filter(competition=block.competition_id, key=key).first()
        return cls(block, players, apart, start, row, step_of_row(row) if row else start)

    @property
    def key(self) -> str:
        """Return the digest under which the search is kept."""
        return key_of(self.players, self.apart, self.start.schedule)

    @property
    def is_improvable(self) -> bool:
        """Return True if a better seating is not proved impossible."""
        return any(len(each) > 1 for each in self.start.schedule) and not is_proved_best(self.found)

    @property
    def lines(self) -> list[tuple[FigureLine, FigureLine]]:
        """Return the figures before and now, in words; winds, which are always even, are left out."""
        bounds = bounds_for(self.start.schedule, self.players)
        before, now = (figure_lines(step.figures, bounds) for step in (self.start, self.found))
        return [pair for pair in zip(before, now, strict=True) if pair[0].name != "wind_gap"]

    @property
    def apart_meetings(self) -> tuple[int, int]:
        """Return the meetings of players to be kept apart, before and now."""
        before, now = (meetings_of(step.schedule, self.players) for step in (self.start, self.found))
        return sum(before[one][other] for one, other in self.apart), sum(now[one][other] for one, other in self.apart)

    def improved(self, schedule: Schedule) -> Schedule:
        """Return the schedule with the companies found, if these are better and the search has ended."""
        if self.row is None or self.row.is_pending or self.found.key >= self.start.key:
            return schedule
        companies = groupby(schedule, lambda each: frozenset(map(frozenset, each)))
        games = [sum(1 for _round in rounds) for _companies, rounds in companies]
        return play_in_turns(self.found.schedule, games, len(schedule[0][0]))


def key_of(players: int, apart: Mapping[Pair, int], companies: Schedule) -> str:
    """Return the SHA-256 of what a search depends on."""
    return hashlib.sha256(json.dumps([players, rows_of(apart), companies]).encode()).hexdigest()


def step_of_row(row: SeatingSearch) -> SearchStep:
    """Return the best companies of a search with their counts."""
    companies = tuple(tuple(map(tuple, each)) for each in row.best)
    return step_of(companies, row.players, constraints_of(row), row.done, row.total)


def constraints_of(row: SeatingSearch) -> Constraints:
    """Return the requirements of a search besides evenness."""
    return Constraints(apart={(one, other): price for one, other, price in row.apart})


def rows_of(apart: Mapping[Pair, int]) -> list[tuple[int, int, int]]:
    """Return pairs and prices as a search keeps them."""
    return sorted((one, other, price) for (one, other), price in apart.items())


def is_proved_best(step: SearchStep) -> bool:
    """Return True if no seating with the same rounds can be better in any count that a search improves."""
    reached = bounds_for(step.schedule, step.figures.players).reached(step.figures)
    return not step.cost and reached >= {"squares", "excess", "table_most", "table_over", "unlinked", "least_links"}
