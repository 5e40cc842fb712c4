"""Counts of simulated seasons by outcome.

The one idea: a probability is a count of seasons. Counts of one batch and of the next add up; nothing is
divided before it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from scoring.odds.arrays import Ints
from scoring.odds.course import BlockCourse, Course
from scoring.odds.kernel import Seasons
from scoring.odds.season import RankGoal
from scoring.tiebreak import Entrant

TIMES, ADVANCED, WON = range(3)
Key = tuple[str, str]
"""The quantity counted, and its block or stage."""


@dataclass(frozen=True, slots=True)
class Swing:
    """An entrant's next hanchan: the number of seasons for each place in it, and for each how the season went on."""

    block: str
    number: int
    """The number of the hanchan among the entrant's own in the block."""
    times: tuple[int, ...]
    advanced: tuple[int, ...]
    """Of `times`: seasons in which the entrant advanced from the block's stage (from the last one: won)."""
    won: tuple[int, ...]
    """Of `times`: seasons in which the entrant became champion."""


@dataclass(frozen=True, slots=True)
class Odds:
    """Counts out of `seasons`, by entrant; outcomes that are already decided for an entrant are not counted."""

    seasons: int
    reached: Mapping[str, Mapping[Entrant, int]]
    """By stage: seasons in which each entrant that can still reach it did."""
    advanced: Mapping[str, Mapping[Entrant, int]]
    """By block under way: seasons in which each of its entrants advanced; from the last block: won."""
    ranks: Mapping[str, Mapping[Entrant, tuple[int, ...]]]
    """By block under way, and always for the last one: seasons with each rank."""
    goals: Mapping[str, Mapping[str, Mapping[Entrant, int]]]
    """By block under way and name of the goal: seasons in which each of its entrants reached it."""
    titles: Mapping[Entrant, int]
    swings: Mapping[Entrant, Swing]


def count(batches: Iterable[Seasons]) -> Odds:
    """Add up batches of seasons of one course; raise ValueError if there are none."""
    totals: dict[Key, Ints] = {}
    seasons, course = 0, None
    for batch in batches:
        seasons, course = seasons + batch.draws.shape[1], batch.course
        for key, counts in _counted(batch).items():
            totals[key] = totals[key] + counts if key in totals else counts
    if course is None:
        raise ValueError("There are no seasons to count.")
    return _odds(course, seasons, totals)


def under_way(course: Course) -> tuple[BlockCourse, ...]:
    """Return the blocks with known players and an open order."""
    return tuple(
        block for block in course.blocks.values() if block.rows and not course.lines.lines[block.key].is_complete
    )


def _counted(batch: Seasons) -> dict[Key, Ints]:
    """Return the counts of one batch as arrays indexed by entrant."""
    course = batch.course
    size = len(course.entrants)
    found: dict[Key, Ints] = {}
    for stage in course.season.format.stages:
        players = np.concatenate([batch.slots[block.key] for block in stage.blocks])
        found["reached", stage.key] = _times(players, size)
    for key, places in batch.going.items():
        found["advanced", key] = _times(np.stack(places), size)
    for key in _ranked(course):
        found["ranks", key] = _ranks(batch, key, size)
    if batch.champion is not None:
        found["titles", ""] = _times(batch.champion, size)
    for block in under_way(course):
        found["swings", block.key] = _swings(batch, block)
        goals = course.season.goals.get(block.key, ())
        found |= {(f"goal {goal.name}", block.key): _reaching(batch, block.key, goal) for goal in goals}
    return found


def _reaching(batch: Seasons, key: str, goal: RankGoal) -> Ints:
    """Count the seasons in which each entrant reached a goal: the place and the total, both in one season."""
    course, ranking = batch.course, batch.rankings[key]
    exempt = [number for number, entrant in enumerate(course.entrants) if entrant in goal.exempt]
    entrants = np.take_along_axis(ranking.entrants, ranking.order, axis=0)
    is_counted = ~np.isin(entrants, exempt)
    is_in = is_counted & (np.cumsum(is_counted, axis=0) <= goal.places)
    if goal.total is not None:
        is_in &= np.take_along_axis(ranking.totals, ranking.order, axis=0) >= goal.total
    return np.bincount(entrants[is_in], minlength=len(course.entrants))


