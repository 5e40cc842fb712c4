"""Conditions before the last hanchan: margins, ties and sentences, derived from settlement and tie-break."""

import random
from collections import Counter
from dataclasses import replace
from itertools import permutations, product

import pytest

from benchmarks import conditions as endings
from rulesets.formats import load_format
from rulesets.loader import load
from scoring.conditions import (
    ALWAYS_TRUE,
    NEVER_TRUE,
    BlockSituation,
    Condition,
    Formula,
    LastTable,
    MarginKind,
    Obstacle,
    PlaceArrangement,
    Profile,
    Says,
    Span,
    TieLevel,
    clauses_of,
    needs_of,
    profile_of,
    sentences_of,
)
from scoring.conditions.cells import cells_against_finished
from scoring.conditions.clauses import ConditionClause
from scoring.conditions.formulas import Distances, at_least
from scoring.ruleset import Ruleset
from scoring.standings import Played, Row
from scoring.tiebreak import TOTAL_ONLY, Entrant, TieBreak
from tests.fuzz.examples import times
from tests.scoring.tables import BACK_TRACKING

CINDERELLA, MLEAGUE, TENHOU = load("cinderella"), load("mleague"), load("tenhou4")
MATCH = {"A": 623, "B": 181, "C": -96, "D": -708}
"""Totals in tenths before the last hanchan of a match whose places bring 50, 10, -10 and -30."""


def changed(rules: Ruleset, **settlement: object) -> Ruleset:
    """Return the ruleset with some steps of its settlement replaced."""
    data = rules.data()
    data["settlement"] |= settlement
    data["settlement"] = {key: value for key, value in data["settlement"].items() if value is not None}
    return Ruleset.model_validate(data, strict=False)


def before(
    totals: dict[str, int],
    rules: Ruleset = MLEAGUE,
    tiebreak: TieBreak = BACK_TRACKING,
    tables: tuple[str, ...] = ("ABCD",),
) -> BlockSituation:
    """Return the situation with these totals from one hanchan each; players of the tables have one more to play."""
    playing = "".join(tables)
    return BlockSituation(
        rows={who: Row(who, (Played(1, total, 1, 30_000, f"{who}:1"),)) for who, total in totals.items()},
        left={who: int(who in playing) for who in totals},
        tables=tuple(LastTable(tuple(table), 2) for table in tables),
        profile=profile_of(rules),
        tiebreak=tiebreak,
        players=rules.players,
    )


def margin(situation: BlockSituation, own: str, place: int, rival: str, rival_place: int) -> tuple[MarginKind, int]:
    """Return kind and least margin of the condition to end above a rival, for these two places."""
    cell = situation.duel(own, rival).cell(Span(place), Span(rival_place))
    return cell.kind, cell.least


def told(situation: BlockSituation, who: str, target: int) -> list[tuple[Says, tuple[int, ...]]]:
    """Return the sentences for a target without their clauses."""
    return [(each.says, each.places) for each in sentences_of(needs_of(situation, who, target))]


# ─── points for places ───


def test_the_bonus_of_a_place_follows_from_the_settlement_less_the_return_score() -> None:
    profile = profile_of(CINDERELLA)
    assert isinstance(profile, Profile)
    assert [profile.bonus[Span(place)] for place in range(1, 5)] == [100, -200, -400, -500]
    assert profile.points(Span(1), 41_200) == 512
    assert profile.points(Span(4), -3_500) == -535


@pytest.mark.clause("cinderella", "CL-038", "CL-039")
def test_players_who_share_places_share_their_points_rounded_alike() -> None:
    profile = profile_of(CINDERELLA)
    assert isinstance(profile, Profile)
    assert profile.bonus[Span(1, 2)] == -50
    assert profile.bonus[Span(2, 3)] == -367
    assert profile.bonus[Span(1, 4)] == -250


