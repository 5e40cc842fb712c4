"""Table numbers: companies of a round exchange tables until no player returns to a table more often than necessary.

The choice of tables changes neither meetings nor winds. It is a colouring of the companies, with a table as colour: two
companies of different rounds that share a player should have different colours, and a round's are all different.
"""

from __future__ import annotations

from scoring.seating.balance import Round, Schedule, least_squares, visits_of
from scoring.seating.draws import stream

MOVES = 150_000
"""Default number of exchanges that are tried."""
THRESHOLDS = (6, 4, 4, 2, 2, 0)
"""Largest accepted increase of the sum of squared visits, by phase of the search."""


def with_tables(
    schedule: Schedule, players: int, played: Schedule = (), *, moves: int = MOVES, seed: int = 0
) -> Schedule:
    """Return the same companies in each round, in the order of their tables, table 1 first.

    The sum of all squared visits of a player to a table is made small; visits in rounds already played count.
    Equal arguments give equal tables.
    """
    hall = max((len(each) for each in (*played, *schedule)), default=0)
    # Rounds begin shifted against each other, so that companies which stay together begin at different tables.
    rounds = [list(_shifted(each, number)) for number, each in enumerate(schedule)]
    visits = visits_of((*played, *rounds), players, hall)
    search = _Search(rounds, visits, least=sum(least_squares(sum(row), hall) for row in visits if row))
    search.run(moves, seed)
    return tuple(map(tuple, search.best))


def _shifted(each: Round, number: int) -> Round:
    first = number % len(each) if each else 0
    return (*each[first:], *each[:first])


class _Search:
    """Tables with each player's visits; `cost` is the sum of the squared visits."""

    def __init__(self, rounds: list[list[tuple[int, ...]]], visits: list[list[int]], least: int) -> None:
        self.rounds, self.visits, self.least = rounds, visits, least
        self.cost = sum(count * count for row in visits for count in row)
        self.best = [list(each) for each in rounds]

    def run(self, moves: int, seed: int) -> None:
        """Try that many exchanges and keep the best tables in `best`."""
        draws = stream(seed)
        several = [each for each in self.rounds if len(each) > 1]
        best = self.cost
        for move in range(moves if several else 0):
            if best <= self.least:
                break
            number, round_ = divmod(next(draws), len(several))
            each = several[round_]
            number, here = divmod(number, len(each))
            there = (here + 1 + number % (len(each) - 1)) % len(each)
            change = self._change(each, here, there)
            if change <= THRESHOLDS[move * len(THRESHOLDS) // moves]:
                self._exchange(each, here, there)
                self.cost += change
                if self.cost < best:
                    best = self.cost
                    self.best = [list(each) for each in self.rounds]

    def _change(self, each: list[tuple[int, ...]], here: int, there: int) -> int:
        """Return the change of the cost if the companies of two tables exchange them."""
        visits, change = self.visits, len(each[here]) + len(each[there])
        # (v + 1)² - v² at the new table and (v - 1)² - v² at the old one.
        for player in each[here]:
            row = visits[player]
            change += row[there] - row[here]
        for player in each[there]:
            row = visits[player]
            change += row[here] - row[there]
        return 2 * change

    def _exchange(self, each: list[tuple[int, ...]], here: int, there: int) -> None:
        for player in each[here]:
            row = self.visits[player]
            row[here] -= 1
            row[there] += 1
        for player in each[there]:
            row = self.visits[player]
            row[there] -= 1
            row[here] += 1
        each[here], each[there] = each[there], each[here]
