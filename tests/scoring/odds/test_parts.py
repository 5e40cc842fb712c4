"""Parts of the odds: shuffles, rounds, outcomes and prior, shares, unforeseeable seasons, and counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import factorial, prod, sqrt

import numpy as np
import pytest

from rulesets.formats import load_format
from rulesets.loader import load
from rulesets.prior import load_prior
from scoring.format import CarryOver, CarryRounding, Format, Seating
from scoring.hanchan_result import HanchanResult
from scoring.odds.arrays import orders
from scoring.odds.chance import LARGEST_BOUND, Columns
from scoring.odds.counts import count
from scoring.odds.course import Course, lay_out
from scoring.odds.kernel import carry_points, simulate
from scoring.odds.outcomes import Prior, SettledHanchan, outcomes_of
from scoring.odds.rounds import DrawPlan, remaining, sessions_of
from scoring.odds.season import ScheduledHanchan, Season, UnforeseeableError, Unforeseen
from scoring.odds.shares import Share, largest_error, percent, percent_text, standard_error
from scoring.plan import PassOver, Replace
from scoring.stages import rounded_share
from scoring.tiebreak import Played
from tests.scoring.odds.seasons import FORMATS, ROUNDS, draws_of, made, stage
from tests.scoring.tables import CINDERELLA

POOL = (SettledHanchan((600, 100, -200, -500), (1, 2, 3, 4), (50000, 28000, 20000, 2000)),)
WON, SECOND, THIRD, LAST = ((POOL[0].points[n], n + 1, POOL[0].scores[n]) for n in range(4))


def start(league: Format = CINDERELLA, **changes: object) -> Season:
    """Return a season before its first hanchan."""
    seeds = {number: number for number in range(1, league.seeds + 1)}
    season = Season(league, league.players or 4, 10, seeds, POOL)
    return replace(season, **changes)  # type: ignore[arg-type]


def in_order(*names: int, hanchan: int) -> dict[int, tuple[Played, ...]]:
    """Return the hanchan of four players who always end in this order."""
    results = (WON, SECOND, THIRD, LAST)
    return {
        name: tuple(Played(number, *own) for number in range(1, hanchan + 1))
        for name, own in zip(names, results, strict=True)
    }


# ─── shuffles ───


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_the_draws_of_a_shuffle_give_every_order_once(size: int) -> None:
    columns = Columns()
    shuffle = columns.shuffle(size)
    assert prod(columns.bounds) == factorial(size)
    draws = [[number] for number in range(factorial(size))] if columns.bounds else [[]]
    assert len({shuffle.order(draw) for draw in draws}) == factorial(size)


def test_a_large_shuffle_uses_several_draws_for_its_digits() -> None:
    columns = Columns()
    shuffle = columns.shuffle(40)
    assert len(columns.bounds) > 1
    assert all(bound <= LARGEST_BOUND for bound in columns.bounds)
    assert prod(columns.bounds) == factorial(40)
    assert sorted(shuffle.order([bound - 1 for bound in columns.bounds])) == list(range(40))


def test_vectorized_shuffles_equal_scalar_ones() -> None:
    columns = Columns()
    shuffle = columns.shuffle(23)
    rows = np.random.default_rng(3)
    draws = np.stack([rows.integers(0, bound, size=50) for bound in columns.bounds])
    together = orders(shuffle, draws, slice(None)).T.tolist()
    assert [tuple(each) for each in together] == [shuffle.order(draw) for draw in draws.T.tolist()]


# ─── rounds ───


def company(course: Course, key: str) -> list[list[tuple[int, ...]]]:
    """Return each group's hanchan as tuples of the rows that meet."""
    groups = course.blocks[key].groups
    return [[tuple(group.rows[place] for place, _ in game.seats) for game in group.games] for group in groups]


def test_eight_players_who_stay_at_their_tables_are_shuffled_once_per_session() -> None:
    groups = lay_out(start()).blocks["A"].groups
    assert [group.rows for group in groups] == [tuple(range(8))] * 2
    assert all(group.shuffle is not None for group in groups)
    numbers = [sorted({number for game in group.games for _, number in game.seats}) for group in groups]
    assert numbers == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert Counter(game.seats[0][0] for game in groups[0].games) == {0: 4, 4: 4}


