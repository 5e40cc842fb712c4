"""Answers: the hands that reach a seat's goal by each way of winning, with gaps; draws and other players' wins.

The sets need not be ranges: a larger win can lift a third player, make a player go out, or end a game that a
smaller one lets continue. So a way is described as all its runs of hands with equal results, from the
smallest hand to the largest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from operator import itemgetter

from scoring.last_kyoku.advance import Advance
from scoring.last_kyoku.goals import Goal, GoalVerdict
from scoring.last_kyoku.ladder import Rung
from scoring.last_kyoku.outcomes import Climb, DrawOutcome, Ending, Outcomes
from scoring.last_kyoku.surprises import surprises
from scoring.standings import Entrant
from scoring.value import By

BEST_LAST: Sequence[GoalVerdict] = tuple(GoalVerdict)
"""Verdicts in rising order, as `GoalVerdict` lists them."""


class AnswerStatus(StrEnum):
    """Summary of an answer in one word."""

    SAFE = "safe"
    """No outcome of this kyoku ends the game without the goal."""
    ANY_WIN = "any_win"
    """Every win reaches it."""
    SOME_WINS = "some_wins"
    """Some wins reach it."""
    GOES_ON = "goes_on"
    """No win reaches it, but after some the game continues."""
    NOT_WITH_ONE_HAND = "not_with_one_hand"
    """No win reaches it, and every win ends the game."""
    BARRED = "barred"
    """The seat may not win in this kyoku."""


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring hands of the ladder with the same verdict."""

    verdict: GoalVerdict
    rungs: tuple[Rung, ...]
    is_from_bottom: bool
    is_to_top: bool
    """It includes the largest hand."""
    is_choice: bool = False
    """The dealer may end the game or continue; the verdict is the seat's choice, or the worse of another's two."""

    @property
    def first(self) -> Rung:
        """Return the smallest of the hands."""
        return self.rungs[0]

    @property
    def last(self) -> Rung:
        """Return the largest of the hands."""
        return self.rungs[-1]


@dataclass(frozen=True, slots=True)
class WaySet:
    """The verdicts of all hands, won by self-draw or by ron from these players, for whom they are equal."""

    winner: int
    by: By
    losers: tuple[int, ...]
    runs: tuple[Run, ...]

    def runs_of(self, verdict: GoalVerdict) -> tuple[Run, ...]:
        """Return the runs of hands with this verdict."""
        return tuple(run for run in self.runs if run.verdict is verdict)

    def gaps(self, verdict: GoalVerdict) -> tuple[Run, ...]:
        """Return the runs between the first and the last one with this verdict that do not have it."""
        numbers = [number for number, run in enumerate(self.runs) if run.verdict is verdict]
        between = self.runs[numbers[0] : numbers[-1]] if numbers else ()
        return tuple(run for run in between if run.verdict is not verdict)


@dataclass(frozen=True, slots=True)
class DrawAnswer:
    """The verdict of a draw with these players tenpai."""

    tenpai: tuple[int, ...]
    verdict: GoalVerdict
    is_choice: bool
    """The dealer may end the game or continue; the verdict is the seat's choice, or the worse of another's two."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The conditions for a seat to reach a goal."""

    seat: int
    goal: Goal
    status: AnswerStatus
    ways: tuple[WaySet, ...]
    """The seat's own wins; an own riichi stake comes back with each of them and changes nothing."""
    others: tuple[WaySet, ...]
    """The verdicts of other players' wins on the goal."""
    draws: tuple[DrawAnswer, ...]
    draws_in_riichi: tuple[DrawAnswer, ...]
    """The same after one more riichi, the seat's own; empty if it cannot declare."""
    may_go_on: bool
    """The game continues after some outcome of this kyoku."""
    waiting: tuple[Entrant, ...] = ()
    """Entrants at other tables whose results still to come may change the answer."""


