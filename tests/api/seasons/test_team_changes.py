"""Changes of teams and of the staff over REST: members by date, the captain, links, fixtures, deadlines, roles."""

from __future__ import annotations

import json

import pytest

from league.models import Competition, Membership, Role, TableSession, TeamLink, TeamMember
from tests import factories
from tests.api.client import Api
from tests.league.team_league import TeamLeague

pytestmark = pytest.mark.django_db

ROOT = "competitions/teams"


@pytest.fixture
def league() -> TeamLeague:
    """Return a league of teams before its first evening."""
    return TeamLeague()


@pytest.fixture
def director(league: TeamLeague) -> Api:
    """Return the client of the director, by a token."""
    return Api(factories.user("director", Role.DIRECTOR, league.competition))


@pytest.mark.both_databases
def test_members_join_change_teams_and_leave_by_date(league: TeamLeague, director: Api) -> None:
    path = f"{ROOT}/memberships/"
    first, second = (str(team.pk) for team in league.teams[:2])
    added = director.post(
        path, {"team": first, "name": "新 ひかり", "since": "2026-10-01", "reason": "New"}, status=201
    )
    row = next(each for each in added["results"] if each["name"] == "新 ひかり")
    assert (row["team"], row["since"], row["until"], row["reason"]) == (first, "2026-10-01", None, "New")
    assert (
        director.post(path, {"team": second, "player": row["player"]}, status=409)["errors"][0]["code"] == "two_teams"
    )
    assert director.post(path, {"team": second}, status=422)["errors"][0]["code"] == "name_needed"
    seen = director.send("get", path).headers["ETag"]
    body = {"to": second, "since": "2026-12-01", "reason": "Winter"}
    moved = director.change(f"{path}{row['id']}/transfer/", body, if_match=seen)
    assert moved.status_code == 200
    assert director.change(f"{path}{row['id']}/transfer/", body, if_match=seen).status_code == 412
    mine = [each for each in json.loads(moved.content)["results"] if each["player"] == row["player"]]
    assert [(each["team"], each["since"], each["until"]) for each in mine] == [
        (first, "2026-10-01", "2026-11-30"),
        (second, "2026-12-01", None),
    ]
    captains = director.post(f"{path}{mine[1]['id']}/captain/")["results"]
    assert [each["player"] for each in captains if each["is_captain"] and each["team"] == second] == [row["player"]]
    newest = next(each["id"] for each in captains if each["team"] == second and each["is_captain"])
    ended = director.post(f"{path}{newest}/end/", {"until": None, "reason": "Slip"})["results"]
    assert newest not in [each["id"] for each in ended]
    assert TeamMember.objects.get(pk=newest).ended_n is not None
    scorer = Api(factories.user("scorer", Role.SCORER, league.competition))
    assert scorer.send("post", path, {"team": first}).status_code == 403
    assert Api().send("get", path).status_code == 401


def test_teams_are_entered_with_their_members(league: TeamLeague, director: Api) -> None:
    before = len(director.get(f"{ROOT}/teams/")["teams"])
    body = {"teams": [{"name": "灯台", "members": [{"name": "甲"}, {"name": "乙"}], "has_captain": True}]}
    refused = director.post(f"{ROOT}/teams/", body, status=422)
    accept = [each["code"] for each in refused["errors"]]
    entered = director.post(f"{ROOT}/teams/", {**body, "accept": accept}, status=201)["results"]
    assert [each["name"] for each in entered if each["is_captain"]][-1] == "甲"
    assert league.competition.entrants.count() == before + 1


def test_a_team_gets_a_link_and_a_deadline(league: TeamLeague, director: Api) -> None:
    team, hanchan = league.teams[0], league.schedule()[0]
    path = f"{ROOT}/teams/{team.player.key}/links/"
    link = director.post(path, status=201)["url"]
    assert director.client.get(link).status_code in (200, 302)
    assert director.send("delete", path).status_code == 204
    assert not TeamLink.objects.filter(ended_at=None).exists()
    table = hanchan.table_session
    body = {"due_at": "2026-12-05T18:00:00+09:00", "are_secret": True}
    assert director.send("put", f"{ROOT}/table-sessions/{table.pk}/line-up-deadline/", body).status_code == 200
    table.refresh_from_db()
    assert table.line_ups_are_secret
    wrong = director.send(
        "put", f"{ROOT}/table-sessions/{table.pk}/line-up-deadline/", {"due_at": None, "are_secret": True}
    )
    assert json.loads(wrong.content)["errors"][0]["code"] == "deadline_needed"


def test_pasted_fixtures_are_scheduled_as_they_were_previewed(league: TeamLeague, director: Api) -> None:
    names = [team.player.name for team in league.teams[:4]]
    text, path = "\t".join(["2026-10-05 19:00", "1", *names]), f"{ROOT}/blocks/regular/fixtures/"
    plan = director.post(f"{path}preview/", {"text": text})
    assert (plan["faults"], plan["tables"][0]["rounds"]) == ([], [[str(team.pk) for team in league.teams[:4]]])
    assert not TableSession.objects.exists()
    assert director.post(path, {"text": text, "digest": "0"}, status=409)["errors"][0]["code"] == "other_schedule"
    made = director.post(path, {"text": text, "digest": plan["digest"]}, status=201)["table_sessions"]
    assert made == [str(TableSession.objects.get().pk)]
    faulty = director.post(f"{path}preview/", {"text": "nothing"})
    assert len(faulty["faults"]) == 1


@pytest.mark.both_databases
def test_a_director_gives_roles_and_invites() -> None:
    league: Competition = factories.league()
    director = Api(factories.user("director", Role.DIRECTOR, league))
    path = f"competitions/{league.slug}/staff/"
    factories.user("mika")
    (own,) = director.get(path)["members"]
    assert (own["user"], own["role"]) == ("director", "director")
    added = director.post(path, {"user": "Mika", "role": "scorer"}, status=201)["members"]
    mika = next(each for each in added if each["user"] == "mika")
    assert director.post(path, {"user": "nobody", "role": "scorer"}, status=422)["errors"][0]["code"] == "unknown_user"
    seen = director.send("get", path).headers["ETag"]
    assert director.send("put", f"{path}{mika['id']}/", {"role": "referee"}, {"If-Match": seen}).status_code == 200
    assert director.send("put", f"{path}{mika['id']}/", {"role": "scorer"}, {"If-Match": seen}).status_code == 412
    for tags in ("*", f'"another", {director.send("get", path).headers["ETag"]}'):
        assert director.send("put", f"{path}{mika['id']}/", {"role": "referee"}, {"If-Match": tags}).status_code == 200
    assert Membership.objects.get(pk=mika["id"]).role == Role.REFEREE
    refused = director.send("delete", f"{path}{own['id']}/")
    assert json.loads(refused.content)["errors"][0]["code"] == "last_director"
    assert director.send("delete", f"{path}{mika['id']}/").status_code == 200
    invited = director.post(
        f"competitions/{league.slug}/invitations/", {"email": "aoi@example.org", "role": "scorer"}, status=201
    )
    assert invited["url"].startswith("http")
    waiting = director.get(path)["invitations"]
    assert [each["email"] for each in waiting] == ["aoi@example.org"]
    director.send("delete", f"competitions/{league.slug}/invitations/{waiting[0]['id']}/")
    assert director.get(path)["invitations"] == []
    scorer = Api(factories.user("scorer", Role.SCORER, league))
    assert scorer.send("get", path).status_code == 403
