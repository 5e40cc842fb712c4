"""Replay of a whole hanchan: a log of entries folds into the state of the table after each entry.

State is never patched: undoing, redoing or editing an entry gives another log, and everything after it is
computed again. An entry that is not possible is flagged with its refusals and leaves the state unchanged;
replay continues from there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring import kyoku
from scoring.hanchan_result import HanchanResult
from scoring.kyoku.outcomes import Act, DeadHand, Offended, Outcome, Riichi, RiichiWithdrawn, TimeCalled
from scoring.kyoku.refusals import Refusal
from scoring.kyoku.state import State, opening
from scoring.ruleset import Ruleset

Entry = Act | Outcome
"""One line of a log."""

Log = tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a log with the state before and after it."""

    entry: Entry
    before: State
    after: State
    """Equal to `before` if the entry was refused."""
    result: kyoku.KyokuResult | None = None
    """The result of the kyoku that ended here; None for other entries."""
    refusals: tuple[Refusal, ...] = ()
    """Reasons for which the entry was refused."""


@dataclass(frozen=True, slots=True)
class PlayedLog:
    """A replayed log: the state of the table after each of its entries."""

    start: State
    steps: tuple[Step, ...]

    @property
    def state(self) -> State:
        """Return the state after the last entry."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def kyoku(self) -> tuple[kyoku.KyokuResult, ...]:
        """Return the result of every completed kyoku."""
        return tuple(step.result for step in self.steps if step.result is not None)

    @property
    def refused(self) -> tuple[int, ...]:
        """Return the numbers in the log of the entries that were refused."""
        return tuple(number for number, step in enumerate(self.steps) if step.refusals)


def replay(log: Sequence[Entry], rules: Ruleset, start: State | None = None) -> PlayedLog:
    """Fold a log into the state of the table after each entry; `start` defaults to the opening of a game."""
    first = state = start if start is not None else opening(rules)
    steps: list[Step] = []
    for entry in log:
        step = apply_entry(state, entry, rules)
        steps.append(step)
        state = step.after
    return PlayedLog(first, tuple(steps))


def apply_entry(state: State, entry: Entry, rules: Ruleset) -> Step:
    """Apply one entry to a state; a refused entry gives a step with its refusals and the state unchanged."""
    try:
        if isinstance(entry, Riichi | Offended | RiichiWithdrawn | DeadHand | TimeCalled):
            return Step(entry, state, kyoku.act_on(state, entry, rules))
        result = kyoku.apply(state, entry, rules)
    # A refused entry must not stop the replay: the rest of the log is judged from the unchanged state.
    except kyoku.InvalidOutcomeError as error:
        return Step(entry, state, state, refusals=error.refusals)
    return Step(entry, state, result.after, result)


def result_of(state: State, rules: Ruleset) -> HanchanResult:
    """Return the input of the settlement for a state, finished or under way."""
    steps = rules.settlement
    return HanchanResult(
        scores=state.current_scores(rules),
        kyoutaku=state.deposits(rules),
        chonbo=state.chonbo if steps.chonbo is not None else (),
        carried=_carried(state, rules),
        tobi=state.tobi if steps.tobi is not None else (),
        forced_top=state.forced_top,
    )


def _carried(state: State, rules: Ruleset) -> Mapping[str, tuple[int, ...]]:
    """Return the prizes carried from the table, for the ledgers that a result enters by hand."""
    entered = {ledger.key for ledger in rules.entered_ledgers}
    return {key: amounts for key, amounts in state.carried.items() if key in entered}
