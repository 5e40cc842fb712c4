"""Worked examples imported as leagues and read over REST: totals, ranks, slots and champion match the expected ones."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from league.models import Competition
from league.services.operations.verification import differences_of
from rulesets.example_kinds.standings import StandingsExample, key_of
from tests.api.client import Api
from tests.league.example_leagues import (
    expected,
    import_example,
    import_league,
    import_season,
    lines_of,
    published_points,
    standings_examples,
)

pytestmark = pytest.mark.django_db

ALONE = standings_examples()


def found(competition: Competition, block: str) -> dict[str, object]:
    """Return the standing of a block as the API gives it, in the format of an example's `expect`."""
    document = Api().get("standings/", competition=competition.slug, block=block)
    [table] = document["blocks"]
    names = {row["entrant"]: row["name"] for row in table["rows"]}
    pending = [tie for tie in document["awaiting"] if tie["scope"] == block]
    decisions = [row["decision"] for row in table["rows"] if row["decision"]]
    levels = levels_of(table["rows"])
    return {
        "totals": {row["name"]: Fraction(row["total"]) for row in table["rows"]},
        "order": levels,
        "decided_by": sorted(
            (names[why["above"]], names[why["below"]], why["number"], why["criterion"])
            for why in decisions
            if why["criterion"] != "ruling"
        ),
        "ruling": sorted(level for level in levels if len(level) > 1),
        "advance": advance(document, table, names, {entrant for tie in pending for entrant in tie["entrants"]}),
        "pending": sorted((sorted(names[pk] for pk in tie["entrants"]), tie["places"]) for tie in pending),
    }


def levels_of(rows: list[dict[str, Any]]) -> list[list[str]]:
    """Group the names by rank, best rank first."""
    ranks: defaultdict[int, list[str]] = defaultdict(list)
    for row in rows:
        ranks[row["rank"]].append(row["name"])
    return [sorted(ranks[rank]) for rank in sorted(ranks)]


def advance(
    document: dict[str, Any], table: dict[str, Any], names: dict[str, str], awaiting: set[str]
) -> dict[str, list[str]]:
    """Return the destinations of entrants that await no ruling; for the final, only the champion."""
    if table["key"] == "final":
        champion = document["champion"]
        return {"champion": [names[champion["entrant"]]]} if champion["state"] == "certain" else {}
    going: defaultdict[str, list[str]] = defaultdict(list)
    for row in table["rows"]:
        if row["entrant"] not in awaiting:
            going[row["destination"]["key"]].append(row["name"])
    return {place: sorted(entrants) for place, entrants in going.items()}


def test_the_standings_of_a_whole_league_match_its_examples() -> None:
    competition = import_league("L1")
    for example in standings_examples("L1"):
        assert found(competition, key_of(example.stage)) == expected(example.expect), example.id


def test_the_bracket_of_a_whole_league_has_the_entrants_of_its_examples() -> None:
    import_league("L1")
    bracket = Api().get("competitions/l1/bracket/")
    names = {row["id"]: row["name"] for row in bracket["entrants"]}
    blocks = {row["key"]: row["id"] for row in bracket["blocks"]}
    for example in standings_examples("L1"):
        slots = [slot for slot in bracket["slots"] if slot["block"] == blocks[key_of(example.stage)]]
        assert {slot["state"] for slot in slots} == {"certain"}
        assert sorted(names[slot["entrant"]] for slot in slots) == sorted(example.players), example.id
    [champion] = next(each.expect.advance or {} for each in standings_examples("L1") if each.stage.endswith("final"))[
        "champion"
    ]
    assert bracket["champion"]["state"] == "certain"
    assert names[bracket["champion"]["entrant"]] == champion
    assert bracket["final"]


@pytest.mark.parametrize("example", ALONE, ids=[each.id for each in ALONE])
def test_a_single_block_matches_its_example(example: StandingsExample) -> None:
    competition = import_example(example.id)
    assert found(competition, key_of(example.stage)) == expected(example.expect)
    assert list(differences_of(competition)) == []


@pytest.mark.real
def test_an_imported_season_matches_its_published_results(real_data: Path) -> None:
    path = real_data / "league.jsonl"
    import_season(path)
    [table] = Api().get("standings/", competition="season")["blocks"]
    assert {row["name"]: Fraction(row["total"]) for row in table["rows"]} == dict(published_points(path))
    read = [
        {(seat["name"], Fraction(seat["points"])) for seat in hanchan["seats"]}
        for hanchan in Api().get("hanchan/", competition="season", page_size=200)["results"]
    ]
    published = [set(zip(line["players"], map(Fraction, line["points"]), strict=True)) for line in lines_of(path)]
    assert sorted(map(sorted, read)) == sorted(map(sorted, published))
