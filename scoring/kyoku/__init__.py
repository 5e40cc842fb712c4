"""One kyoku: from the outcome of a hand to its payments, the next dealer, and the end of the game.

`verify` returns the reasons why an outcome is refused, `can_apply` whether it is accepted, and `apply` carries it
out. All differences between rule books are ruleset data; every transfer carries its cause and clause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoring.kyoku import flow, payments, prizes, winning
from scoring.kyoku.acts import act_on, verify_act, with_acts
from scoring.kyoku.checks import CHECKS
from scoring.kyoku.circumstances import Given, with_implied
from scoring.kyoku.flow import Flow
from scoring.kyoku.outcomes import (
    AbortiveDraw,
    ChonboCalled,
    Draw,
    Nagashi,
    Outcome,
    Points,
    Ron,
    Ruling,
    ScoresOnly,
    Tsumo,
    Win,
)
from scoring.kyoku.payments import RuledState, table_of
from scoring.kyoku.refusals import InvalidOutcomeError, Refusal, refusal, with_clauses
from scoring.kyoku.state import (
    Cause,
    EndCause,
    EndReason,
    InHand,
    Stake,
    State,
    Transfer,
    book_transfers,
    changes,
    opening,
)
from scoring.kyoku.turning import Turn, TurnCode, resolve_event
from scoring.legality import Judgement
from scoring.ruleset import Ruleset
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.flow import NagashiNature, Several

__all__ = [
    "Cause",
    "EndCause",
    "EndReason",
    "InHand",
    "InvalidOutcomeError",
    "KyokuResult",
    "Refusal",
    "Stake",
    "State",
    "Transfer",
    "Turn",
    "TurnCode",
    "act_on",
    "apply",
    "can_apply",
    "changes",
    "judgements",
    "opening",
    "play_unchecked",
    "verify",
    "verify_act",
]


@dataclass(frozen=True, slots=True)
class KyokuResult:
    """A kyoku that was played: the outcome as the book counts it, all transfers, and the table after it."""

    before: State
    """The table with the stakes, fines and lost rights of the hand."""
    outcome: Outcome
    """The outcome as the book counts it, which may differ from the one entered."""
    turns: tuple[Turn, ...]
    """The steps from the event entered to this outcome."""
    transfers: tuple[Transfer, ...]
    """In their order of payment."""
    after: State
    """The table at the start of the next kyoku, or at the end of the game."""
    may_stop: bool = False
    """True if the dealer may choose to end the game here."""
    judgements: tuple[Judgement, ...] = ()
    """The verdict on each win, in books with rules about forbidden wins."""

    def changes(self, ledger: str = TABLE_POINTS) -> tuple[int, ...]:
        """Return the change of each seat in a ledger."""
        return changes(self.transfers, ledger, self.before.players)


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """The transfers of a hand and the rules for going on, before the end of the game is tested."""

    transfers: tuple[Transfer, ...]
    flow: Flow
    winners: tuple[int, ...] = ()
    prizes: tuple[Transfer, ...] = ()
    after: State | None = None
    """The table after the transfers, if it differs by more than the transfers say."""
    judgements: tuple[Judgement, ...] = ()


def verify(state: State, outcome: Outcome, rules: Ruleset) -> tuple[Refusal, ...]:
    """Return every reason why this outcome is refused, with its clause; an empty tuple if it is accepted."""
    return with_clauses(_refusals(state, outcome, rules), rules)


def _entered(state: State, outcome: Given, rules: Ruleset) -> tuple[RuledState, Given, tuple[Refusal, ...]]:
    """Return the table after an outcome's acts, the outcome with all it implies, and the refusals of the acts."""
    merged, refusals = with_acts(state, outcome, rules)
    table = table_of(merged, rules)
    return table, with_implied(outcome, table), refusals


def _refusals(state: State, outcome: Outcome, rules: Ruleset) -> tuple[Refusal, ...]:
    if state.is_over:
        return (refusal("game_over"),)
    table, outcome, refusals = _entered(state, outcome, rules)
    refusals = refusals or tuple(CHECKS[type(outcome)](outcome, table))
    if refusals:
        return refusals
    found = resolve_event(outcome, table)
    if found.outcome is None:
        # Head bump where every call is a forbidden win: the right passed on until no call was left.
        return (refusal("no_call_stands", "calls"),)
    # An outcome that the book turned into another (calls into a win, a draw into a chonbo) is checked again.
    return () if found.outcome is outcome else tuple(CHECKS[type(found.outcome)](found.outcome, table))


