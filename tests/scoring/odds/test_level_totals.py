"""Seasons in which totals are level where the kernel takes its slower ways, compared with the scalar engine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.format import Format
from scoring.odds.counts import count
from scoring.odds.course import Course, lay_out
from scoring.odds.kernel import simulate
from scoring.odds.outcomes import SettledHanchan
from scoring.odds.season import Season
from scoring.odds.ties import MOST_NUMBER, played_bits
from scoring.standings import Withdrawal
from scoring.tiebreak import Entrant, Played
from tests.scoring.odds.seasons import BACK, FORMATS, NONE, ROUNDS, STAY, draws_of, made, stage
from tests.scoring.odds.test_kernel import as_it_is, as_simulated, has_level_totals

LEVEL = (
    SettledHanchan((1, 1, -1, -1), (1, 1, 3, 3), (30000, 30000, 20000, 20000)),
    SettledHanchan((1, 0, 0, -1), (1, 2, 2, 4), (30000, 25000, 25000, 20000)),
)
"""Results after which totals are often level, also hanchan by hanchan."""


def begun(league: Format, **played: dict[Entrant, tuple[Played, ...]]) -> Season:
    """Return a season of players numbered by their seeds, in which these hanchan have been played."""
    names: dict[int, Entrant] = {number: number for number in range(1, league.seeds + 1)}
    return Season(league, 4, 10, names, LEVEL, played=played)


def one(*points: int) -> dict[Entrant, tuple[Played, ...]]:
    """Return the one hanchan of players who end in this order with these points, by number."""
    return {
        name: (Played(1, won, place, 25000 + 100 * won),)
        for place, (name, won) in enumerate(zip(points[::2], points[1::2], strict=True), start=1)
    }


THREE_TABLES = made(
    4, 12, BACK, "final",
    stage("q", 1, NONE, {"A": ["seed:1-4"], "B": ["seed:5-8"], "C": ["seed:9-12"]}, STAY),
    stage("final", 1, NONE, {"final": ["q#1", "best:q#2"]}, STAY),
)  # fmt: skip
TIED = begun(
    THREE_TABLES,
    A=one(1, 90, 2, 10, 3, -20, 4, -80),
    B=one(5, 90, 6, 10, 7, -20, 8, -80),
    C=one(9, 90, 10, 5, 11, -20, 12, -75),
)
LEFT = replace(begun(FORMATS[3]), leaving={"A": {6: Withdrawal.LAST}})
"""One of six players has left: the five others do not fill two tables."""
LONG = begun(
    made(4, 4, BACK, "only", stage("only", MOST_NUMBER + 1, NONE, {"only": ["seed:1-4"]}, ROUNDS)),
    only={name: tuple(Played(number, 0, 1, 25000) for number in range(1, MOST_NUMBER + 1)) for name in (1, 2, 3, 4)},
)


def agrees(course: Course, seasons: int) -> int:
    """Compare seasons of the kernel with those of the scalar engine; return in how many totals are level."""
    draws = draws_of(course, 7, seasons)
    found = simulate(course, draws)
    for number, draw in enumerate(draws.T.tolist()):
        assert as_simulated(found, number) == as_it_is(course, draw)
    return sum(has_level_totals(found, number) for number in range(seasons))


@pytest.mark.parametrize(
    ("season", "block"),
    [(LEFT, "A"), (LONG, "only")],
    ids=["a shuffle decides who plays less", "more hanchan than bits"],
)
def test_level_totals_of_rows_without_known_hanchan_are_ranked_season_by_season(season: Season, block: str) -> None:
    course = lay_out(season)
    assert played_bits(course.blocks[block]) is None
    assert agrees(course, 12)


def test_a_coin_decides_a_comparison_across_blocks_that_awaits_a_ruling() -> None:
    course = lay_out(TIED)
    coin = course.coins["best:q#2"]
    assert coin.groups == ((2, 6),)
    assert agrees(course, 12)
    odds = count([simulate(course, draws_of(course, 1, 400))])
    assert {name: odds.reached["final"].get(name, 0) for name in (1, 10)} == {1: 0, 10: 0}
    assert odds.reached["final"][2] + odds.reached["final"][6] == 400
    assert min(odds.reached["final"][2], odds.reached["final"][6]) > 150
