"""Goals of a seat in the running kyoku; a goal judges the table after it: reached, missed, or the game continues.

Which goals make sense follows from the payments in a book: places, the line below which a player sinks, the
kind of top, the score of another place, going out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from scoring.last_kyoku.outcomes import After
from scoring.ruleset import Ruleset
from scoring.ruleset.end import BustLine
from scoring.top_payment import KINDS, TopType


class GoalVerdict(StrEnum):
    """Verdict of an outcome on a goal, worst first."""

    FORBIDDEN = "forbidden"
    """The book forbids the win."""
    MISSED = "missed"
    """The game ends without it."""
    GOES_ON = "goes_on"
    """The game continues; the goal is still open."""
    REACHED = "reached"
    """The game ends with it."""


@dataclass(frozen=True, slots=True)
class Goal(ABC):
    """A goal that a seat may have."""

    code: ClassVar[str]
    """Name of the goal in the API."""

    @property
    def params(self) -> Mapping[str, object]:
        """Return the parameters of the goal."""
        return {}

    @property
    def is_exact(self) -> bool:
        """Return whether the exact scores matter, not only their order and their sides of the book's lines."""
        return False

    def verdict(self, after: After, seat: int) -> GoalVerdict:
        """Return the verdict for a table after the kyoku."""
        if not after.is_over:
            return GoalVerdict.GOES_ON
        return GoalVerdict.REACHED if self.holds(after, seat) else GoalVerdict.MISSED

    @abstractmethod
    def holds(self, after: After, seat: int) -> bool:
        """Return whether a finished game fulfils the goal."""


@dataclass(frozen=True, slots=True)
class Place(Goal):
    """Goal: a place or a better one; a shared place counts."""

    code = "place"

    worst: int

    @property
    def params(self) -> Mapping[str, object]:
        """Return the worst place that fulfils the goal."""
        return {"place": self.worst}

    def holds(self, after: After, seat: int) -> bool:
        """Return whether the seat's place is good enough."""
        return after.game.places[seat] <= self.worst


@dataclass(frozen=True, slots=True)
class Float(Goal):
    """Goal: not sunk, that is at or above the line under which a book makes players pay the top."""

    code = "float"

    line: int

    @property
    def params(self) -> Mapping[str, object]:
        """Return the line."""
        return {"line": self.line}

    def holds(self, after: After, seat: int) -> bool:
        """Return whether the seat pays nothing to the top."""
        game = after.game
        if game.floating is not None:
            return game.floating.seats[seat]
        return seat == game.top or game.final_scores[seat] >= self.line


@dataclass(frozen=True, slots=True)
class FloatingPlace(Goal):
    """Goal: a place or a better one, and floating, in books whose uma depends on the number of floating players."""

    code = "floating_place"

    worst: int | None
    """None for any place."""
    line: int

    @property
    def params(self) -> Mapping[str, object]:
        """Return the worst place that fulfils the goal, None for any, and the lowest score that floats."""
        return {"place": self.worst, "line": self.line}

    def holds(self, after: After, seat: int) -> bool:
        """Return whether the seat floats before deposits are given out, and its place is good enough."""
        is_placed = self.worst is None or after.game.places[seat] <= self.worst
        return is_placed and after.game.result.scores[seat] >= self.line


@dataclass(frozen=True, slots=True)
class Top(Goal):
    """Goal: first, with a limited number of others floating: an A top, or a B top at least."""

    code = "top"

    kinds: tuple[TopType, ...]

    @property
    def params(self) -> Mapping[str, object]:
        """Return the least kind of top that fulfils the goal."""
        return {"kind": self.kinds[-1].value}

    def holds(self, after: After, seat: int) -> bool:
        """Return whether the seat is a top of one of these kinds."""
        return seat == after.game.top and after.game.top_type in self.kinds


