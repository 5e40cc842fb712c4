"""Exact odds of small seasons: they equal the enumeration of all outcomes, and samples come close to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby, permutations, product
from math import prod

import numpy as np

from rulesets.formats import load_format
from scoring.odds.arrays import Ints
from scoring.odds.counts import Odds, count
from scoring.odds.course import Course, lay_out
from scoring.odds.kernel import simulate
from scoring.odds.outcomes import SettledHanchan
from scoring.odds.scalar import simulate_one
from scoring.odds.season import RankGoal, ScheduledHanchan, Season
from scoring.odds.shares import TENTHS, standard_error
from scoring.tiebreak import Entrant, Played
from tests.scoring.odds.seasons import FIXTURES, STAY, draws_of, made, stage

POOL = (
    SettledHanchan((600, 100, -200, -500), (1, 2, 3, 4), (50000, 28000, 20000, 2000)),
    SettledHanchan((400, 400, -300, -500), (1, 1, 3, 4), (40000, 40000, 18000, 2000)),
    SettledHanchan((300, 200, 100, -600), (1, 2, 3, 4), (33000, 32000, 31000, 4000)),
)
BEFORE = {
    1: ((600, 1, 50000), (100, 2, 28000), (-200, 3, 20000)),
    2: ((600, 1, 50000), (100, 2, 28000), (-200, 3, 20000)),
    3: ((-200, 3, 20000), (100, 2, 28000), (600, 1, 50000)),
    4: ((-500, 4, 2000), (-500, 4, 2000), (-500, 4, 2000)),
}
"""Three hanchan each: two players with equal results, one with the same total, one far behind."""
SIGMAS = 4


def last_hanchan() -> Season:
    """Return a final of four before its last hanchan."""
    played: dict[Entrant, tuple[Played, ...]] = {
        name: tuple(Played(number, *result) for number, result in enumerate(results, start=1))
        for name, results in BEFORE.items()
    }
    names = {name: name for name in BEFORE}
    return Season(load_format("single-table-final"), 4, 10, names, POOL, {"final": played})


def everything(course: Course, *, coins: bool = True) -> Ints:
    """Return all possible draws; without `coins`, those of the coins are kept constant."""
    tossed = {digits.column for coin in course.coins.values() for digits in coin.shuffle.digits}
    bounds = [1 if column in tossed and not coins else bound for column, bound in enumerate(course.bounds)]
    return np.stack(np.unravel_index(np.arange(prod(bounds)), bounds))


def ways(names: Sequence[int]) -> Iterator[dict[int, tuple[int, int, int]]]:
    """Yield every outcome with the players in every order."""
    for outcome, seats in product(POOL, permutations(range(4))):
        yield {
            name: (outcome.points[seat], outcome.places[seat], outcome.scores[seat])
            for name, seat in zip(names, seats, strict=True)
        }


def ranks_by_hand() -> dict[Entrant, list[Fraction]]:
    """Return the probability of each rank, by comparing one key: total, then hanchan backwards, then a coin."""
    found: dict[Entrant, list[Fraction]] = {name: [Fraction(0)] * 4 for name in BEFORE}
    every = list(ways(list(BEFORE)))
    for results in every:
        keys = {}
        for name, own in results.items():
            history = (*BEFORE[name], own)
            keys[name] = (
                sum(points for points, _, _ in history),
                *(value for points, place, score in reversed(history) for value in (points, -place, score)),
            )
        position = 0
        for _, level in groupby(sorted(keys, key=lambda name: keys[name], reverse=True), key=lambda name: keys[name]):
            names = list(level)
            for name, rank in product(names, range(position, position + len(names))):
                found[name][rank] += Fraction(1, len(names) * len(every))
            position += len(names)
    return found


def counted(course: Course, draws: Ints) -> Odds:
    return count([simulate(course, draws)])


def test_the_odds_before_the_last_hanchan_equal_an_enumeration() -> None:
    course = lay_out(last_hanchan())
    odds = counted(course, everything(course))
    assert odds.seasons == 3 * 24 * 24
    shares = {name: [Fraction(each, odds.seasons) for each in ranks] for name, ranks in odds.ranks["final"].items()}
    assert shares == ranks_by_hand()
    assert odds.titles == {name: ranks[0] for name, ranks in odds.ranks["final"].items()}
    assert odds.advanced == {"final": odds.titles}


def test_an_unbreakable_tie_is_split_evenly_by_the_coin() -> None:
    course = lay_out(last_hanchan())
    odds = counted(course, everything(course))
    assert odds.ranks["final"][1] == odds.ranks["final"][2]
    without = counted(course, everything(course, coins=False))
    assert without.ranks["final"][1] != without.ranks["final"][2]


def test_the_swing_of_the_next_hanchan_equals_an_enumeration() -> None:
    course = lay_out(last_hanchan())
    odds = counted(course, everything(course))
    swing = odds.swings[3]
    assert (swing.block, swing.number) == ("final", 4)
    places = [results[3][1] for results in ways(list(BEFORE))]
    assert swing.times == tuple(places.count(place) * 24 for place in (1, 2, 3, 4))
    assert swing.advanced == swing.won
    assert sum(swing.won) == odds.titles[3]
    assert swing.won[3] == 0 < swing.won[0]


def test_samples_agree_with_the_enumeration_within_the_stated_error() -> None:
    course = lay_out(last_hanchan())
    sampled = counted(course, draws_of(course, seed=7, seasons=20_000))
    exact = ranks_by_hand()
    for name, ranks in sampled.ranks["final"].items():
        for rank, times in enumerate(ranks):
            error = Fraction(standard_error(times, sampled.seasons), TENTHS)
            assert abs(Fraction(times, sampled.seasons) - exact[name][rank]) <= SIGMAS * error


TWO_STAGES = made(
    4, 8, "", "final",
    stage("q", 1, 'kind = "none"', {"A": ["seed:1-4"], "B": ["seed:5-8"]}, STAY),
    stage("final", 1, 'kind = "full"', {"final": ["q#1-2"]}, STAY),
)  # fmt: skip


def test_the_odds_of_two_stages_with_carry_over_equal_an_enumeration() -> None:
    """Use points in hundreds and distinct head starts, so that no totals are level and no coin is needed."""
    pool = POOL[:1]
    head_start: dict[tuple[str, Entrant], int] = {("final", 8): 200}
    for name in range(1, 9):
        head_start["A" if name < 5 else "B", name] = 9 * name
    season = Season(TWO_STAGES, 4, 10, {n: n for n in range(1, 9)}, pool, adjustments=head_start)
    course = lay_out(season)
    odds = counted(course, everything(course, coins=False))
    assert odds.seasons == 24**3
    titles = dict.fromkeys(range(1, 9), 0)
    reached = dict.fromkeys(range(1, 9), 0)
    seats = list(permutations(range(4)))
    for in_a, in_b in product(seats, seats):
        finalists = {}
        for block, names, order in (("A", range(1, 5), in_a), ("B", range(5, 9), in_b)):
            totals = {n: pool[0].points[s] + head_start.get((block, n), 0) for n, s in zip(names, order, strict=True)}
            for name in sorted(totals, key=lambda name: -totals[name])[:2]:
                finalists[name] = totals[name] + head_start.get(("final", name), 0)
                reached[name] += 24
        for last in seats:
            ends = {n: finalists[n] + pool[0].points[s] for n, s in zip(finalists, last, strict=True)}
            assert len(set(ends.values())) == 4
            titles[max(ends, key=lambda name: ends[name])] += 1
    assert odds.titles == titles
    assert odds.reached["final"] == reached
    assert {n: times for block in ("A", "B") for n, times in odds.advanced[block].items()} == reached


FIVE = made(4, 5, "", "q", stage("q", 4, 'kind = "none"', {"q": ["seed:1-5"]}, FIXTURES))


def before_two_fixtures() -> Season:
    """Return a block of five in which two more hanchan are scheduled: one team has two of them, one has none left."""
    results = ((600, 1, 50000), (100, 2, 28000), (-200, 3, 20000), (-500, 4, 2000))
    company = [(1, 2, 3, 4), (5, 1, 2, 3), (4, 5, 1, 2)]
    own: dict[Entrant, list[Played]] = {name: [] for name in range(1, 6)}
    for number, names in enumerate(company, start=1):
        for name, result in zip(names, results, strict=True):
            own[name].append(Played(len(own[name]) + 1, *result, number))
    fixtures = (ScheduledHanchan(4, (3, 4, 5, 1), (3, 3, 3, 4)), ScheduledHanchan(5, (2, 3, 4, 5), (4, 4, 4, 4)))
    return Season(
        FIVE,
        4,
        10,
        {name: name for name in range(1, 6)},
        POOL[:1],
        {"q": {name: tuple(games) for name, games in own.items()}},
        {"q": fixtures},
        {("q", name): 7 * name for name in range(1, 6)},
    )


def test_the_odds_of_fixtures_in_which_one_team_rests_equal_an_enumeration() -> None:
    season = before_two_fixtures()
    course = lay_out(season)
    assert [len(group.games) for group in course.blocks["q"].groups] == [1, 1]
    odds = counted(course, everything(course, coins=False))
    assert odds.seasons == 24**2
    ranks = {name: [0] * 5 for name in range(1, 6)}
    seats = list(permutations(range(4)))
    for first, second in product(seats, seats):
        totals = {name: sum(game.points for game in season.played["q"][name]) + 7 * name for name in range(1, 6)}
        for names, order in (((3, 4, 5, 1), first), ((2, 3, 4, 5), second)):
            for name, seat in zip(names, order, strict=True):
                totals[name] += POOL[0].points[seat]
        for rank, name in enumerate(sorted(totals, key=lambda name: -totals[name])):
            ranks[name][rank] += 1
    assert {name: list(found) for name, found in odds.ranks["q"].items()} == ranks


def test_a_goal_counts_the_place_and_the_total_of_one_season_and_leaves_out_the_exempt() -> None:
    goals = (RankGoal("two", 2), RankGoal("total", 2, 700), RankGoal("without", 2, 400, exempt=(1,)))
    course = lay_out(replace(last_hanchan(), goals={"final": goals}))
    draws = draws_of(course, 28, 300)
    expected: Counter[tuple[str, Entrant]] = Counter()
    for draw in draws.T.tolist():
        ranked = simulate_one(course, draw).standings["final"].ranked
        for goal in goals:
            first = [each for each in ranked if each.entrant not in goal.exempt][: goal.places]
            least = -(10**6) if goal.total is None else goal.total
            expected.update((goal.name, each.entrant) for each in first if each.total >= least)
    found = counted(course, draws).goals["final"]
    assert {(name, who): number for name, own in found.items() for who, number in own.items() if number} == expected
    assert sum(found["two"].values()) == 2 * 300 > sum(found["total"].values()) > 0
    assert found["without"][1] == 0
