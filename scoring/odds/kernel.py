"""Simulation of many seasons at once with integer arrays instead of rows and rulings; same results as `scalar`.

The one idea: most seasons have no tied totals. Totals are added up and sorted for all seasons together; only
in seasons with a tie are results taken out again and compared hanchan by hanchan from the last, and only
cases that arrays cannot express (rows with different hanchan, rulings in a block under way) go to the
ordinary ranking.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.format import Assignment, Carry, CarryOver, CarryRounding, Stage
from scoring.odds.arrays import Ints, best_first, constant, inverse, orders, sorted_by
from scoring.odds.course import BlockCourse, Course
from scoring.odds.rounds import Group
from scoring.odds.scalar import Start, coin_rulings, rank_block, rows_of
from scoring.odds.season import refuse_twice
from scoring.odds.ties import BlockResults, common_numbers, played_bits, ranked_rows, ways_of
from scoring.plan import PlannedSeat
from scoring.sources import BestOf, RankOf, Seed
from scoring.standings import Withdrawal, rank
from scoring.tiebreak import TOTAL_ONLY, Criterion, Entrant, Row

CRITERIA = tuple(Criterion)


@dataclass(frozen=True, slots=True)
class SimulatedRanking:
    """A block, or a comparison across blocks, in every season; entrants are given by their index in the course."""

    entrants: Ints
    totals: Ints
    order: Ints
    """The row at each place of the table."""
    line: Ints
    """The same with the entrants who were passed over moved to the end."""

    def at(self, position: int) -> tuple[Ints, Ints]:
        """Return the entrant at a position of the line and their points, season by season."""
        row = self.line[position - 1 : position]
        entrants, totals = (np.take_along_axis(each, row, axis=0)[0] for each in (self.entrants, self.totals))
        return entrants, totals


@dataclass(frozen=True, slots=True)
class Seasons:
    """Results of simulated seasons: each block's slots and ranking, and the champion if the format has one."""

    course: Course
    draws: Ints
    slots: Mapping[str, Ints]
    rankings: Mapping[str, SimulatedRanking]
    going: Mapping[str, tuple[Ints, ...]]
    """Entrants who advance from each stage, place by place; from the last one the champion."""
    champion: Ints | None
    places: Callable[[str, int], Ints]
    """Function that returns each row's place in a hanchan of a block; 0 where the row has not played it."""


def simulate(course: Course, draws: Ints) -> Seasons:
    """Play many seasons to their end; `draws` has a row for each of the course's bounds, a column for each season.

    Raise UnforeseeableError if an entrant comes into a stage twice.
    """
    run = SimulationRun(course, draws)
    for stage in course.season.format.stages:
        run.fill(stage)
        for block in stage.blocks:
            run.rankings[block.key] = run.ranking(block.key)
    slots = {block: entrants for block, (entrants, _) in run.starts.items()}
    champion = run.crown()
    going = {stage: tuple(places) for stage, places in run.going.items()}
    return Seasons(course, draws, slots, run.rankings, going, champion, run.places)


