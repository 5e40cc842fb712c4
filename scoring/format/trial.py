"""Play a whole format with invented results, to try it out before a player is entered.

The one idea: results are invented from a seed by a fixed generator and go through the same ranking and the same
ladder as real ones, so what a trial shows is what the format does. Equal seeds give equal trials.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from scoring.format import Assignment, Format, Stage
from scoring.format.numbers import USUAL_PLAYERS, in_row, odd_by, sized
from scoring.format.policies import OddBy
from scoring.resolution import Awaiting, BlockStandings, Resolution
from scoring.seating.draws import stream
from scoring.sources import RankOf, Source
from scoring.stages import resolve
from scoring.standings import Played, Row, Standings, rank
from scoring.tiebreak import Entrant

SCALE = 10
"""Points are invented in tenths, as leagues count them."""
USUAL_HANCHAN = 4
"""Hanchan invented for a stage that leaves their number open."""
NEWCOMERS = 8
"""Entrants invented for an open block, unless later stages take more from it."""
SCORE = 25_000
SPREAD = 200
"""The widest invented swing of one exchange of points, in hundreds."""
PLACES = {4: (300, 100, -100, -300), 3: (200, 0, -200), 2: (100, -100), 1: (0,)}
"""Invented points of the places, in tenths; they add up to zero."""


class Scenario(StrEnum):
    """The kind of results that a trial invents."""

    USUAL = "usual"
    """Scores by the generator."""
    FAVOURITES = "favourites"
    """At every table the entrant with the smaller seed is ahead."""
    LEVEL = "level"
    """Every hanchan ends with equal scores, so every border is a tie that the organizer has to decide."""


@dataclass(frozen=True, slots=True)
class TrialGame:
    """One invented hanchan."""

    round: int
    """The time at which its table was formed, from 1."""
    entrants: tuple[int, ...]
    scores: tuple[int, ...]
    points: tuple[int, ...]
    """At the trial's scale; they add up to zero."""
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TrialBlock:
    """A block played to its end."""

    stage: str
    block: str
    games: tuple[TrialGame, ...]
    standings: Standings
    """With the points carried in, at the trial's scale."""
    destinations: tuple[str, ...]
    """Destination of each position, as in `Resolution`; empty for a block that leads nowhere."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A format played to its end; entrants are the numbers of their seeds, newcomers of open blocks come after them."""

    scale: int
    blocks: tuple[TrialBlock, ...]
    """In the order of play."""
    draws: Mapping[str, Mapping[str, tuple[int, ...]]]
    """The draws, by stage and block: numbers of the stage's list."""
    rulings: tuple[Awaiting, ...]
    """Ties that the organizer would have had to decide; the trial puts the smaller seed first."""
    champion: int | None
    """None if the format has no champion."""
    resolution: Resolution
    """The ladder at the end."""


def trial(format_: Format, seed: int, scenario: Scenario = Scenario.USUAL, entrants: int | None = None) -> Trial:
    """Return the format played to its end with results invented from the seed.

    A format with bounds is played with this number of entrants, by default with the fewest that fill every stage.
    Nothing is raised for a valid format, but ValueError for a number that it does not allow. Substitutes of the house
    are not shown: their tables have fewer entrants. A bye has no points.
    """
    return _Trial(sized(format_, entrants), seed, scenario).play()