def answer(outcomes: Outcomes, seat: int, goal: Goal) -> Answer:
    """Work out the answer for a seat and a goal."""
    ways = tuple(way_sets(outcomes, seat, seat, goal))
    others = tuple(
        each for winner in range(outcomes.state.players) if winner != seat
        for each in way_sets(outcomes, winner, seat, goal)
    )  # fmt: skip
    draws = _draws(outcomes.draws, seat, goal)
    found = {run.verdict for each in (*ways, *others) for run in each.runs} | {draw.verdict for draw in draws}
    # Checked last, and only if nothing else refutes: several wins on one discard multiply the hands to play out.
    is_safe = GoalVerdict.MISSED not in found and all(_keeps(each, seat, goal) for each in surprises(outcomes))
    return Answer(
        seat=seat,
        goal=goal,
        status=AnswerStatus.SAFE if is_safe else _status(ways),
        ways=ways,
        others=others,
        draws=draws,
        draws_in_riichi=_draws(outcomes.draws_in_riichi(seat), seat, goal),
        may_go_on=GoalVerdict.GOES_ON in found,
        waiting=goal.league.waiting if isinstance(goal, Advance) else (),
    )


def verdict_of(ending: Ending, seat: int, goal: Goal) -> GoalVerdict:
    """Return the verdict of an outcome on a goal.

    Of two verdicts between which the dealer may choose, the better one if the seat is the dealer, else the worse.
    """
    if not ending.afters:
        return GoalVerdict.FORBIDDEN
    verdicts = [goal.verdict(after, seat) for after in ending.afters]
    return (max if ending.chooser == seat else min)(verdicts, key=BEST_LAST.index)


def _keeps(ending: Ending, seat: int, goal: Goal) -> bool:
    return verdict_of(ending, seat, goal) is not GoalVerdict.MISSED


def _status(ways: Sequence[WaySet]) -> AnswerStatus:
    found = {run.verdict for each in ways for run in each.runs} - {GoalVerdict.FORBIDDEN}
    if not found:
        return AnswerStatus.BARRED
    if GoalVerdict.REACHED in found:
        return AnswerStatus.ANY_WIN if len(found) == 1 else AnswerStatus.SOME_WINS
    return AnswerStatus.GOES_ON if GoalVerdict.GOES_ON in found else AnswerStatus.NOT_WITH_ONE_HAND


def way_sets(outcomes: Outcomes, winner: int, seat: int, goal: Goal) -> Iterator[WaySet]:
    """Yield the winner's self-draw, then ron, with payers grouped for whom every hand has the same verdict."""
    alike: list[tuple[tuple[Run, ...], list[int]]] = []
    for way in outcomes.ways:
        if way.winner != winner:
            continue
        runs = tuple(_runs(outcomes.climb(way), seat, goal))
        if way.loser is None:
            yield WaySet(winner, By.TSUMO, (), runs)
            continue
        losers = next((losers for known, losers in alike if known == runs), None)
        if losers is None:
            alike.append((runs, [way.loser]))
        else:
            losers.append(way.loser)
    yield from (WaySet(winner, By.RON, tuple(losers), runs) for runs, losers in alike)


def _runs(climb: Climb, seat: int, goal: Goal) -> Iterator[Run]:
    """Group neighbouring hands with the same verdict into runs."""
    top = len(climb.rungs) - 1
    for (verdict, is_choice), alike in groupby(_judged(climb, seat, goal), key=itemgetter(0)):
        spans = [span for _, span in alike]
        first, last = spans[0][0], spans[-1][1]
        yield Run(verdict, climb.rungs[first : last + 1], first == 0, last == top, is_choice)


def _judged(climb: Climb, seat: int, goal: Goal) -> Iterator[tuple[tuple[GoalVerdict, bool], tuple[int, int]]]:
    """Yield the verdict of every stretch, rung by rung where exact scores count and the game is over."""
    for stretch in climb.stretches:
        is_choice = stretch.ending.chooser is not None
        if goal.is_exact and any(after.is_over for after in stretch.ending.afters):
            for number in range(stretch.first, stretch.last + 1):
                yield (verdict_of(climb.ending(stretch, number), seat, goal), is_choice), (number, number)
        else:
            yield (verdict_of(stretch.ending, seat, goal), is_choice), (stretch.first, stretch.last)


def _draws(drawn: Sequence[DrawOutcome], seat: int, goal: Goal) -> tuple[DrawAnswer, ...]:
    return tuple(
        DrawAnswer(each.tenpai, verdict_of(each.ending, seat, goal), each.ending.chooser is not None) for each in drawn
    )
