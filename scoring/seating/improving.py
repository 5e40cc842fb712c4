"""Improve a schedule step by step: exchange players within rounds, number the tables, assign the seats.

Each step begins with the best schedule found before it, so that a search can be interrupted after any step and carried
on later. Who plays in a round never changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scoring.seating.balance import Schedule, meetings_of, price_of, table_size
from scoring.seating.companies import Companies, link, prices_of, spread
from scoring.seating.draws import stream
from scoring.seating.figures import Figures, figures_of
from scoring.seating.plan import NOTHING, Constraints
from scoring.seating.tables import with_tables
from scoring.seating.winds import with_winds

EXCHANGES = 2_500
"""Exchanges of players that each part of a step tries."""
MOVES = 60_000
"""Exchanges of tables that a step tries."""


@dataclass(frozen=True, slots=True)
class SearchStep:
    """A search after `done` of its `of` steps, with the best schedule so far, without the rounds already played."""

    done: int
    of: int
    schedule: Schedule
    figures: Figures
    """Figures of the rounds already played and the schedule together."""
    cost: int
    """Price of all meetings of pairs that were to be kept apart."""

    @property
    def key(self) -> tuple[int, ...]:
        """Return the counts in the order in which schedules are compared; the smaller, the better."""
        return (self.cost, *self.figures.key)


def improving(
    schedule: Schedule, players: int, constraints: Constraints = NOTHING, *, seed: int = 0, steps: int, done: int = 0
) -> Iterator[SearchStep]:
    """Yield the best schedule after each of `steps` steps; the given schedule is the best of the first `done`.

    Players stay in their rounds, so absences and rests are kept. Equal arguments give equal steps.
    """
    best = step_of(schedule, players, constraints, done, steps)
    for number in range(done, steps):
        found = _attempt(best.schedule, players, constraints, seed + number)
        after = step_of(found, players, constraints, number + 1, steps)
        # An equal one is taken too: the next step then begins elsewhere.
        best = after if after.key <= best.key else replace(best, done=number + 1)
        yield best


def step_of(
    schedule: Schedule, players: int, constraints: Constraints = NOTHING, done: int = 0, of: int = 0
) -> SearchStep:
    """Return a schedule with its counts, as the state of a search after `done` steps."""
    whole = (*constraints.played, *schedule)
    cost = price_of(meetings_of(whole, players), constraints.apart)
    return SearchStep(done, of, schedule, figures_of(whole, players), cost)


def _attempt(schedule: Schedule, players: int, constraints: Constraints, seed: int) -> Schedule:
    """Return the schedule after one step, better or not."""
    companies, draws = Companies.of(schedule, prices_of(constraints.apart, players), constraints.played), stream(seed)
    spread(companies, EXCHANGES, draws)
    link(companies, EXCHANGES, draws)
    numbered = with_tables(companies.schedule, players, constraints.played, moves=MOVES, seed=seed)
    return with_winds(numbered, table_size(schedule), constraints.played)
