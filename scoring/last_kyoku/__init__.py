"""Conditions for the last kyoku (オーラス条件), or any kyoku that may end the game: hands needed per seat and goal.

`Outcomes` holds the possible outcomes of a kyoku: whether it may end the game, and why. `answers` returns for
every seat and goal the exact hands that reach it, by self-draw, direct hit and ron from the others, with
honba, deposits and stakes counted, and the effect of draws and of other players' wins; `telling` puts an
answer into words. Liability for another player's hand and prizes besides the points are left out: they are
known only with the tiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scoring.kyoku.state import State
from scoring.last_kyoku.advance import Advance, League
from scoring.last_kyoku.answers import Answer, AnswerStatus, DrawAnswer, Run, WaySet, answer
from scoring.last_kyoku.goals import Float, FloatingPlace, Goal, GoalVerdict, NotOut, Place, PlaceLine, Top, goals_of
from scoring.last_kyoku.ladder import Rung
from scoring.last_kyoku.outcomes import Outcomes
from scoring.ruleset import Ruleset

__all__ = [
    "Advance",
    "Answer",
    "AnswerStatus",
    "DrawAnswer",
    "Float",
    "FloatingPlace",
    "Goal",
    "GoalVerdict",
    "League",
    "NotOut",
    "Outcomes",
    "Place",
    "PlaceLine",
    "Run",
    "Rung",
    "Top",
    "WaySet",
    "answer",
    "answers",
    "goals_of",
    "may_end",
]


def answers(outcomes: Outcomes, goals: Sequence[Goal], seats: Iterable[int] | None = None) -> tuple[Answer, ...]:
    """Return the answer for every seat and goal, seat by seat; empty once the game is over."""
    if outcomes.state.is_over:
        return ()
    asked = range(outcomes.state.players) if seats is None else seats
    return tuple(answer(outcomes, seat, goal) for seat in asked for goal in goals)


def may_end(state: State, rules: Ruleset) -> bool:
    """Return whether any outcome of this kyoku ends the game.

    Raise NoHandsError where the rules know final scores only.
    """
    return Outcomes(state, rules).may_end
