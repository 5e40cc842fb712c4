"""Ranks by points: a rank is reached, and begun at its start, when its points are full; it is lost below 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Generic

from scoring.format.ranking import Ladder
from scoring.rankings.games import Game, Person, in_order, worth_of_places


class Moved(StrEnum):
    """The effect of a game beyond its points."""

    PROMOTED = "promoted"
    DEMOTED = "demoted"
    HELD = "held"
    """Points below 0 count as 0, since the rank cannot be lost."""


@dataclass(frozen=True, slots=True)
class LadderStep(Generic[Person]):
    """One game's change of rank and points; ranks are numbers from 0, the lowest."""

    game: Game[Person]
    place: int
    rank_before: int
    before: Fraction
    change: Fraction
    rank: int
    after: Fraction
    moved: Moved | None


def step_of(rules: Ladder, rank: int, before: Fraction, change: Fraction) -> tuple[int, Fraction, Moved | None]:
    """Return the rank and points after a change, and the move that it made."""
    after = before + change
    end = rules.ranks[rank].end
    if end is not None and after >= end and rank + 1 < len(rules.ranks):
        return rank + 1, Fraction(rules.ranks[rank + 1].start), Moved.PROMOTED
    if after >= 0:
        return rank, after, None
    if rank and rules.ranks[rank].start:
        return rank - 1, Fraction(rules.ranks[rank - 1].start), Moved.DEMOTED
    return rank, Fraction(0), Moved.HELD


def climb(rules: Ladder, games: Sequence[Game[Person]]) -> dict[Person, list[LadderStep[Person]]]:
    """Return every person's steps in the order of play; games of a size that the file does not name are left out."""
    found: dict[Person, list[LadderStep[Person]]] = {}
    for game in in_order(games):
        for person, place in game.places:
            steps = found.get(person)
            rank, before = (steps[-1].rank, steps[-1].after) if steps else (0, Fraction(rules.ranks[0].start))
            worth = worth_of_places(rules.places, game, rules.ties, rules.ranks[rank].loss)
            if worth is None:
                break
            after_rank, after, moved = step_of(rules, rank, before, worth[place])
            step = LadderStep(game, place, rank, before, worth[place], after_rank, after, moved)
            found.setdefault(person, []).append(step)
    return found