def can_apply(state: State, outcome: Outcome, rules: Ruleset) -> bool:
    """Return whether this outcome is accepted."""
    return not verify(state, outcome, rules)


def apply(state: State, outcome: Outcome, rules: Ruleset) -> KyokuResult:
    """Return the result of a kyoku: its transfers and the table after it.

    Raise InvalidOutcomeError if the outcome is refused.
    """
    refusals = verify(state, outcome, rules)
    if refusals:
        raise InvalidOutcomeError(refusals)
    return play_unchecked(state, outcome, rules)


def play_unchecked(state: State, outcome: Outcome, rules: Ruleset) -> KyokuResult:
    """Return the result that a kyoku would have, without testing whether the book accepts the outcome."""
    table, outcome, _ = _entered(state, outcome, rules)
    found = resolve_event(outcome, table)
    taken = found.outcome or outcome
    if isinstance(taken, Ruling):
        return _play_ruling(taken, table)
    return _conclude(PLAYS[type(taken)](taken, table), taken, found.turns, table)


def judgements(state: State, outcome: Ron | Tsumo, rules: Ruleset) -> tuple[Judgement, ...]:
    """Return for each win whether the book allows it, before it is declared; empty in books without such a rule."""
    table, outcome, _ = _entered(state, outcome, rules)
    if isinstance(outcome, Tsumo):
        return winning.judge_wins((outcome.win,), None, table)
    return winning.judge_wins(winning.in_turn(outcome.wins, outcome.loser, table), outcome.loser, table)


def _conclude(played: PlayedHand, outcome: Outcome, turns: tuple[Turn, ...], table: RuledState) -> KyokuResult:
    """Book all transfers, test for the end of the game, and add the prizes for players who went out."""
    transfers = (*played.transfers, *played.prizes)
    after = played.after or book_transfers(table.state, transfers)
    reasons, allowed = flow.end_reasons(played.flow, after, table, stop=outcome.stop)
    # A player who goes out ends the game, so there is no prize without an end.
    tobi = prizes.busts(played.transfers, after.scores, played.winners, table) if reasons else ()
    bust_prizes = tuple(prizes.bust_prizes(tobi, table))
    carried = _added(after, bust_prizes) if bust_prizes else after.carried
    after = replace(after, carried=carried, tobi=tobi, ends=reasons)
    if not reasons:
        after = flow.next_state(played.flow, after, table.rules)
    transfers = (*transfers, *bust_prizes)
    return KyokuResult(table.state, outcome, turns, transfers, after, allowed, played.judgements)


def _added(after: State, transfers: tuple[Transfer, ...]) -> Mapping[str, tuple[int, ...]]:
    """Return the prizes so far with these transfers added."""
    return book_transfers(replace(after, kyoutaku=0), transfers).carried


def _won(wins: tuple[Win, ...], loser: int | None, table: RuledState) -> PlayedHand:
    transfers = winning.win_transfers(wins, loser, table)
    extra = winning.all_prizes(wins, loser, table)
    return PlayedHand(
        transfers=transfers,
        flow=flow.after_win(wins, table),
        winners=tuple(win.seat for win in wins),
        prizes=extra,
        after=winning.after_payment((*transfers, *extra), wins, table),
        judgements=winning.judge_wins(wins, loser, table),
    )


def _ron(outcome: Ron, table: RuledState) -> PlayedHand:
    return _won(winning.in_turn(outcome.wins, outcome.loser, table), outcome.loser, table)


def _tsumo(outcome: Tsumo, table: RuledState) -> PlayedHand:
    return _won((outcome.win,), None, table)


def _draw(outcome: Draw, table: RuledState) -> PlayedHand:
    transfers = (*payments.stakes_and_fines(table), *payments.noten(outcome.tenpai, table))
    return PlayedHand(transfers, flow.after_draw(outcome.tenpai, table))


