"""Everything that can come of the running kyoku: each seat's wins along the ladder, and draws by who is tenpai.

Whatever is said here the engine of the kyoku said. Wins of one seat from one payer differ in the points that move
alone, so those that leave the scores in the same order, and on the same side of every number the book ever compares a
score with, come to the same, before and after payments that a book may cut: one of them is played out for all.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations, groupby, product
from operator import itemgetter

from scoring import kyoku
from scoring.hanchan import result_of
from scoring.kyoku.outcomes import Draw, Outcome, Riichi, Ron, Tsumo
from scoring.kyoku.payments import Table, table_of
from scoring.kyoku.state import End, EndReason, State, changes
from scoring.last_kyoku.ladder import Rung, ladder
from scoring.ruleset import Ruleset
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.value import Legality, LimitName, Verdict
from scoring.settled import Game
from scoring.settlement import Settlement, placed, settle
from scoring.value import By

_MOST_BOOKS = 64


@dataclass(frozen=True)
class After:
    """A table after the kyoku, over or going on."""

    state: State
    rules: Ruleset

    @property
    def is_over(self) -> bool:
        """The game has ended."""
        return self.state.is_over

    @cached_property
    def game(self) -> Game:
        """Its places, as the settlement finds them."""
        return placed(result_of(self.state, self.rules), self.rules)

    @cached_property
    def settlement(self) -> Settlement:
        """What it comes to; raise InvalidResultError if the scores cannot be settled."""
        return settle(result_of(self.state, self.rules), self.rules)


@dataclass(frozen=True)
class Ending:
    """What an outcome comes to: nothing if the book refuses it, two tables if the dealer may stop the game."""

    afters: tuple[After, ...]
    chooser: int | None = None
    """The dealer who may end the game or play on."""


@dataclass(frozen=True, slots=True)
class Way:
    """Who wins, and by whose discard; nobody's is a self-draw."""

    winner: int
    loser: int | None

    @property
    def by(self) -> By:
        """Self-draw or ron."""
        return By.TSUMO if self.loser is None else By.RON


@dataclass(frozen=True)
class Stretch:
    """Neighbouring rungs that come to the same."""

    first: int
    last: int
    played: int
    """The rung that was played out for all of its kind."""
    ending: Ending


@dataclass(frozen=True)
class Climb:
    """All wins of one way, from the smallest hand to the largest."""

    way: Way
    rungs: tuple[Rung, ...]
    scores: tuple[tuple[int, ...], ...]
    """The scores after each of them."""
    stretches: tuple[Stretch, ...]
    _exact: dict[int, Ending] = field(default_factory=dict)

    def ending(self, stretch: Stretch, number: int) -> Ending:
        """What this very rung of the stretch comes to."""
        if number == stretch.played:
            return stretch.ending
        if number not in self._exact:
            afters = (
                After(replace(each.state, scores=self.scores[number]), each.rules) for each in stretch.ending.afters
            )
            self._exact[number] = Ending(tuple(afters), stretch.ending.chooser)
        return self._exact[number]


@dataclass(frozen=True)
class Drawn:
    """A draw with these players tenpai."""

    tenpai: tuple[int, ...]
    ending: Ending


class Outcomes:
    """What can come of a kyoku, each part worked out when it is first asked for."""

    def __init__(self, state: State, rules: Ruleset) -> None:
        self.state = state
        self.rules = rules
        self.table = table_of(state, rules)
        self._climbs: dict[Way, Climb] = {}
        self._riichi: dict[int, tuple[Drawn, ...]] = {}

    @property
    def ways(self) -> Iterator[Way]:
        """Every seat's self-draw, and its ron from each other."""
        seats = range(self.state.players)
        for winner, loser in product(seats, (None, *seats)):
            if winner != loser:
                yield Way(winner, loser)

    @property
    def _first_limit(self) -> LimitName | None:
        limits = self.table.play.value.limits
        return limits[0].name if limits else None

    def climb(self, way: Way) -> Climb:
        """All wins of one way."""
        if way not in self._climbs:
            self._climbs[way] = _climb(way, self.table)
        return self._climbs[way]

    @cached_property
    def draws(self) -> tuple[Drawn, ...]:
        """A draw with each pattern of tenpai players there can be, with the riichi that lie on the table."""
        return tuple(_draws(self.table))

    def draws_in_riichi(self, seat: int) -> tuple[Drawn, ...]:
        """The same with one more riichi, this seat's; none if it cannot declare."""
        if seat not in self._riichi:
            declared = _declared(self.state, seat, self.rules)
            self._riichi[seat] = () if declared is None else tuple(_draws(table_of(declared, self.rules)))
        return self._riichi[seat]

    @property
    def may_end(self) -> bool:
        """Whether anything that can come of it ends the game."""
        return any(True for _ in self._ends(small=False))

    @property
    def is_near_end(self) -> bool:
        """Whether a draw, or a win up to the book's first limit, may end the game."""
        return any(True for _ in self._ends(small=True))

    @property
    def reasons(self) -> frozenset[EndReason]:
        """Why the game may end here: every reason that something which can come of it brings."""
        return frozenset(end.reason for end in self._ends(small=False))

    def _ends(self, *, small: bool) -> Iterator[End]:
        for each in self._endings(small=small):
            for after in each.afters:
                yield from after.state.ends

    def _endings(self, *, small: bool) -> Iterator[Ending]:
        """Everything that can come of it, once for wins that come to the same; nothing once the game is over."""
        if self.state.is_over:
            return
        for drawn in self.draws:
            yield drawn.ending
        for climb in map(self.climb, self.ways):
            for stretch in climb.stretches:
                if not small or climb.rungs[stretch.first].limit in (None, self._first_limit):
                    yield stretch.ending


