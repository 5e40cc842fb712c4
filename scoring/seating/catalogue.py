"""Shipped plans: companies and table numbers for tables of four, computed by `python -m scripts.seating`.

There is a file for each number of players, with a line for each number of rounds, of six fields:

    rounds modulus fixed companies tables figures

The companies are written as base rounds: all players in the order of the companies, four to each, a byte for a
player, as base64. Players stand in circles of `modulus`; the last `fixed` players stand in none. A base round gives
`modulus` rounds: each further one moves every player of a circle on by one place. A base round after "=" is a round
as it stands. The tables are, for each round, the companies' numbers in the order of the tables. The figures are those
of `FIGURES`, with "-" for none; a plan whose figures differ from what its line says is refused.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from importlib import resources

from scoring.seating.balance import Round, Schedule
from scoring.seating.figures import Figures, figures_of

FOUR = 4
FIGURES = (
    "squares", "excess", "table_most", "table_over", "unlinked", "least_links", "pairs_at_least",
)  # fmt: skip
"""Counts that a line states; winds are assigned when a plan is used."""
ONCE = "="
"""Mark of a base round that is not moved on."""


class PlanError(ValueError):
    """A line of shipped data that is no plan, or not the plan it says."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """A line of shipped data."""

    players: int
    rounds: int
    modulus: int
    fixed: int
    bases: tuple[bytes, ...]
    """Base rounds that are moved on."""
    singles: tuple[bytes, ...]
    """Base rounds that are rounds as they stand."""
    tables: tuple[bytes, ...]
    """By round: the companies' numbers in the order of the tables."""
    figures: str

    @classmethod
    def parse(cls, players: int, line: str) -> Shipped:
        """Parse a line; raise PlanError if it has not six fields or something is no number or base64."""
        try:
            rounds, modulus, fixed, companies, tables, figures = line.split()
            parts = companies.split(",")
            bases = tuple(_bytes(part) for part in parts if not part.startswith(ONCE))
            singles = tuple(_bytes(part.removeprefix(ONCE)) for part in parts if part.startswith(ONCE))
            order = _bytes(tables)
            halls = tuple(order[start : start + players // FOUR] for start in range(0, len(order), players // FOUR))
            return cls(players, int(rounds), int(modulus), int(fixed), bases, singles, halls, figures)
        except ValueError as error:
            raise PlanError(f"{players} players: {line[:20]!r} is no line of a plan: {error}") from error

    def __str__(self) -> str:
        parts = [*map(_text, self.bases), *(ONCE + _text(single) for single in self.singles)]
        tables = _text(b"".join(self.tables))
        return f"{self.rounds} {self.modulus} {self.fixed} {','.join(parts)} {tables} {self.figures}"

    def companies(self) -> Schedule:
        """Return the rounds, each with its companies in the order of the base round."""
        turned = [
            bytes(self._moved(player, step) for player in base) for base in self.bases for step in range(self.modulus)
        ]
        return tuple(map(_companies, [*turned, *self.singles][: self.rounds]))

    def schedule(self) -> Schedule:
        """Return the plan without winds; raise PlanError if it is none, or has other figures than stated."""
        companies = self.companies()
        if len(companies) != self.rounds or len(self.tables) != self.rounds:
            raise self._fault("gives another number of rounds")
        if any(sorted(order) != list(range(len(each))) for order, each in zip(self.tables, companies, strict=True)):
            raise self._fault("does not give each company one table")
        schedule = tuple(
            tuple(each[place] for place in order) for order, each in zip(self.tables, companies, strict=True)
        )
        if any(sorted(player for table in each for player in table) != list(range(self.players)) for each in schedule):
            raise self._fault("does not seat every player once in each round")
        if stated(figures_of(schedule, self.players)) != self.figures:
            raise self._fault(f"does not have the figures {self.figures}")
        return schedule

    def _moved(self, player: int, step: int) -> int:
        if player >= self.players - self.fixed:
            return player
        circle, place = divmod(player, self.modulus)
        return circle * self.modulus + (place + step) % self.modulus

    def _fault(self, what: str) -> PlanError:
        return PlanError(f"The shipped plan for {self.players} players and {self.rounds} rounds {what}.")


def stated(figures: Figures) -> str:
    """Return the figures as a line states them."""
    return ",".join("-" if (count := getattr(figures, name)) is None else str(count) for name in FIGURES)


def lines_for(players: int) -> dict[int, Shipped]:
    """Return the shipped lines for that many players, by rounds; empty if there are none. Raise PlanError."""
    file = resources.files(__package__) / "plans" / f"{players:03}.txt"
    if not file.is_file():
        return {}
    found = [Shipped.parse(players, line) for line in file.read_text(encoding="ascii").splitlines()]
    return {line.rounds: line for line in found}


def shipped(players: int, rounds: int) -> Schedule | None:
    """Return the shipped plan without winds; None if there is none. Raise PlanError if the data are damaged."""
    line = lines_for(players).get(rounds)
    return line.schedule() if line else None


def _companies(players: bytes) -> Round:
    return tuple(tuple(players[first : first + FOUR]) for first in range(0, len(players), FOUR))


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