def test_no_places_are_shared_where_seats_break_ties() -> None:
    profile = profile_of(TENHOU)
    assert isinstance(profile, Profile)
    assert not any(span.is_shared for span in profile.bonus)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("boo", {Obstacle.NO_SCORE, Obstacle.TOP_PAYMENT}),
        ("kansai3", {Obstacle.SINKING_UMA, Obstacle.TOBI}),
        ("banchi3", {Obstacle.PRIZES, Obstacle.SINKING_UMA, Obstacle.FLOOR, Obstacle.ROUNDING}),
        ("superbingo", {Obstacle.NO_SCORE, Obstacle.PRIZES, Obstacle.TOBI, Obstacle.PLACE_PAYMENTS}),
    ],
)
def test_rules_that_margins_cannot_describe_have_named_obstacles(name: str, found: set[Obstacle]) -> None:
    obstacles = profile_of(load(name))
    assert isinstance(obstacles, tuple)
    assert set(obstacles) == found


def test_rounding_is_an_obstacle_only_if_coarser_than_a_step_of_the_score() -> None:
    rounding = {"policy": "nearest_alike", "step": 1, "clauses": ["CL-039"]}
    assert profile_of(changed(CINDERELLA, rounding=rounding)) == (Obstacle.ROUNDING,)
    assert isinstance(profile_of(changed(CINDERELLA, rounding=rounding | {"step": "0.1"})), Profile)
    assert isinstance(profile_of(load("banchi4")), Profile)


def test_a_score_step_finer_than_the_ledger_is_an_obstacle() -> None:
    conversion = CINDERELLA.data()["settlement"]["conversion"] | {"per": 10_000}
    assert profile_of(changed(CINDERELLA, conversion=conversion)) == (Obstacle.ROUNDING,)


@pytest.mark.clause("mleague", "ML-003")
def test_points_that_do_not_rise_with_the_score_are_an_obstacle() -> None:
    conversion = CINDERELLA.data()["settlement"]["conversion"] | {"worth": 0}
    assert profile_of(changed(CINDERELLA, conversion=conversion)) == (Obstacle.ROUNDING,)


def test_a_shared_place_that_does_not_divide_has_a_least_share_and_an_odd_tenth() -> None:
    profile = profile_of(MLEAGUE)
    assert isinstance(profile, Profile)
    # Places 1 to 3 bring 50, three times 16.7 or 16.6, less the return score of 30.
    assert (profile.bonus[Span(1, 3)], profile.most(Span(1, 3))) == (166 - 300, 167 - 300)
    assert profile.odd == {Span(1, 3): 1, Span(2, 3): 0} or profile.odd == {Span(1, 3): 1}
    assert profile.gives_deposits


@pytest.mark.clause("mleague", "ML-003")
def test_a_margin_is_open_where_seats_decide_on_the_odd_tenth() -> None:
    situation = before(dict.fromkeys("ABCD", 0))
    cell = situation.duel("A", "B").cell(Span(1, 3), Span(4))
    assert cell.least_possible == cell.least - 100
    assert situation.duel("A", "B").cell(Span(1), Span(4)).by_seat == 0
    finished = cells_against_finished(situation.rows["A"], situation.rows["B"], situation.worth, 2, BACK_TRACKING)
    assert (finished[Span(1, 3)].by_seat, finished[Span(1)].by_seat) == (100, 0)


def test_a_share_that_differs_by_more_than_a_step_of_the_rounding_is_an_obstacle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scoring.conditions.profile._odd_step", lambda _: 0)
    profile_of.cache_clear()
    assert profile_of(MLEAGUE) == (Obstacle.UNEVEN,)
    profile_of.cache_clear()


# ─── one rival ───


def test_for_two_given_places_one_margin_decides() -> None:
    situation = before(MATCH, tiebreak=TOTAL_ONLY)
    assert margin(situation, "C", 2, "B", 4)[0] is MarginKind.ALWAYS
    assert margin(situation, "C", 2, "B", 3) == (MarginKind.MARGIN, 7_800)
    assert margin(situation, "C", 2, "B", 1)[0] is MarginKind.NEVER
    assert margin(situation, "C", 2, "D", 1) == (MarginKind.MARGIN, -21_100)
    assert margin(situation, "C", 2, "A", 3) == (MarginKind.MARGIN, 52_000)
    assert margin(situation, "C", 2, "A", 4) == (MarginKind.MARGIN, 32_000)


