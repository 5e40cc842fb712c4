"""Tie-breaks for equal totals: criteria as small functions, their order as data.

The one idea: a tie is broken by going back. The latest hanchan that all the tied entrants have played is
compared first, criterion by criterion in the format's order; entrants it separates are placed, the rest go
back one more hanchan among themselves. Where every entrant has played the same number of hanchan this is a
plain lexicographic comparison from the last hanchan to the first.

In the middle of a stage the counts may differ. Then only hanchan that all of the tied entrants have played
decide: the second hanchan of one against the second of the other, never a result against an empty place. As
soon as those still tied have further hanchan in common, these count too, latest first. When all counts are
equal again, this special case has no effect left: the order is that of the rule.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from pydantic import field_validator

from scoring.ruleset.base import ClauseId, SentenceError, Strict

SENTENCES: Mapping[str, str] = {
    "criterion_twice": "%(names)s: each criterion may stand here once",
    "not_last": "%(name)s leaves no players level, so nothing can follow it; it must be the last one",
}
"""A sentence for each fault of a list of criteria."""

Entrant = Hashable
"""An entrant's id: an integer or a string. Ranks never depend on it."""


@dataclass(frozen=True, slots=True)
class Played:
    """One hanchan as it counts for one entrant."""

    number: int
    """The number of this hanchan among the entrant's own in the stage, from 1."""
    points: int
    """In the ranking ledger, at its scale; deductions for chonbo included."""
    place: int
    """A shared place counts as the best of the places it fills."""
    score: int
    """The final score in table points."""
    ref: Hashable = None
    """Reference to the hanchan, for links."""


class CreditKind(StrEnum):
    """Reason for which a hanchan counts for an entrant who has no result in it."""

    BYE = "bye"
    """The entrant sat out, since the entrants did not fill whole tables."""
    NO_SHOW = "no_show"
    """The entrant was absent."""
    LATE = "late"
    """The entrant had not joined yet."""
    WALKOVER = "walkover"
    """The table's hanchan was not played."""
    ANNULLED = "annulled"
    """The hanchan was played with an entrant who left, and the format annuls those."""


@dataclass(frozen=True, slots=True)
class Credit:
    """A hanchan of the block that counts for an entrant without a result: part of the total, compared in no tie."""

    number: int
    """The number of the hanchan in the block."""
    kind: CreditKind
    points: int
    """In the ranking ledger, at its scale."""
    place: int | None = None
    """The place that it counts as; None for none."""
    ref: Hashable = None
    """Reference to the hanchan, if it was played and counts nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """Everything that counts for one entrant in one block: hanchan, points carried in, the organizer's adjustments."""

    entrant: Entrant
    played: tuple[Played, ...] = ()
    carried: int = 0
    adjustment: int = 0
    credits: tuple[Credit, ...] = ()
    """Hanchan that count although the entrant did not play them."""

    @property
    def total(self) -> int:
        """Return the sum of everything that counts."""
        return self.carried + self.adjustment + self.credited + sum([played.points for played in self.played])

    @property
    def credited(self) -> int:
        """Return the points for hanchan that the entrant did not play."""
        return sum([credit.points for credit in self.credits])

    @property
    def counted(self) -> int:
        """Return the number of hanchan that count, those not played included."""
        return len(self.played) + len(self.credits)

    def places(self) -> list[int]:
        """Return the place of each hanchan that counts, in no order; a credit without a place has none."""
        credited = [credit.place for credit in self.credits if credit.place is not None]
        return [played.place for played in self.played] + credited

    def numbers(self) -> frozenset[int]:
        """Return the numbers of the hanchan that the entrant has played."""
        return frozenset([played.number for played in self.played])

    def hanchan(self, number: int) -> Played:
        """Return the entrant's own n-th hanchan; raise KeyError if it has not been played."""
        for played in self.played:
            if played.number == number:
                return played
        raise KeyError(number)


class Criterion(StrEnum):
    """Property of a hanchan that is compared. The value names the function that compares it."""

    POINTS = "points"
    """More points in the hanchan, chonbo deducted."""
    PLACE = "place"
    """The better place, regardless of the score."""
    SCORE = "score"
    """The higher final score."""


RULING = "ruling"
"""Criterion of a pair that no result separates and that the organizer has ordered."""


def points(played: Played) -> int:
    """Return the points of the hanchan, chonbo deducted; more is better."""
    return played.points


def place(played: Played) -> int:
    """Return the negated place, regardless of the score, so that more is better."""
    return -played.place


def score(played: Played) -> int:
    """Return the final score in table points; more is better."""
    return played.score


STRENGTH: Mapping[Criterion, Callable[[Played], int]] = {
    Criterion(function.__name__): function for function in (points, place, score)
}


class TiebreakStep(Strict):
    """One criterion of the comparison of two hanchan, with its clause."""

    by: Criterion
    clause: ClauseId | None = None
    clause_earlier: ClauseId | None = None
    """The clause for a decision by an earlier hanchan than the last, if it differs."""


