"""The parts odds are made of: shuffles in digits, rounds, outcomes, shares, and what cannot be foreseen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import factorial, prod, sqrt

import numpy as np
import pytest

from rulesets.formats import load_format
from rulesets.loader import load
from rulesets.prior import load_prior
from scoring.format import Format, Seating
from scoring.hanchan_result import HanchanResult
from scoring.odds.arrays import orders
from scoring.odds.chance import LARGEST_BOUND, Columns
from scoring.odds.counts import count
from scoring.odds.course import Course, lay_out
from scoring.odds.kernel import simulate
from scoring.odds.outcomes import Prior, SettledHanchan, outcomes_of
from scoring.odds.rounds import DrawPlan, remaining, sessions_of
from scoring.odds.season import Fixture, Season, UnforeseeableError, Unforeseen
from scoring.odds.shares import largest_error, percent, percent_text, standard_error
from scoring.plan import PassOver, Replace
from scoring.tiebreak import Played
from tests.scoring.odds.seasons import FORMATS, ROUNDS, draws_of, made, stage
from tests.scoring.tables import CINDERELLA

POOL = (SettledHanchan((600, 100, -200, -500), (1, 2, 3, 4), (50000, 28000, 20000, 2000)),)
WON, SECOND, THIRD, LAST = ((POOL[0].points[n], n + 1, POOL[0].scores[n]) for n in range(4))


def start(league: Format = CINDERELLA, **changes: object) -> Season:
    """A season before its first hanchan."""
    seeds = {number: number for number in range(1, (league.entrants or 0) + 1)}
    season = Season(league, league.players or 4, 10, seeds, POOL)
    return replace(season, **changes)  # type: ignore[arg-type]


def in_order(*names: int, hanchan: int) -> dict[int, tuple[Played, ...]]:
    """Four who always end in this order."""
    results = (WON, SECOND, THIRD, LAST)
    return {
        name: tuple(Played(number, *own) for number in range(1, hanchan + 1))
        for name, own in zip(names, results, strict=True)
    }


# ─── chance ───


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_a_shuffles_draws_give_every_order_once(size: int) -> None:
    columns = Columns()
    shuffle = columns.shuffle(size)
    assert prod(columns.bounds) == factorial(size)
    draws = [[number] for number in range(factorial(size))] if columns.bounds else [[]]
    assert len({shuffle.order(draw) for draw in draws}) == factorial(size)


def test_a_shuffle_of_many_takes_as_many_draws_as_hold_its_digits() -> None:
    columns = Columns()
    shuffle = columns.shuffle(40)
    assert len(columns.bounds) > 1
    assert all(bound <= LARGEST_BOUND for bound in columns.bounds)
    assert prod(columns.bounds) == factorial(40)
    assert sorted(shuffle.order([bound - 1 for bound in columns.bounds])) == list(range(40))


def test_many_shuffles_at_once_are_the_same_as_one_by_one() -> None:
    columns = Columns()
    shuffle = columns.shuffle(23)
    rows = np.random.default_rng(3)
    draws = np.stack([rows.integers(0, bound, size=50) for bound in columns.bounds])
    together = orders(shuffle, draws, slice(None)).T.tolist()
    assert [tuple(each) for each in together] == [shuffle.order(draw) for draw in draws.T.tolist()]


# ─── rounds ───


def company(course: Course, key: str) -> list[list[tuple[int, ...]]]:
    """Each group's hanchan as the rows that meet."""
    groups = course.blocks[key].groups
    return [[tuple(group.rows[place] for place, _ in game.seats) for game in group.games] for group in groups]


def test_eight_who_stay_at_their_tables_are_shuffled_once_a_session() -> None:
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


def test_what_is_scheduled_is_played_as_scheduled_and_the_rest_is_shuffled() -> None:
    fixtures = {"A": tuple(Fixture(number, (5, 1, 7, 3)) for number in (1, 2, 3, 4))}
    course = lay_out(start(fixtures=fixtures))
    assert company(course, "A")[:4] == [[(4, 0, 6, 2)]] * 4
    assert [group.rows for group in course.blocks["A"].groups[4:]] == [(1, 3, 5, 7), tuple(range(8))]


def test_a_hanchan_on_the_schedule_that_somebody_has_played_or_that_seats_strangers_is_passed_over() -> None:
    fixtures = {"A": (Fixture(1, (1, 2, 3, 4)), Fixture(2, (1, 2, 3, 99)), Fixture(9, (5, 6, 7, 8)))}
    course = lay_out(start(fixtures=fixtures, played={"A": in_order(1, 2, 3, 4, hanchan=1)}))
    groups = course.blocks["A"].groups
    assert [(group.rows, len(group.games)) for group in groups] == [
        ((0, 1, 2, 3), 3), ((4, 5, 6, 7), 4), (tuple(range(8)), 8),
    ]  # fmt: skip