@pytest.mark.clause("cinderella", "CL-022")
def test_with_a_won_tie_break_equal_totals_are_enough() -> None:
    cell = before(MATCH).duel("C", "B").cell(Span(2), Span(3))
    assert cell.least == 7_700
    assert cell.tie is not None
    assert (cell.tie.at, cell.tie.level, cell.tie.criterion) == (7_700, TieLevel.AHEAD, "points")
    assert (cell.tie.number, cell.tie.clause) == (2, "CL-022")


@pytest.mark.clause("cinderella", "CL-022")
def test_with_a_lost_tie_break_one_more_step_is_needed() -> None:
    cell = before(MATCH).duel("C", "D").cell(Span(2), Span(1))
    assert (cell.least, cell.least_possible) == (-21_100, -21_100)
    assert cell.tie is not None
    assert (cell.tie.at, cell.tie.level) == (-21_200, TieLevel.BEHIND)


@pytest.mark.clause("cinderella", "CL-029")
def test_players_that_no_rule_separates_need_a_ruling() -> None:
    situation = before(dict.fromkeys("ABCD", 0))
    cell = situation.duel("A", "B").cell(Span(3, 2), Span(3, 2))
    assert cell.kind is MarginKind.RULING
    assert cell.tie is not None
    assert cell.tie.level is TieLevel.RULING
    assert [cell.is_ahead(margin) for margin in (-100, 0, 100)] == [False, None, True]


@pytest.mark.clause("cinderella", "CL-023")
def test_equal_totals_and_last_hanchan_are_decided_by_the_hanchan_before() -> None:
    situation = before(dict.fromkeys("ABCD", 0))
    rows = dict(situation.rows)
    rows["A"] = replace(rows["A"], played=(Played(1, 5, 1, 30_000),), adjustment=-5)
    cell = replace(situation, rows=rows).duel("A", "B").cell(Span(2, 2), Span(2, 2))
    assert cell.kind is MarginKind.ALWAYS
    assert cell.tie is not None
    assert (cell.tie.number, cell.tie.criterion, cell.tie.clause) == (1, "points", "CL-023")


@pytest.mark.clause("cinderella", "CL-057")
def test_leftover_deposits_may_decide_between_tied_leaders() -> None:
    situation = before({"A": 30, "B": 0, "C": 0, "D": 0}, CINDERELLA)
    cell = situation.duel("A", "B").cell(Span(1, 2), Span(1, 2))
    assert (cell.kind, cell.least) == (MarginKind.MARGIN, -2_900)
    assert situation.duel("A", "B").cell(Span(2, 2), Span(2, 2)).kind is MarginKind.ALWAYS


def test_places_further_apart_leave_room_for_a_player_between() -> None:
    situation = before({"A": 0, "B": 301, "C": 0, "D": 0}, CINDERELLA, TOTAL_ONLY)
    assert margin(situation, "A", 1, "B", 2) == (MarginKind.MARGIN, 200)
    situation = before({"A": 0, "B": 501, "C": 0, "D": 0}, CINDERELLA, TOTAL_ONLY)
    assert margin(situation, "A", 1, "B", 3) == (MarginKind.ALWAYS, 200)


def test_players_separated_by_seat_may_have_the_same_score() -> None:
    situation = before({"A": 300, "B": 0, "C": 0, "D": 0}, TENHOU, TOTAL_ONLY)
    cell = situation.duel("A", "B").cell(Span(2), Span(1))
    assert cell.kind is MarginKind.RULING or cell.least_possible == 0
    assert [cell.is_ahead(margin) for margin in (-100, 0, 100)] == [False, None, True]


def test_points_finer_than_a_step_of_the_score_can_never_be_equal() -> None:
    coarse = replace(before(MATCH, CINDERELLA).worth, per_unit=10)
    situation = replace(before({"A": 0, "B": 3, "C": 0, "D": 0}, CINDERELLA), profile=coarse)
    cell = situation.duel("A", "B").cell(Span(2, 2), Span(2, 2))
    assert (cell.tie, cell.least, cell.kind) == (None, 100, MarginKind.NEVER)
    finished = cells_against_finished(situation.rows["A"], situation.rows["B"], coarse, 2, BACK_TRACKING)
    assert finished[Span(2)].tie is None


# ─── all players at one table ───


