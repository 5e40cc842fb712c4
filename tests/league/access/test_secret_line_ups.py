"""A secret line-up changes no byte, ETag or version of anything that others may read, until it is announced."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from league.models import Change, Hanchan, Role, TeamMember
from league.services.operations.sweep import sweep
from league.services.seasons.line_ups import name_line_up, set_line_up_deadline
from tests.factories import SYSTEM, user
from tests.league.team_league import TeamLeague, team_league

pytestmark = pytest.mark.django_db
LATER = dt.timedelta(hours=1)


@pytest.fixture
def league() -> TeamLeague:
    """Return a league whose next fixture takes line-ups that are secret for another hour."""
    made = team_league(1)
    hanchan = coming()
    set_line_up_deadline(table=hanchan.table_session, due_at=timezone.now() + LATER, are_secret=True, by=SYSTEM)
    made.publish()
    return made


def coming() -> Hanchan:
    """Return the next fixture."""
    rows = Hanchan.objects.filter(state="scheduled").select_related("table_session__competition")
    return rows.earliest("number")


def pages_of(league: TeamLeague) -> list[str]:
    """Return addresses on which the member would be seen, were the line-up not secret."""
    hanchan = coming()
    team = hanchan.seats.select_related("entrant__player").earliest("seat").entrant.player
    files = ("line-ups", "schedule", "results", "members", "individuals")
    return [
        "/c/teams/", "/c/teams/sessions/", f"/c/teams/hanchan/{hanchan.pk}/", f"/c/teams/players/{team.key}/",
        "/c/teams/members/", "/c/teams/version/", "/c/teams/calendar.ics",
        *(f"/c/teams/{name}.csv" for name in files),
        f"/api/v1/hanchan/{hanchan.pk}/", f"/api/v1/hanchan/{hanchan.pk}/line-ups/{team.key}/",
        f"/api/v1/table-sessions/{hanchan.table_session_id}/", "/api/v1/competitions/teams/bracket/",
        "/api/v1/competitions/teams/fixtures/", "/api/v1/competitions/teams/members/",
        f"/api/v1/sessions/{hanchan.table_session.session_id}/seats/",
    ]  # fmt: skip


def read(client: Client, path: str) -> tuple[int, bytes, str, str]:
    """Return status, body, ETag and time of change of a page."""
    answer = client.get(path)
    tag, changed = answer.headers.get("ETag", ""), answer.headers.get("Last-Modified", "")
    return answer.status_code, answer.getvalue(), tag, changed


def test_a_secret_line_up_changes_nothing_that_others_read(league: TeamLeague) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        clients = {"public": Client(), "reader": Client()}
        clients["reader"].force_login(user("reader", Role.READER, league.competition))
        paths = pages_of(league)
        before = {(who, path): read(client, path) for who, client in clients.items() for path in paths}
        assert {status for status, *_rest in before.values()} == {200}, [
            key for key, found in before.items() if found[0] != 200
        ]
        hanchan = coming()
        seat = hanchan.seats.select_related("entrant").earliest("seat")
        member = TeamMember.objects.filter(entrant=seat.entrant).earliest("order").player
        name_line_up(hanchan=hanchan, entrant=seat.entrant, player=member, by=SYSTEM)
        league.publish()
        for (who, path), (status, body, tag, changed) in before.items():
            again = read(clients[who], path)
            if who == "public":
                assert again == (status, body, tag, changed), path
            # For the staff the version moves with every change, and tells no more than that.
            assert again[1].count(member.name.encode()) == body.count(member.name.encode()), (who, path)
        seat.refresh_from_db()
        assert seat.player_id == seat.entrant.player_id


def test_after_the_deadline_the_line_up_is_on_the_pages_and_the_etags_move(league: TeamLeague) -> None:
    hanchan = coming()
    seat = hanchan.seats.select_related("entrant").earliest("seat")
    member = TeamMember.objects.filter(entrant=seat.entrant).earliest("order").player
    name_line_up(hanchan=hanchan, entrant=seat.entrant, player=member, by=SYSTEM)
    league.publish()
    path = f"/api/v1/hanchan/{hanchan.pk}/"
    before = read(Client(), path)
    with time_machine.travel(timezone.now() + 2 * LATER):
        sweep()
        league.publish()
        after = read(Client(), path)
    assert str(member.pk).encode() in after[1]
    assert before[2] != after[2]


def test_the_admin_shows_a_secret_member_to_those_alone_who_manage_the_competition(league: TeamLeague) -> None:
    hanchan = coming()
    seat = hanchan.seats.select_related("entrant").earliest("seat")
    member = TeamMember.objects.filter(entrant=seat.entrant).earliest("order").player
    row = name_line_up(hanchan=hanchan, entrant=seat.entrant, player=member, by=SYSTEM)
    noted = Change.objects.get(kind="line_up.named")
    assert (noted.after, noted.is_public) == ({"entrant": seat.entrant_id}, False)
    for role, is_shown in ((Role.SCORER, False), (Role.DIRECTOR, True)):
        client = Client()
        client.force_login(user(f"one-{role}", role, league.competition, is_staff=True))
        listed = client.get("/admin/league/lineup/")
        assert listed.status_code == 200
        assert (f"/admin/league/lineup/{row.pk}/" in listed.content.decode()) == is_shown
        assert (client.get(f"/admin/league/lineup/{row.pk}/change/").status_code == 200) == is_shown
