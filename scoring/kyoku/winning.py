"""Wins at the table: their order, their transfers, and whether the book allows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoring.kyoku import payments
from scoring.kyoku.flow import after_win, end_reasons
from scoring.kyoku.outcomes import Win
from scoring.kyoku.payments import RuledState
from scoring.kyoku.prizes import prizes
from scoring.kyoku.state import State, Transfer, book_transfers
from scoring.legality import Judgement, Taking, affordable, judge
from scoring.ruleset.value import Legality, LegalityVerdict

Paid = tuple[Transfer, ...]


def in_turn(wins: Sequence[Win], loser: int, table: RuledState) -> tuple[Win, ...]:
    """Return the wins on one discard in turn order after the discarder: the head winner first."""
    order = table.state.turn_from(loser)
    return tuple(sorted(wins, key=lambda win: order.index(win.seat)))


def win_transfers(wins: Sequence[Win], loser: int | None, table: RuledState) -> Paid:
    """Return the points of wins: stakes laid out, then hand by hand, each with the honba and deposits it collects."""
    collected = (
        *payments.honba_of_all(wins, loser, table),
        *payments.deposits([win.seat for win in wins], table),
    )
    transfers = [*payments.stakes_and_fines(table)]
    for win in wins:
        transfers += payments.tsumo(win, table) if loser is None else payments.ron(win, loser, table)
        transfers += (each for each in collected if each.receiver == win.seat)
    return _cut_to_limit(tuple(transfers), wins, loser, table)


def all_prizes(wins: Sequence[Win], loser: int | None, table: RuledState) -> Paid:
    """Return the prizes of every win."""
    return tuple(each for win in wins for each in prizes(win, loser, table))


def instant_top(wins: Sequence[Win], table: RuledState) -> int | None:
    """Return the winner of a yakuman that ends the game at once; None without one."""
    return next((win.seat for win in wins if payments.is_instant_top(win, table)), None)


def judge_wins(wins: Sequence[Win], loser: int | None, table: RuledState) -> tuple[Judgement, ...]:
    """Return for each win whether it is allowed, judged after the payments of all of them.

    Empty in books without such a rule, and for an instant top, which is always allowed.
    """
    if table.play.legality is None or instant_top(wins, table) is not None:
        return ()
    return _judged(tuple(_full_payments(wins, loser, table)), wins, table)


def after_payment(transfers: Paid, wins: Sequence[Win], table: RuledState) -> State:
    """Return the table once everything is paid."""
    return replace(book_transfers(table.state, transfers), forced_top=instant_top(wins, table))


def _full_payments(wins: Sequence[Win], loser: int | None, table: RuledState) -> Iterator[Transfer]:
    for win in wins:
        yield from payments.tsumo(win, table) if loser is None else payments.ron(win, loser, table)
    yield from payments.honba_of_all(wins, loser, table)


def _judged(transfers: Paid, wins: Sequence[Win], table: RuledState) -> tuple[Judgement, ...]:
    after = after_payment(transfers, wins, table)
    reasons, _ = end_reasons(after_win(wins, table), after, table, stop=False)
    scores, would_be = table.state.scores, after.scores
    takings = (Taking(win.seat, scores, would_be, bool(reasons), table.is_last_hand) for win in wins)
    return tuple(judge(taking, table.rules) for taking in takings)


def _cut_to_limit(transfers: Paid, wins: Sequence[Win], loser: int | None, table: RuledState) -> Paid:
    """Return the payments cut to the points that keep the payers in the game, in books that limit wins in this way."""
    legality = table.play.legality
    if legality is None or all(
        each.verdict is not LegalityVerdict.PAY_TO_LIMIT for each in judge_wins(wins, loser, table)
    ):
        return transfers
    after = book_transfers(table.state, transfers).scores
    for seat in range(len(after)):
        if table.rules.end.bust.is_bust(after[seat]):
            transfers = _left_in(seat, transfers, table, legality)
    return transfers


def _left_in(seat: int, transfers: Paid, table: RuledState, legality: Legality) -> Paid:
    """Return the transfers with a payer's last payments cut until the player stays in the game."""
    owed = sum(each.amount for each in transfers if each.payer == seat)
    missing = owed - affordable(table.state.scores[seat], owed, legality)
    cut: list[Transfer] = []
    # Cut from the end, so that the first payments stay whole.
    for each in reversed(transfers):
        less = min(missing, each.amount) if each.payer == seat else 0
        missing -= less
        cut.append(replace(each, amount=each.amount - less))
    return tuple(each for each in reversed(cut) if each.amount)