def test_each_place_has_a_sentence_and_equal_neighbours_share_one() -> None:
    situation = before(MATCH)
    assert told(situation, "A", 3) == [(Says.ENOUGH, (1, 2, 3)), (Says.TABLE, (4,))]
    assert told(situation, "D", 1) == [(Says.TABLE, (1,)), (Says.OUT, (2, 3, 4))]


def test_a_sentence_lists_the_differing_cases_and_the_default() -> None:
    sentence = sentences_of(needs_of(before(MATCH), "C", 1))[0]
    assert (sentence.says, sentence.places) == (Says.NEEDS, (1,))
    assert sentence.clauses is not None
    assert sentence.clauses.clauses == (
        ConditionClause((("A", (2,)),), ((Condition("A", 31_900),),)),
        ConditionClause((("A", (3,)),), ((Condition("A", 11_900),),)),
    )
    assert sentence.clauses.otherwise == ALWAYS_TRUE


def test_two_independent_ways_are_both_listed() -> None:
    sentence = sentences_of(needs_of(before(MATCH), "C", 3))[1]
    assert sentence.places == (2,)
    assert sentence.clauses is not None
    (clause,) = sentence.clauses.clauses
    assert clause.formula == ((Condition("A", 31_900),), (Condition("B", 7_700),), (Condition("D", -21_100),))
    assert clause.length == 3


def test_a_tie_that_needs_a_ruling_is_mentioned() -> None:
    situation = before({"A": -300, "B": 0, "C": -900, "D": -900}, CINDERELLA, TOTAL_ONLY)
    assert (Says.RULING, ()) in told(situation, "A", 1)
    assert (Says.RULING, ()) not in told(replace(situation, tiebreak=BACK_TRACKING), "A", 1)


def test_a_withdrawn_player_at_the_table_is_no_rival() -> None:
    situation = before(MATCH)
    rows = {who: row for who, row in situation.rows.items() if who != "D"}
    without = replace(situation, rows=rows)
    needs = needs_of(without, "C", 2)
    assert needs.behind == 1
    asked = {each.rival for place in needs.places for case in place.cases for way in case.sure for each in way}
    assert asked <= {"A", "B"}
    assert needs.hangs_on == ()


# ─── rivals at other tables or finished ───


def test_against_a_finished_rival_the_own_score_decides() -> None:
    situation = before(MATCH | {"E": 300}, tables=("ABCD",))
    cells = situation.against_finished("C", "E")
    assert (cells[Span(1)].kind, cells[Span(1)].least) == (MarginKind.ALWAYS, 19_700)
    assert (cells[Span(2)].kind, cells[Span(2)].least) == (MarginKind.MARGIN, 59_700)
    assert cells[Span(4)].kind is MarginKind.NEVER
    tie = cells[Span(2)].tie
    assert tie is not None
    assert tie.level is TieLevel.BEHIND


def test_every_comparison_of_two_players_is_listed_once() -> None:
    situation = before(MATCH | {"E": 300}, tables=("ABCD",))
    assert list(situation.duels("A", "B")) == [situation.duel("A", "B")]
    cells = situation.against_finished("C", "E")
    assert situation.worth.spans == tuple(sorted(cells))
    assert list(situation.all_against_finished("C", "E")) == [cells[span] for span in sorted(cells)]


def test_a_needed_score_against_a_finished_rival_is_part_of_the_sentence() -> None:
    situation = before({"A": 0, "B": 0, "C": 0, "D": 0, "E": 500}, CINDERELLA)
    enough, out = sentences_of(needs_of(situation, "A", 1))
    assert (enough.says, enough.places, out.says, out.places) == (Says.NEEDS, (1,), Says.OUT, (2, 3, 4))
    assert enough.clauses is not None
    assert enough.clauses.clauses == (ConditionClause((), ((Condition(None, 40_100),),)),)


def test_two_tables_are_compared_by_final_scores_across_them() -> None:
    totals = {"A": 100, "B": 0, "C": 0, "D": 0, "E": 200, "F": 0, "G": 0, "H": 0}
    situation = before(totals, CINDERELLA, tables=("ABCD", "EFGH"))
    cell = situation.duel("A", "E").cell(Span(1), Span(1))
    assert (cell.kind, cell.least) == (MarginKind.MARGIN, 10_000)
    assert situation.duel("A", "E").cell(Span(1), Span(1, 4)).kind is MarginKind.MARGIN


