"""Possible outcomes of the running kyoku: each seat's wins along the ladder, and draws by tenpai players.

Every statement here comes from the kyoku engine. Wins of one seat from one payer differ only in the points
that move, so wins that leave the scores in the same order, and on the same side of every number that the book
compares a score with, are equivalent, before and after payments that a book may cut: one of them is played
out for all.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations, groupby, product
from operator import add, itemgetter, sub

from scoring import kyoku
from scoring.hanchan import result_of
from scoring.kyoku.outcomes import Draw, Outcome, Riichi, Ron, Tsumo
from scoring.kyoku.payments import RuledState, table_of
from scoring.kyoku.state import EndCause, EndReason, State, changes
from scoring.last_kyoku.ladder import Rung, ladder
from scoring.ruleset import Ruleset
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.value import Legality, LegalityVerdict, LimitName
from scoring.settled import Game
from scoring.settlement import Settlement, place_game, settle
from scoring.value import By

_MOST_BOOKS = 64


@dataclass(frozen=True)
class After:
    """A table after the kyoku, with the game over or continuing."""

    state: State
    rules: Ruleset

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.state.is_over

    @cached_property
    def game(self) -> Game:
        """Return the places, as the settlement determines them."""
        return place_game(result_of(self.state, self.rules), self.rules)

    @cached_property
    def settlement(self) -> Settlement:
        """Return the settlement; raise InvalidResultError if the scores cannot be settled."""
        return settle(result_of(self.state, self.rules), self.rules)


@dataclass(frozen=True)
class Ending:
    """Tables an outcome leads to: none if the book refuses it, two if the dealer may stop the game."""

    afters: tuple[After, ...]
    chooser: int | None = None
    """The dealer, if the dealer may end the game or continue; None for no choice."""


@dataclass(frozen=True, slots=True)
class WinPath:
    """The winner of a kyoku and the discarder; no discarder means a self-draw."""

    winner: int
    loser: int | None

    @property
    def by(self) -> By:
        """Return self-draw or ron."""
        return By.TSUMO if self.loser is None else By.RON


@dataclass(frozen=True)
class Stretch:
    """Neighbouring rungs that are equivalent."""

    first: int
    last: int
    played: int
    """The rung that was played out for all of its kind."""
    ending: Ending


@dataclass(frozen=True)
class Climb:
    """All wins of one way, from the smallest hand to the largest."""

    way: WinPath
    rungs: tuple[Rung, ...]
    scores: tuple[tuple[int, ...], ...]
    """The scores after each win."""
    stretches: tuple[Stretch, ...]
    _exact: dict[int, Ending] = field(default_factory=dict)

    def ending(self, stretch: Stretch, number: int) -> Ending:
        """Return the ending of exactly this rung of the stretch, with its own scores."""
        if number == stretch.played:
            return stretch.ending
        if number not in self._exact:
            afters = (
                After(replace(each.state, scores=self.scores[number]), each.rules) for each in stretch.ending.afters
            )
            self._exact[number] = Ending(tuple(afters), stretch.ending.chooser)
        return self._exact[number]


@dataclass(frozen=True)
class DrawOutcome:
    """A draw with these players tenpai."""

    tenpai: tuple[int, ...]
    ending: Ending


class Outcomes:
    """Possible outcomes of a kyoku; each part is computed on first use and cached."""

    def __init__(self, state: State, rules: Ruleset) -> None:
        self.state = state
        self.rules = rules
        self.table = table_of(state, rules)
        self._climbs: dict[WinPath, Climb] = {}
        self._riichi: dict[int, tuple[DrawOutcome, ...]] = {}

    @property
    def ways(self) -> Iterator[WinPath]:
        """Yield every seat's self-draw, and its ron from each other seat."""
        seats = range(self.state.players)
        for winner, loser in product(seats, (None, *seats)):
            if winner != loser:
                yield WinPath(winner, loser)

    @property
    def _first_limit(self) -> LimitName | None:
        limits = self.table.play.value.limits
        return limits[0].name if limits else None

    def climb(self, way: WinPath) -> Climb:
        """Return all wins of one way, from the cache if computed before."""
        if way not in self._climbs:
            self._climbs[way] = _climb(way, self.table)
        return self._climbs[way]

    @cached_property
    def draws(self) -> tuple[DrawOutcome, ...]:
        """Return a draw for each possible pattern of tenpai players, with the riichi on the table."""
        return tuple(_draws(self.table))

    def draws_in_riichi(self, seat: int) -> tuple[DrawOutcome, ...]:
        """Return the draws after one more riichi, this seat's; empty if it cannot declare."""
        if seat not in self._riichi:
            declared = _declared(self.state, seat, self.rules)
            self._riichi[seat] = () if declared is None else tuple(_draws(table_of(declared, self.rules)))
        return self._riichi[seat]

    @property
    def may_end(self) -> bool:
        """Return whether any outcome ends the game."""
        return any(True for _ in self._ends(small=False))

    @property
    def is_near_end(self) -> bool:
        """Return whether a draw, or a win up to the book's first limit, may end the game."""
        return any(True for _ in self._ends(small=True))

    @property
    def reasons(self) -> frozenset[EndReason]:
        """Return the reasons for which the game may end here, over all outcomes."""
        return frozenset(end.reason for end in self._ends(small=False))

    def _ends(self, *, small: bool) -> Iterator[EndCause]:
        for each in self._endings(small=small):
            for after in each.afters:
                yield from after.state.ends

    def _endings(self, *, small: bool) -> Iterator[Ending]:
        """Yield every ending, once for equivalent wins; none once the game is over."""
        if self.state.is_over:
            return
        for drawn in self.draws:
            yield drawn.ending
        for climb in map(self.climb, self.ways):
            for stretch in climb.stretches:
                if not small or climb.rungs[stretch.first].limit in (None, self._first_limit):
                    yield stretch.ending


