"""Conditions where the bonuses of the places depend on the number of floating players."""

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from operator import add

import pytest

from benchmarks import conditions as endings
from scoring.conditions import BlockSituation, LastTable, Obstacle, Profile, Span, profile_of
from scoring.conditions.others import with_one_left
from scoring.ruleset import Ruleset
from scoring.settlement import HanchanResult, settle
from scoring.standings import Played, Row
from scoring.tiebreak import TOTAL_ONLY, Entrant
from tests.fuzz.examples import ASKED, times
from tests.scoring.uma_rules import trial, trial_of_three

TO_TOP: dict[str, object] = {"kyoutaku": {"receiver": "top", "unit": 1000, "clauses": ["ML-004"]}}
BY_SEAT: dict[str, object] = {"placing": {"ties": "by_seat", "clauses": ["ML-003"]}}
BOOKS = {
    "shared": trial(),
    "sinks": trial(at_line="sinks"),
    "top": trial(TO_TOP),
    "by_seat": trial(BY_SEAT | TO_TOP),
    "zero": trial(rows={"0": [4, 0, 0, -4], "1": [12, -1, -3, -8], "2": [20, 0, -5, -15]}, line=31_000),
    "three": trial_of_three(),
}
"""Books that differ in the line, its side, the receiver of deposits, ties and the number of players."""


def profile(rules: Ruleset) -> Profile:
    found = profile_of(rules)
    assert isinstance(found, Profile)
    return found


def test_each_different_row_has_a_profile_with_its_numbers_of_floating_players() -> None:
    found = profile(trial())
    assert [case.floating for case in found.cases] == [(0, 2, 4), (1,), (3,)]
    assert [found.case(floating).bonus[Span(2)] for floating in range(5)] == [-260, -310, -260, -270, -260]
    assert found.line == 30_000
    assert profile(trial(at_line="sinks")).line == 30_100


def test_rows_that_are_all_equal_make_no_cases() -> None:
    found = profile(trial(rows={"1": [8, 4, -4, -8]}))
    assert found.cases == ()
    assert found.bonus[Span(1)] == 80 - 300


def test_obstacles_of_the_other_rules_stay_obstacles() -> None:
    assert profile_of(trial({"rounding": {"policy": "nearest_alike", "step": 1, "clauses": ["ML-003"]}})) == (
        Obstacle.ROUNDING,
    )


def test_a_row_whose_shared_places_do_not_divide_is_an_obstacle_whatever_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    even, uneven = [9, 3, -3, -9], [12, -1, -4, -7]
    rules = trial(rows={"0": even, "1": uneven, "2": even, "3": even, "4": even})
    assert len(profile(rules).cases) == 2
    monkeypatch.setattr("scoring.conditions.profile._odd_step", lambda _: 0)
    profile_of.cache_clear()
    assert profile_of(rules) == (Obstacle.UNEVEN,)
    profile_of.cache_clear()


def test_two_players_are_compared_for_every_row_at_their_table_or_tables() -> None:
    rows: dict[Entrant, Row] = {who: Row(who, (Played(1, 0, 1, 30_000),)) for who in "ABCDEFGHI"}
    tables = (LastTable(tuple("ABCD"), 2), LastTable(tuple("EFGH"), 2))
    left: dict[Entrant, int] = {who: int(who != "I") for who in rows}
    situation = BlockSituation(rows, left, tables, profile(BOOKS["shared"]), TOTAL_ONLY, 4)
    assert [len(list(situation.duels("A", rival))) for rival in "BE"] == [3, 9]
    # First place is free for 1 to 4 floating players; of four level ones all float, or none.
    assert len(list(situation.all_against_finished("A", "I"))) == sum(
        case.can_fill(span) for case in situation.worth.cases for span in case.bonus
    )


