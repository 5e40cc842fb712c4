"""Conditions and the other players: their best and worst case, proofs of qualification, and distances to the border."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from operator import add

import pytest

from rulesets.loader import load
from scoring.conditions import (
    BlockSituation,
    Distance,
    LastTable,
    Profile,
    Span,
    Status,
    Word,
    ahead_of,
    distances,
    hanchan_range,
    profile_of,
    proof,
    status_of,
)
from scoring.conditions.formulas import ALWAYS_TRUE, NEVER_TRUE
from scoring.conditions.needs import PlaceArrangement, PlaceNeeds
from scoring.conditions.others import with_more_left, with_one_left
from scoring.ruleset import Ruleset
from scoring.standings import Played, Row, rank
from scoring.tiebreak import TOTAL_ONLY, Entrant
from tests.fuzz.examples import times
from tests.scoring.tables import BACK_TRACKING, points

CINDERELLA, BOO = load("cinderella"), load("boo")


def test_future_hanchan_bring_at_most_their_maximum_and_at_least_their_minimum() -> None:
    group = with_more_left(("hana", "yuki"), {"hana": 10, "yuki": 21}, (-10, 30))
    assert (group.all_can_reach, group.all_can_stay) == (30, 11)


def test_a_place_is_sure_or_impossible_only_in_every_arrangement_of_the_others() -> None:
    surely, never = PlaceArrangement((), ALWAYS_TRUE, ALWAYS_TRUE), PlaceArrangement((), NEVER_TRUE, NEVER_TRUE)
    both = PlaceNeeds(1, (surely, never))
    assert (both.is_sure, both.is_impossible) == (False, False)
    assert PlaceNeeds(1, (never, never)).is_impossible


def profile(rules: Ruleset = CINDERELLA) -> Profile:
    """Return the profile of points for places."""
    found = profile_of(rules)
    assert isinstance(found, Profile)
    return found


def block(
    totals: dict[str, int],
    playing: str = "",
    *,
    left: int = 1,
    rules: Ruleset = CINDERELLA,
    tables: tuple[str, ...] = (),
) -> BlockSituation:
    """Return a situation with these totals from one hanchan each; the players `playing` have `left` more to play."""
    return BlockSituation(
        rows={who: Row(who, (Played(1, total, 1, 30_000),)) for who, total in totals.items()},
        left={who: left * (who in playing) for who in totals},
        tables=tuple(LastTable(tuple(table), 2) for table in tables),
        profile=profile_of(rules),
        tiebreak=BACK_TRACKING,
        players=rules.players,
        per_hanchan=hanchan_range(rules),
        deducts=rules.settlement.chonbo is not None,
    )


# ─── the best and the worst case ───


def test_the_sum_of_a_table_limits_how_many_players_end_above_a_total() -> None:
    group = with_one_left("EFGH", dict.fromkeys("EFGH", 0), profile(), 1)
    assert group.all_can_reach == 0
    assert group.all_can_stay == 0
    assert [group.most_above(total) for total in (0, 1)] == [4, 3]
    assert [group.fewest_above(total) for total in (-1, 0)] == [1, 0]


def test_the_distance_between_places_limits_a_group_as_well_as_the_sum() -> None:
    group = with_one_left("EFGH", {"E": 400, "F": 100, "G": -100, "H": -400}, profile(), 1)
    assert group.all_can_reach is not None
    assert group.all_can_stay is not None
    assert group.all_can_reach <= 0 <= group.all_can_stay


BY_PLACE = (3, 0, -2, -5)
"""Points for the places of a small game, all endings of which can be enumerated."""


def small_game() -> Profile:
    """Return a profile whose places lie only a few steps of the score apart."""
    shares = {span: sum(BY_PLACE[span.first - 1 : span.last]) // span.count for span in profile().bonus}
    return replace(profile(), bonus=shares)


@cache
def every_game() -> list[list[int]]:
    """Return the points of every game within a few steps of the start, with and without leftover deposits."""
    worth, found = small_game(), []
    for *own, deposits in product(*[range(-9, 10)] * 3, range(0, 10, 3)):
        steps = [*own, -sum(own) - deposits]
        spans = [Span(1 + sum(other > step for other in steps), steps.count(step)) for step in steps]
        steps[steps.index(max(steps))] += deposits
        found.append([worth.points(span, 25_000 + 100 * step) for span, step in zip(spans, steps, strict=True)])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(times(2)))
def test_the_best_and_the_worst_case_match_an_enumeration_of_every_game(seed: int) -> None:
    dice = random.Random(seed)
    totals: dict[Entrant, int] = {who: dice.randint(-5, 5) for who in "EFGH"}
    group = with_one_left("EFGH", totals, small_game(), 1)
    endings = [list(map(add, totals.values(), game)) for game in every_game()]
    assert group.all_can_reach is not None
    assert group.all_can_stay is not None
    assert 0 <= group.all_can_reach - max(map(min, endings)) <= 1
    assert 0 <= min(map(max, endings)) - group.all_can_stay <= 1


def test_all_players_may_end_low_where_deposits_are_forfeited() -> None:
    group = with_one_left("EFGH", dict.fromkeys("EFGH", 0), replace(profile(), gives_deposits=False), 1)
    assert group.all_can_stay is None
    assert group.fewest_above(-10_000) == 0


def test_for_players_with_several_hanchan_left_only_the_sum_is_known() -> None:
    group = with_more_left("EFGH", {"E": 40, "F": 20, "G": 0, "H": -60}, (-3, 0))
    assert (group.all_can_reach, group.all_can_stay) == (0, 0)
    unknown = with_more_left("EFGH", {"E": 40, "F": 20, "G": 0, "H": -60}, None)
    assert (unknown.most_above(10_000), unknown.fewest_above(-10_000)) == (4, 0)


def test_players_without_scheduled_tables_are_one_group() -> None:
    totals = {"A": 90, "B": 0, "C": 0, "D": 0, "E": -30}
    (group,) = block(totals, "BCDE", left=2).groups
    assert group.entrants == ("B", "C", "D", "E")
    assert group.all_can_reach == -8
    assert group.table is None
    resting = replace(block(totals, "BCDE", left=2), fills_tables=False)
    assert [group.all_can_reach for group in resting.groups] == [None]
    (odd,) = block(totals, "BCD", left=2).groups
    assert odd.all_can_reach is None
    (unknown,) = block(totals, "BCDE", left=2, rules=BOO).groups
    assert unknown.all_can_reach is None


def test_a_table_with_a_withdrawn_player_has_no_known_sum() -> None:
    situation = block(dict.fromkeys("ABCDEFGH", 0), "ABCDEFGH", tables=("ABCD", "EFGH"))
    rows = {who: row for who, row in situation.rows.items() if who != "E"}
    (_, group) = replace(situation, rows=rows).groups
    assert (group.entrants, group.all_can_reach) == (("F", "G", "H"), None)
    gone: dict[Entrant, Row] = {who: situation.rows[who] for who in "ABCD"}
    assert [group.table for group in replace(situation, rows=gone).groups] == [0]
    assert len(replace(situation, rows=gone, tables=situation.tables[:1]).groups) == 1


# ─── proofs ───


def test_a_player_still_playing_can_end_at_any_rank() -> None:
    situation = block({"A": 9000, "B": 0, "C": 0, "D": 0}, "ABCD", tables=("ABCD",))
    assert proof(situation, "A", 1) is Word.OPEN
    assert proof(situation, "A", 3) is Word.OPEN
    assert proof(situation, "A", 4) is Word.CERTAIN


def test_a_finished_player_is_passed_only_by_as_many_as_the_sums_allow() -> None:
    totals = {"A": 100, "B": 50, "C": -50, "D": -100, "E": 0, "F": 0, "G": 0, "H": 0}
    situation = block(totals, "EFGH", tables=("EFGH",))
    assert [proof(situation, "A", target) for target in (3, 4)] == [Word.OPEN, Word.CERTAIN]
    assert [proof(situation, "B", target) for target in (1, 4, 5)] == [Word.ELIMINATED, Word.OPEN, Word.CERTAIN]
    assert [proof(situation, "D", target) for target in (3, 4, 7)] == [Word.ELIMINATED, Word.OPEN, Word.OPEN]


def test_a_possible_chonbo_lowers_the_number_of_rivals_surely_above() -> None:
    totals = {"A": 100, "B": 50, "C": -50, "D": -100, "E": 0, "F": 0, "G": 0, "H": 0}
    situation = block(totals, "EFGH", tables=("EFGH",))
    assert ahead_of(situation, "D") == (3, 7)
    assert ahead_of(replace(situation, deducts=False), "D") == (4, 7)


def test_tied_finished_players_are_ordered_by_the_tie_break() -> None:
    situation = block({"A": 0, "B": 0, "C": -10})
    assert proof(situation, "A", 1) is Word.OPEN
    rows = dict(situation.rows)
    rows["A"] = Row("A", (Played(1, 5, 1, 30_000),), adjustment=-5)
    decided = replace(situation, rows=rows)
    assert [proof(decided, who, 1) for who in "ABC"] == [Word.CERTAIN, Word.ELIMINATED, Word.ELIMINATED]


def test_a_ledger_of_fixed_payments_bounds_what_a_hanchan_brings() -> None:
    assert hanchan_range(BOO) == (-1, 3)
    assert hanchan_range(CINDERELLA) is None
    assert hanchan_range(load("superbingo")) is None


def test_a_lead_is_certain_if_it_exceeds_the_range_of_the_hanchan_left() -> None:
    totals = {"A": 5, "B": 0, "C": 0, "D": -2}
    situation = block(totals, "ABCD", rules=BOO)
    assert [proof(situation, who, 1) for who in "ABCD"] == [
        Word.CERTAIN,
        Word.ELIMINATED,
        Word.ELIMINATED,
        Word.ELIMINATED,
    ]
    assert proof(block(totals, "ABCD", rules=BOO, left=2), "A", 1) is Word.OPEN
    assert proof(replace(situation, deducts=True), "A", 1) is Word.OPEN
    assert proof(replace(situation, deducts=True), "B", 1) is Word.OPEN


def fixed(**steps: object) -> Ruleset:
    """Return a ruleset whose ranking ledger counts these fixed payments only."""
    data = BOO.data()
    data["options"] = {}
    del data["play"], data["settlement"]["top_payment"]
    data["settlement"] |= steps
    return Ruleset.model_validate(data, strict=False)


def test_every_fixed_payment_adds_to_the_bound() -> None:
    clauses = ["BOO-026"]
    places = {
        "ledger": "units", "place": 2, "line": 2000, "clauses": clauses,
        "reached": [{"payer": 4, "receiver": 1, "amount": 5}], "missed": [{"payer": 2, "receiver": 1, "amount": 2}],
    }  # fmt: skip
    assert hanchan_range(fixed(place_payments=places)) == (-5, 5)
    fees = {"ledger": "units", "each": 2, "top": 1, "handed_over_by": "each", "clauses": clauses}
    assert hanchan_range(fixed(fees=fees)) == (-3, -2)
    prize = {
        "ledger": "units", "amount": 10, "paid": "at_settlement", "receiver": "each_paid", "clauses": clauses,
    }  # fmt: skip
    assert hanchan_range(fixed(tobi=prize)) == (-30, 30)
    assert hanchan_range(fixed(tobi=prize | {"paid": "with_the_hand"})) == (0, 0)


# ─── statuses ───


def test_the_status_is_the_proof_or_else_the_estimate() -> None:
    assert status_of(Word.CERTAIN, 500, 1000) == Status(Word.CERTAIN)
    assert status_of(Word.OPEN, 0, 0) == Status(Word.OPEN)
    assert status_of(Word.OPEN, 950, 1000) == Status(Word.ALMOST, "95")
    assert status_of(Word.OPEN, 500, 1000) == Status(Word.OPEN, "50")
    assert status_of(Word.OPEN, 50, 1000) == Status(Word.ALMOST_OUT, "5")


def test_an_estimate_is_never_0_or_100_percent() -> None:
    assert status_of(Word.OPEN, 1000, 1000) == Status(Word.ALMOST, ">99")
    assert status_of(Word.OPEN, 0, 1000) == Status(Word.ALMOST_OUT, "<1")


# ─── several hanchan left ───


def test_the_distance_to_the_border_is_given_in_total_and_per_hanchan() -> None:
    ranked = rank([points("A", 300), points("B", 100), points("C", -50)], TOTAL_ONLY).ranked
    assert distances(ranked, {"A": 2, "B": 2, "C": 4}, 2) == (
        Distance("A", "C", is_in=True, gap=-350, left=2),
        Distance("B", "C", is_in=True, gap=-150, left=2),
        Distance("C", "B", is_in=False, gap=150, left=4),
    )
    assert distances(ranked, {"A": 2, "B": 2, "C": 4}, 2)[2].average == Fraction(75, 2)


def test_without_a_border_there_is_no_distance_and_without_hanchan_no_average() -> None:
    ranked = rank([points("A", 300), points("B", 100)], TOTAL_ONLY).ranked
    assert distances(ranked, {}, 2) == ()
    assert distances(ranked, {}, 0) == ()
    assert [each.average for each in distances(ranked, {}, 1)] == [None, None]
