"""A rating game by game: coefficient x (worth of the place + (mean of the table - own) / divisor), kept rounded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from scoring.format.ranking import Coefficient, Rating
from scoring.rankings.games import Game, Person, in_order, worth_of_places
from scoring.rankings.rounding import rounded


@dataclass(frozen=True, slots=True)
class RatingStep(Generic[Person]):
    """One game's change of a rating, term by term."""

    game: Game[Person]
    place: int
    coefficient: Fraction
    worth: Fraction
    mean: Fraction
    """Of the table's ratings before the game, as it counts."""
    before: Fraction
    change: Fraction
    """Exact, before the rating is rounded."""
    after: Fraction


def coefficient_after(rule: Coefficient, games: int) -> Fraction:
    """Return the factor of the next change after `games` games."""
    return max(rule.least, rule.first - games * rule.step)


def change_of(
    rules: Rating, before: Fraction, worth: Fraction, mean: Fraction, games: int
) -> tuple[Fraction, Fraction, Fraction]:
    """Return the coefficient, the mean as it counts, and the exact change of a rating."""
    counted = mean if rules.least_mean is None else max(mean, rules.least_mean)
    coefficient = coefficient_after(rules.coefficient, games)
    return coefficient, counted, coefficient * (worth + (counted - before) / rules.divisor)


def rate(rules: Rating, games: Sequence[Game[Person]]) -> dict[Person, list[RatingStep[Person]]]:
    """Return every person's changes in the order of play; games of a size that the file does not name are left out."""
    found: dict[Person, list[RatingStep[Person]]] = {}
    for game in in_order(games):
        worth = worth_of_places(rules.places, game, rules.ties)
        if worth is None:
            continue
        before = [found[person][-1].after if person in found else rules.start for person, _place in game.places]
        mean = sum(before, Fraction(0)) / len(before)
        for (person, place), own in zip(game.places, before, strict=True):
            steps = found.setdefault(person, [])
            coefficient, counted, change = change_of(rules, own, worth[place], mean, len(steps))
            after = rounded(own + change, rules.kept)
            steps.append(RatingStep(game, place, coefficient, worth[place], counted, own, change, after))
    return found
