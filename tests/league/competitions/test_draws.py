"""Tests of published draws: the page shows the seed and each lot, so that any reader can repeat the draw."""

from __future__ import annotations

import datetime as dt
import hashlib
import subprocess
from itertools import combinations

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Audience, Competition, Hanchan, Slot
from league.selectors.access.readers import Reader
from league.selectors.competitions.seating.draws import ShownDraw, drawn_in
from league.services.competitions.schedule import hold_back
from league.services.competitions.seating import SeatDraw, draw_seats
from league.services.competitions.setup import set_status
from league.services.competitions.wizard import Filling, fill_blocks
from league.services.results.rulings import draw_stage
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, entrants, league, seated
from tests.league.paired_league import tournament

pytestmark = pytest.mark.django_db
SEED = "spring's first dice: 3 5"


def drawn_season() -> Competition:
    """Return a published season whose blocks were filled by a draw."""
    season = league("stairs", league_format="cinderella-2018")
    entrants(season, 24)
    fill_blocks(competition=season, filling=Filling.DRAWN, seed=SEED, by=SYSTEM)
    set_status(competition=season, status=Competition.Status.PUBLISHED, by=SYSTEM)
    publish_standings(season.pk)
    return season


def draws_of(season: Competition) -> tuple[ShownDraw, ...]:
    """Return the draws that the public sees."""
    season.refresh_from_db()
    return drawn_in(Reader(season, Audience.PUBLIC, season.version))


def test_the_public_sees_the_seed_each_lot_and_its_block() -> None:
    season = drawn_season()
    (drawn,) = draws_of(season)
    lots = [hashlib.sha256(f"{SEED}:{row.number}".encode()).hexdigest() for row in drawn.lots]
    assert [row.lot for row in drawn.lots] == [each[:12] for each in sorted(lots)]
    seated = {slot.seeded: slot.block for slot in Slot.objects.exclude(seeded=None).select_related("block", "seeded")}
    assert {row.entrant: row.block for row in drawn.lots} == seated
    page = Client().get("/c/stairs/sessions/?lang=en", follow=True).content.decode()
    assert "How this was drawn" in page
    assert drawn.lots[-1].lot in page


def test_the_shell_command_computes_the_first_lot() -> None:
    (drawn,) = draws_of(drawn_season())
    said = subprocess.run(["/bin/sh", "-c", drawn.command], capture_output=True, check=True, text=True)
    assert said.stdout.startswith(drawn.lots[0].lot)


def test_blocks_refilled_without_a_draw_show_no_draw() -> None:
    season = drawn_season()
    fill_blocks(competition=season, filling=Filling.SNAKE, by=SYSTEM)
    assert draws_of(season) == ()


@pytest.mark.both_databases
def test_only_the_latest_draw_of_a_stage_is_shown() -> None:
    season = drawn_season()
    stage = season.stages.get(key="semifinal")
    for seed in ("one", "two"):
        draw_stage(stage=stage, by=SYSTEM, seed=seed, reason="in public")
    drawn = draws_of(season)[-1]
    assert (len(draws_of(season)), drawn.subject, drawn.seed) == (2, stage, "two")
    assert {row.block.key for row in drawn.lots} == {block.key for block in stage.blocks.all()}


def test_the_seed_of_seats_is_shown_once_no_table_drawn_by_it_is_held_back() -> None:
    block = tournament(8, '{ numbers = "1-3", by = "plan" }', tables=2)
    table, other = Hanchan.objects.filter(block=block, number=1).select_related("table_session").order_by("pk")
    hold_back(table_session=table.table_session, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    publish_standings(block.competition_id)
    before = Client().get(f"/api/v1/hanchan/{other.pk}/")
    draw_seats(session=block.competition.sessions.get(), draw=SeatDraw(seed="dice"), by=SYSTEM)
    publish_standings(block.competition_id)
    after = Client().get(f"/api/v1/hanchan/{other.pk}/", headers={"if-none-match": before["ETag"]})
    assert len(after.json()["seats"]) == 4
    assert draws_of(block.competition) == ()
    hold_back(table_session=table.table_session, until=None, by=SYSTEM)
    publish_standings(block.competition_id)
    assert [drawn.seed for drawn in draws_of(block.competition)] == ["dice"]


@pytest.mark.parametrize("is_for_all", [True, False])
def test_where_tables_change_every_round_no_two_meet_again_in_a_draw_that_can_avoid_it(*, is_for_all: bool) -> None:
    block = tournament(16, '{ numbers = "1-3", by = "plan" }', tables=4)
    session = block.competition.sessions.get()
    for _time in range(1 if is_for_all else 3):
        draw_seats(session=session, draw=SeatDraw(seed="dice", is_for_all=is_for_all), by=SYSTEM)
    tables = [seated(hanchan) for hanchan in Hanchan.objects.filter(block=block)]
    assert len(tables) == 12
    met = [frozenset(one.pk for one in pair) for table in tables for pair in combinations(table, 2)]
    assert len(set(met)) == len(met) == 72
