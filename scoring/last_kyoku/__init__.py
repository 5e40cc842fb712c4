"""The last kyoku (オーラス条件), and any that may end the game: what each seat needs for what it wants.

`answers` tells for every seat and goal the exact hands that reach it, by self-draw, direct hit and ron from the others,
with honba, deposits and stakes counted, and what draws and the wins of others do; `may_end` whether to ask at all.
Liability for another's hand and prizes beside the points are left out: they are known only with the tiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scoring.kyoku.state import EndReason, State
from scoring.last_kyoku.advance import Advance, League
from scoring.last_kyoku.answers import Answer, DrawAnswer, Run, Status, WaySet, answer
from scoring.last_kyoku.goals import Float, Goal, NotOut, Place, PlaceLine, Top, Verdict, goals_of
from scoring.last_kyoku.ladder import Rung
from scoring.last_kyoku.outcomes import Outcomes
from scoring.ruleset import Ruleset

__all__ = [
    "Advance",
    "Answer",
    "DrawAnswer",
    "Float",
    "Goal",
    "League",
    "NotOut",
    "Outcomes",
    "Place",
    "PlaceLine",
    "Run",
    "Rung",
    "Status",
    "Top",
    "Verdict",
    "WaySet",
    "answer",
    "answers",
    "end_reasons",
    "goals_of",
    "may_end",
]


def answers(
    state: State, rules: Ruleset, goals: Sequence[Goal], seats: Iterable[int] | None = None
) -> tuple[Answer, ...]:
    """What every seat needs for every goal, seat by seat; nothing once the game is over.

    Raise HandsUnknownError where the rules know final scores only.
    """
    outcomes = Outcomes(state, rules)
    if state.is_over:
        return ()
    asked = range(state.players) if seats is None else seats
    return tuple(answer(outcomes, seat, goal) for seat in asked for goal in goals)


def may_end(state: State, rules: Ruleset) -> bool:
    """Whether anything that can come of this kyoku ends the game."""
    return not state.is_over and any(
        after.is_over for ending in Outcomes(state, rules).endings() for after in ending.afters
    )


def end_reasons(state: State, rules: Ruleset) -> frozenset[EndReason]:
    """Why this kyoku may end the game: every reason that something which can come of it brings."""
    if state.is_over:
        return frozenset()
    endings = Outcomes(state, rules).endings()
    return frozenset(end.reason for ending in endings for after in ending.afters for end in after.state.ends)
