"""The search of the schedule finds members of teams, their teams' tables, and line-ups once these are public."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Hanchan, TableSession
from league.services.competitions.schedule import hold_back
from league.services.seasons.line_ups import announce_line_ups, name_line_up, set_line_up_deadline
from tests.factories import SYSTEM
from tests.league.team_league import TeamLeague, team_league

pytestmark = pytest.mark.django_db


def found(text: str, language: str = "en") -> str:
    answer = Client(headers={"accept-language": language}).get("/c/teams/sessions/", {"q": text})
    assert answer.status_code == 200
    return answer.content.decode()


def listed(page: str, hanchan: Hanchan) -> int:
    return page.count(f'href="/c/teams/tables/{hanchan.table_session_id}/"')


def coming(made: TeamLeague, team: int) -> Hanchan:
    rows = Hanchan.objects.filter(seats__entrant=made.teams[team], state=Hanchan.State.SCHEDULED)
    return rows.order_by("number")[0]


def test_a_member_is_found_in_any_spelling_with_the_tables_of_the_team() -> None:
    made = team_league()
    member, hanchan = made.members[0][1], coming(made, 0)
    for text in (member.name, member.name_kana, member.name_romaji.upper()):
        page = found(text)
        assert f'<a href="/c/teams/members/{member.key}/">{member.name_romaji}</a>' in page
        assert f'href="/c/teams/players/{made.teams[0].player.key}/"' in page
        assert listed(page, hanchan) == 1
    page = found(member.name)
    others = Hanchan.objects.exclude(seats__entrant=made.teams[0])
    assert sum(listed(page, each) for each in others) == 0, "tables without the team"


def test_tables_where_the_member_sat_are_named() -> None:
    made = team_league()
    member = made.members[0][1]
    sat = Hanchan.objects.filter(seats__player=member, state=Hanchan.State.FINISHED)[0]
    assert listed(found(member.name), sat) == 2, "once with the member, once in the list"


def test_who_changed_teams_is_found_with_the_tables_of_each_team_in_its_days() -> None:
    made = team_league()
    page, moved = found(made.members[0][3].name), made.members[0][3]
    for hanchan in Hanchan.objects.select_related("table_session"):
        teams = set(hanchan.seats.values_list("entrant", flat=True))
        evening = hanchan.table_session.session.number
        team = made.teams[0] if evening <= 2 else made.teams[-1]
        assert bool(listed(page, hanchan)) == (team.pk in teams), (evening, moved)


def test_a_secret_line_up_is_not_found_before_it_is_announced() -> None:
    made = team_league()
    member, hanchan = made.members[0][1], coming(made, 0)
    table = hanchan.table_session
    later = timezone.now() + dt.timedelta(days=200)
    set_line_up_deadline(table=table, due_at=later, are_secret=True, by=SYSTEM)
    name_line_up(hanchan=hanchan, entrant=made.teams[0], player=member, by=SYSTEM)
    made.publish()
    assert listed(found(member.name), hanchan) == 1
    TableSession.objects.filter(pk=table.pk).update(line_ups_due_at=timezone.now() - dt.timedelta(minutes=1))
    assert announce_line_ups(table, SYSTEM) == 1
    made.publish()
    assert listed(found(member.name), hanchan) == 2


def test_a_table_held_back_says_nothing_of_its_seats_to_the_search() -> None:
    made = team_league()
    member = made.members[0][1]
    sat = Hanchan.objects.filter(seats__player=member, state=Hanchan.State.FINISHED)[0]
    hold_back(table_session=sat.table_session, until=timezone.now() + dt.timedelta(days=9), by=SYSTEM)
    made.publish()
    assert listed(found(member.name), sat) == 0


def test_an_unknown_name_is_answered_for_teams_and_members() -> None:
    team_league()
    page = found("nobody")
    assert "No team or member is called “nobody”." in page
    assert "/members/teams-" not in page


def test_the_search_for_members_costs_no_query_for_each_table() -> None:
    made = team_league()
    counts = []
    for _evening in range(2):
        with CaptureQueriesContext(connection) as queries:
            found(made.members[0][0].name)
        counts.append(len(queries))
        made.schedule()
        made.publish()
    assert counts[1] <= counts[0] + 1
