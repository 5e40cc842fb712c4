"""Tests of tables of tiers after the roster of the next term is written: they show the moves that were decided."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from league.models import Audience, Competition, MoveDecision, NextRoster, Standing, TableSession, Term
from league.selectors.access.readers import reader_of
from league.selectors.seasons.series_moves import shown_moves
from league.selectors.seasons.series_tables import may_know_roster, rosters_out_of_step
from league.selectors.standings.place_changes import place_changes
from league.services.competitions.schedule import hold_back
from league.services.operations.sweep import sweep
from league.services.operations.verification import differences_of
from league.services.seasons.moves import decide_move
from league.services.seasons.next_rosters import (
    preview_next_roster,
    switch_release,
    undo_next_roster,
    write_next_roster,
)
from league.services.seasons.series import SeriesPlan, create_series, create_tiers
from scoring.pyramid.movement import MoveReason
from tests.factories import SYSTEM
from tests.league.seasons.pyramid import enter, own_format, person, play, player, publish, tiers

pytestmark = pytest.mark.django_db

FILLED = """
name = "filled"
kind = "series"
title = "filled"
tiebreak = { then = ["prior"] }
fill = "next"
moves = [
  { from = "A#last:1", to = "B" },
  { from = "B#1", to = "A" },
  { from = "B#last:1", to = "C" },
  { from = "C#1", to = "B" },
]
tiers = [
  { key = "A", size = { least = 4, most = 4 }, format = "tier-4" },
  { key = "B", size = { least = 4, most = 4 }, format = "tier-4" },
  { key = "C", size = { least = 4, most = 4 }, format = "tier-4" },
]
"""
ORDERS = {"A": (2, 3, 1, 4), "B": (3, 4, 1, 2), "C": (3, 4, 1, 2)}
"""The final tables, unlike the order of entry: only by them does the player who declines make room in tier B."""
DECIDED = {
    "A2": MoveDecision.Kind.LEAVES,
    "A4": MoveDecision.Kind.LEAVES,
    "B2": MoveDecision.Kind.DECLINED,
    "B4": MoveDecision.Kind.SEAT_KEPT,
}


@pytest.fixture
def term() -> Term:
    """Return a term that is over, with two vacant seats in tier A that players of the tiers below fill."""
    own_format(4)
    plan = SeriesPlan(slug="filled", name="春リーグ戦", text=FILLED, is_public=True)
    term = create_series(plan=plan, by=SYSTEM).terms.get()
    for row in create_tiers(term=term, ruleset="mleague", by=SYSTEM):
        enter(row, [person(f"{row.tier}{n}", "filled") for n in range(1, 5)])
        publish(row)
    for name, kind in DECIDED.items():
        decide_move(term=term, player=player(name), kind=kind, reason="転居", by=SYSTEM)
    for name in ("new1", "new2"):
        newcomer, kind = person(name, "filled"), MoveDecision.Kind.RETURNS
        decide_move(term=term, player=newcomer, kind=kind, tier="C", reason="新人", by=SYSTEM)
    return term


def play_all(term: Term, hidden: str = "") -> None:
    until = timezone.now() + dt.timedelta(days=2)
    for key, row in tiers(term).items():
        seats = {entrant.player.name.removesuffix("さん"): entrant for entrant in row.entrants.select_related("player")}
        order = [seats[f"{key}{number}"] for number in ORDERS[key]]
        play(row, order, public_at=until if key == hidden else None)


def write(term: Term) -> NextRoster:
    return write_next_roster(term=term, digest=preview_next_roster(term=term, by=SYSTEM).digest, by=SYSTEM)


def destination(term: Term, name: str, audience: Audience = Audience.PUBLIC) -> str:
    of = {"entrant__player": player(name), "block__competition": tiers(term)[name[0]], "audience": audience}
    return Standing.objects.get(**of).destination


def release(competition: Competition) -> None:
    hold_back(table_session=TableSession.objects.get(competition=competition), until=None, by=SYSTEM)


def assert_in_step(term: Term) -> None:
    """Assert that all tables follow from the facts, and that the roster is released exactly if the public may know."""
    sweep()
    assert not [difference for row in tiers(term).values() for difference in differences_of(row)]
    assert NextRoster.objects.get(ended_at=None).is_released is may_know_roster(term, None)


def test_a_tier_shows_the_places_of_the_written_roster_until_it_is_taken_back(term: Term, client: Client) -> None:
    play_all(term)
    sweep()
    assert destination(term, "C4") == "same:C"
    write(term)
    moves = {each.player.name: each.movement for each in shown_moves(term, None).moves}
    assert (moves["C4さん"].reason, moves["C4さん"].to) == (MoveReason.NEXT_FILLS, "B")
    assert_in_step(term)
    assert [destination(term, "C4", audience) for audience in (Audience.PUBLIC, Audience.STAFF)] == ["up:B"] * 2
    tier = tiers(term)["C"]
    (block,) = client.get(f"/api/v1/standings/?competition={tier.slug}").json()["blocks"]
    assert [row["destination"]["key"] for row in block["rows"]] == ["up:B", "up:B", "same:C", "same:C"]
    page = client.get(f"/c/{tier.slug}/blocks/all/", headers={"accept-language": "en"}).content.decode()
    assert "2nd now leads to promotion to B." in page
    changes = place_changes(reader_of(tier, AnonymousUser()), tier.blocks.get())
    assert [(str(each.destination), each.rank) for each in changes] == [("up:B", 2)]
    undo_next_roster(term=term, reason="wrong", by=SYSTEM)
    sweep()
    assert destination(term, "C4") == "same:C"
    assert not [difference for row in tiers(term).values() for difference in differences_of(row)]


@pytest.mark.both_databases
def test_a_tier_shows_the_places_of_the_roster_once_the_embargo_of_another_tier_is_over(term: Term) -> None:
    play_all(term, hidden="B")
    write(term)
    versions = {key: row.version for key, row in tiers(term).items()}
    assert_in_step(term)
    assert {key: row.version for key, row in tiers(term).items()} == versions
    assert destination(term, "C4") == destination(term, "C4", Audience.STAFF) == "same:C"
    release(tiers(term)["B"])
    assert_in_step(term)
    assert destination(term, "C4") == "up:B"
    assert not rosters_out_of_step().exists()


def test_a_table_that_the_public_may_no_longer_read_takes_the_roster_from_those_of_the_other_tiers(term: Term) -> None:
    play_all(term)
    row = write(term)
    assert_in_step(term)
    upper = Competition.objects.filter(pk=tiers(term)["B"].pk)
    upper.update(audience=Audience.STAFF)
    assert_in_step(term)
    assert destination(term, "C4") == "same:C"
    upper.update(audience=Audience.PUBLIC)
    row.refresh_from_db()
    switch_release(row, SYSTEM)
    versions = {key: each.version for key, each in tiers(term).items()}
    # Another worker that has read the row before does nothing.
    switch_release(row, SYSTEM)
    assert {key: each.version for key, each in tiers(term).items()} == versions
    assert_in_step(term)
    assert destination(term, "C4") == "up:B"
