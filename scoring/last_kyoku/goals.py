"""What a player may want of the running kyoku. A goal looks at the table after it: reached, missed, or it goes on.

Which goals make sense follows from what a book pays for: places, the line below which one sinks, the kind of top, the
score of another place, going out.
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
from scoring.ruleset.settling import PlacePayments
from scoring.top_payment import TopType


class Verdict(StrEnum):
    """What an outcome makes of a goal, worst first."""

    FORBIDDEN = "forbidden"
    """The book does not let the win be taken."""
    MISSED = "missed"
    """The game ends without it."""
    GOES_ON = "goes_on"
    """The game goes on; the goal is still open."""
    REACHED = "reached"
    """The game ends with it."""


@dataclass(frozen=True, slots=True)
class Goal(ABC):
    """Something a seat may want."""

    code: ClassVar[str]
    """Its name for programs."""

    @property
    def params(self) -> Mapping[str, object]:
        """What it is made of."""
        return {}

    @property
    def is_exact(self) -> bool:
        """It hangs on the very scores, not only on how they stand to one another and to the book's lines."""
        return False

    def verdict(self, after: After, seat: int) -> Verdict:
        """What a table after the kyoku makes of it."""
        if not after.is_over:
            return Verdict.GOES_ON
        return Verdict.REACHED if self.holds(after, seat) else Verdict.MISSED

    @abstractmethod
    def holds(self, after: After, seat: int) -> bool:
        """Whether the game has ended with it."""


@dataclass(frozen=True, slots=True)
class Place(Goal):
    """A place or a better one; a shared place counts."""

    code = "place"

    worst: int

    @property
    def params(self) -> Mapping[str, object]:
        """The last place that will do."""
        return {"place": self.worst}

    def holds(self, after: After, seat: int) -> bool:
        """Whether the seat is placed so well."""
        return after.game.places[seat] <= self.worst


@dataclass(frozen=True, slots=True)
class Float(Goal):
    """Not sunk: at or above the line under which a book makes players pay the top."""

    code = "float"

    line: int

    @property
    def params(self) -> Mapping[str, object]:
        """The line."""
        return {"line": self.line}

    def holds(self, after: After, seat: int) -> bool:
        """Whether the seat pays nothing to the top."""
        game = after.game
        if game.floating is not None:
            return game.floating.seats[seat]
        return seat == game.top or game.final_scores[seat] >= self.line


@dataclass(frozen=True, slots=True)
class Top(Goal):
    """First, with no more than so many others floating: an A top, or a B top at least."""

    code = "top"

    kinds: tuple[TopType, ...]

    @property
    def params(self) -> Mapping[str, object]:
        """The least top that will do."""
        return {"kind": self.kinds[-1].value}

    def holds(self, after: After, seat: int) -> bool:
        """Whether the seat is such a top."""
        game = after.game
        return seat == game.top and game.floating is not None and game.floating.top_type in self.kinds


@dataclass(frozen=True, slots=True)
class PlaceLine(Goal):
    """A place, while the place whose score decides over payments has reached its line, or has missed it."""

    code = "place_line"

    own: int
    place: int
    line: int
    reached: bool

    @property
    def params(self) -> Mapping[str, object]:
        """One's own place; whose score, which line, and on which side."""
        return {"own": self.own, "place": self.place, "line": self.line, "reached": self.reached}

    def holds(self, after: After, seat: int) -> bool:
        """Whether the seat has its place and the other stands on the wanted side of the line."""
        game = after.game
        if game.places[seat] != self.own:
            return False
        return (game.final_scores[game.places.index(self.place)] >= self.line) is self.reached


@dataclass(frozen=True, slots=True)
class NotOut(Goal):
    """Not going out in this kyoku, whether or not the game goes on."""

    code = "not_out"

    def verdict(self, after: After, seat: int) -> Verdict:
        """Out or not."""
        return Verdict.REACHED if self.holds(after, seat) else Verdict.MISSED

    def holds(self, after: After, seat: int) -> bool:
        """Whether the seat is still in the game."""
        return not after.rules.end.bust.is_bust(after.state.scores[seat])


def goals_of(rules: Ruleset) -> tuple[Goal, ...]:
    """The goals that a book's own payments give a meaning."""
    return tuple(goal for find in FINDERS for goal in find(rules))


def _places(rules: Ruleset) -> Iterator[Goal]:
    """To win; and every place that is paid otherwise than the next one."""
    yield Place(1)
    for place in range(2, rules.players):
        if _is_parted(place, rules):
            yield Place(place)


def _is_parted(place: int, rules: Ruleset) -> bool:
    """Whether a place and the next bring different things."""
    uma, payments = rules.settlement.uma, rules.settlement.place_payments
    by_uma = uma is not None and uma.amounts[place - 1] != uma.amounts[place]
    return by_uma or (payments is not None and _paid_to(place, payments) != _paid_to(place + 1, payments))


def _paid_to(place: int, table: PlacePayments) -> tuple[object, ...]:
    """What a place gets and pays, whether the line is reached or missed."""
    return tuple(
        sum(((each.receiver == place) - (each.payer == place)) * each.amount for each in payments)
        for payments in (table.reached, table.missed)
    )


def _floating(rules: Ruleset) -> Iterator[Goal]:
    """Where whoever sinks pays the top."""
    sinking, payment = rules.settlement.sinking_uma, rules.settlement.top_payment
    if sinking is not None and sinking.amount:
        yield Float(sinking.line)
    if payment is not None:
        yield Float(payment.origin)


def _tops(rules: Ruleset) -> Iterator[Goal]:
    """Where a top earns more the fewer float beside it."""
    if rules.settlement.top_payment is not None:
        yield Top((TopType.A,))
        yield Top((TopType.A, TopType.B))


def _place_lines(rules: Ruleset) -> Iterator[Goal]:
    """Where a place's score turns payments round: its own side of the line, and the side of whom it else pays."""
    table = rules.settlement.place_payments
    if table is not None:
        yield PlaceLine(table.place, table.place, table.line, reached=True)
        receivers = (each.receiver for each in table.missed if each.payer == table.place)
        yield from (PlaceLine(receiver, table.place, table.line, reached=False) for receiver in receivers)


def _staying(rules: Ruleset) -> Iterator[Goal]:
    """Where one can go out."""
    if rules.end.bust.line is not BustLine.NEVER:
        yield NotOut()


FINDERS: tuple[Callable[[Ruleset], Iterator[Goal]], ...] = (_places, _tops, _place_lines, _floating, _staying)
"""In the order in which players ask for them."""