def test_one_table_needs_no_shuffle() -> None:
    groups = lay_out(start(load_format("single-table-final"))).blocks["final"].groups
    assert len(groups) == 1
    assert groups[0].shuffle is None
    assert len(groups[0].games) == 4


def test_scheduled_hanchan_are_kept_and_the_rest_is_shuffled() -> None:
    fixtures = {"A": tuple(ScheduledHanchan(number, (5, 1, 7, 3)) for number in (1, 2, 3, 4))}
    course = lay_out(start(fixtures=fixtures))
    assert company(course, "A")[:4] == [[(4, 0, 6, 2)]] * 4
    assert [group.rows for group in course.blocks["A"].groups[4:]] == [(1, 3, 5, 7), tuple(range(8))]


def test_scheduled_hanchan_already_played_or_with_unknown_entrants_are_ignored() -> None:
    fixtures = {
        "A": (ScheduledHanchan(1, (1, 2, 3, 4)), ScheduledHanchan(2, (1, 2, 3, 99)), ScheduledHanchan(9, (5, 6, 7, 8)))
    }
    course = lay_out(start(fixtures=fixtures, played={"A": in_order(1, 2, 3, 4, hanchan=1)}))
    groups = course.blocks["A"].groups
    assert [(group.rows, len(group.games)) for group in groups] == [
        ((0, 1, 2, 3), 3), ((4, 5, 6, 7), 4), (tuple(range(8)), 8),
    ]  # fmt: skip


def test_where_tables_do_not_come_out_even_players_with_most_hanchan_left_meet() -> None:
    stage_ = FORMATS[3].stage("q")
    table = DrawPlan(Columns(), 24, 4)
    (group,) = remaining([frozenset({1, 2})] * 6, (), stage_, table)
    assert Counter(place for game in group.games for place, _ in game.seats) == dict.fromkeys(range(6), 2)
    assert group.shuffle is not None
    (uneven,) = remaining([frozenset({1, 2})] * 3 + [frozenset({2})] * 3, (), stage_, table)
    assert uneven.shuffle is None
    assert len(uneven.games) == 2


@pytest.mark.parametrize("teams", [7, 9, 10])
def test_fixtures_that_are_not_set_are_filled_in_evenly_until_each_team_has_its_number(teams: int) -> None:
    stage_ = load_format("mleague-2025").stage("regular").model_copy(update={"hanchan": 24})
    own = frozenset(range(1, 25))
    set_already = [((0, 1), (1, 1), (2, 1), (3, 1)), ((0, 2), (1, 2), (2, 2), (6, 1))]
    groups = remaining([own] * teams, set_already, stage_, DrawPlan(Columns(), 24, 4))
    assert [group.rows for group in groups[:2]] == [(0, 1, 2, 3), (0, 1, 2, 6)]
    played: Counter[int] = Counter()
    for group in groups:
        for row, numbers in zip(group.rows, group.numbers(), strict=True):
            played[row] += len(numbers)
    assert played == dict.fromkeys(range(teams), 24)
    met = Counter(
        pair
        for group in groups
        for game in group.games
        for pair in combinations(sorted(group.rows[place] for place, _ in game.seats), 2)
    )
    often = [met[pair] for pair in combinations(range(teams), 2)]
    assert max(often) - min(often) <= 2


def test_players_who_cannot_fill_a_table_play_no_hanchan() -> None:
    stage_ = FORMATS[3].stage("q")
    assert remaining([frozenset({1})] * 3, (), stage_, DrawPlan(Columns(), 24, 4)) == ()


def test_finished_players_are_left_out_and_the_others_play_their_hanchan_in_order() -> None:
    missing = [frozenset[int](), *[frozenset({1, 2})] * 5]
    (group,) = remaining(missing, (), FORMATS[3].stage("q"), DrawPlan(Columns(), 24, 4))
    assert group.rows == (1, 2, 3, 4, 5)
    assert [sorted(number for _, number in game.seats) for game in group.games] == [[1, 1, 1, 1], [1, 2, 2, 2]]