class SimulationRun:
    """A simulation under way, stage by stage."""

    def __init__(self, course: Course, draws: Ints) -> None:
        self.course, self.draws = course, draws
        self.seasons = draws.shape[1]
        self.index = {entrant: number for number, entrant in enumerate(course.entrants)}
        self.results = results_by_draw(course)
        self.starts: dict[str, tuple[Ints, Ints]] = {}
        """The entrants of each block's slots, and their starting points."""
        self.rankings: dict[str, SimulatedRanking] = {}
        self.comparisons: dict[str, SimulatedRanking] = {}
        self.going: defaultdict[str, list[Ints]] = defaultdict(list)

    # Slots: entrants and the points they carry in

    def fill(self, stage: Stage) -> None:
        """Determine the entrants of a stage's slots from the stages before it."""
        if stage.assignment is Assignment.DRAWN and stage.key in self.course.drawn:
            self._draw(stage)
        else:
            for block in stage.blocks:
                self.starts[block.key] = self._seated(self.course.plan.seats[block.key], stage.carry_over)
        # The check sorts every stage of every batch; without named entrants or stray rows no duplicate is possible.
        if self.course.may_meet_themselves:
            self._refuse_twice(stage)

    def _draw(self, stage: Stage) -> None:
        """Spread the entrants of a stage over its blocks by the random draw."""
        order = orders(self.course.drawn[stage.key], self.draws, slice(None))
        entrants, points = self._seated(self.course.plan.pools[stage.key], stage.carry_over)
        first = 0
        for block in stage.blocks:
            own = order[first : first + len(self.course.plan.seats[block.key])]
            first += len(own)
            self.starts[block.key] = np.take_along_axis(entrants, own, 0), np.take_along_axis(points, own, 0)

    def _seated(self, seats: Sequence[PlannedSeat], carry: CarryOver) -> tuple[Ints, Ints]:
        found = [self._start(seat, carry) for seat in seats]
        return np.stack([entrant for entrant, _ in found]), np.stack([points for _, points in found])

    def _start(self, seat: PlannedSeat, carry: CarryOver) -> tuple[Ints, Ints]:
        """Return the entrant of a slot and the points carried in, season by season."""
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
        return entrants, carry_points(totals, carry)

    def _refuse_twice(self, stage: Stage) -> None:
        """Raise UnforeseeableError if an entrant comes into a stage twice in any season."""
        entrants = np.sort(np.concatenate([self._entrants(block.key) for block in stage.blocks]), axis=0)
        twice = np.flatnonzero((entrants[1:] == entrants[:-1]).any(axis=0))
        for season in twice[:1]:
            refuse_twice(stage.key, entrants[:, season].tolist())

    def crown(self) -> Ints | None:
        """Return the first of the last block in each season; None if the format has no champion."""
        champion = self.course.season.format.champion
        if champion is None:
            return None
        winner = self.rankings[champion.block].at(1)[0]
        self.going[self.course.season.format.stage_of[champion.block].key].append(winner)
        return winner

    # Rankings of blocks

    def ranking(self, key: str) -> SimulatedRanking:
        """Return a block's ranking once everything has been played.

        A block that is already complete keeps its order, except for the ties that a coin decides.
        """
        block = self.course.blocks[key]
        entrants, totals = self._totals(block)
        if self.course.lines.lines[key].is_complete:
            names = [each.entrant for each in self.course.standings[key].standings.ranked]
            rows = [row.entrant for row in block.rows]
            order = self._complete(key, names, [rows.index(name) for name in names])
        else:
            leaving = self.course.season.leaving.get(key, {})
            order = self._ordered(block, totals, leaving)
            for way in (Withdrawal.LAST, Withdrawal.UNRANKED):
                gone = [entrant for entrant, each in leaving.items() if each is way]
                order = self._behind(gone, entrants, order)
        return SimulatedRanking(entrants, totals, order, self._staying(key, entrants, order))

    def _staying(self, key: str, entrants: Ints, order: Ints) -> Ints:
        """Move entrants who are passed over to the end, so that they use up no place."""
        return self._behind(self.course.plan.passed[key], entrants, order)

    def _behind(self, names: Collection[Entrant], entrants: Ints, order: Ints) -> Ints:
        """Move these entrants to the end of an order of rows, and leave it as it is otherwise."""
        gone = [self.index[name] for name in names if name in self.index]
        if not gone:
            return order
        is_gone = np.isin(np.take_along_axis(entrants, order, axis=0), gone)
        return np.take_along_axis(order, np.argsort(is_gone, axis=0, kind="stable"), axis=0)

    def _totals(self, block: BlockCourse) -> tuple[Ints, Ints]:
        """Return the entrants of a block's rows and their totals once everything has been played."""
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
                # Results are added by place of the shuffled order, then moved to the rows in one step.
                won = np.take_along_axis(won, inverse(orders(group.shuffle, self.draws, slice(None))), axis=0)
            totals[list(group.rows)] += won
        return entrants, totals

    def _entrants(self, key: str) -> Ints:
        """Return the entrants of a block's rows in every season."""
        rows = self.course.blocks[key].rows
        return constant([self.index[row.entrant] for row in rows], self.seasons) if rows else self.starts[key][0]

    def _adjustments(self, key: str) -> Ints:
        """Return the organizer's adjustments in the block, indexed by entrant."""
        adjustments = self.course.season.adjustments
        return np.array([adjustments.get((key, entrant), 0) for entrant in self.course.entrants], dtype=np.int64)

    def _complete(self, scope: str, names: Sequence[Entrant], rows: Sequence[int]) -> Ints:
        """Return the order of a complete line: `names` in ranking order, with their rows.

        A coin orders the ties that would need a ruling.
        """
        coin = self.course.coins.get(scope)
        if coin is None or coin.groups is None:
            return constant(rows, self.seasons)
        heads = {name: names.index(group[0]) for group in coin.groups for name in group}
        key = constant([heads.get(name, place) for place, name in enumerate(names)], self.seasons)
        tossed = inverse(orders(coin.shuffle, self.draws, slice(None)))[list(rows)]
        free = constant([name in heads for name in names], self.seasons)
        order = sorted_by([key, tossed * free])
        return np.array(rows, dtype=np.int64)[order]

    # Ties: compared only in the seasons that have one

    def _ordered(self, block: BlockCourse, totals: Ints, leaving: Mapping[Entrant, Withdrawal]) -> Ints:
        """Return the order of the rows: by total, then hanchan by hanchan from the last, then by coin."""
        steps = [step.by for step in self.course.season.format.tiebreak.back_tracking]
        # Seasons of more hanchan than an integer has bits are as fast where no hanchan is compared.
        bits = played_bits(block) if steps else np.zeros(block.size, dtype=np.int64)
        # A ruling applies only to a tie it names in full, which arrays do not know.
        if bits is None or self.course.season.rulings.get(block.key):
            return best_first(totals, lambda level: self._by_the_book(block, level))
        results = BlockResults(block, self.draws, self.results, steps)
        coin = self.course.coins[block.key].shuffle
        return ranked_rows(totals, ways_of(block.rows, block.size, leaving), bits, steps, results, coin)

    def _weakness(self, history: Mapping[Criterion, Ints]) -> list[Ints]:
        """Return the sort keys of the tie-break, the last hanchan first; smaller is better."""
        steps = [step.by for step in self.course.season.format.tiebreak.back_tracking]
        count = len(history[Criterion.POINTS])
        return [
            history[by][number] if by is Criterion.PLACE else -history[by][number]
            for number in reversed(range(count))
            for by in steps
        ]

    def history(
        self,
        block: BlockCourse,
        at: Ints | slice,
        numbers: Sequence[int],
        criteria: Collection[Criterion] = CRITERIA,
    ) -> Mapping[Criterion, Ints]:
        """Return the results of each row in these hanchan and seasons, by criterion, hanchan, row, season.

        The value is zero where a row has not played a hanchan.
        """
        count = self.draws[0, at].size
        found = {by: np.zeros((len(numbers), block.size, count), dtype=np.int64) for by in criteria}
        places = {number: place for place, number in enumerate(numbers)}
        for row, known in enumerate(block.rows):
            for result in known.played:
                if result.number in places:
                    for by in criteria:
                        found[by][places[result.number], row] = getattr(result, by)
        for group in block.groups:
            self._add_group(found, group, at, places)
        return found

    def places(self, key: str, number: int) -> Ints:
        """Return the place of each row of a block in a hanchan of theirs, 0 if not played."""
        by = Criterion.PLACE
        places: Ints = self.history(self.course.blocks[key], slice(None), [number], [by])[by][0]
        return places

    def _add_group(
        self, found: Mapping[Criterion, Ints], group: Group, at: Ints | slice, places: Mapping[int, int]
    ) -> None:
        """Add the results of a group's hanchan to the history."""
        seasons = np.arange(self.draws[0, at].size)
        order = constant(range(len(group.rows)), seasons.size)
        if group.shuffle is not None:
            order = orders(group.shuffle, self.draws, at)
        rows = np.array(group.rows)[order]
        for game in group.games:
            draw = self.draws[game.column, at]
            for seat, (place, number) in enumerate(game.seats):
                if number in places:
                    for by, values in found.items():
                        values[places[number], rows[place], seasons] = self.results[by][seat, draw]

    def _by_the_book(self, block: BlockCourse, level: Ints) -> Ints:
        """Rank with the ordinary ranking, season by season: slow, but without restrictions."""
        found = np.empty((block.size, level.size), dtype=np.int64)
        for place, season in enumerate(level.tolist()):
            draw = self.draws[:, season].tolist()
            rows = rows_of(self.course, block.key, self._starts(block.key, season), draw)
            row_of = {row.entrant: number for number, row in enumerate(rows)}
            standings = rank_block(self.course, block.key, rows, draw)
            found[:, place] = [row_of[each.entrant] for each in standings.ranked]
        return found

    def _starts(self, block: str, season: int) -> list[Start]:
        entrants, points = (each[:, season].tolist() for each in self.starts[block])
        return [(self.course.entrants[entrant], start) for entrant, start in zip(entrants, points, strict=True)]

    # Comparisons across blocks

    def _comparison(self, source: BestOf) -> SimulatedRanking:
        """Return the cached comparison of the holders of one rank in the blocks of a stage; its rows are the blocks."""
        if source.scope not in self.comparisons:
            self.comparisons[source.scope] = self._compared(source)
        return self.comparisons[source.scope]

    def _compared(self, source: BestOf) -> SimulatedRanking:
        held = [self.rankings[key].at(source.rank) for key in self.course.season.format.blocks_of[source.stage]]
        entrants, totals = np.stack([who for who, _ in held]), np.stack([points for _, points in held])
        line = self.course.lines.lines[source.scope]
        if line.is_complete:
            names = [each.entrant for each in line.ranked]
            order = self._complete(source.scope, names, [entrants[:, 0].tolist().index(self.index[n]) for n in names])
        else:
            order = best_first(totals, lambda level: self._level_across(source, totals, level))
        return SimulatedRanking(entrants, totals, order, order)

    def _level_across(self, source: BestOf, totals: Ints, level: Ints) -> Ints:
        """Return the order of the blocks in seasons in which the holders of the rank are tied."""
        blocks = [self.course.blocks[key] for key in self.course.season.format.blocks_of[source.stage]]
        rows = [self.rankings[block.key].line[source.rank - 1, level] for block in blocks]
        leaving = self.course.season.leaving
        numbers, *others = [common_numbers(block, leaving.get(block.key, {})) for block in blocks]
        if numbers is None or any(other != numbers for other in others) or self.course.season.rulings.get(source.scope):
            return self._across_by_the_book(source, rows, level)
        own = [self.history(block, level, sorted(numbers)) for block in blocks]
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
        """Rank with the ordinary comparison, season by season."""
        season = self.course.season
        keys = season.format.blocks_of[source.stage]
        found = np.empty((len(keys), level.size), dtype=np.int64)
        for place, number in enumerate(level.tolist()):
            draw = self.draws[:, number].tolist()
            blocks = [rows_of(self.course, key, self._starts(key, number), draw) for key in keys]
            held: list[Row] = [own[row[place]] for own, row in zip(blocks, rows, strict=True)]
            is_comparable = len({row.counted for row in held}) == 1
            coins = coin_rulings(self.course, source.scope, [[row.entrant for row in own] for own in blocks], draw)
            rulings = [*coins, *season.rulings.get(source.scope, ())]
            standings = rank(
                held, season.format.tiebreak.by_hanchan if is_comparable else TOTAL_ONLY, rulings, season.players
            )
            block_of = {row.entrant: block for block, row in enumerate(held)}
            found[:, place] = [block_of[each.entrant] for each in standings.ranked]
        return found


