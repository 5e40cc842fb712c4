"""A game of an online log as our engine plays it under a competition's rules, hand by hand beside the log's points."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from scoring.hanchan import Entry, PlayedLog, Step, apply_entry, result_of
from scoring.kyoku import KyokuResult, Refusal
from scoring.kyoku.outcomes import Common
from scoring.kyoku.state import State, opening
from scoring.paifu.compare import Difference, compare
from scoring.paifu.entries import entries_of
from scoring.paifu.records import Paifu, PaifuKyoku
from scoring.paifu.stored import parse_stored
from scoring.ruleset import Ruleset
from scoring.settlement import Settlement, settle


@dataclass(frozen=True, slots=True)
class HandBeside:
    """One hand of the log beside ours."""

    told: PaifuKyoku
    before: State
    """Our table as the hand begins."""
    ours: KyokuResult | None
    """None if the engine refused the hand."""
    refusals: tuple[Refusal, ...]
    following: PaifuKyoku | None
    """The next hand of the log; None for the last one."""

    @property
    def changes(self) -> tuple[int, ...] | None:
        """Return the change of each seat by our rules; None if the hand was refused."""
        return None if self.ours is None else self.ours.changes()

    def differences(self, rules: Ruleset) -> tuple[Difference, ...]:
        """Return what differs in this hand between the log and our rules, each with its reason."""
        return compare(self.told, self.ours, rules, refusals=self.refusals, following=self.following)


@dataclass(frozen=True)
class PaifuPlayed:
    """A log replayed under our rules."""

    paifu: Paifu
    rules: Ruleset
    hands: tuple[HandBeside, ...]
    game: PlayedLog
    too_many: int = 0
    """Hands of the log that follow the end of the game by our rules."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return the entries of the score sheet."""
        return tuple(step.entry for step in self.game.steps)

    @property
    def state(self) -> State:
        """Return the table after the last hand."""
        return self.game.state

    @property
    def differing(self) -> int:
        """Return the number of hands whose points differ from the log's."""
        return sum(hand.changes != hand.told.deltas for hand in self.hands)

    @cached_property
    def settlement(self) -> Settlement | None:
        """The settlement by our rules; None if a hand was refused."""
        if self.game.refused or not self.hands:
            return None
        return settle(result_of(self.state, self.rules), self.rules)


def play_paifu(paifu: Paifu, rules: Ruleset) -> PaifuPlayed:
    """Play every hand of a log under our rules.

    The dealer of the last hand stops where the log ends and the rules allow it. Hands after the end of the game by
    our rules are counted and left out.
    """
    state = start = opening(rules)
    steps: list[Step] = []
    hands: list[HandBeside] = []
    for number, told in enumerate(paifu.hands):
        if state.is_over:
            break
        played = play_hand(told, state, rules, is_last=number + 1 == len(paifu.hands))
        refusals = tuple(each for step in played for each in step.refusals)
        ours = played[-1].result
        following = paifu.hands[number + 1] if number + 1 < len(paifu.hands) else None
        hands.append(HandBeside(told, state, ours, refusals, following))
        steps += played
        state = played[-1].after
    return PaifuPlayed(paifu, rules, tuple(hands), PlayedLog(start, tuple(steps)), len(paifu.hands) - len(hands))


PLAYED_KEPT = 40
"""Games kept in the memory of a process: a preview of twenty is looked at several times."""


def play_kept(content: object, rules: Ruleset) -> PaifuPlayed:
    """Return a checked record, given as its JSON, as `play_paifu` plays it; kept in the process for the next view."""
    return _played(json.dumps(content), rules)


@lru_cache(maxsize=PLAYED_KEPT)
def _played(content: str, rules: Ruleset) -> PaifuPlayed:
    return play_paifu(parse_stored(json.loads(content)), rules)


def play_hand(told: PaifuKyoku, state: State, rules: Ruleset, *, is_last: bool) -> Sequence[Step]:
    """Return the steps of one hand: the acts in its course, and its outcome."""
    steps: list[Step] = []
    for entry in entries_of(told, rules):
        steps.append(apply_entry(state, entry, rules))
        state = steps[-1].after
    end = steps[-1]
    may_stop = end.result is not None and end.result.may_stop and not state.is_over
    if is_last and may_stop and isinstance(end.entry, Common):
        steps[-1] = apply_entry(end.before, replace(end.entry, stop=True), rules)
    return steps


def digest_of_hands(paifu: Paifu) -> str:
    """Return a SHA-256 of the hands with their scores, equal for the same game in every format."""
    hands = [(each.round.value, each.number, each.honba, each.scores, each.deltas) for each in paifu.hands]
    return hashlib.sha256(json.dumps(hands).encode()).hexdigest()


def without_names(content: Mapping[str, object], seats: int) -> dict[str, object]:
    """Return a record's JSON without names and account ids, as a hanchan keeps it: its seats are the hanchan's."""
    return {**content, "players": [{"name": str(seat + 1), "account": ""} for seat in range(seats)]}