def test_where_rounds_fill_no_tables_those_with_most_left_to_play_meet() -> None:
    stage_ = FORMATS[3].stage("q")
    table = DrawPlan(Columns(), 24, 4)
    (group,) = remaining([frozenset({1, 2})] * 6, (), stage_, table)
    assert Counter(place for game in group.games for place, _ in game.seats) == dict.fromkeys(range(6), 2)
    assert group.shuffle is not None
    (uneven,) = remaining([frozenset({1, 2})] * 3 + [frozenset({2})] * 3, (), stage_, table)
    assert uneven.shuffle is None
    assert len(uneven.games) == 2


def test_what_cannot_fill_a_table_is_not_played() -> None:
    stage_ = FORMATS[3].stage("q")
    assert remaining([frozenset({1})] * 3, (), stage_, DrawPlan(Columns(), 24, 4)) == ()


def test_whoever_has_nothing_left_is_no_part_of_it_and_everybody_plays_their_hanchan_in_turn() -> None:
    missing = [frozenset[int](), *[frozenset({1, 2})] * 5]
    (group,) = remaining(missing, (), FORMATS[3].stage("q"), DrawPlan(Columns(), 24, 4))
    assert group.rows == (1, 2, 3, 4, 5)
    assert [sorted(number for _, number in game.seats) for game in group.games] == [[1, 1, 1, 1], [1, 2, 2, 2]]


def test_a_company_stays_for_a_session_only_where_people_stay_at_their_tables() -> None:
    stays = CINDERELLA.stage("preliminary")
    assert sessions_of(stays) == (range(1, 5), range(5, 9))
    moves = stays.model_copy(update={"seating": Seating.ROUNDS})
    assert sessions_of(moves) == tuple(range(number, number + 1) for number in range(1, 9))
    assert sessions_of(stays.model_copy(update={"hanchan": None, "sessions": None})) == ()


def test_the_next_hanchan_of_a_row_is_the_first_it_may_play() -> None:
    fixtures = {"A": (Fixture(2, (1, 2, 3, 4)),)}
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


def test_a_result_these_rules_cannot_settle_is_passed_over() -> None:
    assert outcomes_of([HanchanResult(scores=(40000, 35000, 25000))], load("cinderella")) == ()


@pytest.mark.parametrize("name", ["cinderella", "mleague", "boo", "banchi3", "kansai3", "superbingo", "tenhou4"])
def test_the_prior_can_be_settled_by_every_book(name: str) -> None:
    rules = load(name)
    results = list(load_prior().results(rules))
    assert len(outcomes_of(results, rules)) == 24
    assert all(sum(each.scores) == rules.table_total for each in results)
    assert all(score % rules.entry.unit == 0 for each in results for score in each.scores)


@pytest.mark.parametrize("players", [3, 4])
def test_the_prior_is_what_it_says(players: int) -> None:
    """Each player strays by 65 % of the start, nobody wins or loses on average in a hanchan and its mirror image."""
    (table,) = [each for each in load_prior().tables if each.players == players]
    lists = Counter(table.hanchan)
    assert lists == Counter(tuple(-each for each in reversed(hanchan)) for hanchan in table.hanchan)
    square = sum(each**2 for hanchan in table.hanchan for each in hanchan)
    assert round(sqrt(square / (players * len(table.hanchan)))) in range(645, 656)


@pytest.mark.parametrize("hanchan", [(100, -100), (100, 50, 0, -100), (-100, 0, 0, 100)])
def test_a_made_up_hanchan_that_is_none_is_refused(hanchan: tuple[int, ...]) -> None:
    note = {"ja": "試験", "en": "For tests"}
    with pytest.raises(ValueError, match="needs 4 numbers, first to last, that add up to 0"):
        Prior.model_validate({"note": note, "tables": ({"players": 4, "hanchan": (hanchan,)},)})


# ─── shares ───


@pytest.mark.parametrize(
    ("times", "text"),
    [(0, "<1"), (4, "<1"), (5, "1"), (500, "50"), (994, "99"), (995, ">99"), (1000, ">99")],
)
def test_a_share_is_a_whole_percent_and_never_nothing_or_all(times: int, text: str) -> None:
    assert percent_text(times, 1000) == text