def ending(outcome: Outcome, state: State, rules: Ruleset) -> Ending:
    """Return the engine's result for an outcome; an ending without tables if it is not possible."""
    return _play_out(outcome, state, rules) if kyoku.can_apply(state, outcome, rules) else Ending(())


def _play_out(outcome: Outcome, state: State, rules: Ruleset) -> Ending:
    """Return the ending of a possible outcome; empty for forbidden wins.

    Where the dealer may stop the game, the ending has both tables.
    """
    result = kyoku.play_unchecked(state, outcome, rules)
    if not all(each.is_allowed for each in result.judgements):
        return Ending(())
    if not result.may_stop or result.after.is_over:
        return Ending((After(result.after, rules),))
    stopped = kyoku.play_unchecked(state, replace(outcome, stop=True), rules)
    return Ending((After(result.after, rules), After(stopped.after, rules)), state.dealer)


def win(way: WinPath, rung: Rung) -> Outcome:
    """Return a win in the form the engine takes."""
    if way.loser is None:
        return Tsumo(win=rung.win(way.winner))
    return Ron(loser=way.loser, wins=(rung.win(way.winner),))


def _climb(way: WinPath, table: RuledState) -> Climb:
    """Play out one win of each kind and group neighbouring rungs of a kind into stretches."""
    rungs = ladder(table, way.winner, way.by)
    scores = tuple(_scores(way, rungs, table))
    stretches: list[Stretch] = []
    found: dict[object, tuple[int, Ending]] = {}
    for key, alike in groupby(enumerate(_kinds(way, rungs, scores, table)), key=itemgetter(1)):
        numbers = [number for number, _ in alike]
        # The same key may return after a gap (a larger win that passes a rival): its ending is played only once.
        if key not in found:
            found[key] = numbers[0], _play_win(way, rungs[numbers[0]], table)
        stretches.append(Stretch(numbers[0], numbers[-1], *found[key]))
    return Climb(way, rungs, scores, tuple(stretches))


def _play_win(way: WinPath, rung: Rung, table: RuledState) -> Ending:
    """Return the ending of a hand of the ladder; empty if its winner may not win at all."""
    hand = table.state.hand
    if way.winner in (*hand.dead, *hand.redeclare):
        return Ending(())
    return _play_out(win(way, rung), table.state, table.rules)