def test_all_four_float_only_where_the_table_has_the_points() -> None:
    # Four at 31,000 would need 124,000 points; their row would otherwise keep all of them lowest.
    rows = {"0": [40, 0, 0, -40], "1": [42, -1, -3, -38], "2": [40, 20, -15, -45], "3": [30, 20, 10, -60]}
    worth = profile(trial(TO_TOP, rows={**rows, "4": [60, -10, -20, -30]}, line=31_000))
    group = with_one_left("EFGH", {"E": -600, "F": -600, "G": -600, "H": -300}, worth, 0)
    # At 30,100, 30,100, 30,100 and 29,700 the first three share 40, 0 and 0: 13.3 to 13.4 and 0.1 each.
    assert group.all_can_stay == -466


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKS)
def test_bonuses_agree_with_the_settlement_of_enumerated_final_scores(name: str) -> None:
    rules = BOOKS[name]
    worth, start, seen = profile(rules), rules.setup.start, Counter[int | None]()
    steps = (-9_000, -1_000, -100, 0, 100, 1_000, 9_000)
    for own in product(steps, repeat=rules.players - 1):
        for kyoutaku in (0, 4_000):
            scores = (*(start + each for each in own), start - sum(own) - kyoutaku)
            settled = settle(HanchanResult(scores, kyoutaku), rules)
            floating = endings.floating_at(rules, scores)
            case, spans = worth.case(floating), endings.spans_of(scores, rules)
            seen[floating] += 1
            for seat, span in enumerate(spans):
                least = case.points(span, settled.final_scores[seat])
                assert 0 <= settled.totals["points"][seat] - least <= case.odd.get(span, 0), (scores, kyoutaku)
                assert case.can_fill(span)
    assert set(seen) >= set(range(rules.players))


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKS if ASKED else ["sinks", "by_seat", "zero", "three"])
def test_conditions_agree_with_settlement_and_ranking_of_random_endings(name: str) -> None:
    dice, seen = random.Random(29), Counter[object]()
    for _ in range(times(1)):
        block = endings.some_block(dice, BOOKS[name])
        stated = endings.Stated(dice, block.situation)
        for _ in range(30):
            ending = endings.some_ending(dice, block)
            assert list(stated.faults(ending)) == []
            seen.update(ending.floating.values())
    assert len(seen) > 2


@pytest.mark.slow
def test_random_endings_detect_a_row_that_is_one_step_off() -> None:
    dice = random.Random(7)
    assert any(faults_found(dice) for _ in range(5))


def faults_found(dice: random.Random) -> bool:
    """Tell if a random ending of a block contradicts a first place of two floating that is worth one step more."""
    block = endings.some_block(dice, BOOKS["shared"])
    worth = block.situation.worth
    two, *others = worth.cases
    bent = replace(two, bonus={**two.bonus, Span(1): two.bonus[Span(1)] + 1})
    stated = endings.Stated(dice, replace(block.situation, profile=replace(worth, cases=(bent, *others))))
    return any(any(stated.faults(endings.some_ending(dice, block))) for _ in range(25))


# ─── the best and the worst case ───

SMALL_ROWS = {(0, 2, 4): (3, 0, -2, -5), (1,): (6, -2, -2, -6), (3,): (2, 2, 1, -9)}
"""Points for the places of a small game by the number of floating players; all its endings can be enumerated."""


def small_game() -> Profile:
    """Return a profile whose places lie only a few steps of the score apart."""
    worth = profile(BOOKS["top"])
    cases = []
    for case in worth.cases:
        row = SMALL_ROWS[case.floating]
        shares = {span: sum(row[span.first - 1 : span.last]) // span.count for span in case.bonus}
        cases.append(replace(case, bonus=shares, odd={}))
    return replace(worth, cases=tuple(cases))


@cache
def every_game() -> list[list[int]]:
    """Return the points of every game within a few steps of the start, with and without leftover deposits."""
    worth, found = small_game(), []
    for *own, deposits in product(*[range(-8, 9)] * 3, range(0, 10, 3)):
        steps = [*own, -sum(own) - deposits]
        spans = [Span(1 + sum(other > step for other in steps), steps.count(step)) for step in steps]
        case = worth.case(sum(step >= 0 for step in steps))
        steps[steps.index(max(steps))] += deposits
        found.append([case.points(span, 30_000 + 100 * step) for span, step in zip(spans, steps, strict=True)])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_best_and_the_worst_case_match_an_enumeration_of_every_game(seed: int) -> None:
    dice = random.Random(seed)
    totals: dict[Entrant, int] = {who: dice.randint(-5, 5) for who in "EFGH"}
    group = with_one_left("EFGH", totals, small_game(), 1)
    every = [list(map(add, totals.values(), game)) for game in every_game()]
    assert group.all_can_reach is not None
    assert group.all_can_stay is not None
    assert 0 <= group.all_can_reach - max(map(min, every)) <= 1
    assert 0 <= min(map(max, every)) - group.all_can_stay <= 1
