"""Games as ratings and ladders see them: who had which place, in the order of play."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from scoring.format.ranking import PlaceWorth, Ties
from scoring.rankings.places import shared

Person = TypeVar("Person", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Game(Generic[Person]):
    """One game: its day, its place in the order of play, and each person's place at the table, from 1, maybe shared."""

    key: int
    event: int
    day: dt.date
    order: tuple[int, ...]
    """Games of one day are played in this order."""
    places: tuple[tuple[Person, int], ...]


def in_order(games: Sequence[Game[Person]]) -> list[Game[Person]]:
    """Return games in the order of play."""
    return sorted(games, key=lambda game: (game.day, game.order, game.key))


def worth_of_places(
    rules: Sequence[PlaceWorth], game: Game[Person], ties: Ties, loss: Fraction = Fraction(0)
) -> dict[int, Fraction] | None:
    """Return the worth of each place of a game, `loss` taken from last place; None if the file has no such game."""
    worth = next((each.worth for each in rules if each.players == len(game.places)), None)
    if worth is None:
        return None
    amounts = (*worth[:-1], worth[-1] - loss)
    levels = Counter(place for _person, place in game.places)
    return {place: shared(lambda at: amounts[at - 1], place, level, ties) for place, level in levels.items()}