def _scores(way: WinPath, rungs: Sequence[Rung], table: RuledState) -> Iterator[tuple[int, ...]]:
    """Yield the scores after each win.

    Payments that do not depend on the hand (deposits, honba) are taken from the first win of each kind.
    """
    fixed: dict[tuple[bool, bool], tuple[int, ...]] = {}
    state = table.state
    for rung in rungs:
        hand = rung.moved(way.winner, way.loser, state.dealer, state.players)
        kind = (rung.collects, rung.instant_top)
        if kind not in fixed:
            result = kyoku.play_unchecked(state, win(way, rung), table.rules)
            moved = changes(result.transfers, TABLE_POINTS, state.players)
            fixed[kind] = tuple(map(sub, map(add, state.scores, moved), hand))
        yield tuple(map(add, fixed[kind], hand))


def _kinds(way: WinPath, rungs: Sequence[Rung], scores: Sequence[tuple[int, ...]], table: RuledState) -> list[object]:
    """Return a key for each win; wins with different keys may have different results."""
    legality, marks = table.play.legality, _marks(table.rules)
    if legality is not None and LegalityVerdict.PAY_TO_LIMIT not in legality.model_dump().values():
        legality = None
    kinds: list[object] = []
    for rung, after in zip(rungs, scores, strict=True):
        cut = after if legality is None else _cut(after, way.winner, table, legality)
        # The engine judges a win by the full payment first and may cut it then, so both score rows belong to the key.
        standings = {each: _standing(each, marks) for each in dict.fromkeys((after, cut))}
        kinds.append((rung.collects, rung.instant_top, *standings.values()))
    return kinds


def _cut(scores: tuple[int, ...], winner: int, table: RuledState, legality: Legality) -> tuple[int, ...]:
    """Return the scores with players who would go out kept in the game at the winner's expense."""
    bust = table.rules.end.bust
    out = [seat for seat, score in enumerate(scores) if seat != winner and bust.is_bust(score)]
    missing = sum(legality.left_to_payer - scores[seat] for seat in out)
    left = (legality.left_to_payer if seat in out else score for seat, score in enumerate(scores))
    return tuple(score - missing if seat == winner else score for seat, score in enumerate(left))


def _standing(scores: tuple[int, ...], marks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the side of each mark that every score lies on, and the order of each pair of scores."""
    # The sum of both counts differs below, on and above each mark.
    sides = [bisect_left(marks, score) + bisect_right(marks, score) for score in scores]
    return (*sides, *((one > other) - (one < other) for one, other in combinations(scores, 2)))


@lru_cache(maxsize=_MOST_BOOKS)
def _marks(rules: Ruleset) -> tuple[int, ...]:
    """Return every number a score may be compared with: all numbers in the book's end, settlement and set-up."""
    data = rules.data()
    return tuple(sorted({0, *_numbers([data["end"], data["settlement"], data["setup"]])}))


def _numbers(data: object) -> Iterator[int]:
    if isinstance(data, Mapping):
        yield from _numbers(list(data.values()))
    elif isinstance(data, list):
        for each in data:
            yield from _numbers(each)
    elif isinstance(data, int) and not isinstance(data, bool):
        yield data


def _draws(table: RuledState) -> Iterator[DrawOutcome]:
    """Yield a draw for each possible pattern of tenpai players; players in riichi are always tenpai."""
    state, seats = table.state, range(table.state.players)
    declared = set(state.hand.declared()) - set(state.hand.dead)
    for tenpai in (each for size in range(state.players + 1) for each in combinations(seats, size)):
        if declared <= set(tenpai):
            found = ending(Draw(tenpai=tenpai), state, table.rules)
            if found.afters:
                yield DrawOutcome(tenpai, found)


def _declared(state: State, seat: int, rules: Ruleset) -> State | None:
    """Return the state after a riichi of this seat, an open one where it has to be; None if impossible."""
    for act in (Riichi(seat), Riichi(seat, open=True)):
        if not kyoku.verify_act(state, act, rules):
            return kyoku.act_on(state, act, rules)
    return None
