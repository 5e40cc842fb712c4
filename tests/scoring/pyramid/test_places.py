"""Tests of what the ranks of a tier lead to while it is played, decisions made so far included."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from rulesets.formats import load_format
from rulesets.series import load_series
from scoring.format import Format, Series, close_roster
from scoring.pyramid.conditions import PlaceKind, SeriesDestination, is_decided, is_goal, read_destination, sides
from scoring.pyramid.movement import DecisionKind, FinalLine, Gain, MoveDecision, Movement, MoveReason
from scoring.pyramid.moves import moves
from scoring.pyramid.places import ALONE, TermState, TierPlaces, block_places, present_table, tier_places
from scoring.stages import BlockStandings, resolve
from scoring.standings import Standings, rank
from scoring.tiebreak import Entrant, Played, Row
from tests.scoring.pyramid.test_moves import CONDITION, FILL, LEDGER, TWO, series

FOUR = """
moves = [
  { from = "B#1-2", to = "A" },
  { from = "B#last:1-2", to = "C" },
]
"""


def places(rules: Series, tier: str, size: int, state: TermState = ALONE) -> TierPlaces:
    """Return the places of a tier whose players are 1 to `size` in the order of their ranks."""
    return tier_places(rules, tier, present_table(rules, range(1, size + 1)), state)


def texts(found: TierPlaces) -> list[str]:
    return [str(found.destinations[player]) for player in sorted(found.destinations, key=lambda each: int(str(each)))]


def destinations(name: str, tier: str, size: int) -> list[str]:
    return texts(places(load_series(name), tier, size))


def decided(**kinds: Sequence[int]) -> TermState:
    """Return a term with decisions on these players, by kind."""
    rows = [MoveDecision(player, DecisionKind(kind)) for kind, players in kinds.items() for player in players]
    return TermState(tuple(rows))


def goals(found: TierPlaces) -> list[tuple[str, int, list[int]]]:
    return [(str(each.destination), each.places, sorted(map(int, map(str, each.exempt)))) for each in found.goals]


def test_every_rank_has_a_place() -> None:
    assert destinations("promotion-points", "A2", 12) == [
        *["up:A1"] * 3, "gain:2", "gain:1", *["stay:A2"] * 4, *["down:B"] * 3
    ]  # fmt: skip


def test_the_places_depend_on_the_size_and_the_lowest_tier_has_no_border_to_stay() -> None:
    assert destinations("promotion-points", "B", 8) == ["up:A2"] * 2 + ["gain:2", "gain:1"] + ["same:B"] * 4
    assert destinations("title-match", "A1", 12) == ["to:title"] * 3 + ["stay:A1"] * 7 + ["down:A2"] * 2


def test_a_player_who_leaves_takes_no_place_of_promotion_and_the_next_one_moves_up() -> None:
    found = places(series(FOUR), "B", 8, decided(leaves=[2]))
    assert texts(found) == ["up:A", "leaves:B", "up:A", *["stay:B"] * 3, *["down:C"] * 2]
    assert goals(found) == [("up:A", 2, [2]), ("stay:B", 5, [2])]
    (change,) = found.changes
    assert (str(change.destination), change.rank, [each.player for each in change.passed]) == ("up:A", 3, [2])


def test_a_player_who_has_declined_stays_and_the_place_goes_to_the_next() -> None:
    found = places(series(FOUR), "B", 8, decided(declined=[1]))
    assert texts(found) == ["declined:B", "up:A", "up:A", *["stay:B"] * 3, *["down:C"] * 2]
    # Declining does not keep anyone from going down.
    assert goals(found) == [("up:A", 2, [1]), ("stay:B", 6, [])]
    assert texts(places(series(FOUR), "B", 8, decided(declined=[8])))[-2:] == ["down:C", "down:C"]


def test_a_seat_kept_in_advance_sends_the_next_from_below_down() -> None:
    found = places(series(FOUR), "B", 8, decided(seat_kept=[8]))
    assert texts(found) == ["up:A", "up:A", *["stay:B"] * 3, "down:C", "down:C", "kept:B"]
    assert goals(found) == [("up:A", 2, []), ("stay:B", 5, [8])]
    (change,) = found.changes
    assert (change.destination.kind, change.rank) == (PlaceKind.DOWN, 6)


def test_a_place_of_relegation_becomes_a_kept_seat_where_the_tier_would_lack_a_player() -> None:
    rules = series(FOUR, FILL)
    others = {"A": ("a1", "a2", "a3", "a4"), "C": ("c1", "c2", "c3")}
    # Two of seven go up and two down, and no player comes from A or C: with four left the tier is just large enough.
    assert texts(places(rules, "B", 8, TermState(others=others)))[-3:] == ["stay:B", "down:C", "down:C"]
    gone = MoveDecision(3, DecisionKind.LEAVES)
    found = places(rules, "B", 8, TermState((gone,), others=others))
    assert texts(found) == ["up:A", "up:A", "leaves:B", *["stay:B"] * 4, "down:C"]
    assert goals(found) == [("up:A", 2, [3]), ("stay:B", 6, [3])]
    (change,) = found.changes
    assert (str(change.destination), change.rank, change.lacking) == ("stay:B", 7, 1)


def test_the_movements_of_a_written_roster_override_the_places_of_the_table() -> None:
    rules = series(FOUR, FILL)
    others = {"A": ("a1", "a2", "a3", "a4"), "C": ("c1", "c2", "c3")}
    kept = Movement(7, "B", "B", "B", MoveReason.SEAT_FILLS, rank=7, places=2)
    down = Movement(6, "B", "C", "C", MoveReason.RELEGATED, rank=6)
    found = places(rules, "B", 8, TermState(others=others, decided=(kept, down)))
    assert texts(found)[-3:] == ["down:C", "stay:B", "down:C"]
    (change,) = found.changes
    assert (str(change.destination), change.rank, change.lacking) == ("stay:B", 7, 2)


def test_a_tier_above_that_lacks_a_player_promotes_the_next_in_rank() -> None:
    others = {"A": ("a1",), "C": ("c1", "c2", "c3")}
    found = places(series(FOUR, FILL), "B", 8, TermState(others=others))
    # With three up and two down the tier itself would lack a player, so the better of the last two stays.
    assert texts(found) == [*["up:A"] * 3, *["stay:B"] * 4, "down:C"]
    assert goals(found) == [("up:A", 3, []), ("stay:B", 7, [])]


def test_with_points_of_relegation_alone_those_stay_who_get_none() -> None:
    rules = series(TWO, '\n[ledger]\ntier = "C"\ngains = [1]\ndemote_at = 2\nwithin_terms = 2\n')
    found = places(rules, "C", 5)
    assert texts(found) == ["stay:C"] * 4 + ["risk:1"]
    assert goals(found) == [("stay:C", 4, [])]
    kept = places(rules, "C", 5, decided(seat_kept=[5]))
    assert texts(kept) == ["stay:C"] * 3 + ["risk:1", "kept:C"]
    assert goals(kept) == [("stay:C", 3, [5])]


def test_points_brought_along_promote_at_the_rank_that_gains_the_missing_ones() -> None:
    rules = series(TWO, LEDGER)
    own = places(rules, "B", 6)
    gain = next(player for player, each in own.destinations.items() if each.kind is PlaceKind.GAIN)
    points = {gain: (Gain("B", 0, 9),)}
    found = places(rules, "B", 6, TermState(points=points)).destinations[gain]
    assert (found.kind, found.key) == (PlaceKind.GAIN, "A")
    assert read_destination(str(found)) == found


@pytest.mark.parametrize("size", range(4, 9))
@pytest.mark.parametrize("kind", [*DecisionKind, None])
@pytest.mark.parametrize("text", [TWO, FOUR], ids=["two", "four"])
def test_the_places_are_where_the_moves_lead_with_the_decisions_made(
    text: str, kind: DecisionKind | None, size: int
) -> None:
    rules = series(text, LEDGER) if text is TWO else series(text)
    for player in range(1, size + 1):
        tier = "A" if kind in {DecisionKind.PLACED, DecisionKind.RETURNS} else ""
        decisions = () if kind in {None, DecisionKind.RETURNS} else (MoveDecision(player, DecisionKind(kind), tier),)
        table = present_table(rules, range(1, size + 1))
        found = {each.player: each for each in moves(rules, {"B": table}, decisions, fills=False).movements}
        own = places(rules, "B", size, TermState(decisions))
        for each in range(1, size + 1):
            place, movement = own.destinations[each], found[each]
            assert (place.kind is PlaceKind.UP) == (movement.reason is MoveReason.PROMOTED)
            assert (place.kind is PlaceKind.DOWN) == (movement.reason is MoveReason.RELEGATED)
            assert (place.kind is PlaceKind.LEAVES) == (movement.reason is MoveReason.LEAVES)
            assert place.points == movement.gained
        # Each goal says of every order of the players what the moves say.
        for goal in own.goals:
            ahead = [each for each in range(1, size + 1) if each not in goal.exempt][: goal.places]
            better = {str(each.destination) for each in own.goals[: own.goals.index(goal) + 1]}
            settled = {PlaceKind.PLACED, PlaceKind.DECLINED, PlaceKind.KEPT}
            for each in ahead:
                assert str(own.destinations[each]) in better or own.destinations[each].kind in settled


def test_sides_of_a_border_leave_out_those_whom_decisions_have_settled() -> None:
    in_tier = ["leaves:B", "up:A", "declined:B", "stay:B", "kept:B", "down:C"]
    assert sides(in_tier) == [None, True, True, True, None, False]
    lowest = ["declined:C", "up:B", "leaves:C", "same:C", "kept:C"]
    assert sides(lowest) == [None, True, None, False, False]
    assert sides(["po1", "out"]) == [True, False]


def test_a_destination_is_read_as_it_is_written() -> None:
    every = [
        SeriesDestination(PlaceKind.UP, "A", Fraction("-12.5")),
        SeriesDestination(PlaceKind.GAIN, points=2),
        SeriesDestination(PlaceKind.DOWN, "B-2"),
    ]
    assert [read_destination(str(each)) for each in every] == every
    assert [read_destination(text) for text in ("out", "champion", "best:po1", "po1", "2nd", "")] == [None] * 6


@pytest.mark.parametrize("text", ["po1", "best:po1", "champion", "up:A", "to:title", "gain:2", "stay:A"])
def test_goals_are_places_that_players_try_to_reach(text: str) -> None:
    assert is_goal(text)


@pytest.mark.parametrize("text", ["", "out", "withdrawn", "2nd", "down:B", "same:B", "risk:1"])
def test_other_places_are_no_goals(text: str) -> None:
    assert not is_goal(text)


@pytest.mark.parametrize(
    ("text", "is_by_decision"),
    [("leaves:B", True), ("declined:B", True), ("kept:B", True), ("up:A", False), ("stay:B", False), ("out", False)],
)
def test_a_place_by_decision_belongs_to_the_player_and_not_to_the_rank(text: str, *, is_by_decision: bool) -> None:
    assert is_decided(text) is is_by_decision


def standings(entrants: range, first: int = 0) -> Standings:
    """Return a ranking in the order of the numbers."""
    return rank([Row(each, (Played(1, first - each, 1, 0),)) for each in entrants], load_format("tier").tiebreak)


def after(format_: Format, tables: dict[str, Standings], name: str, tier: str) -> dict[str, tuple[str, ...]]:
    known = {key: BlockStandings(table, complete=True) for key, table in tables.items()}
    resolution = resolve(format_, known, {number: number for number in range(1, format_.seeds + 1)})
    found = block_places(load_series(name), tier, format_, resolution, tables)
    return {key: each.destinations for key, each in found.items()}


def test_the_first_place_of_a_tier_is_promotion_and_only_at_the_top_the_title() -> None:
    format_ = close_roster(load_format("tier"), 8)
    tables = {"league": standings(range(1, 9))}
    assert after(format_, tables, "two-up-two-down", "B")["league"][:3] == ("up:A", "up:A", "stay:B")
    assert after(format_, tables, "two-up-two-down", "A")["league"] == (
        "champion",
        *["stay:A"] * 5,
        *["down:B"] * 2,
    )


def test_without_a_champion_every_rank_of_the_last_stage_is_a_final_place() -> None:
    format_ = close_roster(load_format("tier"), 8).model_copy(update={"champion": None})
    tables = {"league": standings(range(1, 9))}
    assert after(format_, tables, "two-up-two-down", "A")["league"] == (*["stay:A"] * 6, *["down:B"] * 2)


def test_blocks_side_by_side_have_no_final_places() -> None:
    format_ = load_format("cinderella")
    assert after(format_, {"A": standings(range(1, 9)), "B": standings(range(9, 17))}, "two-up-two-down", "A") == {}


def test_ranks_that_go_out_of_an_earlier_stage_have_their_final_places() -> None:
    format_ = load_format("league-12")
    keys = [block for stage in format_.stages for block in format_.blocks_of[stage.key]]
    tables = {keys[0]: standings(range(1, 13)), keys[1]: standings(range(1, 5))}
    found = after(format_, tables, "two-up-two-down", "B")
    assert found[keys[1]] == ("up:A", "up:A", "stay:B", "stay:B")
    assert found[keys[0]] == (*[format_.stages[1].key] * 4, *["stay:B"] * 6, *["down:C"] * 2)


def test_a_condition_is_told_with_the_place() -> None:
    assert texts(places(series(CONDITION % "lapse"), "B", 5))[0] == "up:A:0"


def test_once_all_is_played_the_places_are_those_of_the_final_moves() -> None:
    rules = series(CONDITION % "lapse")
    format_ = close_roster(load_format("tier"), 8)
    rows = standings(range(1, 9))
    known = {"league": BlockStandings(rows, complete=True)}
    resolution = resolve(format_, known, {number: number for number in range(1, format_.seeds + 1)})
    # The first has 0.0 and moves up; the second has -1.0.
    totals: dict[Entrant, Fraction] = {player: Fraction(1 - player) for player in range(1, 9)}
    found = block_places(rules, "B", format_, resolution, {"league": rows}, final=totals)["league"].destinations
    table = [FinalLine(player, player, totals[player]) for player in range(1, 9)]
    own = {each.player: each.reason for each in moves(rules, {"B": table}, fills=False).movements}
    assert [own[player] for player in (1, 2, 3)] == [MoveReason.PROMOTED, MoveReason.REFUSED, MoveReason.STAYS]
    assert found == ("up:A:0", *["same:B"] * 7)
