"""Ratings and ladders, game by game: the formula taken literally, promotion, ranks that cannot be lost, order."""

import datetime as dt
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.examples import read_any, run
from rulesets.formats import format_text
from rulesets.rankings import load_ranking, parse_ranking, ranking_text
from scoring.format.ranking import Ladder, Listed, Rating, WorthRounding
from scoring.rankings.games import Game
from scoring.rankings.ladder import Moved, climb
from scoring.rankings.ratings import rate
from scoring.rankings.rounding import text
from scoring.ruleset import FaultsError

EXAMPLES = Path(__file__).resolve().parents[3] / "rulesets" / "formats" / "examples" / "ranking.examples.toml"
DAY = dt.date(2026, 1, 1)


def tenhou() -> Rating:
    rules = load_ranking("tenhou-r").rating
    assert rules
    return rules


def house() -> Ladder:
    rules = load_ranking("house-dan").ladder
    assert rules
    return rules


@st.composite
def evenings(draw: st.DrawFn) -> list[Game[int]]:
    """Draw games of three and four players, some with level places."""
    games = []
    for key in range(draw(st.integers(0, 30))):
        size = draw(st.sampled_from([3, 4]))
        people = draw(st.lists(st.integers(1, 7), min_size=size, max_size=size, unique=True))
        places = draw(st.sampled_from([list(range(1, size + 1)), [1, 1, *range(3, size + 1)]]))
        day = DAY + dt.timedelta(draw(st.integers(0, 3)))
        games.append(Game(key, 1, day, (draw(st.integers(0, 3)),), tuple(zip(people, places, strict=True))))
    return games


def test_the_worked_examples_of_rankings_pass() -> None:
    report = run(read_any(EXAMPLES))
    assert not report.failed
    assert len(report.passed) == 28


@pytest.mark.slow
@given(evenings())
def test_a_rating_agrees_with_its_formula_taken_literally(games: list[Game[int]]) -> None:
    rates: dict[int, Fraction] = {}
    played: dict[int, int] = {}
    points = {3: [30, 0, -30], 4: [30, 10, -10, -30]}
    for game in sorted(games, key=lambda each: (each.day, each.order, each.key)):
        size = len(game.places)
        before = {person: rates.get(person, Fraction(1500)) for person, _place in game.places}
        mean = max(Fraction(1500), sum(before.values(), Fraction(0)) / size)
        for person, place in game.places:
            level = [at for _other, at in game.places].count(place)
            worth = Fraction(sum(points[size][place - 1 : place - 1 + level]), level)
            count = played.get(person, 0)
            factor = max(Fraction(1) - Fraction(2, 1000) * count, Fraction(1, 5))
            exact = before[person] + factor * (worth + (mean - before[person]) / 40)
            rates[person] = Fraction(int(exact * 10**4 + Fraction(1, 2)), 10**4)
            played[person] = count + 1
    assert {person: steps[-1].after for person, steps in rate(tenhou(), games).items()} == rates


@pytest.mark.slow
@given(evenings(), st.randoms(use_true_random=False))
def test_ratings_and_ranks_do_not_depend_on_the_order_in_which_games_are_given(
    games: list[Game[int]], random: Random
) -> None:
    shuffled = list(games)
    random.shuffle(shuffled)
    assert rate(tenhou(), shuffled) == rate(tenhou(), games)
    assert climb(house(), shuffled) == climb(house(), games)


@pytest.mark.slow
@given(evenings(), st.integers(0, 3))
def test_a_later_game_changes_nothing_before_it(games: list[Game[int]], days: int) -> None:
    day = DAY + dt.timedelta(days)
    known = [game for game in games if game.day <= day]
    for whole, part in ((rate(tenhou(), games), rate(tenhou(), known)), (climb(house(), games), climb(house(), known))):
        assert {
            person: found for person, steps in whole.items() if (found := [s for s in steps if s.game.day <= day])
        } == part


def test_the_coefficient_falls_to_a_fifth_at_four_hundred_games() -> None:
    games = [Game(key, 1, DAY, (key,), ((1, 1), (2, 2), (3, 3), (4, 4))) for key in range(403)]
    steps = rate(tenhou(), games)[1]
    assert [steps[at].coefficient for at in (0, 1, 399, 400, 402)] == [
        1, Fraction(499, 500), Fraction(101, 500), Fraction(1, 5), Fraction(1, 5),
    ]  # fmt: skip