def _nagashi(outcome: Nagashi, table: RuledState) -> PlayedHand:
    """Play a nagashi mangan as the book counts it: a draw with another payment, or a win like a self-draw."""
    rule = table.play.draws.nagashi
    order = [seat for seat in table.state.from_dealer() if seat in outcome.seats]
    if rule is not None and rule.several is Several.FIRST_FROM_DEALER:
        order = order[:1]
    wins = tuple(Win(seat, payments.nagashi_worth(table), prizes=outcome.prizes) for seat in order)
    extra = winning.all_prizes(wins, None, table)
    transfers = [*payments.stakes_and_fines(table)]
    is_win = rule is not None and rule.nature is NagashiNature.WIN
    for win in wins:
        transfers += payments.nagashi(win.seat, table)
        # Several nagashi: honba and deposits go to the first from the dealer alone.
        if is_win and win is wins[0]:
            transfers += payments.honba(win, None, table)
            transfers += payments.deposits([win.seat], table)
    if rule is not None and rule.noten_paid:
        transfers += payments.noten(outcome.tenpai, table)
    next_ = flow.after_win(wins, table) if is_win else flow.after_draw(outcome.tenpai, table)
    return PlayedHand(tuple(transfers), next_, tuple(order), extra)


def _abortive(outcome: AbortiveDraw, table: RuledState) -> PlayedHand:
    return PlayedHand(tuple(payments.stakes_and_fines(table)), flow.after_abortive(outcome.kind, table))


def _chonbo(outcome: ChonboCalled, table: RuledState) -> PlayedHand:
    """Return the stakes first, then let every offender pay."""
    # Laid out first and returned after, so that the transfers show both (order of payment).
    moved = [*payments.stakes_and_fines(table), *payments.return_stakes(table)]
    paid = [each for offender in outcome.offenders for each in payments.chonbo(offender, table)]
    points = [each for each in paid if each.ledger == TABLE_POINTS]
    others = tuple(each for each in paid if each.ledger != TABLE_POINTS)
    counts = table.state.chonbo_counts()
    after = replace(
        book_transfers(table.state, (*moved, *points, *others)),
        chonbo=tuple(count + (seat in outcome.offenders) for seat, count in enumerate(counts)),
    )
    return PlayedHand((*moved, *points), flow.after_chonbo(outcome.offenders, table), prizes=others, after=after)


def _scores_only(outcome: ScoresOnly, table: RuledState) -> PlayedHand:
    """Book the scores as entered; the transfers between players are not known."""
    clause, state = table.rules.setup.clauses[0], table.state
    moved: list[Transfer] = []
    for seat, (had, has) in enumerate(zip(state.scores, outcome.scores, strict=True)):
        moved += table.points(None, seat, max(has - had, 0), (Cause.SCORES, clause))
        moved += table.points(seat, None, max(had - has, 0), (Cause.SCORES, clause))
    wins = tuple(Win(seat, Points()) for seat in outcome.winners)
    next_ = flow.after_win(wins, table) if wins else flow.after_draw(outcome.tenpai, table)
    after = book_transfers(state, tuple(moved))
    carried = dict(after.carried)
    for ledger, gains in outcome.prizes.items():
        carried[ledger] = tuple(map(sum, zip(after.amounts(ledger), gains, strict=True)))
    after = replace(after, carried=carried)
    return PlayedHand(tuple(moved), next_, outcome.winners, after=after)


def _play_ruling(outcome: Ruling, table: RuledState) -> KyokuResult:
    """Book a director's ruling as it is and discard the running hand."""
    clause = outcome.clause
    transfers = tuple(
        Transfer(move.ledger, move.payer, move.receiver, move.amount, Cause.RULING, clause) for move in outcome.moves
    )
    after = book_transfers(table.state, (*payments.stakes_and_fines(table), *transfers))
    if outcome.goes_on is not None:
        after = flow.state_at(outcome.goes_on, after)
    if outcome.ends:
        after = replace(after, ends=(EndCause(EndReason.RULING, clause, {"reason": outcome.reason}),))
    return KyokuResult(table.state, outcome, (), (*payments.stakes_and_fines(table), *transfers), after)


PLAYS: Mapping[type[Any], Callable[[Any, RuledState], PlayedHand]] = {
    Ron: _ron,
    Tsumo: _tsumo,
    Draw: _draw,
    Nagashi: _nagashi,
    AbortiveDraw: _abortive,
    ChonboCalled: _chonbo,
    ScoresOnly: _scores_only,
}
"""The function that plays each kind of outcome."""