def test_dependence_on_another_table_is_stated_with_sure_and_possible_conditions() -> None:
    totals = {"A": 0, "B": -50, "C": -100, "D": -200, "E": 40, "F": 20, "G": 0, "H": -60}
    situation = before(totals, CINDERELLA, tables=("ABCD", "EFGH"))
    assert told(situation, "A", 5) == [
        (Says.ENOUGH, (1,)),
        (Says.SURE, (2,)),
        (Says.ELSE, (2,)),
        (Says.DEPENDS, (3, 4)),
    ]
    assert told(situation, "A", 3) == [(Says.DEPENDS, (1, 2)), (Says.POSSIBLE, (3,)), (Says.OUT, (4,))]
    sure = sentences_of(needs_of(situation, "A", 5))[1]
    assert sure.clauses is not None
    assert sure.clauses.clauses == (ConditionClause((), ((Condition(None, 18_600),),)),)
    first = needs_of(situation, "A", 1)
    assert all(case.sure == NEVER_TRUE for place in first.places for case in place.cases)
    assert [group.table for group in first.hangs_on] == [1]


def test_rules_with_obstacles_have_no_needs() -> None:
    situation = before({"A": 0, "B": 0, "C": 0, "D": 0}, load("boo"))
    assert Obstacle.NO_SCORE in situation.obstacles
    assert before(MATCH).obstacles == ()
    with pytest.raises(ValueError, match="no_score"):
        needs_of(situation, "A", 1)


def test_long_conditions_refer_to_the_table_and_short_ones_are_written_out() -> None:
    totals = {"A": 609, "B": 312, "C": 299, "D": 266, "E": -57, "F": -234, "G": -511, "H": -684}
    situation = before(totals, CINDERELLA, tables=("AEFG", "BCDH"))
    assert told(situation, "A", 1) == [(Says.DEPENDS, (1,)), (Says.POSSIBLE, (2,)), (Says.TABLE, (3, 4))]
    second = [(Says.SURE, (2,)), (Says.ELSE, (2,))]
    assert told(situation, "A", 5) == [(Says.ENOUGH, (1,)), *second, (Says.TABLE, (3, 4))]


def test_rivals_at_a_table_of_unknown_sum_are_never_surely_behind() -> None:
    totals = {"A": 0, "B": 0, "C": 0, "D": 0, "E": 0, "F": 0, "G": 0}
    left: dict[Entrant, int] = {who: 1 if who in "ABCD" else 2 for who in totals}
    situation = replace(before(totals, CINDERELLA), left=left)
    assert told(situation, "A", 4) == [(Says.ENOUGH, (1,)), (Says.DEPENDS, (2, 3, 4))]


def test_a_sentence_omits_other_tables_that_cannot_matter() -> None:
    totals = {"A": 0, "B": -50, "C": -100, "D": -200, "E": -300, "F": -200, "G": -400, "H": -60}
    situation = before(totals, CINDERELLA, tables=("ABCD", "EFGH"))
    says = {each for target in range(1, 8) for each, _ in told(situation, "A", target)}
    assert Says.DEPENDS in says
    needs = needs_of(situation, "A", 7)
    assert all(case.sure == case.possible for case in needs.places[0].cases)


def test_pairs_of_places_are_limited_at_one_table_and_free_across_tables() -> None:
    totals = dict.fromkeys("ABCDEFGH", 0)
    situation = before(totals, CINDERELLA, tables=("ABCD", "EFGH"))
    here = list(situation.duel("A", "B").pairs())
    assert (Span(1), Span(1)) not in here
    assert (Span(1, 2), Span(1, 2)) in here
    assert (Span(1), Span(3, 2)) in here
    assert (Span(1, 2), Span(2)) not in here
    across = list(situation.duel("A", "E").pairs())
    assert len(across) == 100


# ─── combined conditions ───

NOWHERE = Distances({}, 0)


def test_an_implied_condition_is_left_out() -> None:
    apart = Distances({"B": Span(2), "C": Span(3), "D": Span(4)}, 100)
    ways = at_least(2, [Condition("B", 7_800), Condition("C", 5_000)], (), apart)
    assert ways == ((Condition("B", 7_800),),)
    ways = at_least(1, [Condition("B", 7_800), Condition("C", 5_000)], (), apart)
    assert ways == ((Condition("C", 5_000),),)