def ending(outcome: Outcome, state: State, rules: Ruleset) -> Ending:
    """What the engine makes of an outcome: nothing if it cannot be."""
    return _foreseen(outcome, state, rules) if kyoku.can_apply(state, outcome, rules) else Ending(())


def _foreseen(outcome: Outcome, state: State, rules: Ruleset) -> Ending:
    """What an outcome that can be comes to; where the dealer may stop, with and without; nothing for forbidden wins."""
    result = kyoku.foreseen(state, outcome, rules)
    if not all(each.is_allowed for each in result.judgements):
        return Ending(())
    if not result.may_stop or result.after.is_over:
        return Ending((After(result.after, rules),))
    stopped = kyoku.foreseen(state, replace(outcome, stop=True), rules)
    return Ending((After(result.after, rules), After(stopped.after, rules)), state.dealer)


def win(way: Way, rung: Rung) -> Outcome:
    """A win as the engine takes it."""
    if way.loser is None:
        return Tsumo(win=rung.win(way.winner))
    return Ron(loser=way.loser, wins=(rung.win(way.winner),))


def _climb(way: Way, table: Table) -> Climb:
    """Play out one win of each kind."""
    rungs = ladder(table, way.winner, way.by)
    scores = tuple(_scores(way, rungs, table))
    stretches: list[Stretch] = []
    found: dict[object, tuple[int, Ending]] = {}
    for key, alike in groupby(enumerate(_kinds(way, rungs, scores, table)), key=itemgetter(1)):
        numbers = [number for number, _ in alike]
        if key not in found:
            found[key] = numbers[0], _won(way, rungs[numbers[0]], table)
        stretches.append(Stretch(numbers[0], numbers[-1], *found[key]))
    return Climb(way, rungs, scores, tuple(stretches))


def _won(way: Way, rung: Rung, table: Table) -> Ending:
    """What a hand of the ladder comes to: it can be, if its winner may win at all."""
    hand = table.state.hand
    if way.winner in (*hand.dead, *hand.redeclare):
        return Ending(())
    return _foreseen(win(way, rung), table.state, table.rules)


def _scores(way: Way, rungs: Sequence[Rung], table: Table) -> Iterator[tuple[int, ...]]:
    """Scores after each win: what does not hang on the hand (deposits, honba) is taken from the first of its kind."""
    fixed: dict[tuple[bool, bool], tuple[int, ...]] = {}
    state = table.state
    for rung in rungs:
        hand = rung.moved(way.winner, way.loser, state.dealer, state.players)
        kind = (rung.collects, rung.instant_top)
        if kind not in fixed:
            result = kyoku.foreseen(state, win(way, rung), table.rules)
            moved = changes(result.transfers, TABLE_POINTS, state.players)
            fixed[kind] = tuple(map(sum, zip(state.scores, moved, (-each for each in hand), strict=True)))
        yield tuple(map(sum, zip(fixed[kind], hand, strict=True)))


def _kinds(way: Way, rungs: Sequence[Rung], scores: Sequence[tuple[int, ...]], table: Table) -> list[object]:
    """What tells wins apart that may come to different things."""
    legality, marks = table.play.legality, _marks(table.rules)
    if legality is not None and Verdict.PAY_TO_LIMIT not in legality.model_dump().values():
        legality = None
    kinds: list[object] = []
    for rung, after in zip(rungs, scores, strict=True):
        cut = after if legality is None else _cut(after, way.winner, table, legality)
        standings = {each: _standing(each, marks) for each in (after, cut)}
        kinds.append((rung.collects, rung.instant_top, *standings.values()))
    return kinds


def _cut(scores: tuple[int, ...], winner: int, table: Table, legality: Legality) -> tuple[int, ...]:
    """The scores with whoever would go out left in the game."""
    bust = table.rules.end.bust
    out = [seat for seat, score in enumerate(scores) if seat != winner and bust.is_bust(score)]
    missing = sum(legality.left_to_payer - scores[seat] for seat in out)
    left = (legality.left_to_payer if seat in out else score for seat, score in enumerate(scores))
    return tuple(score - missing if seat == winner else score for seat, score in enumerate(left))


def _standing(scores: tuple[int, ...], marks: tuple[int, ...]) -> tuple[int, ...]:
    """On which side of each mark every score lies, and who has more than whom."""
    sides = (bisect_left(marks, score) + bisect_right(marks, score) for score in scores)
    return (*sides, *((one > other) - (one < other) for one, other in combinations(scores, 2)))


@lru_cache(maxsize=_MOST_BOOKS)
def _marks(rules: Ruleset) -> tuple[int, ...]:
    """Every number a score may be compared with: all that the book's end, settlement and set-up name."""
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


def _draws(table: Table) -> Iterator[Drawn]:
    """Whoever is in riichi is tenpai; patterns that cannot be are left out."""
    state, seats = table.state, range(table.state.players)
    declared = set(state.hand.declared()) - set(state.hand.dead)
    for tenpai in (each for size in range(state.players + 1) for each in combinations(seats, size)):
        if declared <= set(tenpai):
            found = ending(Draw(tenpai=tenpai), state, table.rules)
            if found.afters:
                yield Drawn(tenpai, found)


def _declared(state: State, seat: int, rules: Ruleset) -> State | None:
    """The table with a riichi of this seat, an open one where it has to be; nothing if it cannot be."""
    for act in (Riichi(seat), Riichi(seat, open=True)):
        if not kyoku.verify_act(state, act, rules):
            return kyoku.act_on(state, act, rules)
    return None
