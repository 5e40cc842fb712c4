"""The league of teams that other tests play."""

from __future__ import annotations

import pytest

from league.models import Standing
from tests.league.team_league import team_league

pytestmark = pytest.mark.django_db


def test_a_league_of_teams_ranks_its_teams() -> None:
    made = team_league()
    rows = list(Standing.objects.filter(block=made.block("regular"), audience="public").order_by("position"))
    assert {row.entrant_id for row in rows} == {team.pk for team in made.teams}
    assert sum(row.total for row in rows) == -200
    assert {row.played for row in rows} == {4}