def test_of_nested_own_scores_only_the_highest_needed_is_a_condition() -> None:
    assert at_least(2, [], (30_000, 20_000, 40_000), NOWHERE) == ((Condition(None, 30_000),),)
    assert at_least(4, [], (30_000, 20_000, 40_000), NOWHERE) == NEVER_TRUE
    assert at_least(0, [Condition("B", 0)], (30_000,), NOWHERE) == ALWAYS_TRUE
    assert at_least(1, [Condition("B", 0)], (30_000,), NOWHERE) == (
        (Condition(None, 30_000),),
        (Condition("B", 0),),
    )


def test_of_two_conditions_on_one_rival_the_needed_one_remains() -> None:
    twice = [Condition("B", 5_000), Condition("B", 7_800)]
    assert at_least(2, twice, (), NOWHERE) == ((Condition("B", 7_800),),)
    assert at_least(1, twice, (), NOWHERE) == ((Condition("B", 5_000),),)


def shuffled_formulas(seed: int) -> dict[tuple[tuple[str, int], ...], Formula]:
    """Return one of a few random formulas for each arrangement of three rivals."""
    dice = random.Random(seed)
    some = [NEVER_TRUE, ALWAYS_TRUE, ((Condition("B", 100),),), ((Condition("C", 200), Condition("D", 0)),)]
    picked = dice.choices(some, k=dice.randint(1, 4))
    return {tuple(zip("BCD", places, strict=True)): dice.choice(picked) for places in permutations((1, 3, 4))}


def test_clauses_are_equivalent_to_their_cases() -> None:
    for asked in map(shuffled_formulas, range(60)):
        arrangements = [PlaceArrangement(rivals, formula, formula) for rivals, formula in asked.items()]
        clauses = clauses_of(arrangements, lambda case: case.sure)
        for (rivals, formula), margins in product(asked.items(), product((-100, 100, 300), repeat=3)):
            ahead = dict(zip("BCD", margins, strict=True))
            stated = all(met(each, ahead) for each in clauses.asked(rivals))
            assert stated is met(formula, ahead), (clauses, rivals, ahead)


def met(formula: Formula, ahead: dict[str, int]) -> bool:
    """Tell if any of the ways holds with these margins."""
    return any(all(ahead[str(each.rival)] >= each.least for each in way) for way in formula)


# ─── random endings ───

BLOCKS = times(2)
"""Number of random blocks on which random endings are tried."""


@pytest.mark.slow
@pytest.mark.clause("cinderella", "CL-003", "CL-022", "CL-023", "CL-025", "CL-027")
def test_stated_conditions_agree_with_settlement_and_ranking_of_random_endings() -> None:
    dice, seen = random.Random(7), Counter[object]()
    for _ in range(BLOCKS):
        block = endings.some_block(dice)
        stated = endings.Stated(dice, block.situation)
        for _ in range(50):
            ending = endings.some_ending(dice, block)
            assert list(stated.faults(ending)) == []
            seen.update(ending.inside.values())
            seen.update(span.is_shared for span in ending.spans.values())
    assert min(seen[True], seen[False]) > 100 * BLOCKS


@pytest.mark.slow
@pytest.mark.parametrize("step", [-1, 1])
def test_random_endings_detect_a_margin_that_is_one_step_off(step: int) -> None:
    dice = random.Random(7)
    assert any(faults_found(dice, step) for _ in range(5))


def faults_found(dice: random.Random, step: int) -> bool:
    """Tell if a random ending of a block contradicts margins that are one step off."""
    block = endings.some_block(dice)
    profile = block.situation.worth
    first = min(profile.bonus)
    bent = replace(profile, bonus={**profile.bonus, first: profile.bonus[first] + step})
    stated = endings.Stated(dice, replace(block.situation, profile=bent))
    return any(any(stated.faults(endings.some_ending(dice, block))) for _ in range(25))


def test_random_endings_cover_the_tie_breaks_of_both_league_formats() -> None:
    assert {load_format(name).tiebreak for name in endings.FORMATS} <= set(endings.tiebreaks())
