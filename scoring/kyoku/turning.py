"""Events that a book turns into others: calls into wins or a draw, a draw into a chonbo, four kans into a yakuman."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from scoring.kyoku.checks import offence_of, offenders_at_draw, ron_policy
from scoring.kyoku.outcomes import (
    AbortiveDraw,
    ChonboCalled,
    Draw,
    FourKansStand,
    Nagashi,
    Outcome,
    Ron,
    RonCalls,
    Tsumo,
    Win,
)
from scoring.kyoku.payments import RuledState, forced_yakuman
from scoring.kyoku.winning import in_turn, judge_wins
from scoring.ruleset.flow import AbortiveKind
from scoring.ruleset.value import MultiRon
from scoring.value import Worth


class TurnCode(StrEnum):
    """The way in which one event became another."""

    HEAD_BUMP = "head_bump"
    """Of several calls the next in turn after the discarder wins."""
    FORBIDDEN_PASSED_ON = "forbidden_passed_on"
    """A call that may not be taken passes the right to the next."""
    RONS_DRAW = "rons_draw"
    """The number of calls of ron makes the hand a draw."""
    CHONBO_AT_DRAW = "chonbo_at_draw"
    """The draw reveals an offence."""
    FOUR_KANS = "four_kans"
    """Four kans count as a yakuman."""
    FORCED_YAKUMAN = "forced_yakuman"
    """A forced deal-in to an open riichi is paid as a yakuman."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One step from an event to another, with its clause."""

    code: TurnCode
    clause: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turned:
    """The outcome of an event; None if no call can be taken."""

    outcome: Outcome | None
    turns: tuple[Turn, ...] = ()


def resolve_event(outcome: Outcome, table: RuledState) -> Turned:
    """Return the outcome that the book makes of an event, with the steps that led to it."""
    turn = TURNS.get(type(outcome))
    return Turned(outcome) if turn is None else turn(outcome, table)


def _calls(outcome: RonCalls, table: RuledState) -> Turned:
    """Return the outcome of calls of ron: in turn order one wins, all win, or the hand is drawn."""
    several, ordered = table.play.several_winners, in_turn(outcome.calls, outcome.loser, table)
    policy, clause = ron_policy(len(ordered), table), several.clauses[0]
    if policy is MultiRon.DRAW:
        kind = AbortiveKind.TRIPLE_RON
        turn = Turn(TurnCode.RONS_DRAW, clause, {"count": len(ordered)})
        return Turned(AbortiveDraw(kind=kind), (turn,))
    if policy is MultiRon.ALL:
        return _ron(Ron(loser=outcome.loser, wins=ordered, stop=outcome.stop), table)
    turns: list[Turn] = []
    # Head bump: the first allowed call wins, since a forbidden one passes the right on.
    for win in ordered:
        if all(each.is_allowed for each in judge_wins((win,), outcome.loser, table)):
            turns.append(Turn(TurnCode.HEAD_BUMP, clause, {"seat": win.seat}))
            found = _ron(Ron(loser=outcome.loser, wins=(win,), stop=outcome.stop), table)
            return Turned(found.outcome, (*turns, *found.turns))
        turns.append(Turn(TurnCode.FORBIDDEN_PASSED_ON, clause, {"seat": win.seat}))
    return Turned(None, tuple(turns))


def _ron(outcome: Ron, table: RuledState) -> Turned:
    """Return the ron, with a step for each forced deal-in that the book pays as a yakuman."""
    forced = [win.seat for win in outcome.wins if forced_yakuman(win, table.play)]
    rule = table.play.riichi.open
    turns = (Turn(TurnCode.FORCED_YAKUMAN, rule.clauses[0], {"seats": tuple(forced)}),) if forced and rule else ()
    return Turned(outcome, turns)


def _draw(outcome: Draw | Nagashi, table: RuledState) -> Turned:
    """Return the draw, or a chonbo if the draw reveals an offence."""
    found = offenders_at_draw(outcome.tenpai, table)
    if found is None:
        return Turned(outcome)
    offence = offence_of(found.offence, table)
    clause = offence.clauses[0] if offence else table.play.riichi.clauses[0]
    params = {"seats": found.offenders, "offence": found.offence}
    chonbo = ChonboCalled(offenders=found.offenders, offence=found.offence if found.is_one else "")
    return Turned(chonbo, (Turn(TurnCode.CHONBO_AT_DRAW, clause, params),))


def _four_kans(outcome: FourKansStand, table: RuledState) -> Turned:
    """Return four kans as a self-drawn yakuman of the player who made them."""
    win = Win(outcome.seat, Worth(yakuman=1), outcome.liability)
    turn = Turn(TurnCode.FOUR_KANS, table.play.yaku_rules.clauses[0], {"seat": outcome.seat})
    return Turned(Tsumo(win=win, stop=outcome.stop), (turn,))


TURNS: Mapping[type[Any], Callable[[Any, RuledState], Turned]] = {
    Ron: _ron,
    RonCalls: _calls,
    Draw: _draw,
    Nagashi: _draw,
    FourKansStand: _four_kans,
}
"""The function for each event that may become another; other events stay as they are."""
