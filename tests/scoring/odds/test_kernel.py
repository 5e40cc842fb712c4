"""The vectorized kernel of the odds compared with the scalar engine, season by season: slots, rankings and champion."""

from __future__ import annotations

from random import Random

import pytest

from scoring.odds.course import Course, lay_out
from scoring.odds.kernel import Seasons, simulate
from scoring.odds.scalar import simulate_one
from scoring.odds.season import UnforeseeableError
from tests.fuzz.examples import times
from tests.scoring.odds.seasons import draws_of, season

SITUATIONS = times(16)
"""Number of random situations from which seasons are simulated; sixteen reach every branch of `lay_out`."""
EACH = 2
"""Number of simulated seasons per situation."""
PARTS = 4


def as_simulated(seasons: Seasons, number: int) -> dict[str, object]:
    """Return one season of the kernel in the format of `as_it_is`."""
    name = seasons.course.entrants
    rankings = {}
    for key, ranking in seasons.rankings.items():
        rows = ranking.order[:, number]
        rankings[key] = [(name[ranking.entrants[row, number]], int(ranking.totals[row, number])) for row in rows]
    return {
        "slots": {key: [name[who] for who in own[:, number]] for key, own in seasons.slots.items()},
        "rankings": rankings,
        "champion": None if seasons.champion is None else name[seasons.champion[number]],
    }


def as_it_is(course: Course, draw: list[int]) -> dict[str, object]:
    """Return the season of the scalar engine."""
    simulated = simulate_one(course, draw)
    return {
        "slots": {key: list(own) for key, own in simulated.slots.items()},
        "rankings": {
            key: [(each.entrant, each.total) for each in own.ranked] for key, own in simulated.standings.items()
        },
        "champion": simulated.champion,
    }


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_season_of_the_kernel_equals_that_of_the_scalar_engine(part: int) -> None:
    compared = level = 0
    for seed in range(part, SITUATIONS, PARTS):
        try:
            course = lay_out(season(Random(seed)))
        except UnforeseeableError:
            continue
        draws = draws_of(course, seed, EACH)
        try:
            expected = [as_it_is(course, draw) for draw in draws.T.tolist()]
        except UnforeseeableError:
            with pytest.raises(UnforeseeableError, match="twice"):
                simulate(course, draws)
            continue
        seasons = simulate(course, draws)
        assert [as_simulated(seasons, number) for number in range(EACH)] == expected, seed
        compared += EACH
        level += sum(has_level_totals(seasons, number) for number in range(EACH))
    assert compared > SITUATIONS * EACH // PARTS // 2
    assert level > compared // 2


def has_level_totals(seasons: Seasons, number: int) -> bool:
    """Tell if a ranking of the season has equal totals."""
    return any(
        len(set(ranking.totals[:, number].tolist())) < len(ranking.totals) for ranking in seasons.rankings.values()
    )