def results_by_draw(course: Course) -> Mapping[Criterion, Ints]:
    """Return the results of every value of a hanchan's draw, by criterion: arrays of player by draw."""
    arrangements = np.array(course.arrangements)
    found: dict[Criterion, Ints] = {}
    for by, of in ((Criterion.POINTS, "points"), (Criterion.PLACE, "places"), (Criterion.SCORE, "scores")):
        outcomes = np.array([getattr(outcome, of) for outcome in course.season.pool], dtype=np.int64)
        found[by] = np.ascontiguousarray(outcomes[:, arrangements].reshape(-1, course.season.players).T)
    return found


def carry_points(totals: Ints, carry: CarryOver) -> Ints:
    """Return the points carried into a stage, as `scoring.stages` calculates them."""
    if carry.share is None:
        return np.zeros_like(totals)
    if carry.rounding is None:
        return totals
    is_up = {
        CarryRounding.UP: np.ones_like(totals, dtype=bool),
        CarryRounding.DOWN: np.zeros_like(totals, dtype=bool),
        CarryRounding.AWAY_FROM_ZERO: totals > 0,
        CarryRounding.TOWARDS_ZERO: totals < 0,
    }[carry.rounding]
    above, below = carry.share.as_integer_ratio()
    # `//` and `%` floor for negative totals too, so the odd unit is always +1 and `is_up` alone decides.
    part: Ints = totals * above // below + (totals * above % below > 0) * is_up
    return part
