"""Tests that imported leagues of the worked examples have the standings the examples state."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

from league.models import Audience, Competition, Outcome, SeatResult, SlotState
from league.selectors.access.readers import Reader, reader_of
from league.selectors.standings.tables import BlockTable, block_tables
from league.services.operations.verification import differences_of
from rulesets.example_kinds.standings import key_of
from tests.league.example_leagues import (
    expected,
    import_league,
    import_season,
    lines_of,
    published_points,
    standings_examples,
)

SCALE = 10


@pytest.fixture(scope="module")
def whole(shared_rows: None) -> Competition:
    """Return the whole league of the examples."""
    return import_league("L1")


def found(reader: Reader, block: str) -> dict[str, object]:
    """Return the published data of a block in the form of an example."""
    (table,) = (each for each in block_tables(reader) if each.block.key == block)
    outcome = Outcome.objects.get(competition=reader.competition, audience=reader.audience)
    names = {line.standing.entrant_id: str(line.standing.entrant) for line in table.lines}
    pending = [tie for tie in outcome.awaiting if tie["scope"] == block]
    return {
        "totals": {str(line.standing.entrant): Fraction(line.standing.total, SCALE) for line in table.lines},
        "order": levels(table),
        "decided_by": sorted(
            (names[why["above"]], names[why["below"]], why["number"], why["criterion"])
            for why in (line.standing.decision for line in table.lines)
            if why and why["criterion"] != "ruling"
        ),
        "ruling": sorted(level for level in levels(table) if len(level) > 1),
        "advance": advance(table, outcome, {entrant for tie in pending for entrant in tie["entrants"]}),
        "pending": sorted((sorted(names[pk] for pk in tie["entrants"]), tie["places"]) for tie in pending),
    }


def levels(table: BlockTable) -> list[list[str]]:
    """Return the names that share each rank, best first."""
    ranks: defaultdict[int, list[str]] = defaultdict(list)
    for line in table.lines:
        ranks[line.standing.rank].append(str(line.standing.entrant))
    return [sorted(ranks[rank]) for rank in sorted(ranks)]


def advance(table: BlockTable, outcome: Outcome, awaiting: set[int]) -> dict[str, list[str]]:
    """Return the destination of each entrant whose place awaits no ruling; for the final only the champion."""
    if table.block.key == "final":
        is_certain = outcome.champion_state == SlotState.State.CERTAIN
        return {"champion": [str(outcome.champion)]} if is_certain else {}
    going: defaultdict[str, list[str]] = defaultdict(list)
    for line in table.lines:
        if line.standing.entrant_id not in awaiting:
            going[line.standing.destination].append(str(line.standing.entrant))
    return {place: sorted(entrants) for place, entrants in going.items()}


@pytest.mark.django_db
@pytest.mark.parametrize("audience", Audience)
def test_the_standings_of_a_whole_league_match_its_examples(audience: Audience, whole: Competition) -> None:
    reader = Reader(whole, audience, whole.public_version)
    for example in standings_examples("L1"):
        assert found(reader, key_of(example.stage)) == expected(example.expect), example.id


@pytest.mark.django_db
def test_the_slots_of_a_whole_league_match_its_examples(whole: Competition) -> None:
    states = SlotState.objects.filter(slot__block__competition=whole, audience=Audience.PUBLIC)
    for example in standings_examples("L1"):
        of_block = states.filter(slot__block__key=key_of(example.stage)).select_related("entrant__player")
        assert all(state.state == SlotState.State.CERTAIN for state in of_block)
        assert sorted(str(state.entrant) for state in of_block) == sorted(example.players), example.id
        sources = {key_of(source): player for source, player in zip(example.sources, example.players, strict=False)}
        if sources:
            assert {state.source: str(state.entrant) for state in of_block} == sources, example.id


@pytest.mark.django_db
def test_the_stored_rows_of_a_whole_league_follow_from_its_facts(whole: Competition) -> None:
    assert list(differences_of(whole)) == []


@pytest.mark.real
@pytest.mark.django_db
def test_an_imported_real_season_matches_its_published_results(real_data: Path) -> None:
    path = real_data / "league.jsonl"
    competition = import_season(path)
    assert_every_hanchan_is_as_published(competition, path)
    (table,) = block_tables(reader_of(competition, None))
    totals = {str(line.standing.entrant): Fraction(line.standing.total, SCALE) for line in table.lines}
    assert totals == published_points(path)
    assert list(differences_of(competition)) == []


def assert_every_hanchan_is_as_published(competition: Competition, path: Path) -> None:
    """Assert that the points and places of every seat are as published."""
    seats = SeatResult.objects.filter(block__competition=competition).select_related("entrant__player")
    stored = {
        (seat.sheet.hanchan.number, str(seat.entrant)): (Fraction(seat.points, SCALE), seat.place, seat.seat)
        for seat in seats.select_related("sheet__hanchan", "entrant__player")
    }
    lines = lines_of(path)
    published = {
        (line["hanchan"], player): (Fraction(line["points"][seat]), line["place"][seat], seat)
        for line in lines
        for seat, player in enumerate(line["players"])
    }
    assert stored == published
    assert competition.sessions.count() == len({line["day"] for line in lines})
