"""Whether a win may be taken, in books where it depends on who floats, sinks or goes out by it.

All tests look at the scores as they would stand after the full payment. Every test that holds and has a consequence
is reported; the heaviest consequence is the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.placement import groups
from scoring.ruleset import Ruleset
from scoring.ruleset.value import Legality, Verdict


class Test(StrEnum):
    """What is asked about a win, in the order of the books."""

    __test__ = False

    BUST_WITHOUT_RISING = "bust_without_rising"
    """The winner stays sunk and takes another out."""
    SINK_WITHOUT_RISING = "sink_without_rising"
    """The winner stays sunk and sinks another who was floating."""
    BUST_WITHOUT_TOP = "bust_without_top"
    """The winner takes another out without being top."""
    C_TOP = "c_top"
    """The win ends the game with a single player sunk."""


@dataclass(frozen=True, slots=True)
class Taking:
    """A win that could be taken, by the scores around it."""

    winner: int
    before: tuple[int, ...]
    would_be: tuple[int, ...]
    """Scores after the full payment."""
    ends_game: bool
    """The game would be over with these scores."""
    last_hand: bool
    """It is the last hand of the last round."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a win may be taken, and why."""

    verdict: Verdict
    would_be: tuple[int, ...]
    reasons: tuple[Test, ...] = ()
    """Tests that hold and are not plainly allowed."""
    waived: tuple[Test, ...] = ()
    """Tests that hold, but not in the last hand."""
    clauses: tuple[str, ...] = ()

    @property
    def is_allowed(self) -> bool:
        """The win may be taken, if only in part or with a frown."""
        return self.verdict is not Verdict.FORBIDDEN


def judge(taking: Taking, rules: Ruleset) -> Judgement:
    """Return whether a win may be taken; a book without such tests allows every win."""
    table = rules.play.legality if rules.play is not None else None
    if table is None:
        return Judgement(Verdict.ALLOWED, taking.would_be)
    holding = [test for test in holds(taking, rules) if CONSEQUENCE[test](table) is not Verdict.ALLOWED]
    waived = tuple(test for test in holding if _is_waived(test, taking, table))
    left = [test for test in holding if test not in waived]
    capped = tuple(test for test in left if CONSEQUENCE[test](table) is Verdict.PAY_TO_LIMIT)
    reasons = capped or tuple(left)
    verdicts = [CONSEQUENCE[test](table) for test in reasons]
    verdict = max(verdicts, key=WEIGHT.index, default=Verdict.ALLOWED)
    return Judgement(verdict, taking.would_be, reasons, waived, table.clauses if holding else ())


def holds(taking: Taking, rules: Ruleset) -> Iterator[Test]:
    """Yield the tests that hold, whatever the book makes of them."""
    payment = rules.settlement.top_payment
    if payment is None:
        return
    origin, winner, after = payment.origin, taking.winner, taking.would_be
    others = [seat for seat in range(len(after)) if seat != winner]
    takes_out = any(rules.end.bust.is_bust(after[seat]) for seat in others)
    sinks = any(after[seat] < origin <= taking.before[seat] for seat in others)
    rises = after[winner] >= origin
    if takes_out and not rises:
        yield Test.BUST_WITHOUT_RISING
    if sinks and not rises:
        yield Test.SINK_WITHOUT_RISING
    if takes_out and groups(after, rules.settlement.placing.ties)[0][0] != winner:
        yield Test.BUST_WITHOUT_TOP
    if taking.ends_game and sum(score < origin for score in after) == 1:
        yield Test.C_TOP


def affordable(had: int, owed: int, table: Legality) -> int:
    """What a payer who would go out pays: all but the smallest stick."""
    return min(owed, had - table.left_to_payer)


def _is_waived(test: Test, taking: Taking, table: Legality) -> bool:
    """Where the last hand forgives, it forgives what is forbidden and what would be cut."""
    forgiven = CONSEQUENCE[test](table) in (Verdict.FORBIDDEN, Verdict.PAY_TO_LIMIT)
    return table.waived_in_last_hand and taking.last_hand and forgiven


CONSEQUENCE: Mapping[Test, Callable[[Legality], Verdict]] = {
    Test.BUST_WITHOUT_RISING: lambda table: table.bust_without_rising,
    Test.SINK_WITHOUT_RISING: lambda table: table.sink_without_rising,
    Test.BUST_WITHOUT_TOP: lambda table: table.bust_without_top,
    Test.C_TOP: lambda table: table.c_top,
}
"""What a book makes of each test."""

WEIGHT: Sequence[Verdict] = (Verdict.ALLOWED, Verdict.DISLIKED, Verdict.PAY_TO_LIMIT, Verdict.FORBIDDEN)
"""The heavier verdict comes later."""