def places(*own: int) -> list[Game[str]]:
    """Games of one person with these places."""
    return [
        Game(key, 1, DAY, (key,), (("P", place), *((f"{key}/{at}", at) for at in range(1, 5) if at != place)))
        for key, place in enumerate(own)
    ]


def test_nineteen_firsts_and_nineteen_lasts_end_in_the_kyu_that_cannot_be_lost() -> None:
    steps = climb(house(), places(*[1] * 19, *[4] * 19))["P"]
    assert (house().ranks[steps[-1].rank].key, int(steps[-1].after)) == ("1kyu", 0)
    assert [step.moved for step in steps[-3:]] == [Moved.HELD] * 3


def test_a_dan_is_lost_below_nothing_and_the_rank_below_begins_at_its_start() -> None:
    rules, keys = house(), [rank.key for rank in house().ranks]
    steps = climb(rules, places(*[1] * 23))["P"]
    assert (keys[steps[-1].rank], int(steps[-1].after), steps[-1].moved) == ("1dan", 200, Moved.PROMOTED)
    # Each last place costs 45: 155, 110, 65, 20, then below nothing.
    fallen = climb(rules, places(*[1] * 23, *[4] * 5))["P"]
    assert (keys[fallen[-1].rank], int(fallen[-1].after), fallen[-1].moved) == ("1kyu", 0, Moved.DEMOTED)


def test_games_of_a_size_that_the_file_does_not_name_are_left_out() -> None:
    for_three = [each for each in tenhou().places if each.players == 3]
    assert rate(tenhou().model_copy(update={"places": for_three}), places(1, 2, 3)) == {}
    assert climb(house().model_copy(update={"places": for_three}), places(1, 2, 3)) == {}


def test_a_ranking_counts_games_or_events_as_its_file_says() -> None:
    assert [load_ranking(name).is_by_games for name in ("tenhou-r", "house-dan", "mers")] == [True, True, False]


@pytest.mark.parametrize(
    ("amount", "decimals", "rounding", "shown"),
    [
        ("1/3", 2, WorthRounding.NEAREST, "0.33"),
        ("-1/200", 2, WorthRounding.NEAREST, "-0.01"),
        ("-1/200", 2, WorthRounding.HALF_EVEN, "0.00"),
        ("-7/2", 0, WorthRounding.NEAREST, "-4"),
        ("-7/2", 0, WorthRounding.DOWN, "-3"),
    ],
)
def test_an_amount_is_published_with_the_decimals_of_the_file(
    amount: str, decimals: int, rounding: WorthRounding, shown: str
) -> None:
    assert text(Fraction(amount), Listed(decimals=decimals, rounding=rounding)) == shown


def test_an_amount_without_decimals_in_the_file_is_published_exactly() -> None:
    assert [text(Fraction(amount), None) for amount in ("5", "-7/2")] == ["5", "-7/2"]


@pytest.mark.parametrize("name", ["none", "../mers"])
def test_an_unknown_name_is_no_ranking(name: str) -> None:
    with pytest.raises(KeyError):
        load_ranking(name)


def test_a_file_of_another_kind_is_no_ranking() -> None:
    with pytest.raises(FaultsError) as refused:
        parse_ranking(format_text("single-table-final"), "own.toml")
    assert [(each.source, each.key, each.code) for each in refused.value.faults] == [
        ("own.toml", "kind", "not_a_ranking")
    ]


@pytest.mark.parametrize(
    ("name", "change", "code"),
    [
        ("tenhou-r", ("[30, 10, -10, -30]", "[30, 10, -10]"), "worth_per_place"),
        ("tenhou-r", ("players = 3, worth = [30, 0, -30]", "players = 4, worth = [30, 0, 0, -30]"), "players_twice"),
        ("tenhou-r", ('least = "1/5"', 'least = "2"'), "coefficient_not_falling"),
        ("house-dan", ('key = "9kyu"', 'key = "8kyu"'), "rank_key_twice"),
        ("house-dan", ("start = 200\nend = 400", "start = 500\nend = 400"), "rank_without_end"),
    ],
)
def test_a_file_of_games_that_makes_no_sense_is_refused(name: str, change: tuple[str, str], code: str) -> None:
    text = ranking_text(name)
    assert change[0] in text
    with pytest.raises(FaultsError) as refused:
        parse_ranking(text.replace(*change), "own")
    assert code in {each.code for each in refused.value.faults}