def test_a_bar_is_as_long_as_the_share() -> None:
    assert [percent(times, 1000) for times in (0, 4, 5, 995, 1000)] == [0, 0, 1, 100, 100]


def test_the_standard_error_is_the_root_of_p_times_q_over_n_rounded_up() -> None:
    """One half of 100,000 strays by 0.158 %, of 20,000 by 0.354 %, of 25 by 10 %."""
    assert largest_error(100_000) == 2
    assert largest_error(20_000) == 4
    assert standard_error(5, 25) == 80
    assert standard_error(0, 1000) == standard_error(1000, 1000) == 1


# ─── what cannot be foreseen ───


def played_out(**changes: object) -> Season:
    """A final that is over."""
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
def test_what_cannot_be_foreseen_says_why(season: Season, reason: Unforeseen, where: str) -> None:
    with pytest.raises(UnforeseeableError) as refused:
        lay_out(season)
    assert (refused.value.reason, refused.value.where) == (reason, where)
    assert str(refused.value) == (f"{where}: {reason}" if where else str(reason))


def test_somebody_named_for_a_stage_who_also_comes_into_it_by_results_is_refused() -> None:
    course = lay_out(start(overrides=(Replace("final", 1, "ruling", "guest of honour", 9),)))
    with pytest.raises(UnforeseeableError, match="final: twice"):
        simulate(course, draws_of(course, 1, 1000))


def test_a_tie_that_only_a_ruling_can_break_is_all_that_is_left_and_a_coin_breaks_it() -> None:
    """Two with the same four results share the first place: each is champion in half of what can happen."""
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


def test_every_season_seats_and_crowns_as_many_as_there_are_places() -> None:
    course = lay_out(start())
    odds = count([simulate(course, draws_of(course, 1, 500))])
    assert {key: sum(times.values()) for key, times in odds.reached.items()} == {
        "preliminary": 0, "po1": 2000, "po2": 2000, "po3": 2000, "final": 2000,
    }  # fmt: skip
    assert sum(odds.titles.values()) == 500
    assert [sum(each) for each in odds.ranks["A"].values()] == [500] * 8
    assert sum(odds.advanced["A"].values()) == 5 * 500


def test_whoever_cannot_come_into_a_stage_any_more_and_whoever_is_in_it_are_not_counted() -> None:
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


def test_a_last_stage_from_which_nobody_goes_on_has_ranks_and_no_swings() -> None:
    league = made(4, 8, "", "", stage("only", 2, 'kind = "none"', {"A": ["seed:1-8"]}, ROUNDS))
    odds = count([simulate(course, draws_of(course, 1, 100)) for course in [lay_out(start(league))]])
    assert (len(odds.advanced), len(odds.swings)) == (0, 0)
    assert len(odds.ranks["A"]) == 8


def test_nothing_counted_is_refused() -> None:
    with pytest.raises(ValueError, match="no seasons"):
        count([])


def test_equal_draws_give_equal_figures() -> None:
    course = lay_out(start())
    draws = draws_of(course, 5, 400)
    assert count([simulate(course, draws)]) == count([simulate(lay_out(start()), draws.copy())])


def test_whoever_has_played_all_of_a_block_under_way_has_no_next_hanchan_in_it() -> None:
    course = lay_out(start(played={"A": in_order(1, 2, 3, 4, hanchan=8)}))
    odds = count([simulate(course, draws_of(course, 1, 200))])
    assert set(odds.swings) == set(range(5, 17))
    assert set(odds.advanced["A"]) == set(range(1, 9))


def test_of_a_tie_that_awaits_a_ruling_only_those_tied_may_still_come() -> None:
    """The fifth and the sixth of block A are level in everything: one of them goes on, the others of A are settled."""
    rows = {n: tuple(Played(k, 100 - 10 * min(n, 5) - 10 * (n > 6), 2, 0) for k in range(1, 9)) for n in range(1, 9)}
    course = lay_out(start(played={"A": rows}))
    assert course.is_in("po1") == {4}
    assert course.may_reach("po1") == {4, 5, 6} | set(range(9, 17))
    odds = count([simulate(course, draws_of(course, 1, 400))])
    assert odds.reached["po1"][5] + odds.reached["po1"][6] == 400
    assert min(odds.reached["po1"][5], odds.reached["po1"][6]) > 150


def test_whoever_may_be_the_best_of_a_rank_across_blocks_may_come() -> None:
    league = load_format("cinderella-2018")
    assert lay_out(start(league)).may_reach("po1") == set(range(1, 25))