def test_a_group_stays_together_for_a_session_only_with_seating_stay() -> None:
    stays = CINDERELLA.stage("preliminary")
    assert sessions_of(stays) == (range(1, 5), range(5, 9))
    moves = stays.model_copy(update={"seating": Seating.ROUNDS})
    assert sessions_of(moves) == tuple(range(number, number + 1) for number in range(1, 9))
    assert sessions_of(stays.model_copy(update={"hanchan": None, "sessions": None})) == ()


def test_the_next_hanchan_of_an_entrant_is_the_first_unplayed_one() -> None:
    fixtures = {"A": (ScheduledHanchan(2, (1, 2, 3, 4)),)}
    block = lay_out(start(fixtures=fixtures, played={"A": in_order(1, 2, 3, 4, hanchan=1)})).blocks["A"]
    assert [block.next_number(row) for row in range(8)] == [2, 2, 2, 2, 1, 1, 1, 1]
    over = in_order(1, 2, 3, 4, hanchan=8) | in_order(5, 6, 7, 8, hanchan=8)
    done = lay_out(start(played={"A": over})).blocks["A"]
    assert done.next_number(0) is None


# ─── outcomes and the prior ───


def test_a_result_is_settled_by_the_rules_without_its_chonbo() -> None:
    result = HanchanResult(scores=(41200, 30100, 18700, 9000), kyoutaku=1000, chonbo=(0, 1, 0, 0))
    (outcome,) = outcomes_of([result], load("cinderella"))
    assert outcome.scores == (42200, 30100, 18700, 9000)
    assert outcome.places == (1, 2, 3, 4)
    assert outcome.points == (522, 101, -213, -410)


def test_a_result_that_the_ruleset_cannot_settle_is_ignored() -> None:
    assert outcomes_of([HanchanResult(scores=(40000, 35000, 25000))], load("cinderella")) == ()


@pytest.mark.parametrize("name", ["cinderella", "mleague", "boo", "banchi3", "kansai3", "superbingo", "tenhou4"])
def test_the_prior_can_be_settled_under_every_ruleset(name: str) -> None:
    rules = load(name)
    results = list(load_prior().results(rules))
    assert len(outcomes_of(results, rules)) == 24
    assert all(sum(each.scores) == rules.table_total for each in results)
    assert all(score % rules.entry.unit == 0 for each in results for score in each.scores)


@pytest.mark.parametrize("players", [3, 4])
def test_the_prior_has_its_stated_deviation_and_symmetry(players: int) -> None:
    """Check the deviation (65 % of the start) and the symmetry: each hanchan has its mirror image."""
    (table,) = [each for each in load_prior().tables if each.players == players]
    lists = Counter(table.hanchan)
    assert lists == Counter(tuple(-each for each in reversed(hanchan)) for hanchan in table.hanchan)
    square = sum(each**2 for hanchan in table.hanchan for each in hanchan)
    assert round(sqrt(square / (players * len(table.hanchan)))) in range(645, 656)


@pytest.mark.parametrize("hanchan", [(100, -100), (100, 50, 0, -100), (-100, 0, 0, 100)])
def test_an_invalid_hanchan_of_the_prior_is_refused(hanchan: tuple[int, ...]) -> None:
    note = {"ja": "試験", "en": "For tests"}
    with pytest.raises(ValueError, match="needs 4 numbers, first to last, that add up to 0"):
        Prior.model_validate({"note": note, "tables": ({"players": 4, "hanchan": (hanchan,)},)})


# ─── shares ───


@pytest.mark.parametrize(
    ("times", "text"),
    [(0, "<1"), (4, "<1"), (5, "1"), (500, "50"), (994, "99"), (995, ">99"), (1000, ">99")],
)
def test_a_share_is_a_whole_percent_and_never_0_or_100(times: int, text: str) -> None:
    assert percent_text(times, 1000) == text


def test_a_share_is_told_with_its_error_and_shaded_by_tenths() -> None:
    share = Share(250, 1000)
    assert (share.text, share.percent, share.level, share.error) == ("25", 25, 2, standard_error(250, 1000))


