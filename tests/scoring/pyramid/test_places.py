"""Tests of what the ranks of a tier lead to while it is played."""

from fractions import Fraction

import pytest

from rulesets.formats import load_format
from rulesets.series import load_series
from scoring.format import Format, close_roster
from scoring.pyramid.conditions import (
    PlaceKind,
    SeriesDestination,
    is_goal,
    places_of,
    read_destination,
    series_destinations,
)
from scoring.pyramid.movement import FinalLine, MoveReason
from scoring.pyramid.moves import moves
from scoring.stages import BlockStandings, resolve
from scoring.standings import Standings, rank
from scoring.tiebreak import Played, Row
from tests.scoring.pyramid.test_moves import CONDITION, LEDGER, TWO, series


def destinations(name: str, tier: str, size: int) -> list[str]:
    return [str(each.destination) for each in places_of(load_series(name), tier, size) for _ in each.ranks]


def test_every_rank_has_a_place_with_the_rule_it_comes_from() -> None:
    found = places_of(load_series("promotion-points"), "A2", 12)
    assert [(each.ranks, str(each.destination), each.rule) for each in found] == [
        (range(1, 4), "up:A1", "moves.1"),
        (range(4, 5), "gain:2", "ledger.0"),
        (range(5, 6), "gain:1", "ledger.0"),
        (range(6, 10), "stay:A2", ""),
        (range(10, 13), "down:B", "moves.2"),
    ]


def test_the_places_depend_on_the_size_and_the_lowest_tier_has_no_border_to_stay() -> None:
    assert destinations("promotion-points", "B", 8) == ["up:A2"] * 2 + ["gain:2", "gain:1"] + ["same:B"] * 4
    assert destinations("title-match", "A1", 12) == ["to:title"] * 3 + ["stay:A1"] * 7 + ["down:A2"] * 2


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


@pytest.mark.parametrize("size", range(4, 9))
def test_the_places_are_where_the_moves_lead_if_no_decision_is_made(size: int) -> None:
    rules = series(TWO, LEDGER)
    table = [FinalLine(f"b{number}", number, Fraction(0)) for number in range(1, size + 1)]
    found = {each.player: each for each in moves(rules, {"B": table}).movements}
    for place in places_of(rules, "B", size):
        for each in (found[f"b{number}"] for number in place.ranks):
            assert each.rule == ("" if place.destination.kind is PlaceKind.GAIN else place.rule)
            assert (each.reason is MoveReason.PROMOTED) == (place.destination.kind is PlaceKind.UP)
            assert each.gained == place.destination.points


def standings(entrants: range, first: int = 0) -> Standings:
    """Return a ranking in the order of the numbers."""
    return rank([Row(each, (Played(1, first - each, 1, 0),)) for each in entrants], load_format("tier").tiebreak)


def after(format_: Format, tables: dict[str, Standings], name: str, tier: str) -> dict[str, tuple[str, ...]]:
    known = {key: BlockStandings(table, complete=True) for key, table in tables.items()}
    resolution = resolve(format_, known, {number: number for number in range(1, format_.seeds + 1)})
    return dict(series_destinations(load_series(name), tier, format_, resolution, tables))


def test_the_first_place_of_a_tier_is_promotion_and_only_at_the_top_the_title() -> None:
    format_ = close_roster(load_format("tier"), 8)
    tables = {"league": standings(range(1, 9))}
    assert after(format_, tables, "two-up-two-down", "B")["league"][:3] == ("up:A", "up:A", "stay:B")
    assert after(format_, tables, "two-up-two-down", "A")["league"] == (
        "champion",
        *["stay:A"] * 5,
        *["down:B"] * 2,
    )


def test_ranks_that_go_out_of_an_earlier_stage_have_their_final_places() -> None:
    format_ = load_format("league-12")
    keys = [block for stage in format_.stages for block in format_.blocks_of[stage.key]]
    tables = {keys[0]: standings(range(1, 13)), keys[1]: standings(range(1, 5))}
    found = after(format_, tables, "two-up-two-down", "B")
    assert found[keys[1]] == ("up:A", "up:A", "stay:B", "stay:B")
    assert found[keys[0]] == (*[format_.stages[1].key] * 4, *["stay:B"] * 6, *["down:C"] * 2)


def test_a_condition_is_told_with_the_place() -> None:
    assert str(places_of(series(CONDITION % "lapse"), "B", 5)[0].destination) == "up:A:0"
