"""Acts in the course of a kyoku: riichi, offences, lost rights, the call of time.

An act changes only the running hand, or the number of hands that are still played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scoring.kyoku.checks import offence_by, offence_needs_riichi, offence_of, seats, unknown_offence
from scoring.kyoku.outcomes import Act, Common, DeadHand, Offended, Riichi, RiichiWithdrawn, TimeCalled
from scoring.kyoku.payments import RuledState, table_of
from scoring.kyoku.refusals import InvalidOutcomeError, Refusal, Refusals, refusal, with_clauses
from scoring.kyoku.state import InHand, Pending, Stake, State
from scoring.ruleset import Ruleset
from scoring.ruleset.flow import Offence, OffenceTiming, Penalty


def verify_act(state: State, act: Act, rules: Ruleset) -> tuple[Refusal, ...]:
    """Return every reason why this act is refused now, with its clause."""
    return with_clauses(_refusals(state, act, rules), rules)


def _refusals(state: State, act: Act, rules: Ruleset) -> tuple[Refusal, ...]:
    if state.is_over:
        return (refusal("game_over"),)
    table = table_of(state, rules)
    unknown = () if isinstance(act, TimeCalled) else tuple(seats((act.seat,), "seat", table))
    return unknown or tuple(ACT_CHECKS[type(act)](act, table))


def act_on(state: State, act: Act, rules: Ruleset) -> State:
    """Return the table after an act; raise InvalidOutcomeError if the act is refused."""
    refusals = verify_act(state, act, rules)
    if refusals:
        raise InvalidOutcomeError(refusals)
    if isinstance(act, TimeCalled):
        return replace(state, hands_left=rules.end.time.hands_left if rules.end.time else None)
    return replace(state, hand=ACTS[type(act)](act, table_of(state, rules)))


def with_acts(state: State, outcome: Common, rules: Ruleset) -> tuple[State, tuple[Refusal, ...]]:
    """Return the table after the acts that come with an outcome, and the refusals of the first one refused.

    On a refusal the table has the acts before it.
    """
    acts: list[tuple[str, Act]] = []
    acts += [(f"stakes/{index}", Riichi(stake.seat, stake.open)) for index, stake in enumerate(outcome.stakes)]
    acts += [(f"dead/{index}", DeadHand(seat)) for index, seat in enumerate(outcome.dead)]
    for pointer, act in acts:
        if refusals := verify_act(state, act, rules):
            return state, tuple(replace(each, pointer=pointer) for each in refusals)
        state = act_on(state, act, rules)
    if not outcome.fines:
        return state, ()
    table = table_of(state, rules)
    if refusals := (*seats(tuple(dict.fromkeys(outcome.fines)), "fines", table), *_fines(table)):
        return state, refusals
    return replace(state, hand=replace(state.hand, fines=(*state.hand.fines, *outcome.fines))), ()


def _fines(table: RuledState) -> Refusals:
    if table.play.penalties.fine is None:
        yield refusal("no_fines", "fines")


def _check_riichi(act: Riichi, table: RuledState) -> Refusals:
    """Refuse a riichi without points, with a dead hand, or closed when the book requires an open one."""
    hand, rules, play = table.state.hand, table.play.riichi, table.play
    if act.seat in hand.declared():
        yield refusal("riichi_twice", "seat", seat=act.seat)
    if act.seat in hand.dead and not (play.penalties.dead_hand and play.penalties.dead_hand.riichi):
        yield refusal("riichi_dead_hand", "seat", seat=act.seat)
    if act.open and rules.open is None:
        yield refusal("no_open_riichi", "open")
    # `third_must`: the third riichi of a hand must be an open one, and so must any after it.
    if not act.open and rules.open is not None and rules.open.third_must and len(hand.stakes) >= THIRD - 1:
        yield refusal("third_riichi_open", "open")
    needs = rules.open.needs if act.open and rules.open is not None else rules.needs
    score = table.state.scores[act.seat]
    if not rules.any_score and score < needs:
        yield refusal("riichi_without_points", "seat", seat=act.seat, needs=needs, score=score)


def _check_offence(act: Offended, table: RuledState) -> Refusals:
    """Refuse an offence that the book does not list, that this player cannot commit, or that voids the hand at once."""
    offence = offence_by(act.seat, act.offence, table)
    if offence is None:
        yield unknown_offence(act.offence, table)
        return
    yield from offence_needs_riichi(act.seat, offence, "seat", table)
    # Not an act: it ends the hand, so it is entered as the outcome.
    if offence.penalty is Penalty.CHONBO and offence.judged is OffenceTiming.AT_ONCE:
        yield refusal("offence_voids_hand", "offence", offence=act.offence)


def _check_withdrawn(act: RiichiWithdrawn, table: RuledState) -> Refusals:
    """Refuse to withdraw a riichi that was not declared."""
    if act.seat not in table.state.hand.declared():
        yield refusal("not_in_riichi", "seat", seat=act.seat)
    if act.offence:
        yield from _check_offence(Offended(act.seat, act.offence), table)


def _check_dead(_: DeadHand, table: RuledState) -> Refusals:
    """Refuse a dead hand in books that do not have them."""
    if table.play.penalties.dead_hand is None:
        yield refusal("no_dead_hands", "seat")


def _check_time(_: TimeCalled, table: RuledState) -> Refusals:
    """Refuse a call of time in books without a time limit, and a second one."""
    if table.rules.end.time is None:
        yield refusal("no_time_limit")
    elif table.state.hands_left is not None:
        yield refusal("time_called_twice")


def _riichi(act: Riichi, table: RuledState) -> InHand:
    hand = table.state.hand
    return replace(
        hand,
        stakes=(*hand.stakes, Stake(act.seat, act.open)),
        # Declaring again lifts the condition under which the player may win.
        redeclare=tuple(seat for seat in hand.redeclare if seat != act.seat),
    )


def _offence(act: Offended, table: RuledState) -> InHand:
    offence = offence_by(act.seat, act.offence, table)
    return table.state.hand if offence is None else _punish(table.state.hand, act.seat, offence)


def _punish(hand: InHand, seat: int, offence: Offence) -> InHand:
    """Return the hand after an offence: a fine, a dead hand, a chonbo pending until a draw, or a mix of these."""
    penalty = offence.penalty
    if penalty in (Penalty.CHONBO, Penalty.DEAD_HAND_AND_CHONBO):
        hand = replace(hand, pending=(*hand.pending, Pending(seat, offence.key)))
    if penalty in (Penalty.FINE, Penalty.FINE_AND_DEAD_HAND, Penalty.FINE_AND_REDECLARE):
        hand = replace(hand, fines=(*hand.fines, seat))
    if penalty in (Penalty.DEAD_HAND, Penalty.FINE_AND_DEAD_HAND, Penalty.DEAD_HAND_AND_CHONBO):
        hand = _dead(hand, seat)
    if penalty in (Penalty.REDECLARE, Penalty.FINE_AND_REDECLARE):
        hand = replace(hand, redeclare=(*hand.redeclare, seat))
    return hand


def _withdrawn(act: RiichiWithdrawn, table: RuledState) -> InHand:
    """Return the hand without the stake, with the penalty of the offence if there is one."""
    hand = table.state.hand
    hand = replace(hand, stakes=tuple(stake for stake in hand.stakes if stake.seat != act.seat))
    offence = offence_of(act.offence, table)
    return hand if offence is None else _punish(hand, act.seat, offence)


def _dead(hand: InHand, seat: int) -> InHand:
    return hand if seat in hand.dead else replace(hand, dead=(*hand.dead, seat))


THIRD = 3

ACT_CHECKS: Mapping[type[Any], Callable[[Any, RuledState], Refusals]] = {
    Riichi: _check_riichi,
    Offended: _check_offence,
    RiichiWithdrawn: _check_withdrawn,
    DeadHand: _check_dead,
    TimeCalled: _check_time,
}
"""The check of each kind of act."""

ACTS: Mapping[type[Any], Callable[[Any, RuledState], InHand]] = {
    Riichi: _riichi,
    Offended: _offence,
    RiichiWithdrawn: _withdrawn,
    DeadHand: lambda act, table: _dead(table.state.hand, act.seat),
}
"""The effect of each kind of act of a player on the running hand."""