def test_the_length_of_a_bar_is_the_rounded_share() -> None:
    assert [percent(times, 1000) for times in (0, 4, 5, 995, 1000)] == [0, 0, 1, 100, 100]


def test_the_standard_error_is_the_root_of_p_times_q_over_n_rounded_up() -> None:
    """Expect 0.158 % for one half of 100,000, 0.354 % of 20,000, 10 % of 25."""
    assert largest_error(100_000) == 2
    assert largest_error(20_000) == 4
    assert standard_error(5, 25) == 80
    assert standard_error(0, 1000) == standard_error(1000, 1000) == 1


# ─── unforeseeable seasons ───


def played_out(**changes: object) -> Season:
    """Return a final that is over."""
    league = load_format("single-table-final")
    return start(league, played={"final": in_order(1, 2, 3, 4, hanchan=4)}, **changes)


OPEN = load_format("open-play")
FINAL = load_format("single-table-final")


@pytest.mark.parametrize(
    ("season", "reason", "where"),
    [
        (start(OPEN), Unforeseen.ENDLESS, "open"),
        (start(seeds={1: 1}), Unforeseen.UNSEEDED, ""),
        (played_out(), Unforeseen.OVER, ""),
        (start(FINAL, pool=()), Unforeseen.NO_RESULTS, ""),
        (start(played={"po1": in_order(4, 5, 12, 13, hanchan=1)}), Unforeseen.BEGUN, "po1"),
        (
            start(overrides=tuple(PassOver("A", name, "ill") for name in (1, 2, 3, 4))),
            Unforeseen.VACANT,
            "A",
        ),
        (
            start(overrides=(Replace("po1", 1, "ruling", "x", 1), Replace("po1", 2, "ruling", "x", 1))),
            Unforeseen.TWICE,
            "po1",
        ),
    ],
)
def test_an_unforeseeable_season_raises_an_error_with_its_reason(
    season: Season, reason: Unforeseen, where: str
) -> None:
    with pytest.raises(UnforeseeableError) as refused:
        lay_out(season)
    assert (refused.value.reason, refused.value.where) == (reason, where)
    assert str(refused.value) == (f"{where}: {reason}" if where else str(reason))


def test_an_entrant_named_for_a_stage_who_also_qualifies_raises_an_error() -> None:
    course = lay_out(start(overrides=(Replace("final", 1, "ruling", "guest of honour", 9),)))
    with pytest.raises(UnforeseeableError, match="final: twice"):
        simulate(course, draws_of(course, 1, 1000))


def test_an_unbroken_tie_in_a_finished_final_is_decided_by_a_coin() -> None:
    """Two entrants with the same four results share first place: each is champion in half of the cases."""
    same = tuple(Played(number, *WON) for number in (1, 2, 3, 4))
    played = {**in_order(3, 4, 1, 2, hanchan=4), 1: same, 2: same, 3: in_order(1, 2, 3, 4, hanchan=4)[3]}
    course = lay_out(start(FINAL, played={"final": played}))
    assert course.bounds == (24,)
    odds = count([simulate(course, np.arange(24)[np.newaxis])])
    assert odds.titles == {1: 12, 2: 12, 3: 0, 4: 0}
    assert (len(odds.advanced), len(odds.swings)) == (0, 0)


# ─── counts ───


def test_counts_of_batches_add_up() -> None:
    course = lay_out(start())
    one, other = (simulate(course, draws_of(course, seed, 300)) for seed in (1, 2))
    both, first, second = count([one, other]), count([one]), count([other])
    assert both.seasons == 600
    assert both.titles == {name: first.titles[name] + second.titles[name] for name in both.titles}
    assert both.swings[1].times == tuple(map(sum, zip(first.swings[1].times, second.swings[1].times, strict=True)))


def test_every_season_fills_all_slots_and_has_one_champion() -> None:
    course = lay_out(start())
    odds = count([simulate(course, draws_of(course, 1, 500))])
    assert {key: sum(times.values()) for key, times in odds.reached.items()} == {
        "preliminary": 0, "po1": 2000, "po2": 2000, "po3": 2000, "final": 2000,
    }  # fmt: skip
    assert sum(odds.titles.values()) == 500
    assert [sum(each) for each in odds.ranks["A"].values()] == [500] * 8
    assert sum(odds.advanced["A"].values()) == 5 * 500


