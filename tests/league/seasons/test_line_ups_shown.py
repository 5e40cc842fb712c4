"""Line-ups on public pages: announced members are named, secret ones are not."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from league.models import TableSession
from league.services.seasons.line_ups import announce_line_ups, name_line_up
from tests.factories import SYSTEM
from tests.league.team_league import TeamLeague, team_league

pytestmark = pytest.mark.django_db
PATHS = ("", "sessions/", "sessions/2/", "hanchan/{hanchan}/", "tables/{table}/", "sessions/2/seats/", "projector/")


def told(made: TeamLeague, table: TableSession, name: str) -> list[str]:
    """Return the pages that name a person as sitting at the table."""
    client, found = Client(headers={"accept-language": "en"}), []
    keys = {"hanchan": table.hanchan.get().pk, "table": table.pk}
    for path in PATHS:
        response = client.get(f"/c/{made.competition.slug}/{path.format(**keys)}")
        assert response.status_code == 200, path
        if name in response.content.decode().split('id="stage-')[0].split('class="front"')[0]:
            found.append(path)
    return found


def test_a_member_named_openly_is_shown_with_the_team() -> None:
    made = team_league(1)
    table = TableSession.objects.filter(session__number=2).order_by("order")[0]
    seat = table.hanchan.get().seats.select_related("entrant").order_by("seat")[0]
    member = made.members[made.teams.index(seat.entrant)][2]
    assert told(made, table, member.name_romaji) == []
    name_line_up(hanchan=table.hanchan.get(), entrant=seat.entrant, player=member, by=SYSTEM)
    made.publish()
    assert set(told(made, table, member.name_romaji)) == set(PATHS)


@pytest.mark.both_databases
def test_a_secret_member_is_not_shown_before_the_deadline() -> None:
    made = team_league(1)
    table = TableSession.objects.filter(session__number=2).order_by("order")[0]
    due = timezone.now() + dt.timedelta(hours=1)
    TableSession.objects.filter(pk=table.pk).update(line_ups_due_at=due, line_ups_are_secret=True)
    table.refresh_from_db()
    seat = table.hanchan.get().seats.select_related("entrant").order_by("seat")[0]
    member = made.members[made.teams.index(seat.entrant)][2]
    before = Client().get("/c/teams/")["ETag"]
    name_line_up(hanchan=table.hanchan.get(), entrant=seat.entrant, player=member, by=SYSTEM)
    made.publish()
    assert told(made, table, member.name_romaji) == []
    assert Client().get("/c/teams/")["ETag"] == before
    TableSession.objects.filter(pk=table.pk).update(line_ups_due_at=timezone.now())
    table.refresh_from_db()
    announce_line_ups(table, SYSTEM)
    made.publish()
    assert set(told(made, table, member.name_romaji)) == set(PATHS)