@dataclass(frozen=True, slots=True)
class PlaceLine(Goal):
    """Goal: a place, while the place whose score decides over payments is on the wanted side of its line."""

    code = "place_line"

    own: int
    place: int
    line: int
    reached: bool

    @property
    def params(self) -> Mapping[str, object]:
        """Return the own place, the place whose score decides, its line and the side."""
        return {"own": self.own, "place": self.place, "line": self.line, "reached": self.reached}

    def holds(self, after: After, seat: int) -> bool:
        """Return whether the seat has its place and the deciding score is on the wanted side of the line."""
        game = after.game
        if game.places[seat] != self.own:
            return False
        return (game.final_scores[game.places.index(self.place)] >= self.line) is self.reached


@dataclass(frozen=True, slots=True)
class NotOut(Goal):
    """Goal: not going out in this kyoku, whether or not the game continues."""

    code = "not_out"

    def verdict(self, after: After, seat: int) -> GoalVerdict:
        """Return the verdict, which does not depend on the end of the game."""
        return GoalVerdict.REACHED if self.holds(after, seat) else GoalVerdict.MISSED

    def holds(self, after: After, seat: int) -> bool:
        """Return whether the seat is still in the game."""
        return not after.rules.end.bust.is_bust(after.state.scores[seat])


def goals_of(rules: Ruleset) -> tuple[Goal, ...]:
    """Return the goals that make sense by a book's own payments."""
    return tuple(goal for find in FINDERS for goal in find(rules))


def _places(rules: Ruleset) -> Iterator[Goal]:
    """Yield first place, and each place whose payout differs from the next."""
    yield Place(1)
    for place in range(2, rules.players):
        if _is_parted(place, rules):
            yield Place(place)


def _is_parted(place: int, rules: Ruleset) -> bool:
    """Return whether a place and the next one have different payouts."""
    uma, payments = rules.settlement.uma, rules.settlement.place_payments
    by_uma = uma is not None and any(row[place - 1] != row[place] for _, row in uma.rows())
    return by_uma or (payments is not None and payments.net_of(place) != payments.net_of(place + 1))


def _floating(rules: Ruleset) -> Iterator[Goal]:
    """Yield the goal of not sinking, in books in which sunk players pay the top or have less uma."""
    sinking, payment = rules.settlement.sinking_uma, rules.settlement.top_payment
    if sinking is not None and sinking.amount:
        yield Float(sinking.line)
    if payment is not None:
        yield Float(payment.origin)
    uma = rules.settlement.uma
    if uma is not None and uma.floating is not None:
        line, last = uma.floating.least(rules.entry.unit), rules.players
        # With the last place but one this is the same as floating at all, unless all players do.
        for place in filter(uma.is_better_afloat, range(2, last)):
            yield FloatingPlace(place if place < last - 1 else None, line)


def _tops(rules: Ruleset) -> Iterator[Goal]:
    """Yield the kinds of top, in books in which a top earns more the fewer others float."""
    if rules.settlement.top_payment is not None:
        yield Top((TopType.A,))
        yield Top((TopType.A, TopType.B))
    uma = rules.settlement.uma
    if uma is not None and uma.floating is not None:
        firsts = [uma.row(floating)[0] for floating in range(1, rules.players)]
        better = (count for count in range(1, len(firsts)) if firsts[count - 1] > max(firsts[count:]))
        yield from (Top(KINDS[:count]) for count in better)


def _place_lines(rules: Ruleset) -> Iterator[Goal]:
    """Yield the goals of books in which one place's score reverses payments.

    The deciding place wants its line reached; a place that it pays after missing the line wants it missed.
    """
    table = rules.settlement.place_payments
    if table is not None:
        yield PlaceLine(table.place, table.place, table.line, reached=True)
        receivers = (each.receiver for each in table.missed if each.payer == table.place)
        yield from (PlaceLine(receiver, table.place, table.line, reached=False) for receiver in receivers)


def _staying(rules: Ruleset) -> Iterator[Goal]:
    """Yield the goal of not going out, in books in which players can go out."""
    if rules.end.bust.line is not BustLine.NEVER:
        yield NotOut()


FINDERS: tuple[Callable[[Ruleset], Iterator[Goal]], ...] = (_places, _tops, _place_lines, _floating, _staying)
"""In the order in which players ask for them."""