def test_entrants_who_are_in_a_stage_or_cannot_reach_it_are_not_counted() -> None:
    """Block A is over: its first is in the final, its last three are out."""
    over = in_order(1, 2, 3, 4, hanchan=8)
    lower = {n: tuple(Played(k, -100 * n, 4, 0) for k in range(1, 9)) for n in (5, 6, 7, 8)}
    course = lay_out(start(played={"A": over | lower}))
    odds = count([simulate(course, draws_of(course, 1, 200))])
    assert course.is_in("final") == {1}
    assert 1 not in odds.reached["final"]
    assert {3, 4} & set(odds.reached["po1"]) == set()
    assert {2, 6, 7, 8} & set(odds.titles) == {2}
    assert set(odds.advanced) == {"B"}
    assert set(odds.swings) == set(range(9, 17))


def test_without_a_champion_there_are_ranks_and_stages_but_no_titles() -> None:
    course = lay_out(start(FORMATS[5]))
    odds = count([simulate(course, draws_of(course, 1, 200))])
    assert odds.titles == {}
    assert set(odds.advanced) == {"A", "B"}
    assert all(swing.won == (0, 0, 0, 0) for swing in odds.swings.values())


def test_a_last_stage_without_champion_has_ranks_and_no_swings() -> None:
    league = made(4, 8, "", "", stage("only", 2, 'kind = "none"', {"A": ["seed:1-8"]}, ROUNDS))
    odds = count([simulate(course, draws_of(course, 1, 100)) for course in [lay_out(start(league))]])
    assert (len(odds.advanced), len(odds.swings)) == (0, 0)
    assert len(odds.ranks["A"]) == 8


def test_counting_no_seasons_raises_an_error() -> None:
    with pytest.raises(ValueError, match="no seasons"):
        count([])


def test_equal_draws_give_equal_odds() -> None:
    course = lay_out(start())
    draws = draws_of(course, 5, 400)
    assert count([simulate(course, draws)]) == count([simulate(lay_out(start()), draws.copy())])


def test_an_entrant_who_has_played_all_hanchan_of_a_block_has_no_swing() -> None:
    course = lay_out(start(played={"A": in_order(1, 2, 3, 4, hanchan=8)}))
    odds = count([simulate(course, draws_of(course, 1, 200))])
    assert set(odds.swings) == set(range(5, 17))
    assert set(odds.advanced["A"]) == set(range(1, 9))


def test_of_a_tie_that_awaits_a_ruling_only_the_tied_may_still_advance() -> None:
    """The fifth and sixth of block A are tied: one of them advances, the others of A are settled."""
    rows = {n: tuple(Played(k, 100 - 10 * min(n, 5) - 10 * (n > 6), 2, 0) for k in range(1, 9)) for n in range(1, 9)}
    course = lay_out(start(played={"A": rows}))
    assert course.is_in("po1") == {4}
    assert course.may_reach("po1") == {4, 5, 6} | set(range(9, 17))
    odds = count([simulate(course, draws_of(course, 1, 400))])
    assert odds.reached["po1"][5] + odds.reached["po1"][6] == 400
    assert min(odds.reached["po1"][5], odds.reached["po1"][6]) > 150


def test_every_candidate_for_best_of_a_rank_may_reach_the_stage() -> None:
    league = load_format("cinderella-2018")
    assert lay_out(start(league)).may_reach("po1") == set(range(1, 25))


@pytest.mark.parametrize("rounding", CarryRounding)
@pytest.mark.parametrize("share", ["1/2", "1/3", "2/7"])
def test_a_share_is_carried_over_as_the_ladder_calculates_it(share: str, rounding: CarryRounding) -> None:
    carry = CarryOver.model_validate_json(f'{{"kind": "part", "of": "{share}", "rounding": "{rounding.value}"}}')
    totals = np.arange(-50, 51)
    expected = [rounded_share(total, Fraction(share), rounding) for total in totals.tolist()]
    assert carry_points(totals, carry).tolist() == expected
