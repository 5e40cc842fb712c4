"""Many seasons at once: whole-number arrays instead of rows and rulings, and the same answer for every season.

The one idea: most seasons have no level totals. Totals are added up and sorted for all seasons together; only where
two are level are results taken out again and compared hanchan by hanchan from the last, and only what no array can say
(rows with different hanchan, rulings in a block under way) goes to the ordinary ranking.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from scoring.format import Assignment, Carry, CarryOver, Rounding, Stage
from scoring.odds.arrays import Ints, best_first, constant, inverse, orders, sorted_by
from scoring.odds.course import BlockCourse, Course
from scoring.odds.rounds import Group
from scoring.odds.scalar import Start, coined, ranked, rows_of
from scoring.odds.season import refuse_twice
from scoring.plan import Seat
from scoring.sources import BestOf, RankOf, Seed
from scoring.standings import rank
from scoring.tiebreak import TOTAL_ONLY, Criterion, Entrant, Row

CRITERIA = tuple(Criterion)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A block, or a comparison across blocks, in every season; entrants by their index in the course."""

    entrants: Ints
    totals: Ints
    order: Ints
    """The row at each place of the table."""
    line: Ints
    """The same without those passed over, who come last here."""

    def at(self, position: int) -> tuple[Ints, Ints]:
        """Who stands at a position of the line, and with how many points, season by season."""
        row = self.line[position - 1 : position]
        entrants, totals = (np.take_along_axis(each, row, axis=0)[0] for each in (self.entrants, self.totals))
        return entrants, totals


@dataclass(frozen=True, slots=True)
class Seasons:
    """How many seasons went: each block's slots and ranking, and the champion, where there is one."""

    course: Course
    draws: Ints
    slots: Mapping[str, Ints]
    rankings: Mapping[str, Ranking]
    going: Mapping[str, tuple[Ints, ...]]
    """Who goes on from each stage, place by place; from the last one the champion."""
    champion: Ints | None
    places: Callable[[str, int], Ints]
    """The place each row of a block has made in a hanchan; 0 where it has not played it."""


def simulate(course: Course, draws: Ints) -> Seasons:
    """Play many seasons to their end; `draws` has a row for each of the course's bounds, a column for each season.

    Raise UnforeseeableError if somebody comes into a stage twice.
    """
    run = Run(course, draws)
    for stage in course.season.format.stages:
        run.fill(stage)
        for block in stage.blocks:
            run.rankings[block.key] = run.ranking(block.key)
    slots = {block: entrants for block, (entrants, _) in run.starts.items()}
    champion = run.crown()
    going = {stage: tuple(places) for stage, places in run.going.items()}
    return Seasons(course, draws, slots, run.rankings, going, champion, run.places)