class _Trial:
    """A trial under way: what has been drawn, played and ruled so far."""

    def __init__(self, format_: Format, seed: int, scenario: Scenario) -> None:
        self.format = format_
        self.scenario = scenario
        self.numbers = stream(seed)
        self.players = format_.players or USUAL_PLAYERS
        self.scale = _scale(format_)
        self.seeds = {number: number for number in range(1, format_.seeds + 1)}
        self.known = len(self.seeds)
        self.draws: dict[str, dict[str, tuple[int, ...]]] = {}
        self.rows: dict[str, tuple[Row, ...]] = {}
        self.standings: dict[str, Standings] = {}
        self.games: dict[str, tuple[TrialGame, ...]] = {}
        self.orders: dict[str, list[tuple[int, ...]]] = {}
        self.rulings: list[Awaiting] = []

    def play(self) -> Trial:
        """Play stage by stage, each with the entrants that the stages before it give."""
        resolution = self._resolve()
        for stage in self.format.stages:
            if stage.assignment is Assignment.DRAWN:
                self.draws[stage.key] = self._draw(stage)
                resolution = self._resolve()
            slots = resolution.slots
            for block in stage.blocks:
                seated = slots[block.key]
                carried = {seed_of(slot.entrant): slot.carried or 0 for slot in seated if slot.entrant is not None}
                self._play_block(stage, block.key, carried or self._newcomers(block.key))
            resolution = self._rule()
        return self._result(resolution)

    def _resolve(self) -> Resolution:
        return resolve(
            self.format,
            {block: BlockStandings(found, complete=True) for block, found in self.standings.items()},
            self.seeds,
            draws=self.draws,
            rulings=self.orders,
            scale=self.scale,
        )

    def _rank(self, block: str) -> None:
        orders = self.orders.get(block, ())
        self.standings[block] = rank(self.rows[block], self.format.tiebreak, orders, self.players)

    def _draw(self, stage: Stage) -> dict[str, tuple[int, ...]]:
        """Spread the numbers of the stage's list over its blocks."""
        numbers = iter(self._shuffled(range(1, len(self.format.pool(stage.key)) + 1)))
        return {key: tuple(next(numbers) for _ in self.format.sources(key)) for key in self.format.blocks_of[stage.key]}

    def _newcomers(self, block: str) -> dict[int, int]:
        """Return entrants for an open block, at least as many as later stages take from it."""
        taken = [
            source.rank for source in _sources(self.format) if isinstance(source, RankOf) and source.block == block
        ]
        first, self.known = self.known + 1, self.known + max(NEWCOMERS, *taken, 0)
        return dict.fromkeys(range(first, self.known + 1), 0)

    def _play_block(self, stage: Stage, block: str, carried: Mapping[int, int]) -> None:
        hanchan = stage.hanchan or USUAL_HANCHAN
        row = (in_row(stage) or hanchan) if stage.hanchan else 1
        games = [
            self._game(number, table)
            for number, tables in enumerate(self._rounds(stage, tuple(carried), hanchan // row), start=1)
            for table in tables
            for _ in range(row)
        ]
        played: dict[int, list[Played]] = {entrant: [] for entrant in carried}
        for game in games:
            for entrant, score, points, place in zip(game.entrants, game.scores, game.points, game.places, strict=True):
                played[entrant].append(Played(len(played[entrant]) + 1, points, place, score))
        self.games[block] = tuple(games)
        self.rows[block] = tuple(Row(entrant, tuple(own), carried[entrant]) for entrant, own in played.items())
        self._rank(block)

    def _rounds(self, stage: Stage, entrants: Sequence[int], turns: int) -> Iterator[list[tuple[int, ...]]]:
        """Yield the tables of each round until every entrant has had their turns; those who have had fewest go first.

        The numbers of turns never differ by more than one, so the last round ends them for all. A rest that fills no
        table plays with fewer. With a policy for such a rest every entrant is in every round, or has a bye in it.
        """
        had = dict.fromkeys(entrants, 0)
        odd = odd_by(self.format, stage)
        full = max(len(entrants) // self.players, 1) * self.players
        room = len(entrants) if odd is OddBy.SUBSTITUTES else full
        number = 0
        while True:
            waiting = [entrant for entrant in self._shuffled(entrants) if had[entrant] < turns]
            if not waiting or (odd is not None and number == turns):
                return
            seated = sorted(waiting, key=had.__getitem__)[:room]
            for entrant in seated:
                had[entrant] += 1
            order = self._shuffled(seated)
            number += 1
            yield [order[at : at + self.players] for at in range(0, len(order), self.players)]

    def _game(self, number: int, table: tuple[int, ...]) -> TrialGame:
        scores = [SCORE] * len(table)
        if self.scenario is not Scenario.LEVEL:
            for _ in range(2 * len(table)):
                payer, winner = next(self.numbers) % len(table), next(self.numbers) % len(table)
                amount = 100 * (next(self.numbers) % SPREAD)
                scores[payer] -= amount
                scores[winner] += amount
        if self.scenario is Scenario.FAVOURITES:
            table = tuple(sorted(table))
            scores.sort(reverse=True)
        ordered = sorted(scores, reverse=True)
        places = tuple(ordered.index(score) + 1 for score in scores)
        unit = self.scale // SCALE
        bonus = {place: _bonus(place, places) for place in places}
        points = tuple(
            unit * ((score - SCORE) // 100 + bonus[place]) for score, place in zip(scores, places, strict=True)
        )
        return TrialGame(number, table, tuple(scores), points, places)

    def _rule(self) -> Resolution:
        """Decide every tie that places depend on, the smaller seed first, as an organizer would have to."""
        found = self._resolve()
        while ties := [tie for tie in found.awaiting if tie not in self.rulings]:
            self.rulings.append(ties[0])
            scope, order = ties[0].scope, tuple(sorted(map(seed_of, ties[0].entrants)))
            self.orders.setdefault(scope, []).append(order)
            if scope in self.rows:
                self._rank(scope)
            found = self._resolve()
        return found

    def _result(self, resolution: Resolution) -> Trial:
        champion = resolution.champion
        return Trial(
            scale=self.scale,
            blocks=tuple(
                TrialBlock(
                    self.format.stage_of[block].key,
                    block,
                    self.games[block],
                    self.standings[block],
                    resolution.destinations[block],
                )
                for block in self.format.blocks
            ),
            draws=self.draws,
            rulings=tuple(self.rulings),
            champion=seed_of(champion.entrant) if champion and champion.entrant is not None else None,
            resolution=resolution,
        )

    def _shuffled(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers in an order taken from the generator."""
        return tuple(sorted(numbers, key=lambda _seed: next(self.numbers)))


def seed_of(entrant: Entrant) -> int:
    """Return an entrant of a trial, who is always a number."""
    return cast("int", entrant)


def _scale(format_: Format) -> int:
    """Return the least power of ten, from tenths on, at which every point that the format carries over is whole."""
    scale = SCALE
    points = [point for stage in format_.stages for point in stage.carry_over.points]
    # Ends, since points are decimals.
    while any((point * scale).denominator != 1 for point in points):
        scale *= 10
    return scale


def _sources(format_: Format) -> Iterator[Source]:
    for stage in format_.stages:
        yield from format_.pool(stage.key)
        for block in stage.blocks:
            yield from format_.sources(block.key)


def _bonus(place: int, places: Sequence[int]) -> int:
    """Return the points of a place; those who share it share the points of the places they fill."""
    sharing = places.count(place)
    return sum(PLACES[len(places)][place - 1 : place - 1 + sharing]) // sharing
