"""Settle a finished game: from final scores to itemised amounts in each ledger.

A settlement is a list of lines, each with its cause and clause, in the order in which rule books settle: the
score against the return score, the bonuses of the places, prizes, leftover deposits, rounding; then
deductions that no player receives, prizes carried from the table, and charges of the house. Totals are the
sums of the lines and nothing else: rounding is itself a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from scoring.exact import add
from scoring.hanchan_result import BustPayment, HanchanResult
from scoring.placement import Group, groups, places
from scoring.problems import InvalidResultError, ResultProblem, Severity, problems
from scoring.ruleset import Ruleset
from scoring.ruleset.settling import DepositReceiver
from scoring.ruleset.setup import NextFirstDealer
from scoring.settled import Game, Line, LineCause, Settlement
from scoring.steps import STEPS
from scoring.tobi import receivers
from scoring.top_payment import floating

__all__ = [
    "BustPayment",
    "HanchanResult",
    "InvalidResultError",
    "Line",
    "LineCause",
    "ResultProblem",
    "Settlement",
    "Severity",
    "problems",
    "settle",
]


def settle(result: HanchanResult, rules: Ruleset) -> Settlement:
    """Return every line of the settlement, in the order the rules give them.

    Raise InvalidResultError if the result cannot be settled.
    """
    errors = tuple(each for each in problems(result, rules) if each.level is Severity.ERROR)
    if errors:
        raise InvalidResultError(errors)
    game = place_game(result, rules)
    lines: list[Line] = []
    for step in STEPS:
        lines += list(step(game, lines))
    return Settlement(
        places=game.places,
        final_scores=game.final_scores,
        lines=tuple(lines),
        totals=totals(lines, rules),
        top=game.top,
        next_first_dealer=next_first_dealer(game),
        tobi=game.tobi,
        floating=game.floating,
        floating_count=game.floating_count,
    )


def place_game(result: HanchanResult, rules: Ruleset) -> Game:
    """Determine the places of a result, then distribute the deposits left on the table to the top."""
    steps = rules.settlement
    grouped = groups(result.scores, steps.placing.ties, result.forced_top)
    # Places are fixed before deposits are distributed: leftover deposits follow the top, they never decide it.
    top = grouped[0][0]
    scores = list(result.scores)
    for seat, points in _deposits_left(grouped[0], result.kyoutaku, rules):
        scores[seat] += points
    return Game(
        rules=rules,
        result=result,
        groups=grouped,
        places=places(grouped),
        top=top,
        final_scores=tuple(scores),
        tobi=(*result.tobi, *_derived_receivers(result, rules)),
        floating=None
        if steps.top_payment is None
        else floating(result.scores, top, steps.top_payment, result.forced_top),
    )


def _deposits_left(first: Group, kyoutaku: int, rules: Ruleset) -> Iterator[tuple[int, int]]:
    """Yield each top seat's part of the leftover deposits, odd units to the seats nearest the first dealer."""
    table = rules.settlement.kyoutaku
    if table is None or table.receiver is DepositReceiver.NOBODY:
        return
    sharing = first if table.receiver is DepositReceiver.SHARED else first[:1]
    units, rest = divmod(kyoutaku, len(sharing) * rules.entry.unit)
    for number, seat in enumerate(sorted(sharing)):
        yield seat, units * rules.entry.unit + min(rules.entry.unit, max(rest - number * rules.entry.unit, 0))


def _derived_receivers(result: HanchanResult, rules: Ruleset) -> Iterator[tuple[int, int]]:
    """Yield (busted seat, receiver) for the prizes whose receiver the rules derive from the payments."""
    prize = rules.settlement.tobi
    if prize is not None:
        for payment in result.bust_payments:
            for seat in receivers(payment, prize.receiver, rules.end.bust, rules.players):
                yield payment.payer, seat


def totals(lines: list[Line], rules: Ruleset) -> dict[str, tuple[int, ...]]:
    """Add the lines up per ledger and seat, at the ledger's scale."""
    amounts: dict[str, list[list[Fraction]]] = {
        ledger.key: [[] for _ in range(rules.players)] for ledger in rules.ledgers
    }
    for line in lines:
        amounts[line.ledger][line.seat].append(line.amount)
    return {ledger.key: tuple(ledger.stored(add(seat)) for seat in amounts[ledger.key]) for ledger in rules.ledgers}


def next_first_dealer(game: Game) -> int | None:
    """Return the seat that deals first in the next game; None if the rules do not say."""
    policy = game.rules.setup.next_first_dealer
    if policy is NextFirstDealer.TOP:
        return game.top
    return 1 if policy is NextFirstDealer.NEXT_SEAT else None
