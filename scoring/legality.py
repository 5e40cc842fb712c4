"""Legality of a win in books that restrict wins by their effect on floating, sinking or busted players.

All tests look at the scores as they would be after the full payment. Every test that applies and has a
consequence is reported; the heaviest consequence is the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.placement import groups
from scoring.ruleset import Ruleset
from scoring.ruleset.value import Legality, LegalityVerdict


class Test(StrEnum):
    """A test of a win, in the order of the books."""

    __test__ = False

    BUST_WITHOUT_RISING = "bust_without_rising"
    """The winner stays sunk and makes another player go out."""
    SINK_WITHOUT_RISING = "sink_without_rising"
    """The winner stays sunk and sinks a player who was floating."""
    BUST_WITHOUT_TOP = "bust_without_top"
    """The winner makes another player go out without being top."""
    C_TOP = "c_top"
    """The win ends the game with a single player sunk (a C top)."""


@dataclass(frozen=True, slots=True)
class Taking:
    """A win that could be taken, with the scores before and after it."""

    winner: int
    before: tuple[int, ...]
    would_be: tuple[int, ...]
    """Scores after the full payment."""
    ends_game: bool
    """The game would end with these scores."""
    last_hand: bool
    """This is the last hand of the last round."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a win, with the tests it rests on."""

    verdict: LegalityVerdict
    would_be: tuple[int, ...]
    reasons: tuple[Test, ...] = ()
    """Tests that apply and are not plainly allowed."""
    waived: tuple[Test, ...] = ()
    """Tests that apply but are waived in the last hand."""
    clauses: tuple[str, ...] = ()

    @property
    def is_allowed(self) -> bool:
        """Return whether the win may be taken, even if it is cut or frowned upon."""
        return self.verdict is not LegalityVerdict.FORBIDDEN


def judge(taking: Taking, rules: Ruleset) -> Judgement:
    """Return the verdict on a win; a book without such tests allows every win."""
    table = rules.play.legality if rules.play is not None else None
    if table is None:
        return Judgement(LegalityVerdict.ALLOWED, taking.would_be)
    holding = [
        test for test in find_holding_tests(taking, rules) if _consequence(test, table) is not LegalityVerdict.ALLOWED
    ]
    waived = tuple(test for test in holding if _is_waived(test, taking, table))
    left = [test for test in holding if test not in waived]
    capped = tuple(test for test in left if _consequence(test, table) is LegalityVerdict.PAY_TO_LIMIT)
    # A capped payment leaves the payer in the game, so the other tests of a bust no longer apply (BOO-080, example
    # BOO-L23); the payer sinks all the same.
    reasons = (*capped, *(test for test in left if test is Test.SINK_WITHOUT_RISING)) if capped else tuple(left)
    verdicts = [_consequence(test, table) for test in reasons]
    verdict = max(verdicts, key=WEIGHT.index, default=LegalityVerdict.ALLOWED)
    return Judgement(verdict, taking.would_be, reasons, waived, table.clauses if holding else ())


def find_holding_tests(taking: Taking, rules: Ruleset) -> Iterator[Test]:
    """Yield the tests that apply to a win, without regard to their consequence in the book."""
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
    """Return the payment of a player who would go out otherwise: at most all points but the smallest stick."""
    return min(owed, had - table.left_to_payer)


def _is_waived(test: Test, taking: Taking, table: Legality) -> bool:
    """Return whether the last hand waives a test; only forbidden and cut wins can be waived."""
    forgiven = _consequence(test, table) in (LegalityVerdict.FORBIDDEN, LegalityVerdict.PAY_TO_LIMIT)
    return table.waived_in_last_hand and taking.last_hand and forgiven


def _consequence(test: Test, table: Legality) -> LegalityVerdict:
    """Return the verdict that a book attaches to a test: a test has the name of its key in the table."""
    verdict: LegalityVerdict = getattr(table, test.value)
    return verdict


WEIGHT: Sequence[LegalityVerdict] = (
    LegalityVerdict.ALLOWED,
    LegalityVerdict.DISLIKED,
    LegalityVerdict.PAY_TO_LIMIT,
    LegalityVerdict.FORBIDDEN,
)
"""Verdicts in rising order of severity."""
