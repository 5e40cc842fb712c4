"""Reference simulation: one season, played by the engine that ranks real ones.

The one idea: random draws only fill in missing facts. Hanchan are added to the rows, a coin is a ruling, and
the ordinary ranking and the ordinary ladder do the rest. It is slow; the fast kernel is tested against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.format import Stage
from scoring.odds.course import Course
from scoring.odds.season import refuse_twice
from scoring.plan import Draws
from scoring.resolution import BlockStandings, Resolution
from scoring.sources import BestOf
from scoring.stages import resolve
from scoring.standings import Standings, rank
from scoring.tiebreak import Entrant, Played, Row

Draw = Sequence[int]
"""One season's draws, by column."""
Start = tuple[Entrant, int]
"""The entrant of a slot, and the starting points."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """The course and result of one season."""

    slots: Mapping[str, tuple[Entrant, ...]]
    standings: Mapping[str, Standings]
    champion: Entrant | None


def simulate_one(course: Course, draw: Draw) -> Simulated:
    """Play a season to its end; raise UnforeseeableError if an entrant comes into a stage twice."""
    season = course.season
    draws = {**season.draws, **remaining_draws(course, draw)}
    rulings = dict(season.rulings)
    known: dict[str, BlockStandings] = {}

    def ladder() -> Resolution:
        return resolve(season.format, known, season.seeds, draws, season.overrides, rulings, season.scale)

    resolution = ladder()
    for stage in season.format.stages:
        starts = {block.key: _starts(resolution, block.key) for block in stage.blocks}
        rows = {key: rows_of(course, key, own, draw) for key, own in starts.items()}
        refuse_twice(stage.key, [row.entrant for own in rows.values() for row in own])
        for key, own in rows.items():
            known[key] = BlockStandings(rank_block(course, key, own, draw), complete=True)
        members = [[each.entrant for each in known[key].standings.ranked] for key in starts]
        for scope in comparisons(course, stage):
            rulings[scope] = (*coin_rulings(course, scope, members, draw), *season.rulings.get(scope, ()))
        resolution = ladder()
    return Simulated(
        slots={block: tuple(slot.entrant for slot in slots) for block, slots in resolution.slots.items()},
        standings={block: each.standings for block, each in known.items()},
        champion=resolution.champion.entrant if resolution.champion else None,
    )


def remaining_draws(course: Course, draw: Draw) -> Draws:
    """Return the draws of the stages that are still to be drawn."""
    found: dict[str, dict[str, list[int]]] = {}
    for stage, shuffle in course.drawn.items():
        numbers = iter(shuffle.order(draw))
        seats = {block: course.plan.seats[block] for block in course.season.format.blocks_of[stage]}
        found[stage] = {block: [next(numbers) + 1 for _ in own] for block, own in seats.items()}
    return found


def _starts(resolution: Resolution, block: str) -> list[Start]:
    return [(slot.entrant, slot.carried or 0) for slot in resolution.slots[block]]


def comparisons(course: Course, stage: Stage) -> Iterator[str]:
    """Yield the scopes of the comparisons across the blocks of a stage, without duplicates."""
    sources = (seat.source for seat in course.plan.all_seats())
    scopes = (source.scope for source in sources if isinstance(source, BestOf) and source.stage == stage.key)
    yield from dict.fromkeys(scopes)


def rows_of(course: Course, block: str, starts: Sequence[Start], draw: Draw) -> list[Row]:
    """Return the rows of a block with all remaining hanchan played."""
    own = course.blocks[block]
    adjustments = course.season.adjustments
    rows = own.rows or [Row(entrant, (), start, adjustments.get((block, entrant), 0)) for entrant, start in starts]
    added: list[list[Played]] = [[] for _ in rows]
    for group in own.groups:
        order = group.shuffle.order(draw) if group.shuffle else range(len(group.rows))
        for game in group.games:
            results = results_of_draw(course, draw[game.column], [number for _, number in game.seats])
            for (place, _), result in zip(game.seats, results, strict=True):
                added[group.rows[order[place]]].append(result)
    return [replace(row, played=(*row.played, *more)) for row, more in zip(rows, added, strict=True)]


def results_of_draw(course: Course, number: int, hanchan: Sequence[int]) -> Iterator[Played]:
    """Yield the hanchan that a draw stands for, player by player; `hanchan` is its number for each of them."""
    which, arrangement = divmod(number, len(course.arrangements))
    outcome = course.season.pool[which]
    for seat, own in zip(course.arrangements[arrangement], hanchan, strict=True):
        yield Played(own, outcome.points[seat], outcome.places[seat], outcome.scores[seat])


def rank_block(course: Course, block: str, rows: Sequence[Row], draw: Draw) -> Standings:
    """Rank a block by results, then the organizer's rulings, then the coin."""
    season = course.season
    coins = coin_rulings(course, block, [[row.entrant] for row in rows], draw)
    # The last ruling that names all of a tie holds, so the coins come first and real rulings override them.
    rulings = [*coins, *season.rulings.get(block, ())]
    leaving = season.leaving.get(block, {})
    return rank(rows, season.format.tiebreak.by_hanchan, rulings, season.players, leaving=leaving)


def coin_rulings(
    course: Course, scope: str, members: Sequence[Sequence[Entrant]], draw: Draw
) -> Iterator[tuple[Entrant, ...]]:
    """Yield the coin as rulings; `members` are the entrants of each item that the coin orders."""
    coin = course.coins.get(scope)
    if coin is None:
        return
    names = [entrant for place in coin.shuffle.order(draw) for entrant in members[place]]
    for group in (names,) if coin.groups is None else coin.groups:
        yield tuple(name for name in names if name in group)