@dataclass
class Run:
    """A simulation under way."""

    course: Course
    draws: Ints
    starts: dict[str, tuple[Ints, Ints]] = field(default_factory=dict)
    """Who takes each slot of a block, and with how many points."""
    rankings: dict[str, Ranking] = field(default_factory=dict)
    comparisons: dict[str, Ranking] = field(default_factory=dict)
    going: defaultdict[str, list[Ints]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self.seasons = self.draws.shape[1]
        self.index = {entrant: number for number, entrant in enumerate(self.course.entrants)}
        self.results = results_by_draw(self.course)

    # Who takes the slots

    def fill(self, stage: Stage) -> None:
        """Find out who takes the slots of a stage, from the stages before it."""
        if stage.assignment is Assignment.DRAWN and stage.key in self.course.drawn:
            self._draw(stage)
        else:
            for block in stage.blocks:
                self.starts[block.key] = self._seated(self.course.plan.seats[block.key], stage.carry_over)
        if self.course.may_meet_themselves:
            self._refuse_twice(stage)

    def _draw(self, stage: Stage) -> None:
        """The entrants of the stage, as the draw spreads them over its blocks."""
        order = orders(self.course.drawn[stage.key], self.draws, slice(None))
        entrants, points = self._seated(self.course.plan.pools[stage.key], stage.carry_over)
        first = 0
        for block in stage.blocks:
            own = order[first : first + len(self.course.plan.seats[block.key])]
            first += len(own)
            self.starts[block.key] = np.take_along_axis(entrants, own, 0), np.take_along_axis(points, own, 0)

    def _seated(self, seats: Sequence[Seat], carry: CarryOver) -> tuple[Ints, Ints]:
        found = [self._start(seat, carry) for seat in seats]
        return np.stack([entrant for entrant, _ in found]), np.stack([points for _, points in found])

    def _start(self, seat: Seat, carry: CarryOver) -> tuple[Ints, Ints]:
        """Who takes a slot, and with how many points, season by season."""
        nothing = np.zeros(self.seasons, dtype=np.int64)
        match seat.source:
            case RankOf(block, position):
                entrants, totals = self.rankings[block].at(position)
                self.going[self.course.season.format.stage_of[block].key].append(entrants)
            case BestOf(number=position):
                entrants, totals = self._comparison(seat.source).at(position)
                self.going[seat.source.stage].append(entrants)
            case Seed(number):
                entrants, totals = nothing + self.index[self.course.season.seeds[number]], nothing
            case _:
                entrants, totals = nothing + self.index[seat.entrant], nothing
        if carry.kind is Carry.TABLE:
            return entrants, nothing + int((seat.points or 0) * self.course.season.scale)
        return entrants, carried(totals, carry)

    def _refuse_twice(self, stage: Stage) -> None:
        """Say so if somebody comes into a stage twice in any season."""
        everybody = np.sort(np.concatenate([self._entrants(block.key) for block in stage.blocks]), axis=0)
        twice = np.flatnonzero((everybody[1:] == everybody[:-1]).any(axis=0))
        for season in twice[:1]:
            refuse_twice(stage.key, everybody[:, season].tolist())

    def crown(self) -> Ints | None:
        """Whoever is first in the last block, if the format has a champion."""
        champion = self.course.season.format.champion
        if champion is None:
            return None
        winner = self.rankings[champion.block].at(1)[0]
        self.going[self.course.season.format.stage_of[champion.block].key].append(winner)
        return winner

    # Who ranks where

    def ranking(self, key: str) -> Ranking:
        """A block played out; one that is complete already stays as it is, but for the ties a coin decides."""
        block = self.course.blocks[key]
        entrants, totals = self._totals(block)
        if self.course.lines.lines[key].is_complete:
            names = [each.entrant for each in self.course.standings[key].standings.ranked]
            rows = [row.entrant for row in block.rows]
            order = self._complete(key, names, [rows.index(name) for name in names])
        else:
            order = best_first(totals, lambda level: self._level(block, totals, level))
        return Ranking(entrants, totals, order, self._staying(key, entrants, order))

    def _staying(self, key: str, entrants: Ints, order: Ints) -> Ints:
        """Whoever is passed over uses up no place."""
        passed = [self.index[name] for name in self.course.plan.passed[key] if name in self.index]
        if not passed:
            return order
        is_passed = np.isin(np.take_along_axis(entrants, order, axis=0), passed)
        return np.take_along_axis(order, np.argsort(is_passed, axis=0, kind="stable"), axis=0)

    def _totals(self, block: BlockCourse) -> tuple[Ints, Ints]:
        """Who is in the block's rows, and their totals once everything has been played."""
        entrants = self._entrants(block.key)
        if block.rows:
            start = constant([row.total for row in block.rows], self.seasons)
        else:
            start = self.starts[block.key][1] + self._adjustments(block.key)[entrants]
        if not block.groups:
            return entrants, start
        totals = start.copy()
        for group in block.groups:
            won = np.zeros((len(group.rows), self.seasons), dtype=np.int64)
            for game in group.games:
                points = self.results[Criterion.POINTS][:, self.draws[game.column]]
                for (place, _), own in zip(game.seats, points, strict=True):
                    won[place] += own
            if group.shuffle is not None:
                won = np.take_along_axis(won, inverse(orders(group.shuffle, self.draws, slice(None))), axis=0)
            totals[list(group.rows)] += won
        return entrants, totals

    def _entrants(self, key: str) -> Ints:
        """Who is in the block's rows."""
        rows = self.course.blocks[key].rows
        return constant([self.index[row.entrant] for row in rows], self.seasons) if rows else self.starts[key][0]

    def _adjustments(self, key: str) -> Ints:
        """What the organizer gave or took in the block, by entrant."""
        adjustments = self.course.season.adjustments
        return np.array([adjustments.get((key, entrant), 0) for entrant in self.course.entrants], dtype=np.int64)

    def _complete(self, scope: str, names: Sequence[Entrant], rows: Sequence[int]) -> Ints:
        """A complete line: `names` in their order with the rows they have; a coin orders what depends on a ruling."""
        coin = self.course.coins.get(scope)
        if coin is None or coin.groups is None:
            return constant(rows, self.seasons)
        heads = {name: names.index(group[0]) for group in coin.groups for name in group}
        key = constant([heads.get(name, place) for place, name in enumerate(names)], self.seasons)
        tossed = inverse(orders(coin.shuffle, self.draws, slice(None)))[list(rows)]
        free = constant([name in heads for name in names], self.seasons)
        order = sorted_by([key, tossed * free])
        return np.array(rows, dtype=np.int64)[order]

    # Level totals

    def _level(self, block: BlockCourse, totals: Ints, level: Ints) -> Ints:
        """The order of the rows where totals are level: hanchan by hanchan from the last, then the coin."""
        if block.numbers is None or self.course.season.rulings.get(block.key):
            return self._by_the_book(block, level)
        return sorted_by(
            [
                -totals[:, level],
                *self._weakness(self.history(block, level, sorted(block.numbers))),
                inverse(orders(self.course.coins[block.key].shuffle, self.draws, level)),
            ]
        )

    def _weakness(self, history: Mapping[Criterion, Ints]) -> list[Ints]:
        """What is compared, the last hanchan first; less is better."""
        steps = [step.by for step in self.course.season.format.tiebreak.back_tracking]
        count = len(history[Criterion.POINTS])
        return [
            history[by][number] if by is Criterion.PLACE else -history[by][number]
            for number in reversed(range(count))
            for by in steps
        ]

    def history(self, block: BlockCourse, at: Ints | slice, numbers: Sequence[int]) -> Mapping[Criterion, Ints]:
        """What each row has made in these hanchan in these seasons: by criterion, hanchan, row, season.

        Where a row has not played a hanchan there is a zero.
        """
        count = self.draws[0, at].size
        found = {by: np.zeros((len(numbers), block.size, count), dtype=np.int64) for by in CRITERIA}
        places = {number: place for place, number in enumerate(numbers)}
        for row, known in enumerate(block.rows):
            for result in known.played:
                if result.number in places:
                    for by in CRITERIA:
                        found[by][places[result.number], row] = getattr(result, by)
        for group in block.groups:
            self._add_group(found, group, at, places)
        return found

    def places(self, key: str, number: int) -> Ints:
        """The place of each row of a block in a hanchan of theirs."""
        places: Ints = self.history(self.course.blocks[key], slice(None), [number])[Criterion.PLACE][0]
        return places

    def _add_group(
        self, found: Mapping[Criterion, Ints], group: Group, at: Ints | slice, places: Mapping[int, int]
    ) -> None:
        """Add what a group's hanchan come to."""
        seasons = np.arange(self.draws[0, at].size)
        order = constant(range(len(group.rows)), seasons.size)
        if group.shuffle is not None:
            order = orders(group.shuffle, self.draws, at)
        rows = np.array(group.rows)[order]
        for game in group.games:
            draw = self.draws[game.column, at]
            for seat, (place, number) in enumerate(game.seats):
                if number in places:
                    for by in CRITERIA:
                        found[by][places[number], rows[place], seasons] = self.results[by][seat, draw]

    def _by_the_book(self, block: BlockCourse, level: Ints) -> Ints:
        """The ordinary ranking, season by season."""
        found = np.empty((block.size, level.size), dtype=np.int64)
        for place, season in enumerate(level.tolist()):
            draw = self.draws[:, season].tolist()
            rows = rows_of(self.course, block.key, self._starts(block.key, season), draw)
            row_of = {row.entrant: number for number, row in enumerate(rows)}
            standings = ranked(self.course, block.key, rows, draw)
            found[:, place] = [row_of[each.entrant] for each in standings.ranked]
        return found

    def _starts(self, block: str, season: int) -> list[Start]:
        entrants, points = (each[:, season].tolist() for each in self.starts[block])
        return [(self.course.entrants[entrant], start) for entrant, start in zip(entrants, points, strict=True)]

    # Across blocks

    def _comparison(self, source: BestOf) -> Ranking:
        """Those who hold the same rank in the blocks of a stage; the rows are the blocks."""
        if source.scope not in self.comparisons:
            self.comparisons[source.scope] = self._compared(source)
        return self.comparisons[source.scope]

    def _compared(self, source: BestOf) -> Ranking:
        held = [self.rankings[key].at(source.rank) for key in self.course.season.format.blocks_of[source.stage]]
        entrants, totals = np.stack([who for who, _ in held]), np.stack([points for _, points in held])
        line = self.course.lines.lines[source.scope]
        if line.is_complete:
            names = [each.entrant for each in line.ranked]
            order = self._complete(source.scope, names, [entrants[:, 0].tolist().index(self.index[n]) for n in names])
        else:
            order = best_first(totals, lambda level: self._level_across(source, totals, level))
        return Ranking(entrants, totals, order, order)

    def _level_across(self, source: BestOf, totals: Ints, level: Ints) -> Ints:
        """The order of the blocks where those who hold the rank are level."""
        blocks = [self.course.blocks[key] for key in self.course.season.format.blocks_of[source.stage]]
        rows = [self.rankings[block.key].line[source.rank - 1, level] for block in blocks]
        numbers = blocks[0].numbers
        is_even = numbers is not None and all(block.numbers == numbers for block in blocks)
        if not is_even or self.course.season.rulings.get(source.scope):
            return self._across_by_the_book(source, rows, level)
        own = [self.history(block, level, sorted(numbers or ())) for block in blocks]
        held = {
            by: np.concatenate(
                [
                    np.take_along_axis(each[by], row[np.newaxis, np.newaxis], axis=1)
                    for each, row in zip(own, rows, strict=True)
                ],
                axis=1,
            )
            for by in CRITERIA
        }
        coin = orders(self.course.coins[source.scope].shuffle, self.draws, level)
        return sorted_by([-totals[:, level], *self._weakness(held), inverse(coin)])

    def _across_by_the_book(self, source: BestOf, rows: Sequence[Ints], level: Ints) -> Ints:
        """The ordinary comparison, season by season."""
        season = self.course.season
        keys = season.format.blocks_of[source.stage]
        found = np.empty((len(keys), level.size), dtype=np.int64)
        for place, number in enumerate(level.tolist()):
            draw = self.draws[:, number].tolist()
            everybody = [rows_of(self.course, key, self._starts(key, number), draw) for key in keys]
            held: list[Row] = [own[row[place]] for own, row in zip(everybody, rows, strict=True)]
            is_comparable = len({len(row.played) for row in held}) == 1
            coins = coined(self.course, source.scope, [[row.entrant for row in own] for own in everybody], draw)
            rulings = [*coins, *season.rulings.get(source.scope, ())]
            standings = rank(held, season.format.tiebreak if is_comparable else TOTAL_ONLY, rulings, season.players)
            block_of = {row.entrant: block for block, row in enumerate(held)}
            found[:, place] = [block_of[each.entrant] for each in standings.ranked]
        return found


def results_by_draw(course: Course) -> Mapping[Criterion, Ints]:
    """What a hanchan's draw comes to: by criterion, player, draw."""
    arrangements = np.array(course.arrangements)
    found: dict[Criterion, Ints] = {}
    for by, of in ((Criterion.POINTS, "points"), (Criterion.PLACE, "places"), (Criterion.SCORE, "scores")):
        outcomes = np.array([getattr(outcome, of) for outcome in course.season.pool], dtype=np.int64)
        found[by] = np.ascontiguousarray(outcomes[:, arrangements].reshape(-1, course.season.players).T)
    return found


def carried(totals: Ints, carry: CarryOver) -> Ints:
    """The points brought into a stage, as `scoring.stages` reckons them."""
    if carry.kind is Carry.NONE:
        return np.zeros_like(totals)
    if carry.rounding is None:
        return totals
    is_up = {
        Rounding.UP: np.ones_like(totals, dtype=bool),
        Rounding.DOWN: np.zeros_like(totals, dtype=bool),
        Rounding.AWAY_FROM_ZERO: totals > 0,
        Rounding.TOWARDS_ZERO: totals < 0,
    }[carry.rounding]
    half: Ints = totals // 2 + (totals % 2) * is_up
    return half