class Further(StrEnum):
    """Criterion for entrants whom neither the total nor going back separates. The value names its function."""

    PLACES = "places"
    """More first places; with equally many, more second places, and so on."""
    BEST_SCORE = "best_score"
    """The higher best final score of one hanchan."""
    HEAD_TO_HEAD = "head_to_head"
    """More points in the hanchan that all of them played at one table."""
    PRIOR = "prior"
    """The better place in an earlier order, such as last year's."""
    SEED = "seed"
    """The lower seed."""
    LOT = "lot"
    """By lot, from a published seed."""


LEAVES_NO_TIE = frozenset({Further.SEED, Further.LOT})
"""Criteria in which no two entrants are level, so that none can follow."""


class TieBreak(Strict):
    """Ranking rule: total points, going back hanchan by hanchan, then further criteria, then rulings."""

    clause_total: ClauseId | None = None
    clause_ruling: ClauseId | None = None
    back_tracking: tuple[TiebreakStep, ...] = ()
    """Empty: nothing is compared hanchan by hanchan."""
    then: tuple[Further, ...] = ()
    """Compared in this order where going back leaves entrants level; empty: they share the rank."""

    @property
    def by_hanchan(self) -> "TieBreak":
        """Return the rule up to going back, for forecasts: what further criteria would decide stays open in them."""
        return self.model_copy(update={"then": ()}) if self.then else self

    @field_validator("back_tracking")
    @classmethod
    def _each_criterion_once(cls, steps: tuple[TiebreakStep, ...]) -> tuple[TiebreakStep, ...]:
        _refuse_twice([step.by for step in steps])
        return steps

    @field_validator("then")
    @classmethod
    def _each_once_and_the_last_last(cls, criteria: tuple[Further, ...]) -> tuple[Further, ...]:
        _refuse_twice(criteria)
        for criterion in criteria[:-1]:
            if criterion in LEAVES_NO_TIE:
                raise SentenceError(SENTENCES, "not_last", name=criterion.value)
        return criteria


def _refuse_twice(names: Sequence[str]) -> None:
    """Raise SentenceError if a criterion stands twice in a list."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SentenceError(SENTENCES, "criterion_twice", names=", ".join(twice))


@dataclass(frozen=True, slots=True)
class ComparedFurther:
    """The values by which a further criterion separated two groups."""

    criterion: Further
    number: int | None
    """For `places` the place that was counted."""
    above_value: int
    below_value: int


@dataclass(frozen=True, slots=True)
class RankedPart:
    """Rows that share a rank, and the reason for their separation from the part above."""

    rows: tuple[Row, ...]
    number: int | None = None
    """The hanchan that separated it from the part above, if a hanchan did."""
    ruled: bool = False
    """A ruling separated it from the part above."""
    further: ComparedFurther | None = None
    """The criterion after going back that separated it from the part above, if one did."""


def go_back(level: tuple[Row, ...], steps: Sequence[TiebreakStep]) -> Iterator[RankedPart]:
    """Split tied rows from the latest hanchan backwards; rows that stay together have nothing left to compare."""
    if len(level) == 1 or not steps:
        yield RankedPart(level)
        return
    results = {row.entrant: {played.number: played for played in row.played} for row in level}
    yield from _go_back(level, steps, results, frozenset())


_Results = Mapping[Entrant, Mapping[int, Played]]


def _go_back(
    level: tuple[Row, ...], steps: Sequence[TiebreakStep], results: _Results, compared: frozenset[int]
) -> Iterator[RankedPart]:
    """Compare the latest hanchan that all rows share and that has not been compared yet, then go on in each group."""
    # Recomputed for each smaller group: rows may share hanchan that the larger group did not have in common.
    common = frozenset.intersection(*(frozenset(results[row.entrant]) for row in level))
    for number in sorted(common - compared, reverse=True) if len(level) > 1 else ():
        compared |= {number}
        groups = by_value(level, {row.entrant: strength(results[row.entrant][number], steps) for row in level})
        if len(groups) > 1:
            for index, group in enumerate(groups):
                first, *rest = _go_back(group, steps, results, compared)
                yield replace(first, number=number) if index else first
                yield from rest
            return
    yield RankedPart(level)


def by_value(level: Sequence[Row], values: Mapping[Entrant, tuple[int, ...]]) -> list[tuple[Row, ...]]:
    """Group rows by equal values, the greatest first."""
    greatest_first = sorted(level, key=lambda row: values[row.entrant], reverse=True)
    return [tuple(same) for _, same in groupby(greatest_first, lambda row: values[row.entrant])]


def strength(played: Played, steps: Sequence[TiebreakStep]) -> tuple[int, ...]:
    """Return the values of a hanchan by the criteria, in their order; more is better."""
    return tuple(STRENGTH[step.by](played) for step in steps)


def deciding_step(better: Played, worse: Played, steps: Sequence[TiebreakStep]) -> TiebreakStep:
    """Return the first criterion in which two hanchan differ."""
    return next(step for step in steps if STRENGTH[step.by](better) != STRENGTH[step.by](worse))


def order_by_id(row: Row) -> tuple[int, str]:
    """Return a sort key made of the entrant's id alone: numbers as numbers, everything else as text."""
    return (row.entrant, "") if isinstance(row.entrant, int) else (0, str(row.entrant))


TOTAL_ONLY = TieBreak()
"""Rank by total alone; equal totals share the rank."""
