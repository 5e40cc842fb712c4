"""A whole hanchan, hand by hand: a log of what happened folds into the table after each entry.

Nothing is ever patched: undoing, redoing or editing an entry gives another log, and everything after it is computed
anew. An entry that cannot be is flagged with its reasons and leaves the table as it was; the rest goes on from there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring import kyoku
from scoring.hanchan_result import HanchanResult
from scoring.kyoku.outcomes import Act, DeadHand, Offended, Outcome, Riichi, RiichiWithdrawn
from scoring.kyoku.refusals import Refusal
from scoring.kyoku.state import State, opening
from scoring.ruleset import Ruleset

Entry = Act | Outcome
"""One line of a log."""

Log = tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a log, and what became of it."""

    entry: Entry
    before: State
    after: State
    """As before, if the entry was refused."""
    result: kyoku.KyokuResult | None = None
    """What a kyoku that ended here brought."""
    refusals: tuple[Refusal, ...] = ()
    """Why the entry cannot be."""


@dataclass(frozen=True, slots=True)
class Hanchan:
    """A log with the table after each of its entries."""

    start: State
    steps: tuple[Step, ...]

    @property
    def state(self) -> State:
        """The table now."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def kyoku(self) -> tuple[kyoku.KyokuResult, ...]:
        """Every kyoku that was played to its end."""
        return tuple(step.result for step in self.steps if step.result is not None)

    @property
    def refused(self) -> tuple[int, ...]:
        """The entries that cannot be, by their number in the log."""
        return tuple(number for number, step in enumerate(self.steps) if step.refusals)


def replay(log: Sequence[Entry], rules: Ruleset, start: State | None = None) -> Hanchan:
    """Fold a log into the table after each entry."""
    first = state = start if start is not None else opening(rules)
    steps: list[Step] = []
    for entry in log:
        step = taken(state, entry, rules)
        steps.append(step)
        state = step.after
    return Hanchan(first, tuple(steps))


def taken(state: State, entry: Entry, rules: Ruleset) -> Step:
    """One entry on top of a table."""
    try:
        if isinstance(entry, Riichi | Offended | RiichiWithdrawn | DeadHand):
            return Step(entry, state, kyoku.act_on(state, entry, rules))
        result = kyoku.apply(state, entry, rules)
    except kyoku.InvalidOutcomeError as error:
        return Step(entry, state, state, refusals=error.refusals)
    return Step(entry, state, result.after, result)


@dataclass(frozen=True, slots=True)
class History:
    """A log being written, with what was undone and can be done again."""

    log: Log = ()
    undone: Log = ()
    """The last one undone comes first."""

    def recorded(self, entry: Entry) -> History:
        """With another entry; what was undone is gone."""
        return History((*self.log, entry))

    def undo(self) -> History:
        """Without the last entry."""
        return History(self.log[:-1], (*self.log[-1:], *self.undone))

    def redo(self) -> History:
        """With the entry undone last."""
        return History((*self.log, *self.undone[:1]), self.undone[1:])

    def undo_to(self, count: int) -> History:
        """With so many entries left."""
        history = self
        while len(history.log) > max(count, 0):
            history = history.undo()
        return history

    def edited(self, number: int, entry: Entry) -> History:
        """With another entry in the place of this one; those after it stay and are judged anew."""
        return History((*self.log[:number], entry, *self.log[number + 1 :]))

    def without(self, number: int) -> History:
        """Without this entry; those after it stay and are judged anew."""
        return History((*self.log[:number], *self.log[number + 1 :]))


def result_of(state: State, rules: Ruleset) -> HanchanResult:
    """What a game brings to its settlement, finished or as it stands."""
    steps = rules.settlement
    return HanchanResult(
        scores=state.shown(rules),
        kyoutaku=state.deposits(rules),
        chonbo=state.chonbo if steps.chonbo is not None else (),
        carried=_carried(state, rules),
        tobi=state.tobi if steps.tobi is not None else (),
        forced_top=state.forced_top,
    )


def _carried(state: State, rules: Ruleset) -> Mapping[str, tuple[int, ...]]:
    """Prizes, where a result brings them from the table."""
    entered = {ledger.key for ledger in rules.entered_ledgers}
    return {key: amounts for key, amounts in state.carried.items() if key in entered}