def _times(who: Ints, size: int) -> Ints:
    return np.bincount(who.ravel(), minlength=size)


def _ranked(course: Course) -> tuple[str, ...]:
    """Return the keys of the blocks whose ranks are counted."""
    champion = course.season.format.champion
    last = () if champion is None else (champion.block,)
    return tuple(dict.fromkeys((*(block.key for block in under_way(course)), *last)))


def _ranks(batch: Seasons, key: str, size: int) -> Ints:
    """Count how often each entrant took each place of the block's table."""
    ranking = batch.rankings[key]
    at_place = np.take_along_axis(ranking.entrants, ranking.order, axis=0)
    return np.stack([_times(who, size) for who in at_place], axis=1)


def _swings(batch: Seasons, block: BlockCourse) -> Ints:
    """Count by row and place in the next hanchan: seasons, advances and titles."""
    course = batch.course
    stage = _stage(course, block)
    entrants = batch.rankings[block.key].entrants[:, 0].tolist()
    numbers = [block.next_number(row) for row in range(block.size)]
    places = {number: batch.places(block.key, number) for number in {*numbers} - {None} if number is not None}
    found = np.zeros((block.size, course.season.players, 3), dtype=np.int64)
    went_on = np.zeros((len(course.entrants), batch.draws.shape[1]), dtype=bool)
    for who in batch.going.get(stage, ()):
        went_on[who, np.arange(who.size)] = True
    for row, (entrant, number) in enumerate(zip(entrants, numbers, strict=True)):
        if number is None:
            continue
        won = batch.champion == entrant if batch.champion is not None else False
        for place in range(course.season.players):
            is_placed = places[number][row] == place + 1
            found[row, place] = [np.count_nonzero(is_placed & each) for each in (True, went_on[entrant], won)]
    return found


def _odds(course: Course, seasons: int, totals: Mapping[Key, Ints]) -> Odds:
    """Return the counts by entrant, limited to the outcomes still open for them."""
    stages = [stage.key for stage in course.season.format.stages]
    feeding = {key for what, key in totals if what == "advanced"}
    champion = course.season.format.champion
    finalists = course.members[champion.block] if champion else frozenset()
    return Odds(
        seasons=seasons,
        reached={
            key: _by_entrant(course, totals["reached", key], course.may_reach(key) - course.is_in(key))
            for key in stages
        },
        advanced={
            block.key: _by_entrant(course, totals["advanced", _stage(course, block)], course.members[block.key])
            for block in under_way(course)
            if _stage(course, block) in feeding
        },
        ranks={
            key: {
                entrant: tuple(totals["ranks", key][number].tolist())
                for number, entrant in enumerate(course.entrants)
                if entrant in course.members[key]
            }
            for key in _ranked(course)
        },
        goals={
            block.key: {
                goal.name: _by_entrant(course, totals[f"goal {goal.name}", block.key], course.members[block.key])
                for goal in course.season.goals.get(block.key, ())
            }
            for block in under_way(course)
        },
        titles=_by_entrant(course, totals["titles", ""], finalists) if champion else {},
        swings={
            entrant: swing
            for block in under_way(course)
            if _stage(course, block) in feeding
            for entrant, swing in _swings_by_entrant(block, totals)
        },
    )


def _stage(course: Course, block: BlockCourse) -> str:
    return course.season.format.stage_of[block.key].key


def _by_entrant(course: Course, counts: Ints, whose: frozenset[Entrant]) -> Mapping[Entrant, int]:
    return {entrant: int(count) for entrant, count in zip(course.entrants, counts, strict=True) if entrant in whose}


def _swings_by_entrant(block: BlockCourse, totals: Mapping[Key, Ints]) -> Iterable[tuple[Entrant, Swing]]:
    """Yield the next hanchan of each entrant of the block with hanchan left, with its counts."""
    for row, counts in zip(range(block.size), totals["swings", block.key], strict=True):
        number = block.next_number(row)
        if number is not None:
            times, advanced, won = (tuple(counts[:, each].tolist()) for each in (TIMES, ADVANCED, WON))
            yield block.rows[row].entrant, Swing(block.key, number, times, advanced, won)
