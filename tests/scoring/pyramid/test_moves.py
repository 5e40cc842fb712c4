"""Tests of the moves between the tiers of a series, of the points over terms, and of the next roster."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rulesets.series import read_series
from scoring.format import Series
from scoring.further import GivenOrders
from scoring.pyramid.ledger import NO_POINTS, opening_points
from scoring.pyramid.movement import (
    DecisionKind,
    FinalLine,
    Finals,
    Gain,
    MoveDecision,
    Movement,
    Movements,
    MoveReason,
    PassedOver,
    Points,
    RosterFault,
    RosterFaultCode,
)
from scoring.pyramid.moves import moves
from scoring.pyramid.roster import roster

HEAD = """
name = "own"
kind = "series"
title = "own"
tiebreak = { then = ["prior"] }
share = { rounding = "down" }
tiers = [
  { key = "A", size = { least = 4, most = 8 }, format = "tier" },
  { key = "B", size = { least = 4, most = 8 }, format = "tier" },
  { key = "C", size = { least = 3, most = 99 }, format = "tier" },
]
outside = [{ key = "title" }, { key = "special" }]
"""
TWO = """
moves = [
  { from = "A#last:1-2", to = "B" },
  { from = "B#1-2", to = "A" },
]
"""
LEDGER = '\n[ledger]\ntier = "B"\ngains = [2, 1]\npromote_at = 3\nwithin_terms = 2\n'
FILL = '\nfill = "next"\n'


def series(*parts: str) -> Series:
    return read_series(HEAD + "".join(parts), "own.toml")


def table(names: str, totals: Mapping[str, str] | None = None, level: Sequence[str] = ()) -> tuple[FinalLine, ...]:
    """Return a final table; `level` names groups of players who share a rank."""
    players = names.split()
    first = {player: players.index(group.split()[0]) for group in level for player in group.split()}
    return tuple(
        FinalLine(player, first.get(player, number) + 1, Fraction((totals or {}).get(player, "1.0")))
        for number, player in enumerate(players)
    )


TABLES: Finals = {"A": table("a1 a2 a3 a4"), "B": table("b1 b2 b3 b4 b5"), "C": table("c1 c2 c3")}


def decided(**kinds: str) -> list[MoveDecision]:
    """Return decisions such as `leaves="a1 a2"`, or `placed="n1:B"`."""
    rows = [(DecisionKind(kind), *name.partition(":")) for kind, names in kinds.items() for name in names.split()]
    return [MoveDecision(player, kind, tier) for kind, player, _, tier in rows]


def of(found: Movements, player: str) -> Movement:
    return next(each for each in found.movements if each.player == player)


def going(found: Movements) -> dict[str, str]:
    return {key: " ".join(map(str, players)) for key, players in found.going().items()}


def test_a_movement_tells_the_rank_the_rule_and_those_it_passed_over() -> None:
    found = moves(series(TWO), TABLES, decided(declined="b1", leaves="b2", seat_kept="a4"))
    assert going(found) == {"A": "a1 a4 b3 b4", "B": "a2 a3 b1 b5", "C": "c1 c2 c3", "out": "b2"}
    up = of(found, "b4")
    assert (up.source, up.to, up.seat, up.reason) == ("B", "A", "A", MoveReason.PROMOTED)
    assert (up.rank, up.size, up.rule, up.places) == (4, 4, "moves.1", 2)
    assert up.passed == (
        PassedOver("b1", 1, MoveReason.DECLINED),
        PassedOver("b2", 2, MoveReason.LEAVES),
    )
    assert of(found, "a2").passed == (PassedOver("a4", 4, MoveReason.SEAT_KEPT),)
    assert (of(found, "a4").reason, of(found, "b1").reason) == (MoveReason.SEAT_KEPT, MoveReason.DECLINED)


def test_declining_a_place_saves_no_seat_and_keeping_a_seat_prevents_no_promotion() -> None:
    found = moves(series(TWO), TABLES, decided(declined="a4", seat_kept="b1"))
    assert (of(found, "a4").reason, of(found, "b1").reason) == (MoveReason.RELEGATED, MoveReason.PROMOTED)


def test_players_of_the_title_match_keep_their_seats() -> None:
    made = TWO.replace("moves = [", 'moves = [{ from = "A#1", to = "title" },')
    found = moves(series(made), TABLES)
    assert (of(found, "a1").to, of(found, "a1").seat, of(found, "a1").reason) == ("title", "A", MoveReason.QUALIFIED)
    assert roster(series(made), found).tiers["A"] == ("a1", "a2", "b1", "b2")


def test_a_competition_beside_the_tiers_moves_its_players_in_both_directions() -> None:
    made = """
    moves = [
      { from = "A#4", to = "special" },
      { from = "B#1", to = "special" },
      { from = "special#1", to = "A" },
      { from = "special#2", to = "B" },
      { from = "special#3", to = "C" },
    ]
    """
    before = moves(series(made), TABLES)
    assert (of(before, "a4").reason, of(before, "a4").seat) == (MoveReason.QUALIFIED, "A")
    found = moves(series(made), {**TABLES, "special": table("b1 a4 n1")})
    assert [of(found, name).reason for name in ("b1", "a4", "n1")] == [
        MoveReason.PROMOTED,
        MoveReason.RELEGATED,
        MoveReason.PROMOTED,
    ]
    assert (of(found, "n1").source, of(found, "n1").seat, of(found, "n1").rule) == ("", "C", "moves.4")
    stayed = moves(series(made), {**TABLES, "special": table("a4 b1 n1")})
    assert (of(stayed, "a4").reason, of(stayed, "a4").rule) == (MoveReason.STAYS, "moves.2")


CONDITION = """
moves = [
  { from = "B#1-2", to = "A", if = { total_at_least = "0.0" }, refused = "%s" },
  { from = "A#last:1-2", to = "B" },
]
"""
LACKING: Finals = {**TABLES, "B": table("b1 b2 b3 b4 b5", {"b1": "5.0", "b2": "-0.1", "b3": "0.0", "b4": "-3.0"})}


def test_a_place_refused_for_the_total_lapses_or_goes_to_the_next() -> None:
    lapsed = moves(series(CONDITION % "lapse"), LACKING)
    assert going(lapsed)["A"] == "a1 a2 b1"
    assert (of(lapsed, "b2").reason, of(lapsed, "b2").needed) == (MoveReason.REFUSED, 0)
    passed_on = moves(series(CONDITION % "next"), LACKING)
    assert going(passed_on)["A"] == "a1 a2 b1 b3"
    assert of(passed_on, "b3").passed == (PassedOver("b2", 2, MoveReason.REFUSED),)
    assert [of(passed_on, name).reason for name in ("b2", "b4")] == [MoveReason.REFUSED, MoveReason.STAYS]


def test_level_players_at_a_border_are_named_and_ordered_by_nothing_but_the_criteria() -> None:
    level: Finals = {**TABLES, "B": table("b1 b2 b3 b4 b5", level=["b2 b3"])}
    found = moves(series(TWO), level)
    assert found.faults == (RosterFault(RosterFaultCode.AWAITING, "B", ("b2", "b3"), "moves.1", 1),)
    assert going(found) == {"A": "a1 a2 b1", "B": "a3 a4 b4 b5", "": "b2 b3", "C": "c1 c2 c3"}
    assert of(found, "b3").reason is MoveReason.AWAITING
    assert [fault.code for fault in roster(series(TWO), found).faults] == [RosterFaultCode.AWAITING]
    ordered = moves(series(TWO), level, given=GivenOrders(prior=("b3", "b2")))
    assert (ordered.faults, going(ordered)["A"]) == ((), "a1 a2 b1 b3")
    assert of(ordered, "b3").is_level


def test_level_players_away_from_a_border_wait_for_nothing() -> None:
    level: Finals = {**TABLES, "B": table("b1 b2 b3 b4 b5", level=["b1 b2", "b3 b4 b5"])}
    assert moves(series(TWO), level).faults == ()


def test_a_player_moves_once_and_one_refused_may_still_move_by_a_later_rule() -> None:
    made = CONDITION % "lapse" + "\n"
    made = made.replace('{ from = "A#last', '{ from = "B#1-2", to = "C" },\n  { from = "A#last')
    found = moves(series(made), LACKING)
    assert going(found) == {"A": "a1 a2 b1", "B": "a3 a4 b3 b4 b5", "C": "b2 c1 c2 c3"}
    assert (of(found, "b2").reason, of(found, "b2").rule) == (MoveReason.RELEGATED, "moves.1")


def test_points_of_consecutive_terms_promote_and_are_spent() -> None:
    rules = series(TWO, LEDGER)
    first = moves(rules, TABLES, term=1)
    assert {name: of(first, name).gained for name in ("b2", "b3", "b4", "b5")} == {"b2": 0, "b3": 2, "b4": 1, "b5": 0}
    assert first.points == {"b3": (Gain("B", 1, 2),), "b4": (Gain("B", 1, 1),)}
    second = moves(rules, {**TABLES, "B": table("x y b4 b3 b5")}, points=first.points, term=2)
    assert [of(second, name).reason for name in ("b3", "b4")] == [MoveReason.POINTS_UP, MoveReason.POINTS_UP]
    up = of(second, "b3")
    assert (up.to, up.rule, up.needed, up.gained, up.points) == ("A", "ledger", 3, 1, 3)
    assert up.terms == (Gain("B", 1, 2), Gain("B", 2, 1))
    assert second.points == {}


def test_points_lapse_after_the_terms_and_when_their_player_moves_otherwise() -> None:
    rules = series(TWO, LEDGER)
    first = moves(rules, TABLES, term=1)
    promoted = moves(rules, {**TABLES, "B": table("b3 b1 b2 b4 b5")}, points=first.points, term=2)
    assert promoted.points == {"b2": (Gain("B", 2, 2),), "b4": (Gain("B", 2, 1),)}
    absent = moves(rules, {**TABLES, "B": table("x y z v w")}, points=first.points, term=2)
    assert absent.points == {"z": (Gain("B", 2, 2),), "v": (Gain("B", 2, 1),)}


def test_points_beyond_those_needed_stay_if_the_rule_says_so() -> None:
    rules = series(TWO, LEDGER.replace("promote_at = 3", 'promote_at = 3\nspent = "needed"'))
    before: Points = {"b3": (Gain("B", 1, 2),)}
    found = moves(rules, TABLES, points=before, term=2)
    assert (of(found, "b3").reason, of(found, "b3").points) == (MoveReason.POINTS_UP, 4)
    assert found.points["b3"] == (Gain("B", 2, 1),)


def test_relegation_points_count_from_below_and_lead_out_of_the_lowest_tier() -> None:
    rules = series(TWO, '\n[ledger]\ntier = "C"\ngains = [1]\ndemote_at = 2\nwithin_terms = 2\n')
    first = moves(rules, TABLES, term=1)
    assert first.points == {"c3": (Gain("C", 1, 1, is_upward=False),)}
    second = moves(rules, TABLES, points=first.points, term=2)
    assert (of(second, "c3").to, of(second, "c3").seat, of(second, "c3").reason) == ("out", "", MoveReason.POINTS_DOWN)
    assert second.points == {}
    kept = moves(rules, TABLES, decided(seat_kept="c3"), points=first.points, term=2)
    assert (of(kept, "c3").reason, of(kept, "c2").gained) == (MoveReason.SEAT_KEPT, 1)


def test_level_players_of_whom_one_would_gain_more_points_are_named() -> None:
    level: Finals = {**TABLES, "B": table("b1 b2 b3 b4 b5", level=["b3 b4"])}
    found = moves(series(TWO, LEDGER), level)
    assert found.faults == (RosterFault(RosterFaultCode.AWAITING, "B", ("b3", "b4"), "ledger", 2),)


def test_while_a_tie_awaits_a_ruling_no_rank_of_its_tier_gains_points() -> None:
    level: Finals = {**TABLES, "B": table("b1 b2 b3 b4 b5", level=["b2 b3"])}
    found = moves(series(TWO, LEDGER), level)
    assert [of(found, name).reason for name in ("b2", "b3")] == [MoveReason.AWAITING] * 2
    assert ({each.gained for each in found.movements}, found.points) == ({0}, {})


def test_opening_balances_are_points_of_the_term_before() -> None:
    rules = series(TWO, LEDGER)
    points = opening_points(rules, {"b3": "B", "a1": "A"}, {"b3": 1, "a1": 2, "gone": 2}, term=5)
    assert points == {"b3": (Gain("B", 4, 1),)}
    assert of(moves(rules, TABLES, points=points, term=5), "b3").reason is MoveReason.POINTS_UP
    assert opening_points(series(TWO), {"b3": "B"}, {"b3": 1}, term=1) == NO_POINTS


def test_a_tier_that_is_too_small_is_filled_in_a_fixed_order() -> None:
    rules = series(CONDITION % "lapse", FILL)
    one = moves(rules, LACKING)
    assert (of(one, "b2").reason, of(one, "b2").rule, of(one, "b2").places) == (MoveReason.REFUSED_FILLS, "fill", 1)
    two = moves(rules, LACKING, decided(leaves="a1"))
    # Without the first the last two of the three others go down; one of them keeps the seat.
    assert [of(two, name).reason for name in ("b2", "a3", "a4")] == [
        MoveReason.REFUSED_FILLS,
        MoveReason.SEAT_FILLS,
        MoveReason.RELEGATED,
    ]
    rest = moves(rules, LACKING, decided(leaves="a1 a2 a3", declined="b3"))
    assert [of(rest, name).reason for name in ("a4", "b3", "b4")] == [
        MoveReason.SEAT_FILLS,
        MoveReason.DECLINED,
        MoveReason.NEXT_FILLS,
    ]
    # Nothing is below the lowest tier: newcomers are needed.
    faults = roster(rules, rest).faults
    assert [(each.code, each.tier, each.number) for each in faults] == [(RosterFaultCode.TOO_SMALL, "C", 1)]
    assert [each.player for each in rest.movements if each.reason is MoveReason.NEXT_FILLS] == ["b4", "c1", "c2"]


def test_level_players_of_whom_one_would_fill_a_tier_are_named() -> None:
    level: Finals = {**LACKING, "A": table("a1 a2 a3 a4", level=["a3 a4"])}
    found = moves(series(CONDITION % "lapse", FILL), level, decided(leaves="a1"))
    assert found.faults == (RosterFault(RosterFaultCode.AWAITING, "A", ("a3", "a4"), "fill", 1),)
    assert going(found) == {"A": "a2 b1 b2", "": "a3 a4", "B": "b3 b4 b5 c1", "C": "c2 c3", "out": "a1"}


def test_without_filling_a_tier_of_a_wrong_size_is_told_to_the_organizer() -> None:
    rules = series(TWO)
    found = roster(rules, moves(rules, TABLES, decided(leaves="a1", placed="n1:B n2:B n3:B n4:B n5:B")))
    assert [(each.code, each.tier, each.number, each.allowed) for each in found.faults] == [
        (RosterFaultCode.TOO_SMALL, "A", 3, 4),
        (RosterFaultCode.TOO_LARGE, "B", 10, 8),
    ]


def test_those_from_above_are_seeded_first_and_newcomers_last() -> None:
    rules = series(TWO)
    found = roster(rules, moves(rules, TABLES, decided(returns="r1:B", placed="c2:B")))
    assert found.tiers["B"] == ("a3", "a4", "b3", "b4", "b5", "c2", "r1")


def test_impossible_decisions_are_told_and_not_followed() -> None:
    wrong = decided(leaves="x", returns="a1:B r1:Z", placed="n1:title", declined="b1 b1")
    found = moves(series(TWO), {**TABLES, "C": table("c1 a2")}, wrong)
    assert [(fault.code, fault.players) for fault in found.faults] == [
        (RosterFaultCode.TWICE, ("a2",)),
        (RosterFaultCode.UNKNOWN_PLAYER, ("x",)),
        (RosterFaultCode.ALREADY_HERE, ("a1",)),
        (RosterFaultCode.UNKNOWN_TIER, ("r1",)),
        (RosterFaultCode.UNKNOWN_TIER, ("n1",)),
        (RosterFaultCode.DECIDED_TWICE, ("b1",)),
    ]
    assert sorted(str(each.player) for each in found.movements) == [
        "a1",
        "a2",
        "a3",
        "a4",
        "b1",
        "b2",
        "b3",
        "b4",
        "b5",
        "c1",
    ]


def test_a_player_placed_by_hand_holds_the_rank_and_moves_nowhere_else() -> None:
    found = moves(series(TWO), TABLES, decided(placed="b1:C"))
    assert going(found) == {"A": "a1 a2 b2", "B": "a3 a4 b3 b4 b5", "C": "b1 c1 c2 c3"}
